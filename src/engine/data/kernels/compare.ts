import { assert, assertNever } from "../../base/assert.ts";
import { bitAt, type Column, type DictionaryColumn, type FixedColumn, isNull, type VarColumn } from "../column.ts";
import { sameType, typeName } from "../types.ts";
import { packsText, packsWords, sortLongs, sortText, sortWords } from "./sort-packed.ts";

/**
 * The total order of sorting, grouping, min and max (D-26): −0 = 0, all NaN are equal and greater than every number, text and
 * binary by bytes, false < true. Comparisons in expressions are IEEE instead, which is what `<` does to two numbers.
 */

/** Negative, 0 or positive, as `i` of one column sorts before, with or after `j` of the other. */
export type RowOrder = (i: number, j: number) => number;

export interface SortKey {
  readonly column: Column;
  readonly descending?: boolean;
  /** Default: NULL is low, so first when ascending and last when descending. */
  readonly nulls?: "first" | "last";
}

/** Row numbers 0…rowCount − 1 in order of the keys; rows that are equal in all of them stay in their order. */
export function sortRows(keys: readonly SortKey[], rowCount: number): Int32Array {
  const packed = sortedByOne(keys, rowCount);
  if (packed !== undefined) return packed;
  return sortRowsBy(
    keys.map((key) => keyOrder(key, key.column)),
    rowCount,
  );
}

/** The same by orders of the rows, of which the first that tells two apart decides. */
export function sortRowsBy(orders: readonly RowOrder[], rowCount: number): Int32Array {
  const rows = Int32Array.from({ length: rowCount }, (_, row) => row);
  return rows.sort((i, j) => {
    for (const order of orders) {
      const sign = order(i, j);
      if (sign !== 0) return sign;
    }
    return i - j;
  });
}

/** The short way where it can be taken: one ascending key without NULLs, of text or whole numbers. */
function sortedByOne([key, ...more]: readonly SortKey[], rowCount: number): Int32Array | undefined {
  if (key === undefined || more.length > 0 || key.descending === true || mayBeNull(key.column)) return undefined;
  const { column } = key;
  if (column.encoding === "var") return packsText(rowCount) ? sortText(column, rowCount) : undefined;
  if (column.encoding !== "fixed" || !packsWords(rowCount)) return undefined;
  const { type } = column;
  if (type.kind === "timestamp" || (type.kind === "int" && type.bits === 64)) return sortLongs(column, rowCount);
  return type.kind === "date" || type.kind === "int" ? sortWords(column, rowCount) : undefined;
}

/** The order of a sort key between its column and another one of the same type, of another batch say. */
export function keyOrder(key: SortKey, other: Column): RowOrder {
  const { column, descending = false } = key;
  const values = valueOrder(column, other);
  const sign = descending ? -1 : 1;
  const nullSign = (key.nulls ?? (descending ? "last" : "first")) === "first" ? -1 : 1;
  if (!mayBeNull(column) && !mayBeNull(other)) return descending ? (i, j) => -values(i, j) : values;
  return (i, j) => {
    const iNull = isNull(column, i);
    const jNull = isNull(other, j);
    if (iNull || jNull) return iNull === jNull ? 0 : iNull ? nullSign : -nullSign;
    return sign * values(i, j);
  };
}

const mayBeNull = (column: Column): boolean =>
  column.nullCount > 0 || (column.encoding === "dictionary" && column.dictionary.nullCount > 0);

/** The order of values that are not NULL. */
export function valueOrder(a: Column, b: Column): RowOrder {
  assert(sameType(a.type, b.type), `${typeName(a.type)} is not compared with ${typeName(b.type)}`);
  if (a.encoding === "bits" && b.encoding === "bits") {
    return (i, j) => Number(bitAt(a.values, i)) - Number(bitAt(b.values, j));
  }
  if (a.encoding === "fixed" && b.encoding === "fixed") return fixedOrder(a, b);
  return textOrder(a as VarColumn | DictionaryColumn, b as VarColumn | DictionaryColumn);
}

function fixedOrder(a: FixedColumn, b: FixedColumn): RowOrder {
  const { type } = a;
  const x = a.values;
  const y = b.values;
  switch (type.kind) {
    case "float":
      return (i, j) => compareFloats(x[i] as number, y[j] as number);
    case "timestamp":
      return longOrder(x, y, true);
    case "decimal":
      return (i, j) => compareLongs(x, 4 * i + 2, y, 4 * j + 2, true) || compareLongs(x, 4 * i, y, 4 * j, false);
    case "int":
      return type.bits === 64 ? longOrder(x, y, type.signed) : (i, j) => (x[i] as number) - (y[j] as number);
    default:
      return (i, j) => (x[i] as number) - (y[j] as number);
  }
}

const longOrder =
  (x: ArrayLike<number>, y: ArrayLike<number>, signed: boolean): RowOrder =>
  (i, j) =>
    compareLongs(x, 2 * i, y, 2 * j, signed);

export function compareFloats(x: number, y: number): number {
  if (x < y) return -1;
  if (x > y) return 1;
  if (x === y) return 0;
  return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
}

/** Integers of two words at `i` and `j`. */
export function compareLongs(
  x: ArrayLike<number>,
  i: number,
  y: ArrayLike<number>,
  j: number,
  signed: boolean,
): number {
  // Shifted into the range of unsigned words, signed high words keep their order.
  const flip = signed ? 0x80000000 : 0;
  const high = (((x[i + 1] as number) ^ flip) >>> 0) - (((y[j + 1] as number) ^ flip) >>> 0);
  return high !== 0 ? high : ((x[i] as number) >>> 0) - ((y[j] as number) >>> 0);
}

function textOrder(a: VarColumn | DictionaryColumn, b: VarColumn | DictionaryColumn): RowOrder {
  const p = wordsOf(a);
  const q = wordsOf(b);
  return (i, j) => {
    const x = p.codes === null ? i : (p.codes[i] as number);
    const y = q.codes === null ? j : (q.codes[j] as number);
    const { offsets, bytes } = p.words;
    const other = q.words.offsets;
    return compareBytes(
      bytes,
      offsets[x] as number,
      offsets[x + 1] as number,
      q.words.bytes,
      other[y] as number,
      other[y + 1] as number,
    );
  };
}

function wordsOf(column: VarColumn | DictionaryColumn): { words: VarColumn; codes: Int32Array | null } {
  switch (column.encoding) {
    case "var":
      return { words: column, codes: null };
    case "dictionary":
      return { words: column.dictionary, codes: column.codes };
    default:
      return assertNever(column);
  }
}

/** By unsigned bytes; a beginning sorts before what it is the beginning of. For UTF-8 that is the order of code points. */
export function compareBytes(
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  b: Uint8Array,
  bStart: number,
  bEnd: number,
): number {
  const aLength = aEnd - aStart;
  const bLength = bEnd - bStart;
  const length = Math.min(aLength, bLength);
  for (let i = 0; i < length; i++) {
    const sign = (a[aStart + i] as number) - (b[bStart + i] as number);
    if (sign !== 0) return sign;
  }
  return aLength - bLength;
}
