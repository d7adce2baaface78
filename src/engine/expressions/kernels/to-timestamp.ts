import type { MakeKernel } from "../kernel.ts";
import { type DoubleVec, Words } from "../vec.ts";
import { roundEven } from "./cast-int.ts";

const TWO_32 = 4294967296;
const LIMIT = 2 ** 63;

/** Seconds since 1970 as a timestamp in microseconds, the nearest one. */
export const secondsToTimestamp: MakeKernel = () => {
  const room = new Words();
  return ([x], frame) => {
    const { values, step } = x as DoubleVec;
    const out = room.take(2 * frame.rows);
    for (let i = 0; i < frame.rows; i++) {
      const seconds = values[i * step] as number;
      const microseconds = roundEven(seconds * 1e6);
      if (!(microseconds >= -LIMIT && microseconds < LIMIT)) {
        frame.fail(i, () => `${seconds} seconds are beyond timestamp[us]`);
        continue;
      }
      out[2 * i] = microseconds | 0;
      out[2 * i + 1] = Math.floor(microseconds / TWO_32);
    }
    return { kind: "long", values: out, step: 1, nulls: null };
  };
};
