import type { EdgeId } from "../base/ids.ts";
import type { Message } from "../core/messages.ts";
import type { Outbox } from "./outbox.ts";

/** Told of every message that is through. An object: keyframes of the lab copy state, and cannot copy a function's. */
export interface SentListener<B> {
  wasSent(edge: EdgeId, message: Message<B>): void;
}

/**
 * All that a task has yet to send. Sending may throw what an edge throws, such as `row-too-large`: then the message never gets through, and
 * all of it is to be discarded.
 */
export class Outboxes<B> {
  private readonly boxes: readonly Outbox<B>[];
  private readonly byEdge: ReadonlyMap<EdgeId, Outbox<B>>;
  private readonly listener: SentListener<B>;
  /** Boxes in which something waits. */
  private waiting = 0;

  constructor(boxes: readonly Outbox<B>[], listener: SentListener<B>) {
    this.boxes = boxes;
    this.byEdge = new Map(boxes.map((box) => [box.edge, box]));
    this.listener = listener;
  }

  get isEmpty(): boolean {
    return this.waiting === 0;
  }

  /** The first edge that is waited for. */
  get target(): EdgeId | undefined {
    return this.boxes.find((box) => !box.isEmpty)?.edge;
  }

  /** Whether some edge would take some of what waits. */
  get canFlush(): boolean {
    for (const box of this.boxes) if (box.canFlush) return true;
    return false;
  }

  /** Edges that would take some of what waits. */
  flushable(): EdgeId[] {
    return this.boxes.filter((box) => box.canFlush).map((box) => box.edge);
  }

  send(edge: EdgeId, message: Message<B>): void {
    const box = this.byEdge.get(edge) as Outbox<B>;
    const wasEmpty = box.isEmpty;
    if (box.send(message)) this.listener.wasSent(edge, message);
    else if (wasEmpty) this.waiting++;
  }

  /** Sends what the edge takes; answers whether that was anything. */
  flush(edge: EdgeId): boolean {
    return this.flushBox(this.byEdge.get(edge) as Outbox<B>);
  }

  flushAll(): boolean {
    let moved = false;
    for (const box of this.boxes) if (!box.isEmpty && this.flushBox(box)) moved = true;
    return moved;
  }

  /** Nothing of it is sent any more. */
  discard(): void {
    for (const box of this.boxes) box.discard();
    this.waiting = 0;
  }

  close(): void {
    for (const box of this.boxes) box.writer.close();
  }

  private flushBox(box: Outbox<B>): boolean {
    let moved = false;
    for (let sent = box.flushOne(); sent !== undefined; sent = box.flushOne()) {
      moved = true;
      this.listener.wasSent(box.edge, sent);
    }
    if (moved && box.isEmpty) this.waiting--;
    return moved;
  }
}
