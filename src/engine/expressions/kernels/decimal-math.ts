import { formatDecimal } from "../../data/decimal.ts";
import {
  fitsPrecision,
  numberPowerOfTen,
  powerOfTen,
  readBig,
  SAFE,
  shortDecimal,
  writeBig,
  writeShort,
} from "../decimal-words.ts";
import { type DecimalType, MAX_PRECISION } from "../expr-type.ts";
import type { Frame } from "../frame.ts";
import type { MakeKernel } from "../kernel.ts";
import { type DecimalVec, Words } from "../vec.ts";

/** Arithmetic on decimals: exact, a row error beyond 38 digits (D-25). */

interface Operation {
  readonly sign: string;
  /** NaN where it cannot tell exactly. */
  short(x: number, y: number): number;
  big(x: bigint, y: bigint): bigint;
  /** Whether y = 0 is an error. */
  readonly divides: boolean;
}

const binary =
  (operation: Operation, left: DecimalType, right: DecimalType): MakeKernel =>
  () => {
    const room = new Words();
    return ([x, y], frame) => {
      const out = room.take(4 * frame.rows);
      run(operation, x as DecimalVec, y as DecimalVec, out, frame, left.scale, right.scale);
      return { kind: "decimal", values: out, step: 1, nulls: null };
    };
  };

function run(
  operation: Operation,
  { values: a, step: aStep }: DecimalVec,
  { values: b, step: bStep }: DecimalVec,
  out: Int32Array,
  frame: Frame,
  leftScale: number,
  rightScale: number,
): void {
  const { sign } = operation;
  for (let i = 0, p = 0, q = 0, o = 0; i < frame.rows; i++, p += 4 * aStep, q += 4 * bStep, o += 4) {
    const y = shortDecimal(b, q);
    const short = operation.short(shortDecimal(a, p), y);
    if (short < SAFE && short > -SAFE) writeShort(short, out, o);
    else if (operation.divides && y === 0) {
      frame.fail(i, () => `${formatDecimal(a, 4 * i * aStep, leftScale)} ${sign} 0: division by zero`);
    } else {
      const big = operation.big(readBig(a, p), readBig(b, q));
      writeBig(big, out, o);
      if (!fitsPrecision(big, MAX_PRECISION)) {
        const right = () => formatDecimal(b, 4 * i * bStep, rightScale);
        frame.fail(i, () => `${formatDecimal(a, 4 * i * aStep, leftScale)} ${sign} ${right()} has more than 38 digits`);
      }
    }
  }
}

/** Factors that bring both sides to one scale. */
function factors(left: DecimalType, right: DecimalType): readonly [number, number] {
  const scale = Math.max(left.scale, right.scale);
  return [scale - left.scale, scale - right.scale];
}

/** Each side is exact on its own only within ±2^53; their sum may be smaller. */
const isSafe = (x: number, y: number): boolean => x < SAFE && x > -SAFE && y < SAFE && y > -SAFE;

/** Precision and scale of the result are the caller's business: the larger scale, and a digit more before the point. */
export function addDecimals(left: DecimalType, right: DecimalType): MakeKernel {
  const [f, g] = factors(left, right);
  const [m, n, bigM, bigN] = [numberPowerOfTen(f), numberPowerOfTen(g), powerOfTen(f), powerOfTen(g)];
  const short = (x: number, y: number): number => (isSafe(x * m, y * n) ? x * m + y * n : Number.NaN);
  return binary({ sign: "+", short, big: (x, y) => x * bigM + y * bigN, divides: false }, left, right);
}

export function subtractDecimals(left: DecimalType, right: DecimalType): MakeKernel {
  const [f, g] = factors(left, right);
  const [m, n, bigM, bigN] = [numberPowerOfTen(f), numberPowerOfTen(g), powerOfTen(f), powerOfTen(g)];
  const short = (x: number, y: number): number => (isSafe(x * m, y * n) ? x * m - y * n : Number.NaN);
  return binary({ sign: "-", short, big: (x, y) => x * bigM - y * bigN, divides: false }, left, right);
}

/** The scales add up. */
export function multiplyDecimals(left: DecimalType, right: DecimalType): MakeKernel {
  return binary({ sign: "*", short: (x, y) => x * y, big: (x, y) => x * y, divides: false }, left, right);
}

/** The larger scale; the sign is the dividend's. */
export function remainderOfDecimals(left: DecimalType, right: DecimalType): MakeKernel {
  const [f, g] = factors(left, right);
  const [m, n, bigM, bigN] = [numberPowerOfTen(f), numberPowerOfTen(g), powerOfTen(f), powerOfTen(g)];
  const short = (x: number, y: number): number => (isSafe(x * m, y * n) && y !== 0 ? (x * m) % (y * n) : Number.NaN);
  return binary({ sign: "%", short, big: (x, y) => (x * bigM) % (y * bigN), divides: true }, left, right);
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
          const sum = ((turn ? ~value : value) >>> 0) + carry;
          out[4 * i + word] = sum;
          carry = sum > 0xffffffff ? 1 : 0;
        }
      }
      return { kind: "decimal", values: out, step: 1, nulls: null };
    };
  };

export const negateDecimal: MakeKernel = opposite(false);
export const absoluteDecimal: MakeKernel = opposite(true);
