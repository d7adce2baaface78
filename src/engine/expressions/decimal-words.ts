import { decimalToBigInt, wordOfBigInt, wordsToNumber } from "../data/words.ts";

/** Unscaled decimals in four words. Where all that matters fits a double, arithmetic needs no BigInt. */

const PER_TWO_32 = 2 ** -32;

/** Within ±this a double is an exact integer. */
export const SAFE = 9007199254740992;

const POWERS = Array.from({ length: 39 }, (_, exponent) => 10n ** BigInt(exponent));
const NUMBER_POWERS = POWERS.map(Number);

export const powerOfTen = (exponent: number): bigint => POWERS[exponent] as bigint;
/** Exact up to 10^22. */
export const numberPowerOfTen = (exponent: number): number => NUMBER_POWERS[exponent] as number;

/** The value as a double where it fits 64 bits (exact within ±2^53), else NaN. */
export function shortDecimal(words: Int32Array, at: number): number {
  const high = words[at + 1] as number;
  const sign = high >> 31;
  return words[at + 2] === sign && words[at + 3] === sign ? wordsToNumber(words[at] as number, high) : Number.NaN;
}

/** Writes an exact integer within ±2^53. */
export function writeShort(value: number, out: Int32Array, at: number): void {
  // Told to be a word, the high half is not made a double and back.
  const high = Math.floor(value * PER_TWO_32) | 0;
  out[at] = value | 0;
  out[at + 1] = high;
  out[at + 2] = out[at + 3] = high >> 31;
}

export function writeBig(value: bigint, out: Int32Array, at: number): void {
  for (let word = 0; word < 4; word++) out[at + word] = wordOfBigInt(value, word);
}

export const readBig = decimalToBigInt;

/** a / b rounded to the nearest, halves away from zero. */
export function divideRounded(a: bigint, b: bigint): bigint {
  const twice = 2n * (a < 0n ? -a : a);
  const quotient = (twice + b) / (2n * b);
  return a < 0n ? -quotient : quotient;
}

/** The unscaled value at another scale: rounded, halves away from zero, where digits are lost. */
export function rescale(value: bigint, from: number, to: number): bigint {
  return to >= from ? value * powerOfTen(to - from) : divideRounded(value, powerOfTen(from - to));
}

export const fitsPrecision = (value: bigint, precision: number): boolean =>
  value < powerOfTen(precision) && value > -powerOfTen(precision);
