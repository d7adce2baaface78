import { formatDecimal } from "../../data/decimal.ts";
import { typeName } from "../../data/types.ts";
import { kernelsFor } from "../../data/wasm/kernel-arrays.ts";
import { wordsToBigInt, wordsToNumber } from "../../data/words.ts";
import {
  divideRounded,
  fitsPrecision,
  numberPowerOfTen,
  powerOfTen,
  readBig,
  rescale,
  SAFE,
  shortDecimal,
  writeBig,
  writeShort,
} from "../decimal-words.ts";
import type { DecimalType, IntType } from "../expr-type.ts";
import type { MakeKernel } from "../kernel.ts";
import { Bytes, type DecimalVec, Doubles, type DoubleVec, type IntVec, type LongVec, Words } from "../vec.ts";
import { decimalOfDouble } from "./double-digits.ts";

/** Conversions to floats, decimals and booleans. A value that the type does not hold is a row error. */

export const intToDouble: MakeKernel = () => {
  const room = new Doubles();
  return ([x], { rows }) => {
    const { values, step } = x as IntVec;
    const out = room.take(rows);
    const kernels = step === 0 ? undefined : kernelsFor(rows, values, out);
    if (kernels !== undefined) kernels.intsToDoubles(values.byteOffset, out.byteOffset, rows);
    else for (let i = 0, p = 0; i < rows; i++, p += step) out[i] = values[p] as number;
    return { kind: "double", values: out, step: 1, nulls: null };
  };
};

/** The nearest float. */
export const longToDouble =
  (signed: boolean): MakeKernel =>
  () => {
    const room = new Doubles();
    return ([x], { rows }) => {
      const { values, step } = x as LongVec;
      const out = room.take(rows);
      const kernels = step === 0 ? undefined : kernelsFor(rows, values, out);
      if (kernels !== undefined) kernels.longsToDoubles(values.byteOffset, Number(signed), out.byteOffset, rows);
      else
        for (let i = 0, p = 0; i < rows; i++, p += 2 * step) {
          const high = values[p + 1] as number;
          out[i] = wordsToNumber(values[p] as number, signed ? high : high >>> 0);
        }
      return { kind: "double", values: out, step: 1, nulls: null };
    };
  };

/** The nearest float. Up to 10^22 powers of ten are exact, so that one division rounds once. */
export const decimalToDouble =
  ({ scale }: DecimalType): MakeKernel =>
  () => {
    const room = new Doubles();
    const divisor = numberPowerOfTen(scale);
    return ([x], { rows }) => {
      const { values, step } = x as DecimalVec;
      const out = room.take(rows);
      for (let i = 0, p = 0; i < rows; i++, p += 4 * step) {
        const short = shortDecimal(values, p);
        const isExact = short <= SAFE && short >= -SAFE && scale <= 22;
        out[i] = isExact ? short / divisor : Number(formatDecimal(values, p, scale));
      }
      return { kind: "double", values: out, step: 1, nulls: null };
    };
  };

/** float64 to float32. */
export const doubleToSingle: MakeKernel = () => {
  const room = new Doubles();
  return ([x], frame) => {
    const { values, step } = x as DoubleVec;
    const out = room.take(frame.rows);
    for (let i = 0, p = 0; i < frame.rows; i++, p += step) {
      const value = values[p] as number;
      const single = Math.fround(value);
      out[i] = single;
      if (!Number.isFinite(single) && Number.isFinite(value)) frame.fail(i, () => `${value} is beyond float32`);
    }
    return { kind: "double", values: out, step: 1, nulls: null };
  };
};

const beyond = (value: string, to: DecimalType) => () => `${value} is beyond ${typeName(to)}`;

/** int8 to int32 and dates' days. */
export const intToDecimal =
  (to: DecimalType): MakeKernel =>
  () => {
    const room = new Words();
    return ([x], frame) => {
      const { values, step } = x as IntVec;
      const out = room.take(4 * frame.rows);
      const factor = numberPowerOfTen(to.scale);
      for (let i = 0, p = 0; i < frame.rows; i++, p += step) {
        const value = values[p] as number;
        const short = value * factor;
        if (short < SAFE && short > -SAFE) writeShort(short, out, 4 * i);
        else writeBig(BigInt(value) * powerOfTen(to.scale), out, 4 * i);
        if (!fits(value, to)) frame.fail(i, beyond(String(value), to));
      }
      return { kind: "decimal", values: out, step: 1, nulls: null };
    };
  };

/** Whether a whole number within ±2^53 has no more digits before the point than the type. */
const fits = (value: number, to: DecimalType): boolean => Math.abs(value) < numberPowerOfTen(to.precision - to.scale);

export const longToDecimal =
  (from: IntType, to: DecimalType): MakeKernel =>
  () => {
    const room = new Words();
    const factor = numberPowerOfTen(to.scale);
    const whole = powerOfTen(to.precision - to.scale);
    return ([x], frame) => {
      const { values, step } = x as LongVec;
      const out = room.take(4 * frame.rows);
      for (let i = 0, p = 0; i < frame.rows; i++, p += 2 * step) {
        const high = values[p + 1] as number;
        const value = wordsToNumber(values[p] as number, from.signed ? high : high >>> 0);
        const short = value * factor;
        if (short < SAFE && short > -SAFE) {
          writeShort(short, out, 4 * i);
          if (!fits(value, to)) frame.fail(i, beyond(String(value), to));
        } else {
          const big = wordsToBigInt(values, p, from.signed);
          writeBig(big * powerOfTen(to.scale), out, 4 * i);
          if (big >= whole || big <= -whole) frame.fail(i, beyond(String(big), to));
        }
      }
      return { kind: "decimal", values: out, step: 1, nulls: null };
    };
  };

/** To another scale, rounded, halves away from zero. */
export const decimalToDecimal =
  (from: DecimalType, to: DecimalType): MakeKernel =>
  () => {
    const room = new Words();
    const more = to.scale - from.scale;
    const factor = numberPowerOfTen(Math.max(0, more));
    const isWider = to.precision - to.scale >= from.precision - from.scale && more >= 0;
    return ([x], frame) => {
      const { values, step } = x as DecimalVec;
      const out = room.take(4 * frame.rows);
      for (let i = 0, p = 0; i < frame.rows; i++, p += 4 * step) {
        const short = isWider ? shortDecimal(values, p) * factor : Number.NaN;
        if (short < SAFE && short > -SAFE) {
          writeShort(short, out, 4 * i);
          continue;
        }
        const big = rescale(readBig(values, p), from.scale, to.scale);
        writeBig(big, out, 4 * i);
        if (!fitsPrecision(big, to.precision)) frame.fail(i, beyond(formatDecimal(values, p, from.scale), to));
      }
      return { kind: "decimal", values: out, step: 1, nulls: null };
    };
  };

/** By the shortest digits that say the float, so that 1.115 has the value that a person reads. */
export const doubleToDecimal =
  (to: DecimalType): MakeKernel =>
  () => {
    const room = new Words();
    const factor = numberPowerOfTen(to.scale);
    return ([x], frame) => {
      const { values, step } = x as DoubleVec;
      const out = room.take(4 * frame.rows);
      for (let i = 0, p = 0; i < frame.rows; i++, p += step) {
        const value = values[p] as number;
        const short = Number.isInteger(value) ? value * factor : Number.NaN;
        if (short < SAFE && short > -SAFE && fits(value, to)) {
          writeShort(short, out, 4 * i);
          continue;
        }
        const big = Number.isFinite(value) ? decimalOfDouble(value, to.scale) : undefined;
        if (big !== undefined && fitsPrecision(big, to.precision)) writeBig(big, out, 4 * i);
        else frame.fail(i, beyond(String(value), to));
      }
      return { kind: "decimal", values: out, step: 1, nulls: null };
    };
  };

/** A number that is not 0. */
export const toBoolean: MakeKernel = () => {
  const room = new Bytes();
  return ([x], { rows }) => {
    const { values, step, kind } = x as IntVec | LongVec;
    const out = room.take(rows);
    if (kind === "int") for (let i = 0; i < rows; i++) out[i] = values[i * step] === 0 ? 0 : 1;
    else for (let i = 0; i < rows; i++) out[i] = values[2 * i * step] === 0 && values[2 * i * step + 1] === 0 ? 0 : 1;
    return { kind: "bool", values: out, step: 1, nulls: null };
  };
};

/** Unscaled value rounded to a whole number, halves away from zero. */
export const wholeOfDecimal = (words: Int32Array, at: number, scale: number): bigint =>
  divideRounded(readBig(words, at), powerOfTen(scale));
