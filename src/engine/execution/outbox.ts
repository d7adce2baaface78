import type { EdgeId } from "../base/ids.ts";
import type { Message } from "../core/messages.ts";
import type { EdgeWriter } from "../transport/edge.ts";

/**
 * What a task has yet to send on one edge. Each edge has its own, so that a full edge never keeps a barrier from
 * another one (D-2).
 */
export class Outbox<B> {
  readonly edge: EdgeId;
  readonly writer: EdgeWriter<B>;
  private waiting: Message<B>[] = [];

  constructor(edge: EdgeId, writer: EdgeWriter<B>) {
    this.edge = edge;
    this.writer = writer;
  }

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  get head(): Message<B> | undefined {
    return this.waiting[0];
  }

  /** Sends at once where nothing waits and there is room; answers whether it is through. */
  send(message: Message<B>): boolean {
    if (this.isEmpty && this.writer.trySend(message)) return true;
    this.push(message);
    return false;
  }

  /** Sends the first waiting message if there is room, and answers it. */
  flushOne(): Message<B> | undefined {
    const message = this.waiting[0];
    if (message === undefined || !this.writer.trySend(message)) return undefined;
    this.waiting.shift();
    return message;
  }

  /** Whether `flushOne` could make progress. */
  get canFlush(): boolean {
    const message = this.waiting[0];
    return message !== undefined && this.writer.hasRoom(message);
  }

  discard(): void {
    this.waiting = [];
  }

  /**
   * An unsent watermark or tick is replaced by the newest one (D-2), also where the edge was offered it already; barriers and Eos
   * never are, nor is data, of which a part may be sent.
   */
  private push(message: Message<B>): void {
    const last = this.waiting.length - 1;
    const previous = this.waiting[last];
    if (previous !== undefined && supersedes(message, previous)) this.waiting[last] = message;
    else this.waiting.push(message);
  }
}

function supersedes(message: Message<unknown>, previous: Message<unknown>): boolean {
  if (message.kind === "tick") return previous.kind === "tick";
  // Idle and END are news of their own, and so is a time that goes back (D-52): only a later time makes an earlier one of the same source old.
  return (
    message.kind === "watermark" &&
    previous.kind === "watermark" &&
    message.source === previous.source &&
    message.mark.kind === "time" &&
    previous.mark.kind === "time" &&
    message.mark.ms >= previous.mark.ms
  );
}
