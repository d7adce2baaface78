import { daysInMonth, daysOfDate } from "../../data/calendar.ts";
import { FRACTION_DIGITS } from "../../data/temporal.ts";
import type { TimeUnit } from "../../data/types.ts";
import { multiplyAdd, type WordPair } from "../../data/words.ts";

/**
 * The form in which nearly all timestamps are written, `2023-03-01T17:44:27.123Z`, read at fixed places and with the day
 * before remembered: most times of a file lie on one day. It gives what `parseTimestamp` gives, or nothing.
 */
const ZERO = 48;
const DASH = 45;
const COLON = 58;
const POINT = 46;
const SPACE = 32;
const UPPER_T = 84;
const UPPER_Z = 90;

const UNITS_PER_SECOND: Readonly<Record<TimeUnit, number>> = { s: 1, ms: 1e3, us: 1e6, ns: 1e9 };
const SECONDS_PER_DAY = 86_400;

let knownDate = 19_700_101;
let knownSeconds = 0;

/** False where the text is anything else; then nothing is said about it. */
export function canonicalTimestamp(
  bytes: Uint8Array,
  start: number,
  end: number,
  unit: TimeUnit,
  out: WordPair,
): boolean {
  const stop = bytes[end - 1] === UPPER_Z ? end - 1 : end;
  const separator = bytes[start + 10];
  if (
    stop - start < 19 ||
    bytes[start + 4] !== DASH ||
    bytes[start + 7] !== DASH ||
    (separator !== UPPER_T && separator !== SPACE) ||
    bytes[start + 13] !== COLON ||
    bytes[start + 16] !== COLON
  ) {
    return false;
  }
  const century = two(bytes, start);
  const years = two(bytes, start + 2);
  const month = two(bytes, start + 5);
  const day = two(bytes, start + 8);
  const hour = two(bytes, start + 11);
  const minute = two(bytes, start + 14);
  const second = two(bytes, start + 17);
  if ((century | years | month | day | hour | minute | second) < 0) return false;
  if (hour > 23 || minute > 59 || second > 59) return false;
  const date = (century * 100 + years) * 10_000 + month * 100 + day;
  if (date !== knownDate) {
    if (day < 1 || day > daysInMonth(century * 100 + years, month)) return false;
    knownDate = date;
    knownSeconds = daysOfDate(century * 100 + years, month, day) * SECONDS_PER_DAY;
  }
  const fraction = fractionOf(bytes, start + 19, stop, FRACTION_DIGITS[unit]);
  if (fraction < 0) return false;
  return multiplyAdd(knownSeconds + hour * 3600 + minute * 60 + second, UNITS_PER_SECOND[unit], fraction, out);
}

/** The number of two digits; -1 when they are not. */
function two(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] as number) - ZERO;
  const ones = (bytes[at + 1] as number) - ZERO;
  return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : tens * 10 + ones;
}

/** Of no more digits than the unit has; -1 for anything else. */
function fractionOf(bytes: Uint8Array, start: number, end: number, digits: number): number {
  if (start === end) return 0;
  const count = end - start - 1;
  if (bytes[start] !== POINT || count < 1 || count > digits) return -1;
  let value = 0;
  for (let at = start + 1; at < end; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  for (let missing = digits - count; missing > 0; missing--) value *= 10;
  return value;
}
