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

/** All that a memory edge remembers, for the lab's keyframes. Messages are shared, not copied: they are immutable. */
export interface MemoryEdgeState<B> {
  /** The next to be read first. */
  readonly messages: readonly Message<B>[];
  readonly writerClosed: boolean;
  readonly readerClosed: boolean;
  readonly messagesSent: number;
  readonly rowsSent: number;
}

/**
 * An edge inside one thread: the lab's, and the measure of what a ring edge must do. Bounded in messages, not in bytes.
 */
export class MemoryEdge<B> {
  readonly capacity: number;
  readonly writer: EdgeWriter<B>;
  readonly reader: EdgeReader<B>;
  readonly view: EdgeView;

  private readonly options: MemoryEdgeOptions<B>;
  private messages: Message<B>[] = [];
  private dataQueued = 0;
  private writerClosed = false;
  private readerClosed = false;
  private messagesSent = 0;
  private rowsSent = 0;

  constructor(options: MemoryEdgeOptions<B>) {
    this.options = options;
    this.capacity = Math.max(1, options.capacity);
    this.writer = this.makeWriter();
    this.reader = this.makeReader();
    this.view = this.makeView();
  }

  /** What is queued, the next to be read first. */
  contents(): readonly Message<B>[] {
    return [...this.messages];
  }

  snapshot(): MemoryEdgeState<B> {
    const { writerClosed, readerClosed, messagesSent, rowsSent } = this;
    return { messages: this.contents(), writerClosed, readerClosed, messagesSent, rowsSent };
  }

  restore(state: MemoryEdgeState<B>): void {
    this.messages = [...state.messages];
    this.dataQueued = state.messages.filter((message) => !isControl(message)).length;
    this.writerClosed = state.writerClosed;
    this.readerClosed = state.readerClosed;
    this.messagesSent = state.messagesSent;
    this.rowsSent = state.rowsSent;
  }

  private hasRoom(message: Message<B>): boolean {
    if (this.readerClosed) return true;
    return isControl(message) ? this.messages.length < this.capacity + CONTROL_SLOTS : this.dataQueued < this.capacity;
  }

  private makeWriter(): EdgeWriter<B> {
    return {
      hasRoom: (message) => this.hasRoom(message),
      trySend: (message) => {
        assert(!this.writerClosed, "a closed edge takes no message");
        if (this.readerClosed) return true;
        if (!this.hasRoom(message)) return false;
        this.messages.push(message);
        this.messagesSent += 1;
        if (message.kind === "data") {
          this.dataQueued += 1;
          this.rowsSent += this.options.rowsOf?.(message.batch) ?? 0;
        }
        return true;
      },
      close: () => {
        this.writerClosed = true;
      },
    };
  }

  private makeReader(): EdgeReader<B> {
    const peek = (): Message<B> | null => (this.readerClosed ? null : (this.messages[0] ?? null));
    const exhausted = (): boolean => this.writerClosed && this.messages.length === 0;
    return {
      peek,
      peekKind: () => peek()?.kind ?? null,
      release: () => {
        const message = this.messages.shift();
        assert(message !== undefined && !this.readerClosed, "there is no message to release");
        if (message.kind === "data") this.dataQueued -= 1;
      },
      get exhausted() {
        return exhausted();
      },
      nudge: () => {},
      close: () => {
        this.readerClosed = true;
      },
    };
  }

  private makeView(): EdgeView {
    const edge = this;
    return {
      capacity: edge.capacity,
      get dataQueued() {
        return edge.dataQueued;
      },
      get queued() {
        return edge.messages.length;
      },
      get bytesQueued() {
        return edge.messages.reduce((sum, message) => sum + edge.bytesOf(message), 0);
      },
      bytesCapacity: Number.POSITIVE_INFINITY,
      get messagesSent() {
        return edge.messagesSent;
      },
      get rowsSent() {
        return edge.rowsSent;
      },
      kinds: (limit: number): MessageKind[] => edge.messages.slice(0, limit).map((message) => message.kind),
    };
  }

  private bytesOf(message: Message<B>): number {
    return message.kind === "data" ? (this.options.bytesOf?.(message.batch) ?? 0) : 0;
  }
}
