import { formatDate, formatTimestamp } from "../../data/temporal.ts";
import { type TimeUnit, typeName } from "../../data/types.ts";
import { divideWordsInto, highWord, lowWord, multiplyAdd, type WordPair } from "../../data/words.ts";
import { timestamp, unitSteps } from "../expr-type.ts";
import type { MakeKernel } from "../kernel.ts";
import { type IntVec, type LongVec, Words } from "../vec.ts";
import { daysOf, PER_SECOND, SECONDS_PER_DAY } from "./instants.ts";

/** Conversions between times: to a finer unit exactly, to a coarser one rounded toward minus infinity. */

const pair: WordPair = { lo: 0, hi: 0 };

/** words · 1000^steps; answers false when it does not fit. */
function scaleUp(lo: number, hi: number, steps: number): boolean {
  pair.lo = lo;
  pair.hi = hi;
  for (let step = 0; step < steps; step++) {
    // Both halves times 1000 are exact; what the lower one has beyond its word carries.
    const low = (pair.lo >>> 0) * 1000;
    const high = pair.hi * 1000 + Math.floor(low / 4294967296);
    if (high > 2147483647 || high < -2147483648) return false;
    pair.lo = low | 0;
    pair.hi = high;
  }
  return true;
}

/** Timestamps and durations to another unit. */
export const toUnit = (from: TimeUnit, to: TimeUnit): MakeKernel => {
  const steps = unitSteps(from, to);
  return () => {
    const room = new Words();
    return ([x], frame) => {
      const { values, step } = x as LongVec;
      const out = room.take(2 * frame.rows);
      for (let i = 0; i < frame.rows; i++) {
        const lo = values[2 * i * step] as number;
        const hi = values[2 * i * step + 1] as number;
        if (steps >= 0) {
          if (!scaleUp(lo, hi, steps)) {
            frame.fail(i, () => `${formatTimestamp(lo, hi, from)} is beyond ${typeName(timestamp(to))}`);
          }
        } else {
          pair.lo = lo;
          pair.hi = hi;
          for (let down = steps; down < 0; down++) divideWordsInto(pair.lo, pair.hi, 1000, pair);
        }
        out[2 * i] = pair.lo;
        out[2 * i + 1] = pair.hi;
      }
      return { kind: "long", values: out, step: 1, nulls: null };
    };
  };
};

/** The midnight of a date. */
export const dateToTimestamp =
  (to: TimeUnit): MakeKernel =>
  () => {
    const room = new Words();
    return ([x], frame) => {
      const { values, step } = x as IntVec;
      const out = room.take(2 * frame.rows);
      for (let i = 0; i < frame.rows; i++) {
        const days = values[i * step] as number;
        const seconds = days * SECONDS_PER_DAY;
        if (to === "s") {
          out[2 * i] = lowWord(seconds);
          out[2 * i + 1] = highWord(seconds);
          continue;
        }
        if (!multiplyAdd(seconds, PER_SECOND[to], 0, pair)) {
          frame.fail(i, () => `${formatDate(days)} is beyond ${typeName(timestamp(to))}`);
        }
        out[2 * i] = pair.lo;
        out[2 * i + 1] = pair.hi;
      }
      return { kind: "long", values: out, step: 1, nulls: null };
    };
  };

/** The day of a timestamp. */
export const timestampToDate =
  (from: TimeUnit): MakeKernel =>
  () => {
    const room = new Words();
    return ([x], frame) => {
      const { values, step } = x as LongVec;
      const out = room.take(frame.rows);
      for (let i = 0; i < frame.rows; i++) {
        const lo = values[2 * i * step] as number;
        const hi = values[2 * i * step + 1] as number;
        const days = daysOf(lo, hi, from);
        out[i] = days;
        if (days !== (days | 0)) frame.fail(i, () => `${formatTimestamp(lo, hi, from)} is beyond date`);
      }
      return { kind: "int", values: out, step: 1, nulls: null };
    };
  };
