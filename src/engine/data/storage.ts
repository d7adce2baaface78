import { InvariantError } from "../base/assert.ts";
import type { FixedValues } from "./column.ts";
import { type LogicalType, typeName, wordsPerValue } from "./types.ts";

/** How values of fixed width are stored (see `FixedColumn`). */

type FixedArray = {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): FixedValues;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): FixedValues;
};

function arrayOf(type: LogicalType): FixedArray {
  switch (type.kind) {
    case "int":
      if (type.bits === 8) return type.signed ? Int8Array : Uint8Array;
      if (type.bits === 16) return type.signed ? Int16Array : Uint16Array;
      if (type.bits === 32) return type.signed ? Int32Array : Uint32Array;
      return Int32Array;
    case "float":
      return type.bits === 32 ? Float32Array : Float64Array;
    case "decimal":
    case "date":
    case "timestamp":
      return Int32Array;
    default:
      throw new InvariantError(`${typeName(type)} has no fixed width`);
  }
}

/** Elements of `values` per row: 2 or 4 words, or 1. */
export const elementsPerRow = (type: LogicalType): number => wordsPerValue(type) || 1;

export const bytesPerRow = (type: LogicalType): number => elementsPerRow(type) * arrayOf(type).BYTES_PER_ELEMENT;

/** Room for `rows` values of the type, all zero. */
export function newFixedValues(type: LogicalType, rows: number): FixedValues {
  return new (arrayOf(type))(rows * elementsPerRow(type));
}

/** `rows` values that lie at `byteOffset` of a buffer, aligned to their elements. */
export function fixedValuesAt(
  type: LogicalType,
  buffer: ArrayBufferLike,
  byteOffset: number,
  rows: number,
): FixedValues {
  return new (arrayOf(type))(buffer, byteOffset, rows * elementsPerRow(type));
}

/** The same memory as bytes. */
export function bytesOf(view: FixedValues): Uint8Array {
  return view instanceof Uint8Array ? view : new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

const SLACK = 8;

/** Room for text, with a few bytes behind it, so that kernels may read and write whole words up to the last row. */
export function newTextBytes(length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new ArrayBuffer(length + SLACK), 0, length);
}

/** The bytes for reading and writing in words of any alignment, and what lies behind them where the buffer goes on. */
export function wordAccess(bytes: Uint8Array): DataView {
  const length = Math.min(bytes.length + SLACK, bytes.buffer.byteLength - bytes.byteOffset);
  return new DataView(bytes.buffer, bytes.byteOffset, length);
}

/** Gives the arrays of a table: in private memory of their own, or on a heap for kernels. */
export interface ArrayMaker {
  words(length: number): Int32Array;
  bytes(length: number): Uint8Array;
  release(array: Int32Array | Uint8Array): void;
}

export const PRIVATE: ArrayMaker = {
  words: (length) => new Int32Array(length),
  bytes: newTextBytes,
  release: () => undefined,
};

/** Where texts stand in some bytes, and of which kind they are. */
export interface FieldPlaces {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly kinds: Uint8Array;
}

/** The bytes that a view sees. */
export const bytesUnder = ({ buffer, byteOffset, byteLength }: DataView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

export const WORD_BYTES = 4;

/** Whether bytes [start, end) of `b` stand in `a` from `from` on; both can be read three bytes further. */
export function sameWords(a: DataView, from: number, b: DataView, start: number, end: number): boolean {
  let at = start;
  let other = from;
  for (; at + WORD_BYTES <= end; at += WORD_BYTES, other += WORD_BYTES) {
    if (a.getInt32(other, true) !== b.getInt32(at, true)) return false;
  }
  if (at === end) return true;
  const differing = a.getInt32(other, true) ^ b.getInt32(at, true);
  return (differing & ((1 << ((end - at) << 3)) - 1)) === 0;
}

/**
 * One stretch of memory in which the parts of a result are laid out one behind the other, each at a multiple of 8 bytes: a private buffer of its own,
 * or a region of another one. One large allocation costs half as much as many small ones.
 */
export class Room {
  private readonly buffer: ArrayBufferLike;
  private end: number;

  constructor(bytes: number, buffer: ArrayBufferLike = new ArrayBuffer(bytes), at = 0) {
    this.buffer = buffer;
    this.end = at;
  }

  /** What `bytes` take up in a room. */
  static size(bytes: number): number {
    return (bytes + 7) & ~7;
  }

  /** Where in its buffer the next part will begin. */
  get next(): number {
    return this.end;
  }

  private claim(bytes: number): number {
    const at = this.end;
    this.end = at + Room.size(bytes);
    return at;
  }

  fixed(type: LogicalType, rows: number): FixedValues {
    return fixedValuesAt(type, this.buffer, this.claim(rows * bytesPerRow(type)), rows);
  }

  int32(length: number): Int32Array {
    return new Int32Array(this.buffer, this.claim(4 * length), length);
  }

  float64(length: number): Float64Array {
    return new Float64Array(this.buffer, this.claim(8 * length), length);
  }

  /** `length` bytes, with `slack` more behind them. */
  bytes(length: number, slack = 0): Uint8Array {
    return new Uint8Array(this.buffer, this.claim(length + slack), length);
  }

  /** Bytes that are 0. */
  zeros(length: number): Uint8Array {
    return this.bytes(length).fill(0);
  }
}
