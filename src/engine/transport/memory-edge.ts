import { assert } from "../base/assert.ts";
import { isControl, type Message, type MessageKind } from "../core/messages.ts";
import { CONTROL_SLOTS, type EdgeReader, type EdgeView, type EdgeWriter } from "./edge.ts";

export interface MemoryEdgeOptions<B> {
  /** Data messages; below 1 is raised to 1 (F-2). */
  readonly capacity: number;
  /** For the view only. Default: no rows, no bytes. */
  readonly rowsOf?: (batch: B) => number;
  readonly bytesOf?: (batch: B) => number;
}

/**
 * An edge inside one thread: the lab's, and the measure of what a ring edge must do. Bounded in messages, not in bytes.
 * Its ends are objects without closures over state, so that a copy of the object graph is a copy of the edge (keyframes).
 */
export class MemoryEdge<B> {
  readonly capacity: number;
  readonly writer: EdgeWriter<B>;
  readonly reader: EdgeReader<B>;
  readonly view: EdgeView;
  private readonly queue: Queue<B>;

  constructor(options: MemoryEdgeOptions<B>) {
    const queue = new Queue<B>(options);
    this.queue = queue;
    this.capacity = queue.capacity;
    this.writer = new MemoryWriter(queue);
    this.reader = new MemoryReader(queue);
    this.view = new MemoryView(queue);
  }

  /** What is queued, the next to be read first. */
  contents(): readonly Message<B>[] {
    return [...this.queue.messages];
  }
}

class Queue<B> {
  readonly capacity: number;
  readonly options: MemoryEdgeOptions<B>;
  readonly messages: Message<B>[] = [];
  dataQueued = 0;
  writerClosed = false;
  readerClosed = false;
  messagesSent = 0;
  rowsSent = 0;

  constructor(options: MemoryEdgeOptions<B>) {
    this.options = options;
    this.capacity = Math.max(1, options.capacity);
  }

  hasRoom(message: Message<B>): boolean {
    if (this.readerClosed) return true;
    return isControl(message) ? this.messages.length < this.capacity + CONTROL_SLOTS : this.dataQueued < this.capacity;
  }
}

class MemoryWriter<B> implements EdgeWriter<B> {
  private readonly queue: Queue<B>;

  constructor(queue: Queue<B>) {
    this.queue = queue;
  }

  hasRoom(message: Message<B>): boolean {
    return this.queue.hasRoom(message);
  }

  trySend(message: Message<B>): boolean {
    const { queue } = this;
    assert(!queue.writerClosed, "a closed edge takes no message");
    if (queue.readerClosed) return true;
    if (!queue.hasRoom(message)) return false;
    queue.messages.push(message);
    queue.messagesSent += 1;
    if (message.kind === "data") {
      queue.dataQueued += 1;
      queue.rowsSent += queue.options.rowsOf?.(message.batch) ?? 0;
    }
    return true;
  }

  close(): void {
    this.queue.writerClosed = true;
  }
}

class MemoryReader<B> implements EdgeReader<B> {
  private readonly queue: Queue<B>;

  constructor(queue: Queue<B>) {
    this.queue = queue;
  }

  peek(): Message<B> | null {
    return this.queue.readerClosed ? null : (this.queue.messages[0] ?? null);
  }

  peekKind(): MessageKind | null {
    return this.peek()?.kind ?? null;
  }

  release(): void {
    const { queue } = this;
    const message = queue.messages.shift();
    assert(message !== undefined && !queue.readerClosed, "there is no message to release");
    if (message.kind === "data") queue.dataQueued -= 1;
  }

  get exhausted(): boolean {
    return this.queue.writerClosed && this.queue.messages.length === 0;
  }

  nudge(): void {
    // The writer is in this thread: it looks by itself.
  }

  close(): void {
    this.queue.readerClosed = true;
  }
}

class MemoryView<B> implements EdgeView {
  private readonly queue: Queue<B>;
  readonly bytesCapacity = Number.POSITIVE_INFINITY;

  constructor(queue: Queue<B>) {
    this.queue = queue;
  }

  get capacity(): number {
    return this.queue.capacity;
  }

  get dataQueued(): number {
    return this.queue.dataQueued;
  }

  get queued(): number {
    return this.queue.messages.length;
  }

  get bytesQueued(): number {
    const { messages, options } = this.queue;
    return messages.reduce((sum, m) => sum + (m.kind === "data" ? (options.bytesOf?.(m.batch) ?? 0) : 0), 0);
  }

  get messagesSent(): number {
    return this.queue.messagesSent;
  }

  get rowsSent(): number {
    return this.queue.rowsSent;
  }

  kinds(limit: number): MessageKind[] {
    return this.queue.messages.slice(0, limit).map((message) => message.kind);
  }
}
