import { exponent, parseExponent } from "../../data/parse-exponent.ts";
import { asciiText } from "./ascii.ts";
import { Misfit } from "./misfit.ts";

const ZERO = 48;
const PLUS = 43;
const MINUS = 45;
const POINT = 46;

/** 10^0 … 10^22: the powers that a double holds exactly. */
const POWERS = Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));
const SAFE_DIGITS = 15;

/** What the last `parseFloat64` or `parseFloat32` read. */
export const float = { value: 0 };

/**
 * A decimal number with optional fraction and exponent, or NaN, Inf, Infinity in any case, from bytes [start, end) into
 * `float`, correctly rounded.
 *
 * Up to 15 digits and a small power of ten, digits and power are exact doubles and one operation rounds once; beyond,
 * the language's own conversion decides. A number that would become infinite, or zero, is out of range.
 */
export function parseFloat64(bytes: Uint8Array, start: number, end: number): Misfit {
  let at = start;
  const sign = bytes[at];
  if (sign === MINUS || sign === PLUS) at++;
  const first = at;
  let mantissa = 0;
  let digits = 0;
  let scale = 0;
  let point = -1;
  for (; at < end; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit >= 0 && digit <= 9) {
      // Leading zeros are no digits that count.
      if (digits > 0 || digit > 0) digits++;
      if (digits <= SAFE_DIGITS) mantissa = mantissa * 10 + digit;
      continue;
    }
    if (bytes[at] !== POINT || point >= 0) break;
    point = at;
  }
  const places = at - first - (point >= 0 ? 1 : 0);
  if (places === 0) return special(bytes, first, end, sign === MINUS);
  if (point >= 0) scale = at - point - 1;
  if (at < end) {
    if (!parseExponent(bytes, at, end)) return Misfit.malformed;
    scale -= exponent.value;
  }
  if (digits > SAFE_DIGITS || scale > 22 || scale < -22) return rounded(bytes, start, end, digits > 0);
  const magnitude = scale >= 0 ? mantissa / (POWERS[scale] as number) : mantissa * (POWERS[-scale] as number);
  float.value = sign === MINUS ? -magnitude : magnitude;
  return Misfit.none;
}

function rounded(bytes: Uint8Array, start: number, end: number, nonZero: boolean): Misfit {
  const value = Number(asciiText(bytes, start, end));
  if (!Number.isFinite(value) || (value === 0 && nonZero)) return Misfit.outOfRange;
  float.value = value;
  return Misfit.none;
}

function special(bytes: Uint8Array, start: number, end: number, negative: boolean): Misfit {
  const length = end - start;
  if (length !== 3 && length !== 8) return Misfit.malformed;
  const text = asciiText(bytes, start, end).toLowerCase();
  if (text === "nan") float.value = NaN;
  else if (text === "inf" || text === "infinity") float.value = negative ? -Infinity : Infinity;
  else return Misfit.malformed;
  return Misfit.none;
}

/** As `parseFloat64`, rounded once to float32. */
export function parseFloat32(bytes: Uint8Array, start: number, end: number): Misfit {
  const misfit = parseFloat64(bytes, start, end);
  if (misfit !== Misfit.none) return misfit;
  const exact = float.value;
  let value = Math.fround(exact);
  if (Number.isFinite(exact)) {
    if (isTie(exact)) value = roundTie(exact, asciiText(bytes, start, end));
    if (!Number.isFinite(value) || (value === 0 && exact !== 0)) return Misfit.outOfRange;
  }
  float.value = value;
  return Misfit.none;
}

const view = new DataView(new ArrayBuffer(8));

/** Whether the double lies in the middle between two float32, so that rounding twice may differ from rounding once. */
function isTie(value: number): boolean {
  const below = Math.fround(value);
  if (below === value || !Number.isFinite(below)) return false;
  const other = neighbour(below, value > below);
  return Number.isFinite(other) && value - below === other - value;
}

/** The next float32 above or below. */
function neighbour(value: number, up: boolean): number {
  view.setFloat32(0, value);
  const bits = view.getInt32(0);
  if (value === 0) view.setInt32(0, up ? 1 : 0x80000001 | 0);
  else view.setInt32(0, bits + (value > 0 === up ? 1 : -1));
  return view.getFloat32(0);
}

/** Rounds by the text where the double is a tie: the text may lie a little above or below it. */
function roundTie(tie: number, text: string): number {
  const even = Math.fround(tie);
  const side = compareDecimal(text, tie);
  if (side === 0) return even;
  const up = side > 0;
  return up === even > tie ? even : neighbour(even, up);
}

/** Sign of (the number that `text` is − `value`), exactly. */
function compareDecimal(text: string, value: number): number {
  const [mantissa = "", power = "0"] = text.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const negative = whole.startsWith("-");
  const digits = BigInt(whole.replace(/^[+-]/, "") + fraction);
  const tens = Number(power) - fraction.length;
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0) & 0x7fffffffffffffffn;
  const field = bits >> 52n;
  const significand = (bits & 0xfffffffffffffn) | (field === 0n ? 0n : 1n << 52n);
  const twos = Number(field === 0n ? 1n : field) - 1075;
  const left = digits * 10n ** BigInt(Math.max(tens, 0)) * 2n ** BigInt(Math.max(-twos, 0));
  const right = significand * 2n ** BigInt(Math.max(twos, 0)) * 10n ** BigInt(Math.max(-tens, 0));
  const side = left > right ? 1 : left < right ? -1 : 0;
  return negative ? -side : side;
}
