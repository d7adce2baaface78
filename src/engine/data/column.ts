import type { LogicalType } from "./types.ts";

/**
 * Columns as raw Arrow buffers. A column is immutable once it is in a batch; slices share buffers.
 *
 * Bitmaps are least-significant-bit first, as in Arrow; `bitOffset` is the bit of row 0, so that a slice
 * needs no copy. A validity of `null` means that no row is NULL. The value slot of a NULL row is arbitrary
 * and must not be read (P-10).
 */
export interface Bits {
  readonly bits: Uint8Array;
  readonly bitOffset: number;
}

export type Validity = Bits | null;

/** Element storage of `FixedColumn`, by type. */
export type FixedValues =
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Float32Array
  | Float64Array;

/**
 * Values of fixed width. int8…int32, uint8…uint32, float32/64: the natural typed array, one element a row.
 * date: Int32Array of days. int64, uint64, timestamp: Int32Array of 2 words a row, low word first. decimal: Int32Array
 * of 4 words a row, lowest first (two's complement). Words, because a BigInt a row is 14 times slower, and never a
 * Float64 view, which would change NaN patterns.
 */
export interface FixedColumn {
  readonly encoding: "fixed";
  readonly type: LogicalType;
  readonly length: number;
  readonly nullCount: number;
  readonly validity: Validity;
  readonly values: FixedValues;
}

/** Booleans, one bit a row. */
export interface BitColumn {
  readonly encoding: "bits";
  readonly type: LogicalType;
  readonly length: number;
  readonly nullCount: number;
  readonly validity: Validity;
  readonly values: Bits;
}

/** utf8 or binary: row i is `bytes[offsets[i] … offsets[i + 1])`; `offsets[0]` need not be 0. */
export interface VarColumn {
  readonly encoding: "var";
  readonly type: LogicalType;
  readonly length: number;
  readonly nullCount: number;
  readonly validity: Validity;
  /** `length + 1` elements. */
  readonly offsets: Int32Array;
  readonly bytes: Uint8Array;
}

/**
 * Dictionary-encoded text: row i is `dictionary[codes[i]]`. A code means something only with its own dictionary (P-42):
 * two columns share codes only when `dictionary` is the same object. A dictionary entry may itself be NULL; `nullCount` counts rows whose
 * `validity` says NULL only, so use `isNull`.
 */
export interface DictionaryColumn {
  readonly encoding: "dictionary";
  readonly type: LogicalType;
  readonly length: number;
  readonly nullCount: number;
  readonly validity: Validity;
  readonly codes: Int32Array;
  readonly dictionary: VarColumn;
}

export type Column = FixedColumn | BitColumn | VarColumn | DictionaryColumn;

export function bitAt(bits: Bits, row: number): boolean {
  const at = bits.bitOffset + row;
  return (((bits.bits[at >> 3] as number) >> (at & 7)) & 1) === 1;
}

/** Whether row `row` is NULL, also through a NULL dictionary entry. */
export function isNull(column: Column, row: number): boolean {
  if (column.validity !== null && !bitAt(column.validity, row)) return true;
  if (column.encoding !== "dictionary" || column.dictionary.validity === null) return false;
  return !bitAt(column.dictionary.validity, column.codes[row] as number);
}
