import { formatDecimal } from "../../data/decimal.ts";
import { kernelsFor } from "../../data/wasm/kernel-arrays.ts";
import { wordsToBigInt, wordsToNumber } from "../../data/words.ts";
import { fitsPrecision, numberPowerOfTen, powerOfTen, readBig, SAFE, writeBig, writeShort } from "../decimal-words.ts";
import { MAX_PRECISION } from "../expr-type.ts";
import type { Frame } from "../frame.ts";
import type { MakeKernel } from "../kernel.ts";
import { type DecimalVec, type LongVec, type Vec, Words } from "../vec.ts";

/**
 * Arithmetic on decimals: exact, a row error beyond 38 digits (D-25). An int64 beside a decimal is taken as it is, with scale 0. Where the
 * values and the result fit a double, no BigInt is made.
 */

/** Values of one side. */
interface Side {
  readonly values: Int32Array;
  /** Words from one row to the next. */
  readonly stride: number;
  readonly isLong: boolean;
  readonly scale: number;
}

function sideOf(vec: Vec, scale: number): Side {
  const { values, step, kind } = vec as LongVec | DecimalVec;
  return { values, stride: step * (kind === "long" ? 2 : 4), isLong: kind === "long", scale };
}

/** The value as a double where it fits 64 bits (exact within ±2^53), else NaN. */
function shortAt(values: Int32Array, at: number, isLong: boolean): number {
  const high = values[at + 1] as number;
  const value = wordsToNumber(values[at] as number, high);
  if (isLong) return value;
  const sign = high >> 31;
  return values[at + 2] === sign && values[at + 3] === sign ? value : Number.NaN;
}

const bigAt = ({ values, stride, isLong }: Side, row: number): bigint =>
  isLong ? wordsToBigInt(values, row * stride, true) : readBig(values, row * stride);

const textAt = (side: Side, row: number): string =>
  side.isLong ? String(bigAt(side, row)) : formatDecimal(side.values, row * side.stride, side.scale);

interface Operation {
  readonly sign: string;
  big(x: bigint, y: bigint): bigint;
}

/** The row for which a double is not enough. */
function computeBig(operation: Operation, a: Side, b: Side, row: number, out: Int32Array, frame: Frame): void {
  const big = operation.big(bigAt(a, row), bigAt(b, row));
  writeBig(big, out, 4 * row);
  if (fitsPrecision(big, MAX_PRECISION)) return;
  frame.fail(row, () => `${textAt(a, row)} ${operation.sign} ${textAt(b, row)} has more than 38 digits`);
}

type DecimalLoop = (a: Side, b: Side, out: Int32Array, frame: Frame) => void;

const binary =
  (leftScale: number, rightScale: number, loop: DecimalLoop): MakeKernel =>
  () => {
    const room = new Words();
    return ([x, y], frame) => {
      const out = room.take(4 * frame.rows);
      loop(sideOf(x as Vec, leftScale), sideOf(y as Vec, rightScale), out, frame);
      return { kind: "decimal", values: out, step: 1, nulls: null };
    };
  };

/** The scales add up. */
export function multiplyDecimals(leftScale: number, rightScale: number): MakeKernel {
  const operation: Operation = { sign: "*", big: (x, y) => x * y };
  return binary(leftScale, rightScale, (a, b, out, frame) => {
    if (b.stride === 0) multiplyByOne(operation, a, b, out, frame);
    else if (a.stride === 0) multiplyByOne(operation, b, a, out, frame);
    else multiplyRows(operation, a, b, out, frame);
  });
}

/** By a constant. A product below 2^53 is exact: then both factors are, or one is 0. */
function multiplyByOne(operation: Operation, a: Side, b: Side, out: Int32Array, frame: Frame): void {
  const { rows } = frame;
  const { values, stride, isLong } = a;
  const one = shortAt(b.values, 0, b.isLong);
  const kernels = stride === 0 || !(Math.abs(one) <= SAFE) ? undefined : kernelsFor(rows, values, out);
  if (kernels?.multiplyDecimals(values.byteOffset, Number(isLong), one, out.byteOffset, rows) === 1) return;
  for (let i = 0, p = 0; i < rows; i++, p += stride) {
    const product = shortAt(values, p, isLong) * one;
    if (product < SAFE && product > -SAFE) writeShort(product, out, 4 * i);
    else computeBig(operation, a, b, i, out, frame);
  }
}

function multiplyRows(operation: Operation, a: Side, b: Side, out: Int32Array, frame: Frame): void {
  const { rows } = frame;
  const { values: left, stride: leftStride, isLong: leftLong } = a;
  const { values: right, stride: rightStride, isLong: rightLong } = b;
  for (let i = 0, p = 0, q = 0; i < rows; i++, p += leftStride, q += rightStride) {
    const product = shortAt(left, p, leftLong) * shortAt(right, q, rightLong);
    if (product < SAFE && product > -SAFE) writeShort(product, out, 4 * i);
    else computeBig(operation, a, b, i, out, frame);
  }
}

/** Each side is exact on its own only within ±2^53; their sum may be smaller. */
const isSafe = (x: number, y: number): boolean => x < SAFE && x > -SAFE && y < SAFE && y > -SAFE;

/** Factors that bring both sides to the larger scale. */
function factors(leftScale: number, rightScale: number) {
  const scale = Math.max(leftScale, rightScale);
  const [f, g] = [scale - leftScale, scale - rightScale];
  return { m: numberPowerOfTen(f), n: numberPowerOfTen(g), bigM: powerOfTen(f), bigN: powerOfTen(g) };
}

/** Of the larger scale. */
function sum(leftScale: number, rightScale: number, sign: 1 | -1): MakeKernel {
  const { m, n, bigM, bigN } = factors(leftScale, rightScale);
  const bigSign = BigInt(sign);
  const operation: Operation = { sign: sign === 1 ? "+" : "-", big: (x, y) => x * bigM + bigSign * y * bigN };
  return binary(leftScale, rightScale, (a, b, out, frame) => {
    const { rows } = frame;
    const { values: left, stride: leftStride, isLong: leftLong } = a;
    const { values: right, stride: rightStride, isLong: rightLong } = b;
    for (let i = 0, p = 0, q = 0; i < rows; i++, p += leftStride, q += rightStride) {
      const x = shortAt(left, p, leftLong) * m;
      const y = shortAt(right, q, rightLong) * n;
      const total = x + sign * y;
      if (isSafe(x, y) && total < SAFE && total > -SAFE) writeShort(total, out, 4 * i);
      else computeBig(operation, a, b, i, out, frame);
    }
  });
}

export const addDecimals = (leftScale: number, rightScale: number): MakeKernel => sum(leftScale, rightScale, 1);
export const subtractDecimals = (leftScale: number, rightScale: number): MakeKernel => sum(leftScale, rightScale, -1);

/** Of the larger scale; the sign is the dividend's. */
export function remainderOfDecimals(leftScale: number, rightScale: number): MakeKernel {
  const { m, n, bigM, bigN } = factors(leftScale, rightScale);
  const operation: Operation = { sign: "%", big: (x, y) => (x * bigM) % (y * bigN) };
  return binary(leftScale, rightScale, (a, b, out, frame) => {
    for (let i = 0, p = 0, q = 0; i < frame.rows; i++, p += a.stride, q += b.stride) {
      const x = shortAt(a.values, p, a.isLong) * m;
      const y = shortAt(b.values, q, b.isLong) * n;
      if (y === 0) frame.fail(i, () => `${textAt(a, i)} % 0: division by zero`);
      else if (isSafe(x, y)) writeShort(x % y, out, 4 * i);
      else computeBig(operation, a, b, i, out, frame);
    }
  });
}

/** −x, or |x| where `onlyNegative`. */
const opposite =
  (onlyNegative: boolean): MakeKernel =>
  () => {
    const room = new Words();
    return ([x], { rows }) => {
      const { values, step } = x as DecimalVec;
      const out = room.take(4 * rows);
      for (let i = 0; i < rows; i++) {
        const at = 4 * i * step;
        const turn = !onlyNegative || (values[at + 3] as number) < 0;
        let carry = turn ? 1 : 0;
        for (let word = 0; word < 4; word++) {
          const value = values[at + word] as number;
          const total = ((turn ? ~value : value) >>> 0) + carry;
          out[4 * i + word] = total;
          carry = total > 0xffffffff ? 1 : 0;
        }
      }
      return { kind: "decimal", values: out, step: 1, nulls: null };
    };
  };

export const negateDecimal: MakeKernel = opposite(false);
export const absoluteDecimal: MakeKernel = opposite(true);
