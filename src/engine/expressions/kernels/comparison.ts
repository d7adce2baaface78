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

/**
 * Comparisons of two vectors of one kind. Floats compare as IEEE 754 says (D-26): what has NaN in it is false, but for `<>`, which
 * is true; −0 = 0. Text and binary compare by bytes. Numbers have a loop for each operator: they are hot.
 */
export type Relation = "=" | "<>" | "<" | "<=";

type Loop<V> = (x: V, y: V, out: Uint8Array, rows: number) => void;

const INT_LOOPS: Readonly<Record<Relation, Loop<IntVec>>> = {
  "="({ values: a, step: s }, { values: b, step: t }, out, rows) {
    for (let i = 0, p = 0, q = 0; i < rows; i++, p += s, q += t) out[i] = a[p] === b[q] ? 1 : 0;
  },
  "<>"({ values: a, step: s }, { values: b, step: t }, out, rows) {
    for (let i = 0, p = 0, q = 0; i < rows; i++, p += s, q += t) out[i] = a[p] === b[q] ? 0 : 1;
  },
  "<"({ values: a, step: s }, { values: b, step: t }, out, rows) {
    for (let i = 0, p = 0, q = 0; i < rows; i++, p += s, q += t) out[i] = (a[p] as number) < (b[q] as number) ? 1 : 0;
  },
  "<="({ values: a, step: s }, { values: b, step: t }, out, rows) {
    for (let i = 0, p = 0, q = 0; i < rows; i++, p += s, q += t) out[i] = (a[p] as number) <= (b[q] as number) ? 1 : 0;
  },
};

const DOUBLE_LOOPS: Readonly<Record<Relation, Loop<DoubleVec>>> = {
  "="({ values: a, step: s }, { values: b, step: t }, out, rows) {
    for (let i = 0, p = 0, q = 0; i < rows; i++, p += s, q += t) out[i] = a[p] === b[q] ? 1 : 0;
  },
  "<>"({ values: a, step: s }, { values: b, step: t }, out, rows) {
    for (let i = 0, p = 0, q = 0; i < rows; i++, p += s, q += t) out[i] = a[p] === b[q] ? 0 : 1;
  },
  "<"({ values: a, step: s }, { values: b, step: t }, out, rows) {
    for (let i = 0, p = 0, q = 0; i < rows; i++, p += s, q += t) out[i] = (a[p] as number) < (b[q] as number) ? 1 : 0;
  },
  "<="({ values: a, step: s }, { values: b, step: t }, out, rows) {
    for (let i = 0, p = 0, q = 0; i < rows; i++, p += s, q += t) out[i] = (a[p] as number) <= (b[q] as number) ? 1 : 0;
  },
};

/** `flip` moves signed high words into the order of unsigned ones. */
type LongLoop = (x: LongVec, y: LongVec, out: Uint8Array, rows: number, flip: number) => void;

const LONG_LOOPS: Readonly<Record<Relation, LongLoop>> = {
  "="({ values: a, step: s }, { values: b, step: t }, out, rows) {
    for (let i = 0, p = 0, q = 0; i < rows; i++, p += 2 * s, q += 2 * t) {
      out[i] = a[p] === b[q] && a[p + 1] === b[q + 1] ? 1 : 0;
    }
  },
  "<>"({ values: a, step: s }, { values: b, step: t }, out, rows) {
    for (let i = 0, p = 0, q = 0; i < rows; i++, p += 2 * s, q += 2 * t) {
      out[i] = a[p] === b[q] && a[p + 1] === b[q + 1] ? 0 : 1;
    }
  },
  "<"({ values: a, step: s }, { values: b, step: t }, out, rows, flip) {
    for (let i = 0, p = 0, q = 0; i < rows; i++, p += 2 * s, q += 2 * t) {
      const x = (a[p + 1] as number) ^ flip;
      const y = (b[q + 1] as number) ^ flip;
      out[i] = x < y || (x === y && (a[p] as number) >>> 0 < (b[q] as number) >>> 0) ? 1 : 0;
    }
  },
  "<="({ values: a, step: s }, { values: b, step: t }, out, rows, flip) {
    for (let i = 0, p = 0, q = 0; i < rows; i++, p += 2 * s, q += 2 * t) {
      const x = (a[p + 1] as number) ^ flip;
      const y = (b[q + 1] as number) ^ flip;
      out[i] = x < y || (x === y && (a[p] as number) >>> 0 <= (b[q] as number) >>> 0) ? 1 : 0;
    }
  },
};

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
        const holds = relation === "=" ? s === 0 : relation === "<>" ? s !== 0 : relation === "<" ? s < 0 : s <= 0;
        values[i] = holds ? 1 : 0;
      }
      return { kind: "bool", values, step: 1, nulls: null };
    };
  };
}

/** x `relation` y. `unsigned` says that longs are uint64. */
export function compare(relation: Relation, kind: VecKind, unsigned = false): MakeKernel {
  switch (kind) {
    case "int":
      return looped((x, y, out, rows) => INT_LOOPS[relation](x as IntVec, y as IntVec, out, rows));
    case "double":
      return looped((x, y, out, rows) => DOUBLE_LOOPS[relation](x as DoubleVec, y as DoubleVec, out, rows));
    case "long": {
      const flip = unsigned ? 0x80000000 : 0;
      return looped((x, y, out, rows) => LONG_LOOPS[relation](x as LongVec, y as LongVec, out, rows, flip));
    }
    case "text":
      return relation === "=" || relation === "<>" ? textEquality(relation) : compareBySign(relation, signOf);
    default:
      return compareBySign(relation, signOf);
  }
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
