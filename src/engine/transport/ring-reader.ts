import { assert } from "../base/assert.ts";
import { END, IDLE, type TimeMark, timeMark } from "../base/event-time.ts";
import { epoch, taskId } from "../base/ids.ts";
import type { Message, MessageKind } from "../core/messages.ts";
import type { Batch } from "../data/batch.ts";
import type { Bell } from "./doorbell.ts";
import type { EdgeReader } from "./edge.ts";
import { FrameReader, schemaFingerprint } from "./frame.ts";
import * as word from "./ring-header.ts";

const EOS: Message<Batch> = { kind: "eos" };

/**
 * The reading end of an edge between threads. A batch is read in place; releasing it gives its slot back by one atomic
 * store of the count of messages taken.
 */
export class RingReader implements EdgeReader<Batch> {
  private readonly ring: word.RingMemory;
  private readonly peer: Bell;
  private readonly frames: FrameReader;
  private readonly mask: number;
  private readonly schema: number;
  private readonly edgeName: string;
  /** Counts of messages, wrapping: what the writer had sent when this end last looked, and what was taken. */
  private sent: number;
  private taken: number;
  private current: Message<Batch> | null = null;
  private closed = false;

  constructor(end: word.RingEnd) {
    this.ring = word.openRing(end.buffer, end.ring, end.attempt);
    this.peer = end.peer;
    this.frames = new FrameReader(end.schema, this.ring.frames);
    this.mask = end.ring.slots - 1;
    this.schema = schemaFingerprint(end.schema);
    this.edgeName = end.edgeName;
    this.taken = Atomics.load(this.ring.header, word.TAKEN);
    this.sent = this.taken;
  }

  peek(): Message<Batch> | null {
    if (this.current === null) {
      const kind = this.nextKind();
      if (kind !== 0) this.current = this.read(kind);
    }
    return this.current;
  }

  peekKind(): MessageKind | null {
    return word.SLOT_KINDS[this.nextKind()] ?? null;
  }

  release(): void {
    const { current } = this;
    assert(current !== null, `edge ${this.edgeName}: there is no message to release`);
    this.current = null;
    this.count(word.MESSAGES_TAKEN, 1);
    if (current.kind === "data") {
      this.count(word.DATA_TAKEN, 1);
      this.count(word.BYTES_TAKEN, this.slotWord(word.SECOND));
    }
    this.take();
  }

  get exhausted(): boolean {
    // In this order: what the writer sent before it closed is seen after.
    return Atomics.load(this.ring.header, word.WRITER_CLOSED) !== 0 && this.nextKind() === 0;
  }

  nudge(): void {
    this.wakeWriter(word.ROOM_AT);
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.current = null;
    Atomics.store(this.ring.header, word.READER_CLOSED, 1);
    this.peer.ring();
  }

  /** Kind of the slot to be read next, past dictionaries; 0 when there is none. */
  private nextKind(): number {
    if (this.closed) return 0;
    for (;;) {
      if (this.sent === this.taken) {
        this.sent = Atomics.load(this.ring.header, word.SENT);
        if (this.sent === this.taken) return 0;
      }
      const kind = this.ring.kinds[this.taken & this.mask] as number;
      if (kind !== word.DICTIONARY_SLOT) return kind;
      this.frames.readDictionary(this.slotWord(word.FIRST));
      this.count(word.BYTES_TAKEN, this.slotWord(word.SECOND));
      this.take();
    }
  }

  private take(): void {
    this.taken = (this.taken + 1) | 0;
    Atomics.store(this.ring.header, word.TAKEN, this.taken);
    this.wakeWriter(word.WAKE_AT);
  }

  /** Wakes a writer that waits for room, if as much was taken as the header's word says. */
  private wakeWriter(from: number): void {
    const { header } = this.ring;
    if (Atomics.load(header, word.BLOCKED) === 0) return;
    if (((this.taken - Atomics.load(header, from)) | 0) >= 0) this.peer.ring();
  }

  private read(kind: number): Message<Batch> {
    const value = this.ring.slotDoubles[(this.taken & this.mask) * word.SLOT_DOUBLES + word.VALUE] as number;
    switch (kind) {
      case word.DATA_SLOT:
        assert(this.ring.header[word.SCHEMA] === this.schema, `edge ${this.edgeName}: both ends have the same schema`);
        return { kind: "data", batch: this.frames.readBatch(this.slotWord(word.FIRST)) };
      case word.WATERMARK_SLOT: {
        const mark = markOf(this.slotWord(word.SECOND), value);
        return { kind: "watermark", source: taskId(this.slotWord(word.FIRST)), mark };
      }
      case word.BARRIER_SLOT:
        return { kind: "barrier", epoch: epoch(value) };
      case word.TICK_SLOT:
        return { kind: "tick", nowMs: value };
      default:
        assert(kind === word.EOS_SLOT, `edge ${this.edgeName}: there is no slot of kind ${kind}`);
        return EOS;
    }
  }

  private slotWord(index: number): number {
    return this.ring.slotWords[(this.taken & this.mask) * word.SLOT_WORDS + index] as number;
  }

  private count(total: number, by: number): void {
    this.ring.totals[total] = (this.ring.totals[total] as number) + by;
  }
}

function markOf(code: number, ms: number): TimeMark {
  if (code === 0) return timeMark(ms);
  return code === 1 ? IDLE : END;
}
