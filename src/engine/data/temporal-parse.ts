import { daysInMonth, daysOfDate } from "./calendar.ts";
import type { ParseFault } from "./parse-fault.ts";
import { FRACTION_DIGITS } from "./temporal.ts";
import { encodeInto } from "./text.ts";
import type { TimeUnit } from "./types.ts";
import { multiplyAdd, type WordPair } from "./words.ts";

/**
 * Dates and timestamps from ISO 8601 text: `2023-03-01`, `2023-03-01T17:44`, `2023-03-01 17:44:27.123456+01:00`. A time
 * without a zone is UTC (D-42), one with an offset becomes UTC. Years have four digits, or a sign and four to twelve. Exact:
 * digits that the unit cannot hold are a fault, never dropped.
 */
const SECONDS_PER_DAY = 86_400;
const ZERO = 48;
const MINUS = 45;
const PLUS = 43;
const COLON = 58;

/** What is being read, in bytes [at, end), and what was read. */
let bytes: Uint8Array = new Uint8Array(0);
let at = 0;
let end = 0;
let dateRead = 0;
let secondsRead = 0;
let fractionRead = 0;

/** Days since 1970-01-01 of the date that the last `parseDate` read without a fault. */
export const lastDate = (): number => dateRead;

/** A date, all of bytes [start, stop). */
export function parseDate(source: Uint8Array, start: number, stop: number): ParseFault {
  [bytes, at, end] = [source, start, stop];
  const fault = readDate();
  if (fault !== "none") return fault;
  if (at !== end) return "malformed";
  return dateRead === (dateRead | 0) ? "none" : "out-of-range";
}

/** A date, or a date and a time, all of bytes [start, stop), as a count of `unit` since 1970-01-01 UTC. */
export function parseTimestamp(
  source: Uint8Array,
  start: number,
  stop: number,
  unit: TimeUnit,
  out: WordPair,
): ParseFault {
  [bytes, at, end] = [source, start, stop];
  secondsRead = 0;
  fractionRead = 0;
  let fault = readDate();
  if (fault === "none" && at < end) fault = readTime(FRACTION_DIGITS[unit]);
  if (fault !== "none") return fault;
  return instant(unit, out) ? "none" : "out-of-range";
}

/** What was read, as a count of units. Every product is split so that its factors are exact. */
function instant(unit: TimeUnit, out: WordPair): boolean {
  const overflow = Math.floor(secondsRead / SECONDS_PER_DAY);
  const days = dateRead + overflow;
  const secondOfDay = secondsRead - overflow * SECONDS_PER_DAY;
  if (unit === "s") return multiplyAdd(days, SECONDS_PER_DAY, secondOfDay, out);
  if (unit === "ms") return multiplyAdd(days, SECONDS_PER_DAY * 1e3, secondOfDay * 1e3 + fractionRead, out);
  const seconds = days * SECONDS_PER_DAY + secondOfDay;
  return Number.isSafeInteger(seconds) && multiplyAdd(seconds, unit === "us" ? 1e6 : 1e9, fractionRead, out);
}

const scratch = new Uint8Array(256);

/** The same of a string. */
export function timestampOfText(text: string, unit: TimeUnit, out: WordPair): ParseFault {
  return text.length > 80 ? "malformed" : parseTimestamp(scratch, 0, encodeInto(text, scratch, 0), unit, out);
}

export function dateOfText(text: string): ParseFault {
  return text.length > 80 ? "malformed" : parseDate(scratch, 0, encodeInto(text, scratch, 0));
}

function take(byte: number): boolean {
  if (at >= end || bytes[at] !== byte) return false;
  at++;
  return true;
}

/** Between `least` and `most` digits; −1 where there are fewer. */
function takeDigits(least: number, most: number): number {
  const from = at;
  let value = 0;
  while (at < end && at - from < most) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
    at++;
  }
  return at - from < least ? -1 : value;
}

function readDate(): ParseFault {
  const negative = take(MINUS);
  const signed = negative || take(PLUS);
  const size = takeDigits(4, signed ? 12 : 4);
  if (size < 0 || !take(MINUS)) return "malformed";
  const month = takeDigits(2, 2);
  if (month < 0 || !take(MINUS)) return "malformed";
  const day = takeDigits(2, 2);
  if (day < 0) return "malformed";
  const year = negative ? -size : size;
  if (day < 1 || day > daysInMonth(year, month)) return "out-of-range";
  dateRead = daysOfDate(year, month, day);
  return "none";
}

function readTime(digits: number): ParseFault {
  const separator = bytes[at];
  if (separator !== 84 && separator !== 116 && separator !== 32) return "malformed";
  at++;
  const hour = takeDigits(2, 2);
  if (hour < 0 || !take(COLON)) return "malformed";
  const minute = takeDigits(2, 2);
  const second = minute >= 0 && take(COLON) ? takeDigits(2, 2) : 0;
  if (minute < 0 || second < 0) return "malformed";
  if (hour > 23 || minute > 59 || second > 59) return "out-of-range";
  secondsRead = hour * 3600 + minute * 60 + second;
  const fault = take(46) ? readFraction(digits) : "none";
  const zoneFault = readZone();
  return zoneFault === "none" ? fault : zoneFault;
}

function readFraction(digits: number): ParseFault {
  const from = at;
  fractionRead = takeDigits(0, digits);
  const kept = at - from;
  for (let i = kept; i < digits; i++) fractionRead *= 10;
  let lost = false;
  for (; at < end; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit < 0 || digit > 9) break;
    lost ||= digit !== 0;
  }
  if (at === from) return "malformed";
  return lost ? "too-precise" : "none";
}

/** Z, ±hh, ±hhmm, ±hh:mm, or nothing, which is UTC; then the end. */
function readZone(): ParseFault {
  if (at === end) return "none";
  if (take(90) || take(122)) return at === end ? "none" : "malformed";
  const east = take(PLUS);
  if (!east && !take(MINUS)) return "malformed";
  const hours = takeDigits(2, 2);
  take(COLON);
  const minutes = at < end ? takeDigits(2, 2) : 0;
  if (hours < 0 || minutes < 0 || at !== end) return "malformed";
  if (hours > 23 || minutes > 59) return "out-of-range";
  secondsRead += (east ? -1 : 1) * (hours * 3600 + minutes * 60);
  return "none";
}
