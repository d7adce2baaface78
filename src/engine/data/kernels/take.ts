import { assertNever } from "../../base/assert.ts";
import { Batch } from "../batch.ts";
import { bytesForBits, countOnes } from "../bits.ts";
import type { Bits, Column, FixedColumn, FixedValues, Validity, VarColumn } from "../column.ts";
import { bytesPerRow, elementsPerRow, newTextBytes, Room, wordAccess } from "../storage.ts";
import * as gather from "./gather.ts";

/**
 * Rows `rows[from]`, …, `rows[to − 1]` in this order, also repeated ones, as a column of its own memory. Dictionaries are shared.
 */
export function takeColumn(column: Column, rows: Int32Array, from = 0, to = rows.length): Column {
  return takeInto(new Room(columnRoom(column, to - from)), column, rows, from, to, LOOPS);
}

/** The rows of a batch in the given order; private, event times along with them. */
export function takeBatch(batch: Batch, rows: Int32Array, from = 0, to = rows.length): Batch {
  return takeBatchInto(new Room(batchRoom(batch, to - from)), batch, rows, from, to);
}

/** Bytes that `takeBatchInto` needs for so many rows. */
export function batchRoom(batch: Batch, rowCount: number): number {
  let bytes = batch.eventTimes === null ? 0 : 8 * rowCount;
  for (const column of batch.columns) bytes += columnRoom(column, rowCount);
  return bytes;
}

/** The loops that a take is made of: those of gather.ts, or their like in WebAssembly. */
export interface GatherLoops {
  gather8(source: Uint8Array, rows: Int32Array, from: number, to: number, out: Uint8Array): void;
  gather16(source: Uint16Array, rows: Int32Array, from: number, to: number, out: Uint16Array): void;
  gather32(source: Int32Array, rows: Int32Array, from: number, to: number, out: Int32Array): void;
  gatherFloat64(source: Float64Array, rows: Int32Array, from: number, to: number, out: Float64Array): void;
  gatherPairs(source: Int32Array, rows: Int32Array, from: number, to: number, out: Int32Array): void;
  gatherQuads(source: Int32Array, rows: Int32Array, from: number, to: number, out: Int32Array): void;
  /** `out` must be 0. */
  gatherBits(source: Bits, rows: Int32Array, from: number, to: number, out: Uint8Array): void;
  takeText(room: Room, column: VarColumn, rows: Int32Array, from: number, to: number): Text;
}

export type Text = Pick<VarColumn, "offsets" | "bytes">;

export const LOOPS: GatherLoops = {
  gather8: gather.gather8,
  gather16: gather.gather16,
  gather32: gather.gather32,
  gatherFloat64: gather.gatherFloat64,
  gatherPairs: gather.gatherPairs,
  gatherQuads: gather.gatherQuads,
  gatherBits: gather.gatherBits,
  takeText: takeTextInto,
};

/** `takeBatch` with the memory from the room: all but the bytes of text, which the loops place. */
export function takeBatchInto(
  room: Room,
  batch: Batch,
  rows: Int32Array,
  from: number,
  to: number,
  loops = LOOPS,
  borrowed = false,
): Batch {
  const columns = batch.columns.map((column) => takeInto(room, column, rows, from, to, loops));
  let eventTimes: Float64Array | null = null;
  if (batch.eventTimes !== null) {
    eventTimes = room.float64(to - from);
    loops.gatherFloat64(batch.eventTimes, rows, from, to, eventTimes);
  }
  return new Batch(batch.schema, to - from, columns, eventTimes, borrowed);
}

function columnRoom(column: Column, rowCount: number): number {
  const validity = column.nullCount === 0 ? 0 : Room.size(bytesForBits(rowCount));
  switch (column.encoding) {
    case "fixed":
      return validity + Room.size(rowCount * bytesPerRow(column.type));
    case "bits":
      return validity + Room.size(bytesForBits(rowCount));
    case "var":
      return validity + Room.size(4 * (rowCount + 1));
    case "dictionary":
      return validity + Room.size(4 * rowCount);
    default:
      return assertNever(column);
  }
}

function takeInto(room: Room, column: Column, rows: Int32Array, from: number, to: number, loops: GatherLoops): Column {
  const length = to - from;
  const { type } = column;
  const bits = takeValidity(room, column, rows, from, to, loops);
  const nullCount = bits === null ? 0 : length - countOnes(bits, 0, length);
  const validity: Validity = bits === null || nullCount === 0 ? null : { bits, bitOffset: 0 };
  // Written out: every batch of a shuffle passes here several times, and spreading what they have in common takes longer than to gather a few rows.
  switch (column.encoding) {
    case "fixed": {
      const values = takeValues(room, column, rows, from, to, loops);
      return { encoding: "fixed", type, length, nullCount, validity, values };
    }
    case "bits": {
      const values = { bits: room.zeros(bytesForBits(length)), bitOffset: 0 };
      loops.gatherBits(column.values, rows, from, to, values.bits);
      return { encoding: "bits", type, length, nullCount, validity, values };
    }
    case "var": {
      const { offsets, bytes } = loops.takeText(room, column, rows, from, to);
      return { encoding: "var", type, length, nullCount, validity, offsets, bytes };
    }
    case "dictionary": {
      const codes = room.int32(length);
      loops.gather32(column.codes, rows, from, to, codes);
      return { encoding: "dictionary", type, length, nullCount, validity, codes, dictionary: column.dictionary };
    }
    default:
      return assertNever(column);
  }
}

function takeValidity(
  room: Room,
  column: Column,
  rows: Int32Array,
  from: number,
  to: number,
  loops: GatherLoops,
): Uint8Array | null {
  if (column.nullCount === 0 || column.validity === null) return null;
  const bits = room.zeros(bytesForBits(to - from));
  loops.gatherBits(column.validity, rows, from, to, bits);
  return bits;
}

function takeValues(
  room: Room,
  column: FixedColumn,
  rows: Int32Array,
  from: number,
  to: number,
  loops: GatherLoops,
): FixedValues {
  const { type, values } = column;
  // The types that nearly all values have are asked for by name: an array of a type that must be found out first takes twice as long to make.
  if (values instanceof Float64Array) {
    const out = room.float64(to - from);
    loops.gatherFloat64(values, rows, from, to, out);
    return out;
  }
  if (values instanceof Int32Array) {
    const words = elementsPerRow(type);
    const out = room.int32(words * (to - from));
    if (words === 4) loops.gatherQuads(values, rows, from, to, out);
    else if (words === 2) loops.gatherPairs(values, rows, from, to, out);
    else loops.gather32(values, rows, from, to, out);
    return out;
  }
  const out = room.fixed(type, to - from);
  if (values.BYTES_PER_ELEMENT === 4) loops.gather32(as32(values), rows, from, to, as32(out));
  else if (values.BYTES_PER_ELEMENT === 2) loops.gather16(as16(values), rows, from, to, as16(out));
  else loops.gather8(as8(values), rows, from, to, as8(out));
  return out;
}

const as32 = (values: FixedValues): Int32Array =>
  values instanceof Int32Array ? values : new Int32Array(values.buffer, values.byteOffset, values.length);
const as16 = (values: FixedValues): Uint16Array =>
  values instanceof Uint16Array ? values : new Uint16Array(values.buffer, values.byteOffset, values.length);
const as8 = (values: FixedValues): Uint8Array =>
  values instanceof Uint8Array ? values : new Uint8Array(values.buffer, values.byteOffset, values.length);

/** `takeColumn` for plain text, which stays plain. */
export function takeText(column: VarColumn, rows: Int32Array): VarColumn {
  return takeColumn(column, rows) as VarColumn;
}

function takeTextInto(room: Room, column: VarColumn, rows: Int32Array, from: number, to: number): Text {
  const offsets = room.int32(to - from + 1);
  const bytes = newTextBytes(gather.gatherOffsets(column.offsets, rows, from, to, offsets));
  gather.gatherText(column.offsets, column.bytes, wordAccess(column.bytes), rows, from, to, wordAccess(bytes));
  return { offsets, bytes };
}
