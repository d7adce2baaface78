import { wordsToBigInt, wordsToNumber } from "../../data/words.ts";
import type { MakeKernel } from "../kernel.ts";
import { Doubles, type LongVec } from "../vec.ts";

/** Milliseconds as event times, which are whole numbers within ±2^53. */
export const eventMs: MakeKernel = () => {
  const room = new Doubles();
  return ([x], frame) => {
    const { values, step } = x as LongVec;
    const out = room.take(frame.rows);
    for (let i = 0; i < frame.rows; i++) {
      const at = 2 * i * step;
      const ms = wordsToNumber(values[at] as number, values[at + 1] as number);
      out[i] = ms;
      if (!Number.isSafeInteger(ms)) frame.fail(i, () => `${wordsToBigInt(values, at, true)} ms is beyond event time`);
    }
    return { kind: "double", values: out, step: 1, nulls: null };
  };
};
