import type { Message, MessageKind } from "../core/messages.ts";

/** Messages that control may still add once an edge holds `capacity` of them (D-2). */
export const CONTROL_SLOTS = 8;

/**
 * A physical edge: one writer, one reader, first in, first out (F-6), bounded.
 *
 * Data is taken while fewer than `capacity` data messages are queued, control while fewer than `capacity` + CONTROL_SLOTS
 * messages of any kind are (D-2). Both ends can close it (D-16).
 */
export interface EdgeWriter<B> {
  /**
   * Sends, or answers false when there is no room: then the same message must be offered again, and no other,
   * until it is through (a batch larger than the ring goes in slices, and may be half sent; an unsent control message
   * may be replaced, D-2). A send to an edge whose reader closed is discarded and answers true.
   * @throws WeirError `row-too-large` naming edge, row and size when one row cannot fit the ring
   */
  trySend(message: Message<B>): boolean;
  /** Whether `trySend(message)` could make any progress now. No side effects beyond a fresh read of the reader's progress. */
  hasRoom(message: Message<B>): boolean;
  /** No more messages will come. After Eos that is a clean end, without it the reader's input is lost (F-67). Idempotent. */
  close(): void;
}

export interface EdgeReader<B> {
  /**
   * The next message, without taking it; null when there is none. The same object until `release`. A batch in it may be
   * borrowed: it is valid until `release`.
   */
  peek(): Message<B> | null;
  /** Kind of the next message without decoding it; null when there is none. */
  peekKind(): MessageKind | null;
  /** Takes the message that `peek` gave. */
  release(): void;
  /** The writer closed and everything it wrote was taken. */
  readonly exhausted: boolean;
  /**
   * To be called before the reading host sleeps: wakes a writer that waits for more room than there was when it last
   * looked, and could go on with less.
   */
  nudge(): void;
  /** Nothing more will be read; the writer's further sends are discarded. Idempotent. */
  close(): void;
}

/** What a person sees of an edge, read from outside while it works: slots next to be read first. */
export interface EdgeView {
  readonly capacity: number;
  /** Data messages queued. */
  readonly dataQueued: number;
  /** All messages queued. */
  readonly queued: number;
  readonly bytesQueued: number;
  readonly bytesCapacity: number;
  /** Messages ever sent and rows ever sent; a batch that went in slices counts as several messages. */
  readonly messagesSent: number;
  readonly rowsSent: number;
  /** Kinds of the queued messages, the next to be read first, at most `limit`. */
  kinds(limit: number): MessageKind[];
}
