import { formatDecimal } from "../../data/decimal.ts";
import { typeName } from "../../data/types.ts";
import { wordOfBigInt, wordsToBigInt } from "../../data/words.ts";
import {
  divideRounded,
  fitsPrecision,
  numberPowerOfTen,
  powerOfTen,
  readBig,
  SAFE,
  shortDecimal,
  writeBig,
  writeShort,
} from "../decimal-words.ts";
import type { DecimalType } from "../expr-type.ts";
import type { MakeKernel } from "../kernel.ts";
import { type DecimalVec, Doubles, type DoubleVec, type LongVec, Words } from "../vec.ts";
import { text } from "./long-math.ts";

export type Rounding = "nearest" | "down" | "up";

/** Halves go away from zero; −0 stays. */
function roundAway(value: number): number {
  const size = Math.round(Math.abs(value));
  return value < 0 || Object.is(value, -0) ? -size : size;
}

const WHOLE: Readonly<Record<Rounding, (value: number) => number>> = {
  nearest: roundAway,
  down: Math.floor,
  up: Math.ceil,
};

/** By arithmetic of floats: the value times a power of ten, rounded, and back. */
export const roundDouble =
  (rounding: Rounding, places: number): MakeKernel =>
  () => {
    const room = new Doubles();
    const whole = WHOLE[rounding];
    const factor = numberPowerOfTen(Math.abs(places));
    return ([x], { rows }) => {
      const { values, step } = x as DoubleVec;
      const out = room.take(rows);
      for (let i = 0; i < rows; i++) {
        const value = values[i * step] as number;
        const scaled = places >= 0 ? value * factor : value / factor;
        const rounded = places >= 0 ? whole(scaled) / factor : whole(scaled) * factor;
        out[i] = Number.isFinite(scaled) && Number.isFinite(rounded) ? rounded : value;
      }
      return { kind: "double", values: out, step: 1, nulls: null };
    };
  };

/** To a power of ten before the point. */
export const roundLong =
  (places: number): MakeKernel =>
  () => {
    const room = new Words();
    const unit = powerOfTen(-places);
    return ([x], frame) => {
      const { values, step } = x as LongVec;
      const out = room.take(2 * frame.rows);
      for (let i = 0; i < frame.rows; i++) {
        const at = 2 * i * step;
        const rounded = divideRounded(wordsToBigInt(values, at, true), unit) * unit;
        out[2 * i] = wordOfBigInt(rounded, 0);
        out[2 * i + 1] = wordOfBigInt(rounded, 1);
        if (BigInt.asIntN(64, rounded) !== rounded) frame.fail(i, () => `${text(values, at)} rounded is beyond int64`);
      }
      return { kind: "long", values: out, step: 1, nulls: null };
    };
  };

function divideWhole(value: bigint, unit: bigint, rounding: Rounding): bigint {
  if (rounding === "nearest") return divideRounded(value, unit);
  const quotient = value / unit;
  const rest = value % unit;
  if (rounding === "down") return rest < 0n ? quotient - 1n : quotient;
  return rest > 0n ? quotient + 1n : quotient;
}

/** To fewer places, which may be negative; the result has the scale of `to`. */
export const roundDecimal =
  (rounding: Rounding, from: DecimalType, to: DecimalType, places: number): MakeKernel =>
  () => {
    const room = new Words();
    const digits = from.scale - places;
    // The quotient and the rest of two exact integers, of which the divisor fits a double, are exact.
    const divisor = digits <= 15 && places >= 0 ? numberPowerOfTen(digits) : Number.NaN;
    const whole = WHOLE[rounding];
    return ([x], frame) => {
      const { values, step } = x as DecimalVec;
      const out = room.take(4 * frame.rows);
      for (let i = 0; i < frame.rows; i++) {
        const at = 4 * i * step;
        const short = shortDecimal(values, at);
        if (short < SAFE / 4 && short > -SAFE / 4 && !Number.isNaN(divisor)) {
          const rest = short % divisor;
          writeShort((short - rest) / divisor + whole(rest / divisor), out, 4 * i);
          continue;
        }
        const unit = 10n ** BigInt(digits);
        const big = divideWhole(readBig(values, at), unit, rounding) * powerOfTen(Math.max(0, -places));
        writeBig(big, out, 4 * i);
        if (!fitsPrecision(big, to.precision)) {
          frame.fail(i, () => `${formatDecimal(values, at, from.scale)} rounded is beyond ${typeName(to)}`);
        }
      }
      return { kind: "decimal", values: out, step: 1, nulls: null };
    };
  };

export const signOfLong: MakeKernel = () => {
  const room = new Words();
  return ([x], { rows }) => {
    const { values, step } = x as LongVec;
    const out = room.take(2 * rows);
    for (let i = 0; i < rows; i++) {
      const low = values[2 * i * step] as number;
      const high = values[2 * i * step + 1] as number;
      writeSign(high < 0 ? -1 : high === 0 && low === 0 ? 0 : 1, out, i);
    }
    return { kind: "long", values: out, step: 1, nulls: null };
  };
};

export const signOfDecimal: MakeKernel = () => {
  const room = new Words();
  return ([x], { rows }) => {
    const { values, step } = x as DecimalVec;
    const out = room.take(2 * rows);
    for (let i = 0; i < rows; i++) {
      const at = 4 * i * step;
      const top = values[at + 3] as number;
      const any = (values[at] as number) | (values[at + 1] as number) | (values[at + 2] as number) | top;
      writeSign(top < 0 ? -1 : any === 0 ? 0 : 1, out, i);
    }
    return { kind: "long", values: out, step: 1, nulls: null };
  };
};

function writeSign(sign: number, out: Int32Array, row: number): void {
  out[2 * row] = sign;
  out[2 * row + 1] = sign >> 31;
}
