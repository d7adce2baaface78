import { assertNever } from "../../base/assert.ts";
import { BytesInterner } from "../../data/bytes-interner.ts";
import { wordsToBigInt } from "../../data/words.ts";
import { readBig } from "../decimal-words.ts";
import type { MakeKernel } from "../kernel.ts";
import { Bytes, type Vec, wordAt } from "../vec.ts";

/** Answers whether row i of the vector is in the set. */
type Contains = (row: number) => boolean;

/**
 * x IN (constants): true where x is one of them, and otherwise NULL where NULL is one of them. Floats as IEEE says: NaN is never
 * in a set.
 */
export function inSet(items: readonly Vec[], hasNull: boolean): MakeKernel {
  return () => {
    const room = new Bytes();
    const search = searchIn(items);
    return ([x], frame) => {
      const values = room.take(frame.rows);
      const contains = search(x as Vec);
      for (let i = 0; i < frame.rows; i++) {
        if (!frame.wants(i)) continue;
        values[i] = contains(i) ? 1 : 0;
        if (hasNull && values[i] === 0) frame.setNull(i);
      }
      return { kind: "bool", values, step: 1, nulls: null };
    };
  };
}

function searchIn(items: readonly Vec[]): (vec: Vec) => Contains {
  const words = new BytesInterner();
  const numbers = new Set<number>();
  const bigs = new Set<bigint>();
  for (const item of items) {
    if (item.kind === "text") words.intern(item.bytes, item.offsets[0] as number, item.offsets[1] as number);
    else if (item.kind === "long") bigs.add(wordsToBigInt(item.values, 0, true));
    else if (item.kind === "decimal") bigs.add(readBig(item.values, 0));
    else if (!Number.isNaN(item.values[0])) numbers.add(item.values[0] as number);
  }
  // Longs by their two words: a set for each low word, which nearly always tells already.
  const byLow = new Map<number, Set<number>>();
  for (const value of bigs) {
    const low = Number(BigInt.asIntN(32, value));
    const highs = byLow.get(low) ?? new Set<number>();
    byLow.set(low, highs.add(Number(BigInt.asIntN(32, value >> 32n))));
  }
  return (vec) => {
    const { step } = vec;
    switch (vec.kind) {
      case "text":
        return (row) => {
          const word = wordAt(vec, row);
          return words.find(vec.bytes, vec.offsets[word] as number, vec.offsets[word + 1] as number) >= 0;
        };
      case "long":
        return (row) =>
          byLow.get(vec.values[2 * row * step] as number)?.has(vec.values[2 * row * step + 1] as number) ?? false;
      case "decimal":
        return (row) => bigs.has(readBig(vec.values, 4 * row * step));
      case "bool":
      case "int":
      case "double":
        return (row) => numbers.has(vec.values[row * step] as number);
      default:
        return assertNever(vec);
    }
  };
}
