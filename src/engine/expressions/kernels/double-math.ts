import type { MakeKernel } from "../kernel.ts";
import { Doubles, type DoubleVec } from "../vec.ts";
import { sidesFor } from "./sides.ts";

/**
 * Arithmetic on floats is IEEE 754 (D-25): nothing fails, x / 0 is an infinity, 0 / 0 is NaN. One loop each, and one more for each
 * side that is constant: they are hot.
 */

type DoubleLoop = (x: DoubleVec, y: DoubleVec, out: Float64Array, rows: number) => void;

/** Numbers of the operations that a kernel has. */
const OPERATIONS = { "+": 0, "-": 1, "*": 2, "/": 3 } as const;

const binary =
  (loop: DoubleLoop, operation?: keyof typeof OPERATIONS): MakeKernel =>
  () => {
    const room = new Doubles();
    return ([x, y], { rows }) => {
      const values = room.take(rows);
      const [left, right] = [x as DoubleVec, y as DoubleVec];
      const sides = operation === undefined ? undefined : sidesFor(left, right, values, rows, 16);
      if (sides === undefined || operation === undefined) loop(left, right, values, rows);
      else {
        const { kernels, a, p, b, q } = sides;
        kernels.computeDoubles(OPERATIONS[operation], a, p, b, q, values.byteOffset, rows);
      }
      return { kind: "double", values, step: 1, nulls: null };
    };
  };

export const addDoubles: MakeKernel = binary(({ values: a, step: s }, { values: b, step: t }, out, rows) => {
  const x = a[0] as number;
  const y = b[0] as number;
  if (t === 0) for (let i = 0; i < rows; i++) out[i] = (a[i] as number) + y;
  else if (s === 0) for (let i = 0; i < rows; i++) out[i] = x + (b[i] as number);
  else for (let i = 0; i < rows; i++) out[i] = (a[i] as number) + (b[i] as number);
}, "+");

export const subtractDoubles: MakeKernel = binary(({ values: a, step: s }, { values: b, step: t }, out, rows) => {
  const x = a[0] as number;
  const y = b[0] as number;
  if (t === 0) for (let i = 0; i < rows; i++) out[i] = (a[i] as number) - y;
  else if (s === 0) for (let i = 0; i < rows; i++) out[i] = x - (b[i] as number);
  else for (let i = 0; i < rows; i++) out[i] = (a[i] as number) - (b[i] as number);
}, "-");

export const multiplyDoubles: MakeKernel = binary(({ values: a, step: s }, { values: b, step: t }, out, rows) => {
  const x = a[0] as number;
  const y = b[0] as number;
  if (t === 0) for (let i = 0; i < rows; i++) out[i] = (a[i] as number) * y;
  else if (s === 0) for (let i = 0; i < rows; i++) out[i] = x * (b[i] as number);
  else for (let i = 0; i < rows; i++) out[i] = (a[i] as number) * (b[i] as number);
}, "*");

export const divideDoubles: MakeKernel = binary(({ values: a, step: s }, { values: b, step: t }, out, rows) => {
  const x = a[0] as number;
  const y = b[0] as number;
  if (t === 0) for (let i = 0; i < rows; i++) out[i] = (a[i] as number) / y;
  else if (s === 0) for (let i = 0; i < rows; i++) out[i] = x / (b[i] as number);
  else for (let i = 0; i < rows; i++) out[i] = (a[i] as number) / (b[i] as number);
}, "/");

export const remainderOfDoubles: MakeKernel = binary(({ values: a, step: s }, { values: b, step: t }, out, rows) => {
  const x = a[0] as number;
  const y = b[0] as number;
  if (t === 0) for (let i = 0; i < rows; i++) out[i] = (a[i] as number) % y;
  else if (s === 0) for (let i = 0; i < rows; i++) out[i] = x % (b[i] as number);
  else for (let i = 0; i < rows; i++) out[i] = (a[i] as number) % (b[i] as number);
});

/** A function of two floats, row by row. */
export const ofTwoDoubles = (of: (x: number, y: number) => number): MakeKernel =>
  binary(({ values: a, step: s }, { values: b, step: t }, out, rows) => {
    for (let i = 0, p = 0, q = 0; i < rows; i++, p += s, q += t) out[i] = of(a[p] as number, b[q] as number);
  });

/** A function of one float, row by row. */
export const ofDouble =
  (of: (x: number) => number): MakeKernel =>
  () => {
    const room = new Doubles();
    return ([x], { rows }) => {
      const { values, step } = x as DoubleVec;
      const out = room.take(rows);
      for (let i = 0, p = 0; i < rows; i++, p += step) out[i] = of(values[p] as number);
      return { kind: "double", values: out, step: 1, nulls: null };
    };
  };

export const negateDouble: MakeKernel = ofDouble((x) => -x);

/** The quotient of two decimals: a float, but division by zero is the error that it is between exact numbers. */
export const divideChecked: MakeKernel = () => {
  const room = new Doubles();
  return ([x, y], frame) => {
    const { values: a, step: s } = x as DoubleVec;
    const { values: b, step: t } = y as DoubleVec;
    const out = room.take(frame.rows);
    for (let i = 0, p = 0, q = 0; i < frame.rows; i++, p += s, q += t) {
      out[i] = (a[p] as number) / (b[q] as number);
      if (b[q] === 0) frame.fail(i, () => `${a[i * s]} / 0: division by zero`);
    }
    return { kind: "double", values: out, step: 1, nulls: null };
  };
};
