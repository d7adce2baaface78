import { exponent, parseExponent } from "./parse-exponent.ts";
import type { ParseFault } from "./parse-fault.ts";
import { encodeInto } from "./text.ts";
import { decimalToBigInt } from "./words.ts";

const ZERO = 48;
const PLUS = 43;
const MINUS = 45;
const POINT = 46;
const TWO_32 = 4294967296;
/** 10^0 … 10^6; a word times one of them is exact as a double. */
const POWERS = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000] as const;
const STEP = 6;
/** Digits of a decimal128. */
const MAX_PRECISION = 38;

/** Digits of the value being read, without leading zeros. */
const digits = new Uint8Array(64);

/**
 * A decimal number with optional fraction and exponent, from bytes [start, end), as the unscaled integer of
 * decimal(precision, scale): four words, lowest first, two's complement, into `out`. Exact: a digit other than 0 that does not
 * fit is `too-precise` (behind the point) or `out-of-range` (before it).
 */
export function parseDecimal(
  bytes: Uint8Array,
  start: number,
  end: number,
  precision: number,
  scale: number,
  out: Int32Array,
): ParseFault {
  if (shortDecimal(bytes, start, end, precision, scale, out)) return "none";
  let at = start;
  const sign = bytes[at];
  if (sign === MINUS || sign === PLUS) at++;
  let count = 0;
  let places = 0;
  let fraction = 0;
  let point = false;
  for (; at < end; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit >= 0 && digit <= 9) {
      places++;
      if (point) fraction++;
      if (count === 0 && digit === 0) continue;
      if (count < digits.length) digits[count] = digit;
      else if (digit !== 0) return point ? "too-precise" : "out-of-range";
      count++;
    } else if (bytes[at] === POINT && !point) point = true;
    else break;
  }
  if (places === 0) return "malformed";
  if (at < end) {
    if (!parseExponent(bytes, at, end)) return "malformed";
    fraction -= exponent.value;
  }
  // The value is digits · 10^-fraction; it is wanted as unscaled · 10^-scale.
  let shift = scale - fraction;
  for (; shift < 0 && count > 0; shift++) {
    count--;
    if (count < digits.length && digits[count] !== 0) return "too-precise";
  }
  if (count > 0 && count + shift > Math.min(precision, MAX_PRECISION)) return "out-of-range";
  toWords(count, count === 0 ? 0 : shift, out);
  if (sign === MINUS) negate(out);
  return "none";
}

/** More than any decimal has with its exponent. */
const MAX_TEXT = 200;
const scratch = new Uint8Array(3 * MAX_TEXT);
const words = new Int32Array(4);

/** The same of a string: the unscaled value, or why there is none. */
export function decimalOfText(text: string, precision: number, scale: number): bigint | Exclude<ParseFault, "none"> {
  if (text.length > MAX_TEXT) return "malformed";
  const fault = parseDecimal(scratch, 0, encodeInto(text, scratch, 0), precision, scale, words);
  return fault === "none" ? decimalToBigInt(words, 0) : fault;
}

/** Every number of this many digits is exact as a double. */
const SAFE_DIGITS = 15;

/** A number so short that a double holds it: as nearly all are. False, and nothing said, for any other. */
function shortDecimal(
  bytes: Uint8Array,
  start: number,
  end: number,
  precision: number,
  scale: number,
  out: Int32Array,
): boolean {
  const isNegative = bytes[start] === MINUS;
  const first = isNegative ? start + 1 : start;
  if (end - first > SAFE_DIGITS + 1) return false;
  let value = 0;
  let point = end;
  for (let at = first; at < end; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit >= 0 && digit <= 9) value = value * 10 + digit;
    else if (digit === POINT - ZERO && point === end) point = at;
    else return false;
  }
  const places = end - first - (point === end ? 0 : 1);
  const zeros = scale - (point === end ? 0 : end - point - 1);
  if (places === 0 || zeros < 0 || places + zeros > Math.min(SAFE_DIGITS, precision)) return false;
  for (let left = zeros; left > 0; left--) value *= 10;
  out[0] = (value % TWO_32) | 0;
  out[1] = value / TWO_32;
  out[2] = 0;
  out[3] = 0;
  if (isNegative) negate(out);
  return true;
}

/** The first `count` digits, then `zeros` zeros. */
function toWords(count: number, zeros: number, out: Int32Array): void {
  out.fill(0);
  const total = count + zeros;
  for (let at = 0; at < total; at += STEP) {
    const length = Math.min(STEP, total - at);
    let step = 0;
    for (let i = at; i < at + length; i++) step = step * 10 + (i < count ? (digits[i] as number) : 0);
    multiplyAdd(out, POWERS[length] as number, step);
  }
}

function multiplyAdd(words: Int32Array, factor: number, summand: number): void {
  let carry = summand;
  for (let i = 0; i < 4; i++) {
    const product = ((words[i] as number) >>> 0) * factor + carry;
    carry = Math.floor(product / TWO_32);
    words[i] = product | 0;
  }
}

function negate(words: Int32Array): void {
  let carry = 1;
  for (let i = 0; i < 4; i++) {
    const word = (~(words[i] as number) >>> 0) + carry;
    carry = word > 0xffffffff ? 1 : 0;
    words[i] = word | 0;
  }
}
