import { bytesForBits, countOnes, orBits, setBits } from "../../data/bits.ts";
import type { Bits } from "../../data/column.ts";
import { cutOff, PageReader } from "./page-reader.ts";

/**
 * Parquet's hybrid of runs and bit-packed numbers. Runs beyond what is wanted are cut off: the last one is padded.
 */

/**
 * `count` numbers of `width` bits.
 * @throws Error
 */
export function readHybrid(reader: PageReader, width: number, count: number): Int32Array {
  const values = new Int32Array(count);
  if (width > 32) throw new Error(`a number of ${width} bits in a page`);
  if (width === 0) return values;
  for (let at = 0; at < count; ) {
    const header = reader.varint();
    const length = Math.floor(header / 2);
    if (length === 0) throw new Error("a run of nothing in a page");
    if (header % 2 === 0) {
      const end = Math.min(at + length, count);
      values.fill(runValue(reader, width), at, end);
      at = end;
    } else {
      const end = Math.min(at + 8 * length, count);
      const start = reader.at;
      // A writer may leave out the padding of the last run.
      const bytes = Math.min(length * width, reader.left);
      if (8 * bytes < (end - at) * width) throw cutOff();
      reader.skip(bytes);
      unpack(reader.bytes, start, width, values, at, end);
      at = end;
    }
  }
  return values;
}

function runValue(reader: PageReader, width: number): number {
  let value = 0;
  for (let shift = 0; shift < width; shift += 8) value |= reader.byte() << shift;
  return value;
}

/** Bit-packed numbers from byte `start` to `values[from]` … `values[to − 1]`. */
function unpack(bytes: Uint8Array, start: number, width: number, values: Int32Array, from: number, to: number): void {
  if (width === 8) {
    for (let i = from, at = start; i < to; i++, at++) values[i] = bytes[at] as number;
  } else if (width <= 24) {
    const mask = (1 << width) - 1;
    let word = 0;
    let have = 0;
    let at = start;
    for (let i = from; i < to; i++) {
      while (have < width) {
        word |= (bytes[at++] as number) << have;
        have += 8;
      }
      values[i] = word & mask;
      word >>>= width;
      have -= width;
    }
  } else unpackWide(bytes, start, width, values, from, to);
}

function unpackWide(
  bytes: Uint8Array,
  start: number,
  width: number,
  values: Int32Array,
  from: number,
  to: number,
): void {
  for (let i = from, bit = 0; i < to; i++, bit += width) {
    let value = 0;
    for (let done = 0; done < width; ) {
      const at = bit + done;
      const taken = Math.min(8 - (at & 7), width - done);
      value |= (((bytes[start + (at >> 3)] as number) >> (at & 7)) & ((1 << taken) - 1)) << done;
      done += taken;
    }
    values[i] = value;
  }
}

/** `count` bits: definition levels of a column that is not nested, or booleans. */
export interface ReadBits {
  readonly bits: Bits;
  readonly ones: number;
}

/** @throws Error */
export function readBits(reader: PageReader, count: number): ReadBits {
  const bits = new Uint8Array(bytesForBits(count));
  for (let at = 0; at < count; ) {
    const header = reader.varint();
    const length = Math.floor(header / 2);
    if (length === 0) throw new Error("a run of nothing in a page");
    if (header % 2 === 0) {
      const end = Math.min(at + length, count);
      if ((reader.byte() & 1) === 1) setBits(bits, at, end - at);
      at = end;
    } else {
      const rows = Math.min(8 * length, count - at);
      const start = reader.at;
      if (bytesForBits(rows) > reader.left) throw cutOff();
      reader.skip(Math.min(length, reader.left));
      if ((at & 7) === 0) copyBytes(reader.bytes, start, rows, bits, at >> 3);
      else orBits({ bits: reader.bytes, bitOffset: 8 * start }, rows, bits, at);
      at += rows;
    }
  }
  return { bits: { bits, bitOffset: 0 }, ones: countOnes(bits, 0, count) };
}

function copyBytes(source: Uint8Array, from: number, rows: number, target: Uint8Array, to: number): void {
  const bytes = bytesForBits(rows);
  target.set(source.subarray(from, from + bytes), to);
  const rest = rows & 7;
  if (rest !== 0) target[to + bytes - 1] = (target[to + bytes - 1] as number) & (0xff >> (8 - rest));
}

/** Bits behind a length of four bytes. */
export function readSizedBits(reader: PageReader, count: number): ReadBits {
  const size = reader.uint32();
  const start = reader.skip(size);
  return readBits(new PageReader(reader.bytes, start, start + size), count);
}
