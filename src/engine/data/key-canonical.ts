import type { TimeUnit } from "./types.ts";
import {
  decimalToBigInt,
  divideWordsInto,
  lastRemainder,
  type WordPair,
  wordOfBigInt,
  wordsToNumber,
} from "./words.ts";

/**
 * One form for values that can be written in several: decimals without trailing zeros behind the point, instants in the
 * coarsest unit that holds them exactly.
 */

/** Words of the last value that was stripped: four of a decimal, two of an instant. */
export const stripped = new Int32Array(4);

const TWO_32 = 4294967296;

/** Answers the scale that is left. */
export function stripDecimal(words: ArrayLike<number>, at: number, scale: number): number {
  const word1 = words[at + 1] as number;
  const sign = word1 >> 31;
  const isShort = words[at + 2] === sign && words[at + 3] === sign && word1 >= -2097152 && word1 < 2097152;
  return isShort
    ? stripNumber(wordsToNumber(words[at] as number, word1), scale)
    : stripBigInt(decimalToBigInt(words, at), scale);
}

function stripNumber(unscaled: number, scale: number): number {
  let value = unscaled;
  let left = scale;
  for (; left > 0 && value % 10 === 0; left--) value /= 10;
  const hi = Math.floor(value / TWO_32);
  stripped[0] = value | 0;
  stripped[1] = hi;
  stripped[2] = stripped[3] = hi >> 31;
  return left;
}

function stripBigInt(unscaled: bigint, scale: number): number {
  let value = unscaled;
  let left = scale;
  for (; left > 0 && value % 10n === 0n; left--) value /= 10n;
  for (let word = 0; word < 4; word++) stripped[word] = wordOfBigInt(value, word);
  return left;
}

/** The unscaled value at a larger scale, from the four words in `stripped`. */
export function unstripDecimal(more: number): bigint {
  return decimalToBigInt(stripped, 0) * 10n ** BigInt(more);
}

const UNITS = ["s", "ms", "us", "ns"] as const satisfies TimeUnit[];

export const unitNumber = (unit: TimeUnit): number => UNITS.indexOf(unit);

const quotient: WordPair = { lo: 0, hi: 0 };

/** Answers the number of the unit that is left. */
export function stripInstant(lo: number, hi: number, unit: TimeUnit): number {
  let left = unitNumber(unit);
  stripped[0] = lo;
  stripped[1] = hi;
  for (; left > 0; left--) {
    divideWordsInto(stripped[0] as number, stripped[1] as number, 1000, quotient);
    if (lastRemainder() !== 0) break;
    stripped[0] = quotient.lo;
    stripped[1] = quotient.hi;
  }
  return left;
}

/** Multiplies the two words in `stripped` by 1000 so often. */
export function unstripInstant(times: number): void {
  for (let i = 0; i < times; i++) {
    const low = ((stripped[0] as number) >>> 0) * 1000;
    stripped[1] = (stripped[1] as number) * 1000 + Math.floor(low / TWO_32);
    stripped[0] = low;
  }
}
