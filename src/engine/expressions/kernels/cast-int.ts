import { formatDecimal } from "../../data/decimal.ts";
import { typeName } from "../../data/types.ts";
import { wordOfBigInt, wordsToBigInt, wordsToNumber } from "../../data/words.ts";
import { numberPowerOfTen, SAFE, shortDecimal } from "../decimal-words.ts";
import { type DecimalType, type IntType, intRange } from "../expr-type.ts";
import type { Frame } from "../frame.ts";
import type { Kernel, MakeKernel } from "../kernel.ts";
import {
  type BoolVec,
  type DecimalVec,
  type DoubleVec,
  type IntVec,
  type LongVec,
  type Vec,
  vecKind,
  Words,
} from "../vec.ts";
import { wholeOfDecimal } from "./cast-number.ts";

/** Conversions to integers. A value that the type does not hold is a row error; fractions are rounded. */

const TWO_32 = 4294967296;

/** Room for the results of an integer type, and how to write them. */
class IntWriter {
  private readonly room = new Words();
  private readonly type: IntType;
  private readonly isLong: boolean;
  private readonly least: number;
  /** One more than the greatest: a power of two, which is a double. */
  private readonly limit: number;
  private out: Int32Array = new Int32Array(0);
  private frame: Frame | null = null;

  constructor(type: IntType) {
    this.type = type;
    this.isLong = vecKind(type) === "long";
    const [least, greatest] = intRange(type);
    this.least = Number(least);
    this.limit = Number(greatest + 1n);
  }

  begin(frame: Frame): void {
    this.frame = frame;
    this.out = this.room.take(this.isLong ? 2 * frame.rows : frame.rows);
  }

  /** A whole number; a double of 2^53 and more is what it is. */
  number(row: number, value: number, shown: () => string): void {
    if (!(value >= this.least && value < this.limit)) this.fail(row, shown);
    else if (this.isLong) {
      this.out[2 * row] = value | 0;
      this.out[2 * row + 1] = Math.floor(value / TWO_32);
    } else this.out[row] = value;
  }

  big(row: number, value: bigint, shown: () => string): void {
    const [least, greatest] = intRange(this.type);
    if (value < least || value > greatest) this.fail(row, shown);
    else if (this.isLong) {
      this.out[2 * row] = wordOfBigInt(value, 0);
      this.out[2 * row + 1] = wordOfBigInt(value, 1);
    } else this.out[row] = Number(value);
  }

  fail(row: number, shown: () => string): void {
    this.frame?.fail(row, () => `${shown()} is beyond ${typeName(this.type)}`);
  }

  finish(): Vec {
    return { kind: this.isLong ? "long" : "int", values: this.out, step: 1, nulls: null };
  }
}

const toInt =
  (to: IntType, write: (x: Vec, row: number, writer: IntWriter) => void): MakeKernel =>
  (): Kernel => {
    const writer = new IntWriter(to);
    return ([x], frame) => {
      writer.begin(frame);
      for (let i = 0; i < frame.rows; i++) write(x as Vec, i, writer);
      return writer.finish();
    };
  };

/** Without a check: every int is an int64. */
export const intToLong: MakeKernel = () => {
  const room = new Words();
  return ([x], { rows }) => {
    const { values, step } = x as IntVec;
    const out = room.take(2 * rows);
    for (let i = 0, p = 0, o = 0; i < rows; i++, p += step, o += 2) {
      const value = values[p] as number;
      out[o] = value;
      out[o + 1] = value >> 31;
    }
    return { kind: "long", values: out, step: 1, nulls: null };
  };
};

export const intToInt = (to: IntType): MakeKernel =>
  toInt(to, (x, row, writer) => {
    const value = (x as IntVec).values[row * x.step] as number;
    writer.number(row, value, () => String(value));
  });

export const longToInt = (from: IntType, to: IntType): MakeKernel =>
  toInt(to, (x, row, writer) => {
    const { values, step } = x as LongVec;
    const at = 2 * row * step;
    const high = values[at + 1] as number;
    const value = wordsToNumber(values[at] as number, from.signed ? high : high >>> 0);
    const shown = () => String(wordsToBigInt(values, at, from.signed));
    if (value < SAFE && value > -SAFE) writer.number(row, value, shown);
    else writer.big(row, wordsToBigInt(values, at, from.signed), shown);
  });

/** The nearest whole number, of two the even one. */
export function roundEven(value: number): number {
  const rounded = Math.round(value);
  return rounded - value === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

export const doubleToInt = (to: IntType): MakeKernel =>
  toInt(to, (x, row, writer) => {
    const value = (x as DoubleVec).values[row * x.step] as number;
    writer.number(row, roundEven(value), () => String(value));
  });

/** The nearest whole number, halves away from zero. */
export const decimalToInt = (from: DecimalType, to: IntType): MakeKernel => {
  const divisor = numberPowerOfTen(from.scale);
  return toInt(to, (x, row, writer) => {
    const { values, step } = x as DecimalVec;
    const at = 4 * row * step;
    const short = shortDecimal(values, at);
    const shown = () => formatDecimal(values, at, from.scale);
    if (short < SAFE && short > -SAFE && from.scale <= 15) {
      const whole = Math.trunc(short / divisor);
      const twice = 2 * Math.abs(short - whole * divisor);
      writer.number(row, twice >= divisor ? whole + Math.sign(short) : whole, shown);
    } else writer.big(row, wholeOfDecimal(values, at, from.scale), shown);
  });
};

export const booleanToInt = (to: IntType): MakeKernel =>
  toInt(to, (x, row, writer) => {
    const value = (x as BoolVec).values[row * x.step] as number;
    writer.number(row, value, () => String(value));
  });
