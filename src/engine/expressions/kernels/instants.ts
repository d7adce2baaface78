import type { TimeUnit } from "../../data/types.ts";
import { divideWords, divideWordsInto, lastRemainder, multiplyAdd, type WordPair } from "../../data/words.ts";

/** Parts of timestamps, in exact arithmetic for every value of every unit. */

export const SECONDS_PER_DAY = 86_400;
export const PER_SECOND: Readonly<Record<TimeUnit, number>> = { s: 1, ms: 1e3, us: 1e6, ns: 1e9 };

/** Puts whole seconds since 1970, rounded toward minus infinity, into `out` and answers what is left, in units. */
export function splitSeconds(lo: number, hi: number, unit: TimeUnit, out: WordPair): number {
  out.lo = lo;
  out.hi = hi;
  if (unit === "s") return 0;
  divideWordsInto(lo, hi, unit === "ms" ? 1e3 : 1e6, out);
  const rest = lastRemainder();
  if (unit !== "ns") return rest;
  divideWordsInto(out.lo, out.hi, 1e3, out);
  return lastRemainder() * 1e6 + rest;
}

const seconds: WordPair = { lo: 0, hi: 0 };

/** Days since 1970-01-01, rounded toward minus infinity. The rest of the day is `lastSecond()` and `lastFraction()`. */
export function daysOf(lo: number, hi: number, unit: TimeUnit): number {
  fraction = splitSeconds(lo, hi, unit, seconds);
  const days = divideWords(seconds.lo, seconds.hi, SECONDS_PER_DAY);
  second = lastRemainder();
  return days;
}

let second = 0;
let fraction = 0;

/** Second of the day that the last `daysOf` had left over. */
export const lastSecond = (): number => second;
/** Units of the second that the last `daysOf` had left over. */
export const lastFraction = (): number => fraction;

/** The instant of a day, a second of it and units of that second, into `out`; false when the unit does not reach so far. */
export function instantOf(days: number, second: number, fraction: number, unit: TimeUnit, out: WordPair): boolean {
  if (unit === "s") return multiplyAdd(days, SECONDS_PER_DAY, second, out);
  if (unit === "ms") return multiplyAdd(days, SECONDS_PER_DAY * 1e3, second * 1e3 + fraction, out);
  return multiplyAdd(days * SECONDS_PER_DAY + second, PER_SECOND[unit], fraction, out);
}
