import { assertNever } from "../base/assert.ts";
import { bytesForBits, writeBits } from "./bits.ts";
import type { Column, FixedValues, Validity, VarColumn } from "./column.ts";
import { bytesOf, elementsPerRow, fixedValuesAt } from "./storage.ts";
import type { LogicalType } from "./types.ts";

/**
 * A column as plain buffers for the wire, and back. The buffers are normalised: values hold the column's rows and nothing
 * else, offsets start at 0, bitmaps at bit 0. In this order:
 *
 * | encoding   | buffers                  |
 * |------------|--------------------------|
 * | fixed      | validity, values         |
 * | bits       | validity, values         |
 * | var        | validity, offsets, bytes |
 * | dictionary | validity, codes          |
 *
 * The validity has no bytes where no row is NULL. A dictionary goes apart, as a `var` column of its own: see
 * `DictionaryColumn.dictionary`. Buffers that start at multiples of 8 bytes are read in place.
 */
export type Encoding = Column["encoding"];

export function bufferCount(encoding: Encoding): 2 | 3 {
  return encoding === "var" ? 3 : 2;
}

/** Indexable by number: an array of numbers or a typed one. */
interface Slots {
  [index: number]: number;
}

/** Writes the byte lengths of the column's buffers to `sizes` from `at` on and answers the index behind them. */
export function bufferSizes(column: Column, sizes: Slots, at: number): number {
  const { length } = column;
  sizes[at] = column.nullCount === 0 ? 0 : bytesForBits(length);
  switch (column.encoding) {
    case "fixed":
      sizes[at + 1] = length * elementsPerRow(column.type) * column.values.BYTES_PER_ELEMENT;
      return at + 2;
    case "bits":
      sizes[at + 1] = bytesForBits(length);
      return at + 2;
    case "var":
      sizes[at + 1] = 4 * (length + 1);
      sizes[at + 2] = (column.offsets[length] as number) - (column.offsets[0] as number);
      return at + 3;
    case "dictionary":
      sizes[at + 1] = 4 * length;
      return at + 2;
    default:
      return assertNever(column);
  }
}

/**
 * Writes to `skews` how many bytes past a multiple of 8 each buffer starts where it lies now, and answers the index behind
 * them. A copy whose target is skewed the same way is 8 times faster, where one side is shared memory.
 */
export function bufferSkews(column: Column, skews: Slots, at: number): number {
  skews[at] = 0;
  switch (column.encoding) {
    case "fixed":
      skews[at + 1] = column.values.byteOffset & 7;
      return at + 2;
    case "bits":
      skews[at + 1] = 0;
      return at + 2;
    case "var": {
      const base = column.offsets[0] as number;
      skews[at + 1] = base === 0 ? column.offsets.byteOffset & 7 : 0;
      skews[at + 2] = (column.bytes.byteOffset + base) & 7;
      return at + 3;
    }
    case "dictionary":
      skews[at + 1] = column.codes.byteOffset & 7;
      return at + 2;
    default:
      return assertNever(column);
  }
}

/** Memory for buffers, private or shared, in the widths that are copied most. Begins at a multiple of 8 of its buffer. */
export class BufferMemory {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
  readonly doubles: Float64Array;

  constructor(bytes: Uint8Array) {
    const { buffer, byteOffset, length } = bytes;
    this.bytes = bytes;
    this.words = new Int32Array(buffer, byteOffset, length >> 2);
    this.doubles = new Float64Array(buffer, byteOffset, length >> 3);
  }
}

/**
 * Copies the column's buffers into `memory`: buffer i to byte `starts[at + i]`. Starts are multiples of 8, or skewed as
 * `bufferSkews` says. Answers the index behind the last start.
 */
export function writeBuffers(column: Column, memory: BufferMemory, starts: ArrayLike<number>, at: number): number {
  const { length } = column;
  const second = starts[at + 1] as number;
  if (column.nullCount > 0 && column.validity !== null) {
    writeBits(column.validity, length, memory.bytes, starts[at] as number);
  }
  switch (column.encoding) {
    case "fixed":
      copyInto(memory, second, column.values, length * elementsPerRow(column.type));
      return at + 2;
    case "bits":
      writeBits(column.values, length, memory.bytes, second);
      return at + 2;
    case "var": {
      writeOffsets(column, memory, second);
      const from = column.offsets[0] as number;
      const to = column.offsets[length] as number;
      const { bytes } = column;
      if (to > from) memory.bytes.set(bytes.length === to - from ? bytes : bytes.subarray(from, to), starts[at + 2]);
      return at + 3;
    }
    case "dictionary":
      copyInto(memory, second, column.codes, length);
      return at + 2;
    default:
      return assertNever(column);
  }
}

/** Up to here a loop is faster than a call of `set`. */
const FEW = 24;

function copyInto(memory: BufferMemory, at: number, source: FixedValues, elements: number): void {
  if (elements === 0) return;
  const values = source.length === elements ? source : source.subarray(0, elements);
  if (values instanceof Int32Array) copyWords(memory.words, at >> 2, values);
  // Floats only ever as a whole: one by one, NaN patterns would change.
  else if (values instanceof Float64Array) memory.doubles.set(values, at >> 3);
  else memory.bytes.set(bytesOf(values), at);
}

function copyWords(words: Int32Array, at: number, values: Int32Array): void {
  if (values.length > FEW) words.set(values, at);
  else for (let i = 0; i < values.length; i++) words[at + i] = values[i] as number;
}

function writeOffsets(column: VarColumn, memory: BufferMemory, at: number): void {
  const { offsets, length } = column;
  const base = offsets[0] as number;
  if (base === 0) {
    copyInto(memory, at, offsets, length + 1);
    return;
  }
  const { words } = memory;
  for (let i = 0; i <= length; i++) words[(at >> 2) + i] = (offsets[i] as number) - base;
}

/** What a reader must know of a column beside its buffers. */
export interface ColumnShape {
  readonly type: LogicalType;
  readonly encoding: Encoding;
  readonly length: number;
  readonly nullCount: number;
  /** Only where the encoding is `dictionary`. */
  readonly dictionary?: VarColumn | undefined;
}

/**
 * A column over buffers that lie in `memory`, nothing copied. `starts` and `sizes` are as for `writeBuffers`; the
 * column is valid as long as the memory keeps its contents.
 */
export function columnOver(
  shape: ColumnShape,
  memory: Uint8Array,
  starts: ArrayLike<number>,
  sizes: ArrayLike<number>,
  at: number,
): Column {
  const { type, encoding, length, nullCount } = shape;
  const { buffer, byteOffset } = memory;
  const second = byteOffset + (starts[at + 1] as number);
  const validity: Validity =
    sizes[at] === 0 ? null : { bits: bytesAt(memory, starts[at] as number, sizes[at] as number), bitOffset: 0 };
  // Written out: every batch on an edge passes here, and spreading what they have in common doubles the time.
  switch (encoding) {
    case "fixed": {
      const values = fixedValuesAt(type, buffer, second, length);
      return { encoding, type, length, nullCount, validity, values };
    }
    case "bits": {
      const values = { bits: bytesAt(memory, starts[at + 1] as number, sizes[at + 1] as number), bitOffset: 0 };
      return { encoding, type, length, nullCount, validity, values };
    }
    case "var": {
      const offsets = new Int32Array(buffer, second, length + 1);
      const bytes = bytesAt(memory, starts[at + 2] as number, sizes[at + 2] as number);
      return { encoding, type, length, nullCount, validity, offsets, bytes };
    }
    case "dictionary": {
      const codes = new Int32Array(buffer, second, length);
      return { encoding, type, length, nullCount, validity, codes, dictionary: shape.dictionary as VarColumn };
    }
    default:
      return assertNever(encoding);
  }
}

function bytesAt(memory: Uint8Array, start: number, length: number): Uint8Array {
  return new Uint8Array(memory.buffer, memory.byteOffset + start, length);
}
