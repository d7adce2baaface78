import { assertNever } from "../../base/assert.ts";
import { compareBytes, compareFloats, compareLongs } from "../../data/kernels/compare.ts";
import { divideWordsInto, lastRemainder, type WordPair } from "../../data/words.ts";
import { SAFE, shortDecimal } from "../decimal-words.ts";
import { type DecimalVec, type LongVec, type TextVec, type Vec, wordAt } from "../vec.ts";

/** Negative, 0 or positive, as row i of one vector sorts before, with or after row j of the other; neither is NULL. */
export type Sign = (i: number, j: number) => number;

/** The total order of D-26 between two vectors of one kind: all NaN equal and greatest. */
export function signOf(x: Vec, y: Vec, unsigned = false): Sign {
  const [s, t] = [x.step, y.step];
  switch (x.kind) {
    case "bool":
    case "int": {
      const [a, b] = [x.values, (y as typeof x).values];
      return (i, j) => (a[i * s] as number) - (b[j * t] as number);
    }
    case "double": {
      const [a, b] = [x.values, (y as typeof x).values];
      return (i, j) => compareFloats(a[i * s] as number, b[j * t] as number);
    }
    case "long": {
      const [a, b] = [x.values, (y as typeof x).values];
      return (i, j) => compareLongs(a, 2 * i * s, b, 2 * j * t, !unsigned);
    }
    case "decimal":
      return decimalSign(x, y as DecimalVec);
    case "text":
      return textSign(x, y as TextVec);
    default:
      return assertNever(x);
  }
}

/** Between timestamps or durations of two units, `x` in the coarser one: exact, and nothing overflows. */
export function signOfUnits(x: Vec, y: Vec, steps: number): Sign {
  const { values: coarse, step: s } = x as LongVec;
  const { values: fine, step: t } = y as LongVec;
  const floor = new Int32Array(2);
  return (i, j) => {
    let [lo, hi] = [fine[2 * j * t] as number, fine[2 * j * t + 1] as number];
    let isWhole = true;
    for (let down = 0; down < steps; down++) {
      divideWordsInto(lo, hi, 1000, quotient);
      isWhole &&= lastRemainder() === 0;
      ({ lo, hi } = quotient);
    }
    floor[0] = lo;
    floor[1] = hi;
    return compareLongs(coarse, 2 * i * s, floor, 0, true) || (isWhole ? 0 : -1);
  };
}

const quotient: WordPair = { lo: 0, hi: 0 };

/** Of one scale. */
function decimalSign({ values: a, step: s }: DecimalVec, { values: b, step: t }: DecimalVec): Sign {
  return (i, j) => {
    const p = 4 * i * s;
    const q = 4 * j * t;
    const difference = shortDecimal(a, p) - shortDecimal(b, q);
    // Two doubles of 64-bit integers differ as these do, unless they are so near that rounding made them equal.
    if (difference > SAFE || difference < -SAFE) return difference;
    return compareLongs(a, p + 2, b, q + 2, true) || compareLongs(a, p, b, q, false);
  };
}

function textSign(x: TextVec, y: TextVec): Sign {
  const { offsets: from, bytes } = x;
  const { offsets: to, bytes: others } = y;
  return (i, j) => {
    const p = wordAt(x, i);
    const q = wordAt(y, j);
    return compareBytes(bytes, from[p] as number, from[p + 1] as number, others, to[q] as number, to[q + 1] as number);
  };
}
