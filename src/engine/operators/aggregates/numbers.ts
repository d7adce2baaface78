import { assert } from "../../base/assert.ts";
import { bitAt, type Column } from "../../data/column.ts";
import { decimalToBigInt, wordsToNumber } from "../../data/words.ts";

let scratch = new Float64Array(0);

/**
 * Values of a numeric column as doubles, so that loops see one kind of array: the column's own array where it is float64, else scratch
 * memory that the next call uses again. Exact but for 64-bit integers and decimals beyond 2^53.
 */
export function numbersOf(column: Column, count: number): Float64Array {
  if (column.encoding === "fixed" && column.values instanceof Float64Array) return column.values;
  if (scratch.length < count) scratch = new Float64Array(Math.max(count, 2 * scratch.length));
  numbersInto(column, count, scratch);
  return scratch;
}

/** The same into memory of the caller. */
export function numbersInto(column: Column, count: number, out: Float64Array): void {
  if (column.encoding === "bits") {
    for (let i = 0; i < count; i++) out[i] = bitAt(column.values, i) ? 1 : 0;
    return;
  }
  assert(column.encoding === "fixed", "a column of numbers");
  const { type, values } = column;
  if (type.kind === "decimal") {
    const unit = 10 ** type.scale;
    for (let i = 0; i < count; i++) out[i] = decimalNumber(values as Int32Array, 4 * i) / unit;
  } else if (type.kind === "timestamp" || (type.kind === "int" && type.bits === 64)) {
    const signed = type.kind === "timestamp" || type.signed;
    for (let i = 0; i < count; i++) {
      const hi = values[2 * i + 1] as number;
      out[i] = wordsToNumber(values[2 * i] as number, signed ? hi : hi >>> 0);
    }
  } else out.set(values.length === count ? values : values.subarray(0, count));
}

function decimalNumber(words: Int32Array, at: number): number {
  const hi = words[at + 1] as number;
  const extension = hi >> 31;
  const short = words[at + 2] === extension && words[at + 3] === extension;
  return short ? wordsToNumber(words[at] as number, hi) : Number(decimalToBigInt(words, at));
}
