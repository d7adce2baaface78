import { type CivilDate, dateOfDays, daysInMonth, daysOfDate } from "../../data/calendar.ts";
import { formatTimestamp } from "../../data/temporal.ts";
import { type TimeUnit, typeName } from "../../data/types.ts";
import type { WordPair } from "../../data/words.ts";
import { timestamp } from "../expr-type.ts";
import type { MakeKernel } from "../kernel.ts";
import { type LongVec, Words } from "../vec.ts";
import { daysOf, instantOf, lastFraction, lastSecond } from "./instants.ts";

const civil: CivilDate = { year: 0, month: 0, day: 0 };
const pair: WordPair = { lo: 0, hi: 0 };

/** The same day and time so many months later; the last of the month where it has no such day. */
export const addMonths =
  (months: number, unit: TimeUnit): MakeKernel =>
  () => {
    const room = new Words();
    return ([x], frame) => {
      const { values, step } = x as LongVec;
      const out = room.take(2 * frame.rows);
      for (let i = 0; i < frame.rows; i++) {
        const lo = values[2 * i * step] as number;
        const hi = values[2 * i * step + 1] as number;
        const days = shiftedDays(daysOf(lo, hi, unit), months);
        if (!instantOf(days, lastSecond(), lastFraction(), unit, pair)) {
          frame.fail(
            i,
            () => `${formatTimestamp(lo, hi, unit)} and ${months} months is beyond ${typeName(timestamp(unit))}`,
          );
        }
        out[2 * i] = pair.lo;
        out[2 * i + 1] = pair.hi;
      }
      return { kind: "long", values: out, step: 1, nulls: null };
    };
  };

function shiftedDays(days: number, months: number): number {
  dateOfDays(days, civil);
  const month = civil.year * 12 + civil.month - 1 + months;
  const year = Math.floor(month / 12);
  const monthOfYear = month - year * 12 + 1;
  return daysOfDate(year, monthOfYear, Math.min(civil.day, daysInMonth(year, monthOfYear)));
}
