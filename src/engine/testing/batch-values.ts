import type { Batch } from "../data/batch.ts";
import { bitAt, type Column, isNull, type VarColumn } from "../data/column.ts";
import { decodeUtf8 } from "../data/text.ts";
import type { LogicalType } from "../data/types.ts";

/** A value of a column as a test compares it: exact, and printable. */
export type CellValue = null | boolean | number | bigint | string;

/** Rows as arrays of values, straight from the buffers and by none of the engine's kernels. Bytes are given in hexadecimal. */
export function batchRows(batch: Batch): CellValue[][] {
  return Array.from({ length: batch.rowCount }, (_, row) => batch.columns.map((column) => cellValue(column, row)));
}

/** NaN stands for a row without event time; `null` for a batch without any. */
export function eventTimesOf(batch: Batch): number[] | null {
  return batch.eventTimes === null ? null : [...batch.eventTimes];
}

export function cellValue(column: Column, row: number): CellValue {
  if (isNull(column, row)) return null;
  switch (column.encoding) {
    case "fixed":
      return fixedValue(column.type, column.values, row);
    case "bits":
      return bitAt(column.values, row);
    case "var":
      return textValue(column, row);
    case "dictionary":
      return textValue(column.dictionary, column.codes[row] as number);
  }
}

function fixedValue(type: LogicalType, values: ArrayLike<number>, row: number): number | bigint {
  const words =
    type.kind === "decimal" ? 4 : type.kind === "timestamp" || (type.kind === "int" && type.bits === 64) ? 2 : 1;
  if (words === 1) return values[row] as number;
  let value = 0n;
  for (let word = words - 1; word >= 0; word--) {
    value = (value << 32n) | BigInt((values[row * words + word] as number) >>> 0);
  }
  const signed = type.kind !== "int" || type.signed;
  return signed ? BigInt.asIntN(32 * words, value) : value;
}

function textValue(column: VarColumn, row: number): string {
  const [start, end] = [column.offsets[row] as number, column.offsets[row + 1] as number];
  if (column.type.kind === "utf8") return decodeUtf8(column.bytes, start, end);
  return Array.from(column.bytes.subarray(start, end), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
