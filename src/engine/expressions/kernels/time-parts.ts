import { assertNever } from "../../base/assert.ts";
import { type CivilDate, dateOfDays, daysOfDate } from "../../data/calendar.ts";
import type { TimeUnit } from "../../data/types.ts";
import { wordsToNumber } from "../../data/words.ts";
import type { MakeKernel } from "../kernel.ts";
import { Doubles, type IntVec, type LongVec, Words } from "../vec.ts";
import { daysOf, lastFraction, lastSecond, PER_SECOND } from "./instants.ts";

/** Parts of times, in UTC. Seconds are whole; milliseconds and smaller are those since the minute began. */
export const PARTS = [
  "year",
  "isoyear",
  "quarter",
  "month",
  "week",
  "day",
  "dow",
  "isodow",
  "doy",
  "hour",
  "minute",
  "second",
  "millisecond",
  "microsecond",
  "nanosecond",
  "epoch",
] as const;

/** All but the one that is a float. */
export type Part = Exclude<(typeof PARTS)[number], "epoch">;

const civil: CivilDate = { year: 0, month: 0, day: 0 };

/** Monday is 0: 1970-01-01 was a Thursday. */
export const weekday = (days: number): number => (((days + 3) % 7) + 7) % 7;

/** The Thursday of the ISO week of a day: the year in which it lies is the week's. */
const thursdayOf = (days: number): number => days - weekday(days) + 3;

/** `fraction` counts units of which a second has `perSecond`. */
function part(what: Part, days: number, second: number, fraction: number, perSecond: number): number {
  switch (what) {
    case "year":
    case "quarter":
    case "month":
    case "day":
      dateOfDays(days, civil);
      return what === "quarter" ? Math.ceil(civil.month / 3) : civil[what];
    case "isoyear":
      dateOfDays(thursdayOf(days), civil);
      return civil.year;
    case "week": {
      const thursday = thursdayOf(days);
      dateOfDays(thursday, civil);
      return Math.floor((thursday - daysOfDate(civil.year, 1, 1)) / 7) + 1;
    }
    case "dow":
      return (weekday(days) + 1) % 7;
    case "isodow":
      return weekday(days) + 1;
    case "doy":
      dateOfDays(days, civil);
      return days - daysOfDate(civil.year, 1, 1) + 1;
    case "hour":
      return Math.floor(second / 3600);
    case "minute":
      return Math.floor(second / 60) % 60;
    case "second":
      return second % 60;
    case "millisecond":
      return (second % 60) * 1e3 + Math.floor((fraction * 1e3) / perSecond);
    case "microsecond":
      return (second % 60) * 1e6 + Math.floor((fraction * 1e6) / perSecond);
    case "nanosecond":
      return (second % 60) * 1e9 + (fraction * 1e9) / perSecond;
    default:
      return assertNever(what);
  }
}

export const partOf =
  (what: Part, unit: TimeUnit): MakeKernel =>
  () => {
    const room = new Words();
    return ([x], { rows }) => {
      const { values, step } = x as LongVec;
      const out = room.take(2 * rows);
      for (let i = 0; i < rows; i++) {
        const days = daysOf(values[2 * i * step] as number, values[2 * i * step + 1] as number, unit);
        write(part(what, days, lastSecond(), lastFraction(), PER_SECOND[unit]), out, i);
      }
      return { kind: "long", values: out, step: 1, nulls: null };
    };
  };

export const partOfDate =
  (what: Part): MakeKernel =>
  () => {
    const room = new Words();
    return ([x], { rows }) => {
      const { values, step } = x as IntVec;
      const out = room.take(2 * rows);
      for (let i = 0; i < rows; i++) write(part(what, values[i * step] as number, 0, 0, 1), out, i);
      return { kind: "long", values: out, step: 1, nulls: null };
    };
  };

function write(value: number, out: Int32Array, row: number): void {
  out[2 * row] = value | 0;
  out[2 * row + 1] = Math.floor(value / 4294967296);
}

/** Seconds since 1970, or of a duration, as a float. */
export const secondsOf =
  (unit: TimeUnit): MakeKernel =>
  () => {
    const room = new Doubles();
    return ([x], { rows }) => {
      const { values, step } = x as LongVec;
      const out = room.take(rows);
      for (let i = 0; i < rows; i++) {
        const at = 2 * i * step;
        out[i] = wordsToNumber(values[at] as number, values[at + 1] as number) / PER_SECOND[unit];
      }
      return { kind: "double", values: out, step: 1, nulls: null };
    };
  };
