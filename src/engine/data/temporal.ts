import { type CivilDate, dateOfDays } from "./calendar.ts";
import { writeInteger, writePadded } from "./digits.ts";
import { decodeUtf8 } from "./text.ts";
import type { TimeUnit } from "./types.ts";
import { divideWordsInto, lastRemainder, type WordPair, wordsToNumber } from "./words.ts";

export { toEventMs } from "./kernels/event-ms.ts";

/**
 * Dates and timestamps as ISO 8601 text in UTC, exact for every value of every unit. Years 0 to 9999 have four digits,
 * others a sign and at least six.
 */

/** Digits of the fraction of a second: the column's precision, always written in full. */
export const FRACTION_DIGITS: Readonly<Record<TimeUnit, number>> = { s: 0, ms: 3, us: 6, ns: 9 };

/** More than the longest text that the writers make. */
export const MAX_TEMPORAL_BYTES = 48;

const MINUS = 45;
const PLUS = 43;
const SECONDS_PER_DAY = 86_400;

const civil: CivilDate = { year: 0, month: 0, day: 0 };
const seconds: WordPair = { lo: 0, hi: 0 };

/** Writes `1969-12-31T23:59:59.999Z` to `target` from `at` and answers where it ends. */
export function writeTimestamp(lo: number, hi: number, unit: TimeUnit, target: Uint8Array, at: number): number {
  const fraction = splitSeconds(lo, hi, unit);
  divideWordsInto(seconds.lo, seconds.hi, SECONDS_PER_DAY, seconds);
  const secondOfDay = lastRemainder();
  let end = writeDate(wordsToNumber(seconds.lo, seconds.hi), target, at);
  target[end] = 84;
  end = writePadded(Math.floor(secondOfDay / 3600), 2, target, end + 1);
  target[end] = 58;
  end = writePadded(Math.floor(secondOfDay / 60) % 60, 2, target, end + 1);
  target[end] = 58;
  end = writePadded(secondOfDay % 60, 2, target, end + 1);
  const digits = FRACTION_DIGITS[unit];
  if (digits > 0) {
    target[end] = 46;
    end = writePadded(fraction, digits, target, end + 1);
  }
  target[end] = 90;
  return end + 1;
}

/** Whole seconds, floored, to `seconds`; answers the rest in units. */
function splitSeconds(lo: number, hi: number, unit: TimeUnit): number {
  switch (unit) {
    case "s":
      seconds.lo = lo;
      seconds.hi = hi;
      return 0;
    case "ms":
      divideWordsInto(lo, hi, 1e3, seconds);
      return lastRemainder();
    case "us":
      divideWordsInto(lo, hi, 1e6, seconds);
      return lastRemainder();
    case "ns": {
      divideWordsInto(lo, hi, 1e6, seconds);
      const nanoseconds = lastRemainder();
      divideWordsInto(seconds.lo, seconds.hi, 1e3, seconds);
      return lastRemainder() * 1e6 + nanoseconds;
    }
  }
}

/** Writes `1969-12-31` to `target` from `at` and answers where it ends. */
export function writeDate(days: number, target: Uint8Array, at: number): number {
  dateOfDays(days, civil);
  const { year, month, day } = civil;
  let end = at;
  if (year >= 0 && year <= 9999) end = writePadded(year, 4, target, end);
  else {
    target[end] = year < 0 ? MINUS : PLUS;
    end = writeYear(Math.abs(year), target, end + 1);
  }
  target[end] = MINUS;
  end = writePadded(month, 2, target, end + 1);
  target[end] = MINUS;
  return writePadded(day, 2, target, end + 1);
}

/** At least six digits. */
function writeYear(year: number, target: Uint8Array, at: number): number {
  return year < 1e6 ? writePadded(year, 6, target, at) : writeInteger(year, target, at);
}

const scratch = new Uint8Array(MAX_TEMPORAL_BYTES);

export function formatTimestamp(lo: number, hi: number, unit: TimeUnit): string {
  return decodeUtf8(scratch, 0, writeTimestamp(lo, hi, unit, scratch, 0));
}

export function formatDate(days: number): string {
  return decodeUtf8(scratch, 0, writeDate(days, scratch, 0));
}
