import { assertNever } from "../../base/assert.ts";
import { bitAt, type Column, type FixedColumn, type FixedValues, isNull, type VarColumn } from "../../data/column.ts";
import { wordsPerValue } from "../../data/types.ts";
import { wordsToNumber } from "../../data/words.ts";

/**
 * Values of a column as numbers that never contradict their order (D-26): of two rows with different numbers the one with the lesser number comes
 * first; rows with equal numbers may still differ. NULLs are at the end that `nulls` says.
 */
export function orderValues(
  column: Column,
  { desc, nulls }: { readonly desc: boolean; readonly nulls?: "first" | "last" },
  out: Float64Array,
): void {
  numbersOf(column, out);
  const { length, nullCount } = column;
  if (desc) for (let row = 0; row < length; row++) out[row] = -(out[row] as number);
  if (nullCount === 0 && (column.encoding !== "dictionary" || column.dictionary.nullCount === 0)) return;
  const atNull = (nulls ?? (desc ? "last" : "first")) === "first" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  for (let row = 0; row < length; row++) if (isNull(column, row)) out[row] = atNull;
}

function numbersOf(column: Column, out: Float64Array): void {
  const { length } = column;
  switch (column.encoding) {
    case "fixed":
      fixedNumbers(column, out);
      return;
    case "bits":
      for (let row = 0; row < length; row++) out[row] = bitAt(column.values, row) ? 1 : 0;
      return;
    case "var":
      for (let row = 0; row < length; row++) out[row] = textNumber(column, row);
      return;
    case "dictionary": {
      const { codes, dictionary } = column;
      for (let row = 0; row < length; row++) out[row] = textNumber(dictionary, codes[row] as number);
      return;
    }
    default:
      assertNever(column);
  }
}

function fixedNumbers({ type, values, length }: FixedColumn, out: Float64Array): void {
  switch (type.kind) {
    case "decimal":
      for (let row = 0; row < length; row++) out[row] = decimalNumber(values, 4 * row);
      return;
    case "float":
      // NaN is the greatest.
      for (let row = 0; row < length; row++) {
        const value = values[row] as number;
        out[row] = Number.isNaN(value) ? Number.POSITIVE_INFINITY : value;
      }
      return;
    default:
      if (wordsPerValue(type) === 0) for (let row = 0; row < length; row++) out[row] = values[row] as number;
      else longNumbers(values, type.kind === "int" && !type.signed, length, out);
  }
}

function longNumbers(words: FixedValues, unsigned: boolean, length: number, out: Float64Array): void {
  for (let row = 0; row < length; row++) {
    const high = words[2 * row + 1] as number;
    out[row] = wordsToNumber(words[2 * row] as number, unsigned ? high >>> 0 : high);
  }
}

const TWO_63 = 2 ** 63;

/** What fits 64 bits as such; beyond, the high half decides. */
function decimalNumber(words: FixedValues, at: number): number {
  const [low, next] = [words[at] as number, words[at + 1] as number];
  const high = wordsToNumber(words[at + 2] as number, words[at + 3] as number);
  if (high === (next < 0 ? -1 : 0)) return wordsToNumber(low, next);
  if (high === 0 || high === -1) return high === 0 ? TWO_63 : -TWO_63;
  return high * 2 * TWO_63;
}

/** So many bytes fit a double. */
const BYTES = 6;

/** The first bytes; where there is none any more, 0. */
function textNumber({ offsets, bytes }: VarColumn, row: number): number {
  const from = offsets[row] as number;
  const end = offsets[row + 1] as number;
  let number = 0;
  for (let at = from; at < from + BYTES; at++) number = number * 256 + (at < end ? (bytes[at] as number) : 0);
  return number;
}
