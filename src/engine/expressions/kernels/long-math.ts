import { wordOfBigInt, wordsToBigInt, wordsToNumber } from "../../data/words.ts";
import type { Frame } from "../frame.ts";
import type { MakeKernel } from "../kernel.ts";
import { type LongVec, Words } from "../vec.ts";
import { sidesFor } from "./sides.ts";

/** Arithmetic on int64: exact, a row error where the result does not fit (D-25). No BigInt where both fit a double. */

const PER_TWO_32 = 2 ** -32;
const SAFE = 9007199254740992;

type LongLoop = (x: LongVec, y: LongVec, out: Int32Array, frame: Frame) => void;
/** Answers false where a row is beyond it, and all are to be done by the loop, which says what is wrong. */
type LongKernel = (x: LongVec, y: LongVec, out: Int32Array, rows: number) => boolean;

const binary =
  (loop: LongLoop, kernel: LongKernel): MakeKernel =>
  () => {
    const room = new Words();
    return ([x, y], frame) => {
      const values = room.take(2 * frame.rows);
      const [left, right] = [x as LongVec, y as LongVec];
      if (!kernel(left, right, values, frame.rows)) loop(left, right, values, frame);
      return { kind: "long", values, step: 1, nulls: null };
    };
  };

export const text = (words: Int32Array, at: number): string => String(wordsToBigInt(words, at, true));

function overflow(x: LongVec, y: LongVec, row: number, operator: string): () => string {
  return () => {
    const left = text(x.values, 2 * row * x.step);
    return `${left} ${operator} ${text(y.values, 2 * row * y.step)} is beyond int64`;
  };
}

const sumByKernel =
  (subtracts: 0 | 1): LongKernel =>
  (x, y, out, rows) => {
    const sides = sidesFor(x, y, out, rows, 16);
    if (sides === undefined) return false;
    const { kernels, a, p, b, q } = sides;
    return kernels.sumsOfLongs(subtracts, a, p, b, q, out.byteOffset, rows) === 1;
  };

const productByKernel: LongKernel = (x, y, out, rows) => {
  const sides = sidesFor(x, y, out, rows, 8);
  if (sides === undefined) return false;
  const { kernels, a, p, b, q } = sides;
  return kernels.multiplyLongs(a, p, b, q, out.byteOffset, rows) === 1;
};

const quotientByKernel =
  (rests: 0 | 1): LongKernel =>
  (x, y, out, rows) => {
    const sides = sidesFor(x, y, out, rows, 8);
    if (sides === undefined) return false;
    const { kernels, a, p, b, q } = sides;
    return kernels.divideLongs(rests, a, p, b, q, out.byteOffset, rows) === 1;
  };

export const addLongs: MakeKernel = binary((x, y, out, frame) => {
  const { rows } = frame;
  const a = x.values;
  const b = y.values;
  const [aStep, bStep] = [2 * x.step, 2 * y.step];
  let overflows = 0;
  for (let i = 0, p = 0, q = 0, o = 0; i < rows; i++, p += aStep, q += bStep, o += 2) {
    const aLow = a[p] as number;
    const aHigh = a[p + 1] as number;
    const bHigh = b[q + 1] as number;
    const low = (aLow + (b[q] as number)) | 0;
    const high = (aHigh + bHigh + (low >>> 0 < aLow >>> 0 ? 1 : 0)) | 0;
    out[o] = low;
    out[o + 1] = high;
    overflows |= (aHigh ^ high) & (bHigh ^ high);
  }
  if (overflows >= 0) return;
  for (let i = 0; i < rows; i++) {
    const high = out[2 * i + 1] as number;
    const signs = ((a[i * aStep + 1] as number) ^ high) & ((b[i * bStep + 1] as number) ^ high);
    if (signs < 0) frame.fail(i, overflow(x, y, i, "+"));
  }
}, sumByKernel(0));

export const subtractLongs: MakeKernel = binary((x, y, out, frame) => {
  const { rows } = frame;
  const a = x.values;
  const b = y.values;
  const [aStep, bStep] = [2 * x.step, 2 * y.step];
  let overflows = 0;
  for (let i = 0, p = 0, q = 0, o = 0; i < rows; i++, p += aStep, q += bStep, o += 2) {
    const aLow = a[p] as number;
    const bLow = b[q] as number;
    const aHigh = a[p + 1] as number;
    const bHigh = b[q + 1] as number;
    const high = (aHigh - bHigh - (aLow >>> 0 < bLow >>> 0 ? 1 : 0)) | 0;
    out[o] = (aLow - bLow) | 0;
    out[o + 1] = high;
    overflows |= (aHigh ^ bHigh) & (aHigh ^ high);
  }
  if (overflows >= 0) return;
  for (let i = 0; i < rows; i++) {
    const aHigh = a[i * aStep + 1] as number;
    const signs = (aHigh ^ (b[i * bStep + 1] as number)) & (aHigh ^ (out[2 * i + 1] as number));
    if (signs < 0) frame.fail(i, overflow(x, y, i, "-"));
  }
}, sumByKernel(1));

export const multiplyLongs: MakeKernel = binary((x, y, out, frame) => {
  if (y.step === 0) multiplyByOne(x, y, out, frame);
  else if (x.step === 0) multiplyByOne(y, x, out, frame);
  else multiplyRows(x, y, out, frame);
}, productByKernel);

/** By a constant. A product below 2^53 is exact: then both factors are, or one is 0. */
function multiplyByOne(x: LongVec, y: LongVec, out: Int32Array, frame: Frame): void {
  const { rows } = frame;
  const { values: a } = x;
  const stride = 2 * x.step;
  const one = wordsToNumber(y.values[0] as number, y.values[1] as number);
  for (let i = 0, p = 0, o = 0; i < rows; i++, p += stride, o += 2) {
    const product = wordsToNumber(a[p] as number, a[p + 1] as number) * one;
    if (product < SAFE && product > -SAFE) {
      out[o] = product | 0;
      out[o + 1] = Math.floor(product * PER_TWO_32) | 0;
    } else if (!multiplyWide(a, p, y.values, 0, product, out, o)) frame.fail(i, overflow(x, y, i, "*"));
  }
}

function multiplyRows(x: LongVec, y: LongVec, out: Int32Array, frame: Frame): void {
  const { rows } = frame;
  const [a, b] = [x.values, y.values];
  for (let i = 0, o = 0; i < rows; i++, o += 2) {
    const left = wordsToNumber(a[o] as number, a[o + 1] as number);
    const product = left * wordsToNumber(b[o] as number, b[o + 1] as number);
    if (product < SAFE && product > -SAFE) {
      out[o] = product | 0;
      out[o + 1] = Math.floor(product * PER_TWO_32) | 0;
    } else if (!multiplyWide(a, o, b, o, product, out, o)) frame.fail(i, overflow(x, y, i, "*"));
  }
}

/** Beyond this the product's double is off by so much that it does not tell whether the product fits. */
const SURELY_FITS = 9223372036854770000;

function multiplyWide(
  a: Int32Array,
  p: number,
  b: Int32Array,
  q: number,
  near: number,
  out: Int32Array,
  o: number,
): boolean {
  if (near > SURELY_FITS || near < -SURELY_FITS) {
    const product = wordsToBigInt(a, p, true) * wordsToBigInt(b, q, true);
    if (BigInt.asIntN(64, product) !== product) return false;
  }
  // The low 64 bits, by 16 bits of one factor at a time, so that each product is exact.
  const low = (b[q] as number) >>> 0;
  const aLow = (a[p] as number) >>> 0;
  const first = aLow * (low & 0xffff);
  const second = aLow * (low >>> 16);
  const middle = Math.floor(first / 65536) + second;
  out[o] = (first & 0xffff) | (middle << 16);
  const cross = Math.imul(a[p + 1] as number, low) + Math.imul(aLow, b[q + 1] as number);
  out[o + 1] = Math.floor(middle / 65536) + cross;
  return true;
}

const byZero = (x: LongVec, row: number, operator: string) => () =>
  `${text(x.values, 2 * row * x.step)} ${operator} 0: division by zero`;

/** Rounds toward zero, as SQL does. */
export const divideLongs: MakeKernel = binary((x, y, out, frame) => {
  const [a, b] = [x.values, y.values];
  const [aStep, bStep] = [2 * x.step, 2 * y.step];
  for (let i = 0, p = 0, q = 0, o = 0; i < frame.rows; i++, p += aStep, q += bStep, o += 2) {
    const left = wordsToNumber(a[p] as number, a[p + 1] as number);
    const right = wordsToNumber(b[q] as number, b[q + 1] as number);
    if (right === 0) frame.fail(i, byZero(x, i, "/"));
    else if (left < SAFE && left > -SAFE && right < SAFE && right > -SAFE) {
      const quotient = Math.trunc(left / right);
      out[o] = quotient | 0;
      out[o + 1] = Math.floor(quotient * PER_TWO_32) | 0;
    } else {
      const quotient = wordsToBigInt(a, p, true) / wordsToBigInt(b, q, true);
      out[o] = wordOfBigInt(quotient, 0);
      out[o + 1] = wordOfBigInt(quotient, 1);
      if (quotient > 0x7fff_ffff_ffff_ffffn) frame.fail(i, overflow(x, y, i, "/"));
    }
  }
}, quotientByKernel(0));

/** The sign is the dividend's. */
export const remainderOfLongs: MakeKernel = binary((x, y, out, frame) => {
  const [a, b] = [x.values, y.values];
  const [aStep, bStep] = [2 * x.step, 2 * y.step];
  for (let i = 0, p = 0, q = 0, o = 0; i < frame.rows; i++, p += aStep, q += bStep, o += 2) {
    const left = wordsToNumber(a[p] as number, a[p + 1] as number);
    const right = wordsToNumber(b[q] as number, b[q + 1] as number);
    if (right === 0) frame.fail(i, byZero(x, i, "%"));
    else if (left < SAFE && left > -SAFE && right < SAFE && right > -SAFE) {
      // What `left % right` gives, which takes several times as long: the quotient is exact to its whole part.
      const rest = left - Math.trunc(left / right) * right;
      out[o] = rest | 0;
      out[o + 1] = Math.floor(rest * PER_TWO_32) | 0;
    } else {
      const rest = wordsToBigInt(a, p, true) % wordsToBigInt(b, q, true);
      out[o] = wordOfBigInt(rest, 0);
      out[o + 1] = wordOfBigInt(rest, 1);
    }
  }
}, quotientByKernel(1));

const LEAST = -2147483648;

/** −x, or |x| where `onlyNegative`. The smallest int64 has no opposite. */
const opposite =
  (onlyNegative: boolean, name: (value: string) => string): MakeKernel =>
  () => {
    const room = new Words();
    return ([x], frame) => {
      const { values, step } = x as LongVec;
      const out = room.take(2 * frame.rows);
      for (let i = 0; i < frame.rows; i++) {
        const low = values[2 * i * step] as number;
        const high = values[2 * i * step + 1] as number;
        const turn = !onlyNegative || high < 0;
        out[2 * i] = turn ? -low : low;
        out[2 * i + 1] = turn ? ~high + (low === 0 ? 1 : 0) : high;
        if (turn && low === 0 && high === LEAST) frame.fail(i, () => `${name("-9223372036854775808")} is beyond int64`);
      }
      return { kind: "long", values: out, step: 1, nulls: null };
    };
  };

export const negateLong: MakeKernel = opposite(false, (value) => `-(${value})`);
export const absoluteLong: MakeKernel = opposite(true, (value) => `abs(${value})`);
