import type { Bits, Validity } from "./column.ts";

/** Work on bitmaps, least significant bit first, at any bit offset. */

export const bytesForBits = (count: number): number => (count + 7) >> 3;

const ONES = new Uint8Array(256);
for (let i = 1; i < 256; i++) ONES[i] = (ONES[i >> 1] as number) + (i & 1);

/** Bits that are set in a word of 32. */
export function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** How many of the `count` bits from `bitOffset` are set. */
export function countOnes(bits: Uint8Array, bitOffset: number, count: number): number {
  if (count === 0) return 0;
  const end = bitOffset + count;
  const firstByte = bitOffset >> 3;
  const lastByte = (end - 1) >> 3;
  const firstMask = (0xff << (bitOffset & 7)) & 0xff;
  const lastMask = 0xff >> (7 - ((end - 1) & 7));
  if (firstByte === lastByte) return ONES[(bits[firstByte] as number) & firstMask & lastMask] as number;
  let ones = ONES[(bits[firstByte] as number) & firstMask] as number;
  for (let i = firstByte + 1; i < lastByte; i++) ones += ONES[bits[i] as number] as number;
  return ones + (ONES[(bits[lastByte] as number) & lastMask] as number);
}

/** NULL rows among `count` rows from `from`. */
export function nullsIn(validity: Validity, from: number, count: number): number {
  return validity === null ? 0 : count - countOnes(validity.bits, validity.bitOffset + from, count);
}

/**
 * Copies `count` bits to byte `at` of `target`, the first bit to bit 0. The bits behind the last one are 0, so that equal
 * bits give equal bytes.
 */
export function writeBits(source: Bits, count: number, target: Uint8Array, at: number): void {
  if (count === 0) return;
  const { bits } = source;
  const shift = source.bitOffset & 7;
  const first = source.bitOffset >> 3;
  const bytes = bytesForBits(count);
  if (shift === 0) {
    for (let i = 0; i < bytes; i++) target[at + i] = bits[first + i] as number;
  } else {
    const lastSource = (source.bitOffset + count - 1) >> 3;
    let low = bits[first] as number;
    for (let i = 0; i < bytes; i++) {
      const next = first + i + 1;
      const high = next <= lastSource ? (bits[next] as number) : 0;
      target[at + i] = (low >> shift) | (high << (8 - shift));
      low = high;
    }
  }
  const rest = count & 7;
  if (rest !== 0) target[at + bytes - 1] = (target[at + bytes - 1] as number) & (0xff >> (8 - rest));
}

/** A private copy that starts at bit 0. */
export function copyBits(source: Bits, count: number): Bits {
  const bits = new Uint8Array(bytesForBits(count));
  writeBits(source, count, bits, 0);
  return { bits, bitOffset: 0 };
}

export const bitsFrom = (source: Bits, from: number): Bits => ({
  bits: source.bits,
  bitOffset: source.bitOffset + from,
});

/** Copies `count` bits to any bit of `target`, whose bits there are 0 so far. */
export function orBits(source: Bits, count: number, target: Uint8Array, targetBit: number): void {
  const { bits, bitOffset } = source;
  for (let i = 0; i < count; i++) {
    const from = bitOffset + i;
    const to = targetBit + i;
    const bit = ((bits[from >> 3] as number) >> (from & 7)) & 1;
    target[to >> 3] = (target[to >> 3] as number) | (bit << (to & 7));
  }
}

/** Sets `count` bits from `from`. */
export function setBits(target: Uint8Array, from: number, count: number): void {
  let at = from;
  const end = from + count;
  for (; at < end && (at & 7) !== 0; at++) target[at >> 3] = (target[at >> 3] as number) | (1 << (at & 7));
  for (; at + 8 <= end; at += 8) target[at >> 3] = 0xff;
  for (; at < end; at++) target[at >> 3] = (target[at >> 3] as number) | (1 << (at & 7));
}
