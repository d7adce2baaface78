import { assert } from "../base/assert.ts";
import type { Attempt } from "../base/ids.ts";
import type { MessageKind } from "../core/messages.ts";
import { BufferMemory } from "../data/column-buffers.ts";
import type { Schema } from "../data/schema.ts";
import type { Bell } from "./doorbell.ts";
import { RING_HEADER_BYTES, type RingRegion, SLOT_BYTES } from "./ring-layout.ts";

/**
 * The control words of a ring, as indexes into an Int32Array over its header. One line for each party that writes.
 *
 * Counts of messages (SENT, TAKEN, ROOM_AT, WAKE_AT) are unsigned and wrap at 2^32; only their differences mean something.
 */
export const MAGIC = 0;
export const ATTEMPT = 1;
export const EDGE = 2;
/** Fingerprint of the schema, told by the writer; 0: not yet. */
export const SCHEMA = 3;

/** Messages published. */
export const SENT = 16;
/** Messages released. */
export const TAKEN = 32;

export const WRITER_CLOSED = 48;
export const READER_CLOSED = 49;

/** 1 while the writer waits for room. */
export const BLOCKED = 64;
/** Value of TAKEN from which on the waiting message has room. */
export const ROOM_AT = 65;
/** Value of TAKEN from which on waking the writer pays. */
export const WAKE_AT = 66;

/**
 * Totals for whoever looks on, as indexes into a Float64Array over the header. Plain stores: nothing is
 * decided by them. Dictionaries count as bytes only.
 */
export const MESSAGES_SENT = 9;
export const ROWS_SENT = 10;
export const DATA_SENT = 11;
export const BYTES_SENT = 12;
export const MESSAGES_TAKEN = 17;
export const DATA_TAKEN = 18;
export const BYTES_TAKEN = 19;

const RING_MAGIC = 0x57_45_49_52;

/** Kinds as the slot bytes tell them; 0 is a slot that was never used. A dictionary is no message: it goes before one. */
export const DICTIONARY_SLOT = 1;
export const DATA_SLOT = 2;
export const WATERMARK_SLOT = 3;
export const BARRIER_SLOT = 4;
export const TICK_SLOT = 5;
export const EOS_SLOT = 6;
export const SLOT_KINDS: readonly (MessageKind | undefined)[] = [
  undefined,
  undefined,
  "data",
  "watermark",
  "barrier",
  "tick",
  "eos",
];

/**
 * A slot, as indexes into its 32-bit words and, for the last, into its doubles. What is not said of a kind is left as it was.
 *
 * | slot             | FIRST         | SECOND             | VALUE       |
 * |------------------|---------------|--------------------|-------------|
 * | data, dictionary | frame's start | bytes it takes     |             |
 * | watermark        | source        | time, idle or end  | ms if time  |
 * | barrier, tick    |               |                    | epoch, now  |
 */
export const SLOT_WORDS = SLOT_BYTES / 4;
export const SLOT_DOUBLES = SLOT_BYTES / 8;
export const FIRST = 0;
export const SECOND = 1;
export const VALUE = 1;

/** One end of a ring, as a worker opens it. */
export interface RingEnd {
  readonly buffer: SharedArrayBuffer;
  readonly ring: RingRegion;
  readonly attempt: Attempt;
  readonly schema: Schema;
  /** Bell of the host at the other end. */
  readonly peer: Bell;
  /** The document's name of the edge, for messages. */
  readonly edgeName: string;
}

/** The words, the slots and the payloads of a ring. */
export interface RingMemory {
  readonly header: Int32Array;
  readonly totals: Float64Array;
  readonly kinds: Uint8Array;
  readonly slotWords: Int32Array;
  readonly slotDoubles: Float64Array;
  readonly frames: BufferMemory;
}

/** A ring's words, empty and marked with the attempt. */
export function resetRing(buffer: SharedArrayBuffer, ring: RingRegion, attempt: Attempt): void {
  new Uint8Array(buffer, ring.header, RING_HEADER_BYTES).fill(0);
  new Uint8Array(buffer, ring.kinds, ring.slots).fill(0);
  new Uint8Array(buffer, ring.slotTable, ring.slots * SLOT_BYTES).fill(0);
  const words = new Int32Array(buffer, ring.header, RING_HEADER_BYTES / 4);
  words[MAGIC] = RING_MAGIC;
  words[ATTEMPT] = attempt;
  words[EDGE] = ring.edge;
}

/** Opens a ring after making sure that it belongs to this edge and attempt (D-9). */
export function openRing(buffer: SharedArrayBuffer, ring: RingRegion, attempt: Attempt): RingMemory {
  const words = new Int32Array(buffer, ring.header, RING_HEADER_BYTES / 4);
  assert(words[MAGIC] === RING_MAGIC, `edge ${ring.edge}: the ring was never reset`);
  assert(words[EDGE] === ring.edge, `edge ${ring.edge}: the ring is that of edge ${words[EDGE]}`);
  assert(words[ATTEMPT] === attempt, `edge ${ring.edge}: the ring is of attempt ${words[ATTEMPT]}, not ${attempt}`);
  return {
    header: words,
    totals: new Float64Array(buffer, ring.header, RING_HEADER_BYTES / 8),
    kinds: new Uint8Array(buffer, ring.kinds, ring.slots),
    slotWords: new Int32Array(buffer, ring.slotTable, ring.slots * SLOT_WORDS),
    slotDoubles: new Float64Array(buffer, ring.slotTable, ring.slots * SLOT_DOUBLES),
    frames: new BufferMemory(new Uint8Array(buffer, ring.data.offset, ring.data.bytes)),
  };
}

/**
 * Closes a ring at both ends, for a host that died (D-16): its peers send into nothing and find their input lost. Whoever
 * may be waiting must be rung.
 */
export function closeBothEnds(buffer: SharedArrayBuffer, ring: RingRegion): void {
  const words = new Int32Array(buffer, ring.header, RING_HEADER_BYTES / 4);
  Atomics.store(words, WRITER_CLOSED, 1);
  Atomics.store(words, READER_CLOSED, 1);
}
