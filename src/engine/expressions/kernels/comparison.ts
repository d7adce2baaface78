import { assertNever } from "../../base/assert.ts";
import type { Kernel, MakeKernel } from "../kernel.ts";
import {
  Bytes,
  type DoubleVec,
  type IntVec,
  isNullAt,
  type LongVec,
  type TextVec,
  type Vec,
  type VecKind,
  wordAt,
} from "../vec.ts";
import { type Sign, signOf } from "./order.ts";
import { type NumberVec, sidesFor } from "./sides.ts";

/**
 * Comparisons of two vectors of one kind. Floats compare as IEEE 754 says (D-26): what has NaN in it is false, but for `<>`, which
 * is true; −0 = 0. Text and binary compare by bytes. Numbers have their own loops, without a branch that depends on the values.
 */
export type Relation = "=" | "<>" | "<" | "<=" | ">" | ">=";

type Loop<V> = (x: V, y: V, out: Uint8Array, rows: number) => void;

/** The relation with its sides exchanged. */
const TURNED: Readonly<Record<Relation, Relation>> = {
  "=": "=",
  "<>": "<>",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

/** How the kernels number them. */
const RELATION_NUMBERS: Readonly<Record<Relation, number>> = { "=": 0, "<>": 1, "<": 2, "<=": 3, ">": 4, ">=": 5 };

function compareInts(relation: Relation, x: IntVec, y: IntVec, out: Uint8Array, rows: number): void {
  if (x.step === 0 && y.step === 1) compareInts(TURNED[relation], y, x, out, rows);
  else if (y.step === 0) intsWithOne(relation, x.values, y.values[0] as number, out, rows);
  else if (relation === ">" || relation === ">=") compareInts(TURNED[relation], y, x, out, rows);
  else intsWithInts(relation, x.values, y.values, out, rows);
}

function intsWithInts(relation: Relation, a: Int32Array, b: Int32Array, out: Uint8Array, rows: number): void {
  const flip = relation === "<>" ? 1 : 0;
  if (relation === "<") for (let i = 0; i < rows; i++) out[i] = Number((a[i] as number) < (b[i] as number));
  else if (relation === "<=") for (let i = 0; i < rows; i++) out[i] = Number((a[i] as number) <= (b[i] as number));
  else for (let i = 0; i < rows; i++) out[i] = Number(a[i] === b[i]) ^ flip;
}

function intsWithOne(relation: Relation, a: Int32Array, b: number, out: Uint8Array, rows: number): void {
  const flip = relation === "<>" ? 1 : 0;
  if (relation === "<") for (let i = 0; i < rows; i++) out[i] = Number((a[i] as number) < b);
  else if (relation === "<=") for (let i = 0; i < rows; i++) out[i] = Number((a[i] as number) <= b);
  else if (relation === ">") for (let i = 0; i < rows; i++) out[i] = Number((a[i] as number) > b);
  else if (relation === ">=") for (let i = 0; i < rows; i++) out[i] = Number((a[i] as number) >= b);
  else for (let i = 0; i < rows; i++) out[i] = Number(a[i] === b) ^ flip;
}

// The same for floats: one loop for both would see two kinds of arrays, which is slower.

function compareDoubles(relation: Relation, x: DoubleVec, y: DoubleVec, out: Uint8Array, rows: number): void {
  if (x.step === 0 && y.step === 1) compareDoubles(TURNED[relation], y, x, out, rows);
  else if (y.step === 0) doublesWithOne(relation, x.values, y.values[0] as number, out, rows);
  else if (relation === ">" || relation === ">=") compareDoubles(TURNED[relation], y, x, out, rows);
  else doublesWithDoubles(relation, x.values, y.values, out, rows);
}

function doublesWithDoubles(relation: Relation, a: Float64Array, b: Float64Array, out: Uint8Array, rows: number): void {
  const flip = relation === "<>" ? 1 : 0;
  if (relation === "<") for (let i = 0; i < rows; i++) out[i] = Number((a[i] as number) < (b[i] as number));
  else if (relation === "<=") for (let i = 0; i < rows; i++) out[i] = Number((a[i] as number) <= (b[i] as number));
  else for (let i = 0; i < rows; i++) out[i] = Number(a[i] === b[i]) ^ flip;
}

function doublesWithOne(relation: Relation, a: Float64Array, b: number, out: Uint8Array, rows: number): void {
  const flip = relation === "<>" ? 1 : 0;
  if (relation === "<") for (let i = 0; i < rows; i++) out[i] = Number((a[i] as number) < b);
  else if (relation === "<=") for (let i = 0; i < rows; i++) out[i] = Number((a[i] as number) <= b);
  else if (relation === ">") for (let i = 0; i < rows; i++) out[i] = Number((a[i] as number) > b);
  else if (relation === ">=") for (let i = 0; i < rows; i++) out[i] = Number((a[i] as number) >= b);
  else for (let i = 0; i < rows; i++) out[i] = Number(a[i] === b) ^ flip;
}

/** `flip` moves signed high words into the order of unsigned ones. */
function compareLongs(relation: Relation, x: LongVec, y: LongVec, out: Uint8Array, rows: number, flip: number): void {
  if (x.step === 0 && y.step === 1) compareLongs(TURNED[relation], y, x, out, rows, flip);
  else if (relation === "=" || relation === "<>") longsEqual(x, y, out, rows, relation === "<>" ? 1 : 0);
  else if (y.step === 0) longsWithOne(relation, x.values, y.values, out, rows, flip);
  else if (relation === ">" || relation === ">=") compareLongs(TURNED[relation], y, x, out, rows, flip);
  else longsLess(x.values, y.values, out, rows, flip, relation === "<=" ? 1 : 0);
}

function longsEqual(x: LongVec, y: LongVec, out: Uint8Array, rows: number, not: 0 | 1): void {
  const { values: a, step: s } = x;
  const { values: b, step: t } = y;
  for (let i = 0, p = 0, q = 0; i < rows; i++, p += 2 * s, q += 2 * t) {
    const difference = ((a[p] as number) ^ (b[q] as number)) | ((a[p + 1] as number) ^ (b[q + 1] as number));
    out[i] = Number(difference === 0) ^ not;
  }
}

/** With a constant. x ≥ c is not x < c, and x ≤ c is not x > c. */
function longsWithOne(
  relation: Relation,
  a: Int32Array,
  b: Int32Array,
  out: Uint8Array,
  rows: number,
  flip: number,
): void {
  const low = (b[0] as number) >>> 0;
  const high = (b[1] as number) ^ flip;
  const not = relation === "<=" || relation === ">=" ? 1 : 0;
  if (relation === "<" || relation === ">=") {
    for (let i = 0, p = 0; i < rows; i++, p += 2) {
      const ownHigh = (a[p + 1] as number) ^ flip;
      const lowLess = Number((a[p] as number) >>> 0 < low);
      out[i] = (Number(ownHigh < high) | (Number(ownHigh === high) & lowLess)) ^ not;
    }
  } else {
    for (let i = 0, p = 0; i < rows; i++, p += 2) {
      const ownHigh = (a[p + 1] as number) ^ flip;
      const lowGreater = Number((a[p] as number) >>> 0 > low);
      out[i] = (Number(ownHigh > high) | (Number(ownHigh === high) & lowGreater)) ^ not;
    }
  }
}

/** x < y, or with `orEqual` x ≤ y, which is not y < x. */
function longsLess(x: Int32Array, y: Int32Array, out: Uint8Array, rows: number, flip: number, orEqual: 0 | 1): void {
  const [a, b] = orEqual === 1 ? [y, x] : [x, y];
  for (let i = 0, p = 0; i < rows; i++, p += 2) {
    const high = (a[p + 1] as number) ^ flip;
    const other = (b[p + 1] as number) ^ flip;
    const lowLess = Number((a[p] as number) >>> 0 < (b[p] as number) >>> 0);
    out[i] = (Number(high < other) | (Number(high === other) & lowLess)) ^ orEqual;
  }
}

/** How two vectors are ordered, made for each evaluation. */
export type MakeSign = (x: Vec, y: Vec) => Sign;

/** x `relation` y by the sign of an order, for the kinds that take longer anyway. */
export function compareBySign(relation: Relation, makeSign: MakeSign): MakeKernel {
  return (): Kernel => {
    const room = new Bytes();
    return ([x, y], frame) => {
      const values = room.take(frame.rows);
      const sign = makeSign(x as Vec, y as Vec);
      for (let i = 0; i < frame.rows; i++) {
        if (!frame.wants(i)) continue;
        const s = sign(i, i);
        values[i] = holds(relation, s) ? 1 : 0;
      }
      return { kind: "bool", values, step: 1, nulls: null };
    };
  };
}

function holds(relation: Relation, sign: number): boolean {
  switch (relation) {
    case "=":
      return sign === 0;
    case "<>":
      return sign !== 0;
    case "<":
      return sign < 0;
    case "<=":
      return sign <= 0;
    case ">":
      return sign > 0;
    case ">=":
      return sign >= 0;
    default:
      return assertNever(relation);
  }
}

/** x `relation` y. `unsigned` says that longs are uint64. */
export function compare(relation: Relation, kind: VecKind, unsigned = false): MakeKernel {
  switch (kind) {
    case "int":
    case "double":
    case "long":
      return looped((x, y, out, rows) => {
        const [left, right] = [x as NumberVec, y as NumberVec];
        if (!compareByKernel(relation, left, right, out, rows, unsigned))
          compareNumbers(relation, left, right, out, rows, unsigned);
      });
    case "text":
      return relation === "=" || relation === "<>" ? textEquality(relation) : compareBySign(relation, signOf);
    default:
      return compareBySign(relation, signOf);
  }
}

/** False where the loops serve. */
function compareByKernel(
  relation: Relation,
  x: NumberVec,
  y: NumberVec,
  out: Uint8Array,
  rows: number,
  unsigned: boolean,
): boolean {
  const sides = sidesFor(x, y, out, rows, 16);
  if (sides === undefined) return false;
  const { kernels, a, p, b, q } = sides;
  const number = RELATION_NUMBERS[relation];
  const at = out.byteOffset;
  if (x.kind === "int") kernels.compareInts(number, a, p, b, q, at, rows);
  else if (x.kind === "double") kernels.compareDoubles(number, a, p, b, q, at, rows);
  else kernels.compareLongs(number, a, p, b, q, Number(unsigned), at, rows);
  return true;
}

function compareNumbers(
  relation: Relation,
  x: NumberVec,
  y: NumberVec,
  out: Uint8Array,
  rows: number,
  unsigned: boolean,
): void {
  if (x.kind === "int") compareInts(relation, x, y as IntVec, out, rows);
  else if (x.kind === "double") compareDoubles(relation, x, y as DoubleVec, out, rows);
  else compareLongs(relation, x, y as LongVec, out, rows, unsigned ? 0x80000000 : 0);
}

function looped(loop: Loop<Vec>): MakeKernel {
  return () => {
    const room = new Bytes();
    return ([x, y], { rows }) => {
      const values = room.take(rows);
      loop(x as Vec, y as Vec, values, rows);
      return { kind: "bool", values, step: 1, nulls: null };
    };
  };
}

/** Most texts differ in their length already. */
function textEquality(relation: "=" | "<>"): MakeKernel {
  const [same, different] = relation === "=" ? [1, 0] : [0, 1];
  return looped((x, y, out, rows) => {
    const [a, b] = [x as TextVec, y as TextVec];
    for (let i = 0; i < rows; i++) {
      const p = wordAt(a, i);
      const q = wordAt(b, i);
      const start = a.offsets[p] as number;
      const end = a.offsets[p + 1] as number;
      const other = b.offsets[q] as number;
      const sameLength = end - start === (b.offsets[q + 1] as number) - other;
      out[i] = sameLength && sameBytes(a.bytes, start, end, b.bytes, other) ? same : different;
    }
  });
}

export function sameBytes(a: Uint8Array, start: number, end: number, b: Uint8Array, other: number): boolean {
  for (let i = start, j = other; i < end; i++, j++) if (a[i] !== b[j]) return false;
  return true;
}

/** Whether two values are different ones, where NULL is one value and NaN another: never NULL. */
export function distinct(negated: boolean, makeSign: MakeSign): MakeKernel {
  return () => {
    const room = new Bytes();
    return ([x, y], { rows }) => {
      const [a, b] = [x as Vec, y as Vec];
      const sign = makeSign(a, b);
      const values = room.take(rows);
      for (let i = 0; i < rows; i++) {
        const aNull = isNullAt(a, i);
        const bNull = isNullAt(b, i);
        const differs = aNull || bNull ? aNull !== bNull : sign(i, i) !== 0;
        values[i] = differs === negated ? 0 : 1;
      }
      return { kind: "bool", values, step: 1, nulls: null };
    };
  };
}
