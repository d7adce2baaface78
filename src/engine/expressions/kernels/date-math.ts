import { formatDate } from "../../data/temporal.ts";
import { wordsToNumber } from "../../data/words.ts";
import type { MakeKernel } from "../kernel.ts";
import { type IntVec, type LongVec, Words } from "../vec.ts";

/** A date and a number of days (int64). */
export const addDays =
  (sign: 1 | -1): MakeKernel =>
  () => {
    const room = new Words();
    return ([x, y], frame) => {
      const [dates, days] = [x as IntVec, y as LongVec];
      const out = room.take(frame.rows);
      for (let i = 0; i < frame.rows; i++) {
        const at = 2 * i * days.step;
        const date = dates.values[i * dates.step] as number;
        const sum = date + sign * wordsToNumber(days.values[at] as number, days.values[at + 1] as number);
        out[i] = sum;
        if (sum !== (sum | 0)) frame.fail(i, () => `${formatDate(date)} and ${sum - date} days is beyond date`);
      }
      return { kind: "int", values: out, step: 1, nulls: null };
    };
  };

export const daysBetween: MakeKernel = () => {
  const room = new Words();
  return ([x, y], { rows }) => {
    const [left, right] = [x as IntVec, y as IntVec];
    const out = room.take(2 * rows);
    for (let i = 0; i < rows; i++) {
      const days = (left.values[i * left.step] as number) - (right.values[i * right.step] as number);
      out[2 * i] = days | 0;
      out[2 * i + 1] = Math.floor(days / 4294967296);
    }
    return { kind: "long", values: out, step: 1, nulls: null };
  };
};
