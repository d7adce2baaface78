import { multiplyAdd, type WordPair } from "../../data/words.ts";
import { Misfit } from "./misfit.ts";

const ZERO = 48;
const PLUS = 43;
const MINUS = 45;
const BILLION = 1_000_000_000;
/** Every number of this many digits is exact as a double. */
const SAFE_DIGITS = 15;

/** Smallest and greatest value of the integer types that a double holds. */
export interface IntegerRange {
  readonly min: number;
  readonly max: number;
}

export function rangeOf(bits: 8 | 16 | 32, signed: boolean): IntegerRange {
  return signed ? { min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 } : { min: 0, max: 2 ** bits - 1 };
}

/** What the last `parseInteger` read. */
export const integer = { value: 0 };

/** `[+-]?[0-9]+` in bytes [start, end) into `integer`. */
export function parseInteger(bytes: Uint8Array, start: number, end: number, range: IntegerRange): Misfit {
  let at = start;
  const sign = bytes[at];
  if (sign === MINUS || sign === PLUS) at++;
  if (at >= end) return Misfit.malformed;
  let value = 0;
  for (; at < end; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit < 0 || digit > 9) return Misfit.malformed;
    // Beyond 2^53 it is no longer exact, but still far out of every range.
    value = value * 10 + digit;
  }
  if (sign === MINUS) value = 0 - value;
  if (value < range.min || value > range.max) return Misfit.outOfRange;
  integer.value = value;
  return Misfit.none;
}

/** `[+-]?[0-9]+` in bytes [start, end), with all 64 bits, never through a double that would round (P-02). */
export function parseInteger64(bytes: Uint8Array, start: number, end: number, signed: boolean, out: WordPair): Misfit {
  let at = start;
  const sign = bytes[at];
  if (sign === MINUS || sign === PLUS) at++;
  if (at >= end) return Misfit.malformed;
  while (at < end - 1 && bytes[at] === ZERO) at++;
  const first = at;
  const split = end - at <= SAFE_DIGITS ? end : end - 9;
  let high = 0;
  for (; at < split; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit < 0 || digit > 9) return Misfit.malformed;
    high = high * 10 + digit;
  }
  let low = 0;
  for (; at < end; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit < 0 || digit > 9) return Misfit.malformed;
    low = low * 10 + digit;
  }
  const negative = sign === MINUS;
  if (split === end) return small(negative, high, signed, out);
  if (end - first > 20) return Misfit.outOfRange;
  if (signed) return large(negative, high, low, out);
  if (negative || isAbove(bytes, first, end, "18446744073709551615")) return Misfit.outOfRange;
  // It answers for int64; the words are right for all of uint64.
  multiplyAdd(high, BILLION, low, out);
  return Misfit.none;
}

function small(negative: boolean, magnitude: number, signed: boolean, out: WordPair): Misfit {
  if (negative && magnitude > 0 && !signed) return Misfit.outOfRange;
  multiplyAdd(negative ? 0 - magnitude : magnitude, 1, 0, out);
  return Misfit.none;
}

/** ±(high · 10^9 + low) */
function large(negative: boolean, high: number, low: number, out: WordPair): Misfit {
  const fits = negative
    ? low === 0
      ? multiplyAdd(-high, BILLION, 0, out)
      : multiplyAdd(-high - 1, BILLION, BILLION - low, out)
    : multiplyAdd(high, BILLION, low, out);
  return fits ? Misfit.none : Misfit.outOfRange;
}

/** Whether the digits [start, end) are a greater number than `limit`, of which they have at most as many. */
function isAbove(bytes: Uint8Array, start: number, end: number, limit: string): boolean {
  if (end - start < limit.length) return false;
  for (let i = 0; i < limit.length; i++) {
    const difference = (bytes[start + i] as number) - limit.charCodeAt(i);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
