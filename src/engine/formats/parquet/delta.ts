import { newTextBytes } from "../../data/storage.ts";
import type { PageReader } from "./page-reader.ts";

/** Parquet's delta encodings. Arithmetic wraps at the width of the type, as the format says. */

const MAX_BLOCK = 1 << 20;

/** A zigzag varint of up to 64 bits as two words. */
function zigzag64(reader: PageReader): [low: number, high: number] {
  let low = 0;
  let high = 0;
  for (let shift = 0; shift < 70; shift += 7) {
    const byte = reader.byte();
    const part = byte & 127;
    if (shift < 28) low |= part << shift;
    else if (shift === 28) {
      low |= part << 28;
      high |= part >> 4;
    } else high |= part << (shift - 32);
    if (byte < 128) {
      const sign = -(low & 1);
      return [((low >>> 1) | (high << 31)) ^ sign, (high >>> 1) ^ sign];
    }
  }
  throw new Error("a number in a page is too long");
}

/**
 * `count` numbers of delta encoding, two words each, low word first.
 * @throws Error
 */
export function readDelta(reader: PageReader, count: number): Int32Array {
  const values = new Int32Array(2 * count);
  const blockSize = reader.varint();
  const blocks = reader.varint();
  const total = reader.varint();
  if (blockSize > MAX_BLOCK || blocks === 0 || blocks > blockSize || blockSize % blocks !== 0 || total < count) {
    throw new Error("the head of delta-encoded numbers is wrong");
  }
  const perBlock = blockSize / blocks;
  let [low, high] = zigzag64(reader);
  let at = 0;
  const put = (): void => {
    values[at++] = low;
    values[at++] = high;
  };
  if (count > 0) put();
  while (at < values.length) {
    const [leastLow, leastHigh] = zigzag64(reader);
    const widths = reader.skip(blocks);
    for (let block = 0; block < blocks && at < values.length; block++) {
      const width = reader.bytes[widths + block] as number;
      if (width > 64) throw new Error(`a number of ${width} bits in a page`);
      const start = 8 * reader.skip((perBlock * width) >> 3);
      for (let i = 0; i < perBlock && at < values.length; i++) {
        const bit = start + i * width;
        const addLow = bitsAt(reader.bytes, bit, Math.min(width, 32));
        const addHigh = width > 32 ? bitsAt(reader.bytes, bit + 32, width - 32) : 0;
        const sum = (low >>> 0) + (leastLow >>> 0) + (addLow >>> 0);
        low = sum | 0;
        high = (high + leastHigh + addHigh + Math.floor(sum / 2 ** 32)) | 0;
        put();
      }
    }
  }
  return values;
}

/** Up to 32 bits from a bit on. */
function bitsAt(bytes: Uint8Array, bit: number, width: number): number {
  let value = 0;
  for (let done = 0; done < width; ) {
    const at = bit + done;
    const taken = Math.min(8 - (at & 7), width - done);
    value |= (((bytes[at >> 3] as number) >> (at & 7)) & ((1 << taken) - 1)) << done;
    done += taken;
  }
  return value;
}

/** The low words of delta-encoded numbers. */
export function readDelta32(reader: PageReader, count: number): Int32Array {
  const words = readDelta(reader, count);
  const values = new Int32Array(count);
  for (let i = 0; i < count; i++) values[i] = words[2 * i] as number;
  return values;
}

export interface RawTexts {
  /** One more than there are values. */
  readonly offsets: Int32Array;
  readonly bytes: Uint8Array;
}

/** Lengths, then the bytes. */
export function readDeltaLengths(reader: PageReader, count: number): RawTexts {
  const lengths = readLengths(reader, count);
  const offsets = new Int32Array(count + 1);
  for (let i = 0; i < count; i++) offsets[i + 1] = (offsets[i] as number) + (lengths[i] as number);
  const size = offsets[count] as number;
  const start = reader.skip(size);
  const bytes = newTextBytes(size);
  bytes.set(reader.bytes.subarray(start, start + size));
  return { offsets, bytes };
}

const MOST_BYTES = 2 ** 31 - 1;

/** Lengths that add up to no more than a column holds. */
function readLengths(reader: PageReader, count: number): Int32Array {
  const lengths = readDelta32(reader, count);
  let sum = 0;
  for (const length of lengths) {
    sum += length;
    if (length < 0 || sum > MOST_BYTES) throw new Error("a length in a page is wrong");
  }
  return lengths;
}

/** How much each value has in common with the one before it, then the rest of each. */
export function readDeltaTexts(reader: PageReader, count: number): RawTexts {
  const shared = readLengths(reader, count);
  const rests = readLengths(reader, count);
  const offsets = new Int32Array(count + 1);
  let size = 0;
  for (let i = 0; i < count; i++) {
    size += (shared[i] as number) + (rests[i] as number);
    if (size > MOST_BYTES) throw new Error("a length in a page is wrong");
    offsets[i + 1] = size;
  }
  const bytes = newTextBytes(size);
  for (let i = 0, before = 0; i < count; i++) {
    const at = offsets[i] as number;
    const same = shared[i] as number;
    const rest = rests[i] as number;
    if (same > at - before) throw new Error("a length in a page is wrong");
    bytes.copyWithin(at, before, before + same);
    const start = reader.skip(rest);
    bytes.set(reader.bytes.subarray(start, start + rest), at + same);
    before = at;
  }
  return { offsets, bytes };
}
