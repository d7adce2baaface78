import { floorDiv } from "../base/event-time.ts";

/**
 * Integers of 64 bits as two 32-bit words, low word first, without BigInt on the way. A BigInt is made only where one row
 * is shown to a person or a test.
 */

const TWO_32 = 4294967296;

/** The nearest number; exact within ±2^53. `hi` is signed for int64 and must be `>>> 0` for uint64. */
export function wordsToNumber(lo: number, hi: number): number {
  return hi * TWO_32 + (lo >>> 0);
}

export const lowWord = (value: number): number => value | 0;

/** High word of a safe integer, signed. */
export const highWord = (value: number): number => floorDiv(value, TWO_32) | 0;

export function wordsToBigInt(words: ArrayLike<number>, at: number, signed: boolean): bigint {
  const value = (BigInt((words[at + 1] as number) >>> 0) << 32n) | BigInt((words[at] as number) >>> 0);
  return signed ? BigInt.asIntN(64, value) : value;
}

/** Four words, two's complement. */
export function decimalToBigInt(words: ArrayLike<number>, at: number): bigint {
  return (wordsToBigInt(words, at + 2, true) << 64n) | wordsToBigInt(words, at, false);
}

export const wordOfBigInt = (value: bigint, index: number): number =>
  Number(BigInt.asIntN(32, value >> BigInt(32 * index)));

/** A 64-bit integer in two words. */
export interface WordPair {
  lo: number;
  hi: number;
}

/**
 * a·b + c exactly, for a safe integer `a` and integers 0 < b ≤ 2^30, 0 ≤ c < 2^30. Answers false when it does not
 * fit int64.
 */
export function multiplyAdd(a: number, b: number, c: number, out: WordPair): boolean {
  const lo = (Math.imul(a | 0, b) + c) | 0;
  // The double is off by less than 2^-20 of a unit of the high word, which is an integer: rounding finds it.
  const hi = Math.round((a * b + c - (lo >>> 0)) / TWO_32);
  out.lo = lo;
  out.hi = hi | 0;
  return hi >= -2147483648 && hi <= 2147483647;
}

/** Remainder of the last `divideWords`. */
let remainder = 0;
export const lastRemainder = (): number => remainder;

/**
 * Quotient of a signed 64-bit integer by 0 < n ≤ 2^21, rounded toward minus infinity; the remainder, 0 ≤ r < n, is
 * `lastRemainder()`. The quotient is exact within ±2^53.
 */
export function divideWords(lo: number, hi: number, n: number): number {
  const highQuotient = Math.floor(hi / n);
  const rest = (hi - highQuotient * n) * TWO_32 + (lo >>> 0);
  const lowQuotient = Math.floor(rest / n);
  remainder = rest - lowQuotient * n;
  return highQuotient * TWO_32 + lowQuotient;
}

/** The same for a signed integer whose quotient may need all 64 bits: it goes to `out`. */
export function divideWordsInto(lo: number, hi: number, n: number, out: WordPair): void {
  const highQuotient = Math.floor(hi / n);
  const rest = (hi - highQuotient * n) * TWO_32 + (lo >>> 0);
  const lowQuotient = Math.floor(rest / n);
  remainder = rest - lowQuotient * n;
  out.lo = lowQuotient | 0;
  out.hi = highQuotient | 0;
}
