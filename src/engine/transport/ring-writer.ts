import { assert, assertNever } from "../base/assert.ts";
import type { TimeMark } from "../base/event-time.ts";
import type { Message } from "../core/messages.ts";
import type { Batch } from "../data/batch.ts";
import type { Bell } from "./doorbell.ts";
import type { EdgeWriter } from "./edge.ts";
import { schemaFingerprint } from "./frame.ts";
import { type NextFrame, OutgoingBatch } from "./outgoing-batch.ts";
import { type Cargo, RingBook } from "./ring-book.ts";
import * as word from "./ring-header.ts";

const MARK_CODE: Readonly<Record<TimeMark["kind"], number>> = { time: 0, idle: 1, end: 2 };

/**
 * The writing end of an edge between threads. A message is published by one atomic store of the count of messages sent;
 * everything before it in the slot and in the frame is plain.
 */
export class RingWriter implements EdgeWriter<Batch> {
  private readonly ring: word.RingMemory;
  private readonly peer: Bell;
  private readonly book: RingBook;
  private readonly outgoing: OutgoingBatch;
  private readonly mask: number;
  /** Whether the header says that this end waits for room. */
  private blocked = false;
  private closed = false;

  constructor(end: word.RingEnd) {
    this.ring = word.openRing(end.buffer, end.ring, end.attempt);
    this.peer = end.peer;
    const count = Atomics.load(this.ring.header, word.SENT);
    assert(count === Atomics.load(this.ring.header, word.TAKEN), `edge ${end.edgeName}: a ring is opened empty`);
    this.book = new RingBook(end.ring.capacity, end.ring.slots, end.ring.data.bytes, count);
    this.outgoing = new OutgoingBatch(end.schema, this.ring.frames, end.edgeName);
    this.mask = end.ring.slots - 1;
    this.ring.header[word.SCHEMA] = schemaFingerprint(end.schema);
  }

  trySend(message: Message<Batch>): boolean {
    assert(!this.closed, "a closed edge takes no message");
    if (this.readerClosed) {
      this.outgoing.drop();
      return true;
    }
    return message.kind === "data" ? this.sendBatch(message.batch) : this.sendControl(message);
  }

  hasRoom(message: Message<Batch>): boolean {
    if (this.readerClosed) return true;
    if (message.kind !== "data") return this.makeRoom("control", 0);
    const frame = this.outgoing.next(message.batch);
    return this.makeRoom(frame.cargo, frame.bytes);
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    Atomics.store(this.ring.header, word.WRITER_CLOSED, 1);
    this.peer.ring();
  }

  private get readerClosed(): boolean {
    return Atomics.load(this.ring.header, word.READER_CLOSED) !== 0;
  }

  private sendBatch(batch: Batch): boolean {
    for (let frame: NextFrame | null = this.outgoing.next(batch); frame !== null; frame = this.outgoing.advance()) {
      if (!this.claimRoom(frame.cargo, frame.bytes)) return false;
      const at = this.book.place(frame.bytes);
      const slot = this.book.sent & this.mask;
      const span = this.book.put(frame.cargo, frame.bytes);
      this.outgoing.write(at);
      this.ring.slotWords[slot * word.SLOT_WORDS + word.FIRST] = at;
      this.ring.slotWords[slot * word.SLOT_WORDS + word.SECOND] = span;
      this.count(word.BYTES_SENT, span);
      if (frame.cargo === "data") {
        this.count(word.DATA_SENT, 1);
        this.count(word.ROWS_SENT, frame.rows);
      }
      this.publish(slot, frame.cargo === "data" ? word.DATA_SLOT : word.DICTIONARY_SLOT);
    }
    return true;
  }

  private sendControl(message: Exclude<Message<Batch>, { kind: "data" }>): boolean {
    assert(!this.outgoing.halfSent, "a batch that is half sent goes before anything else");
    if (!this.claimRoom("control", 0)) return false;
    const slot = this.book.sent & this.mask;
    this.book.put("control", 0);
    this.publish(slot, this.writeControl(slot, message));
    return true;
  }

  /** Fills the slot, and answers its kind. */
  private writeControl(slot: number, message: Exclude<Message<Batch>, { kind: "data" }>): number {
    const { slotWords, slotDoubles } = this.ring;
    const value = slot * word.SLOT_DOUBLES + word.VALUE;
    switch (message.kind) {
      case "watermark":
        slotWords[slot * word.SLOT_WORDS + word.FIRST] = message.source;
        slotWords[slot * word.SLOT_WORDS + word.SECOND] = MARK_CODE[message.mark.kind];
        if (message.mark.kind === "time") slotDoubles[value] = message.mark.ms;
        return word.WATERMARK_SLOT;
      case "barrier":
        slotDoubles[value] = message.epoch;
        return word.BARRIER_SLOT;
      case "tick":
        slotDoubles[value] = message.nowMs;
        return word.TICK_SLOT;
      case "eos":
        return word.EOS_SLOT;
      default:
        return assertNever(message);
    }
  }

  private publish(slot: number, kind: number): void {
    this.ring.kinds[slot] = kind;
    if (kind !== word.DICTIONARY_SLOT) this.count(word.MESSAGES_SENT, 1);
    Atomics.store(this.ring.header, word.SENT, this.book.sent);
    this.peer.ring();
  }

  private count(total: number, by: number): void {
    this.ring.totals[total] = (this.ring.totals[total] as number) + by;
  }

  /** Whether there is room, if need be after a fresh look at what the reader has taken. */
  private makeRoom(cargo: Cargo, bytes: number): boolean {
    if (this.book.fits(cargo, bytes)) return true;
    this.book.settle(Atomics.load(this.ring.header, word.TAKEN));
    return this.book.fits(cargo, bytes);
  }

  /**
   * Room, or the announcement that this end waits for it. The announcement comes before the last look and the reader
   * looks for it after each release, so one of the two sees the other.
   */
  private claimRoom(cargo: Cargo, bytes: number): boolean {
    if (!this.makeRoom(cargo, bytes)) {
      const { header } = this.ring;
      const { roomAt, wakeAt } = this.book.forecast(cargo, bytes);
      Atomics.store(header, word.ROOM_AT, roomAt);
      Atomics.store(header, word.WAKE_AT, wakeAt);
      Atomics.store(header, word.BLOCKED, 1);
      this.blocked = true;
      if (!this.makeRoom(cargo, bytes)) return false;
    }
    if (this.blocked) {
      this.blocked = false;
      Atomics.store(this.ring.header, word.BLOCKED, 0);
    }
    return true;
  }
}
