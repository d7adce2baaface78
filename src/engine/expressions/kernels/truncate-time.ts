import { assertNever } from "../../base/assert.ts";
import { type CivilDate, dateOfDays, daysOfDate } from "../../data/calendar.ts";
import { formatTimestamp } from "../../data/temporal.ts";
import { type TimeUnit, typeName } from "../../data/types.ts";
import type { WordPair } from "../../data/words.ts";
import { timestamp } from "../expr-type.ts";
import type { MakeKernel } from "../kernel.ts";
import { type IntVec, type LongVec, Words } from "../vec.ts";
import { daysOf, instantOf, lastFraction, lastSecond, PER_SECOND } from "./instants.ts";
import { weekday } from "./time-parts.ts";

export const TRUNCATIONS = [
  "year",
  "quarter",
  "month",
  "week",
  "day",
  "hour",
  "minute",
  "second",
  "millisecond",
  "microsecond",
] as const;

export type Truncation = (typeof TRUNCATIONS)[number];

const civil: CivilDate = { year: 0, month: 0, day: 0 };

/** The day on which the unit of a day begins; the day itself for smaller units. */
function firstDay(to: Truncation, days: number): number {
  if (to === "week") return days - weekday(days);
  if (to !== "year" && to !== "quarter" && to !== "month") return days;
  dateOfDays(days, civil);
  if (to === "year") return daysOfDate(civil.year, 1, 1);
  return daysOfDate(civil.year, to === "month" ? civil.month : 3 * Math.floor((civil.month - 1) / 3) + 1, 1);
}

/** The second of the day at which the unit begins. */
function firstSecond(to: Truncation, second: number): number {
  switch (to) {
    case "year":
    case "quarter":
    case "month":
    case "week":
    case "day":
      return 0;
    case "hour":
      return second - (second % 3600);
    case "minute":
      return second - (second % 60);
    case "second":
    case "millisecond":
    case "microsecond":
      return second;
    default:
      return assertNever(to);
  }
}

/** Units of the second at which the unit begins. */
function firstFraction(to: Truncation, fraction: number, perSecond: number): number {
  if (to !== "millisecond" && to !== "microsecond") return 0;
  const each = Math.max(1, perSecond / (to === "millisecond" ? 1e3 : 1e6));
  return fraction - (fraction % each);
}

const pair: WordPair = { lo: 0, hi: 0 };

/** Before the first whole unit that the type can say, a row error. */
export const truncate =
  (to: Truncation, unit: TimeUnit): MakeKernel =>
  () => {
    const room = new Words();
    return ([x], frame) => {
      const { values, step } = x as LongVec;
      const out = room.take(2 * frame.rows);
      for (let i = 0; i < frame.rows; i++) {
        const lo = values[2 * i * step] as number;
        const hi = values[2 * i * step + 1] as number;
        const days = daysOf(lo, hi, unit);
        const second = firstSecond(to, lastSecond());
        const fraction = firstFraction(to, lastFraction(), PER_SECOND[unit]);
        if (!instantOf(firstDay(to, days), second, fraction, unit, pair)) {
          frame.fail(
            i,
            () => `the ${to} of ${formatTimestamp(lo, hi, unit)} begins beyond ${typeName(timestamp(unit))}`,
          );
        }
        out[2 * i] = pair.lo;
        out[2 * i + 1] = pair.hi;
      }
      return { kind: "long", values: out, step: 1, nulls: null };
    };
  };

export const truncateDate =
  (to: Truncation): MakeKernel =>
  () => {
    const room = new Words();
    return ([x], { rows }) => {
      const { values, step } = x as IntVec;
      const out = room.take(rows);
      for (let i = 0; i < rows; i++) out[i] = firstDay(to, values[i * step] as number);
      return { kind: "int", values: out, step: 1, nulls: null };
    };
  };
