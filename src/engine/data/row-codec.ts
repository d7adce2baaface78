import { assertNever } from "../base/assert.ts";
import { WeirError } from "../base/errors.ts";
import { Batch } from "./batch.ts";
import { bitAt, type Column, type FixedColumn, isNull, type VarColumn } from "./column.ts";
import { type ColumnBuilder, columnBuilder } from "./column-builder.ts";
import { formatDecimal } from "./decimal.ts";
import type { Field, Schema } from "./schema.ts";
import { appendCell, storedCell, Unfit } from "./stored-cell.ts";
import { formatDate, formatTimestamp } from "./temporal.ts";
import { decodeUtf8 } from "./text.ts";
import { typeName } from "./types.ts";
import { wordsToBigInt } from "./words.ts";

/**
 * Rows as values of the language: for the door of the library and for tests, never for the hot path. Nothing is lost: int64 and
 * uint64 are bigint, decimals text with all digits, timestamps and dates ISO 8601 text.
 */
export type CellValue = null | boolean | number | bigint | string | Uint8Array;

export function cell(column: Column, row: number): CellValue {
  if (isNull(column, row)) return null;
  switch (column.encoding) {
    case "fixed":
      return fixedCell(column, row);
    case "bits":
      return bitAt(column.values, row);
    case "var":
      return textCell(column, row);
    case "dictionary":
      return textCell(column.dictionary, column.codes[row] as number);
    default:
      return assertNever(column);
  }
}

/** Rows in order, cells in schema order. */
export function rowsOf(batch: Batch): CellValue[][] {
  return Array.from({ length: batch.rowCount }, (_, row) => batch.columns.map((column) => cell(column, row)));
}

function textCell(column: VarColumn, row: number): string | Uint8Array {
  const start = column.offsets[row] as number;
  const end = column.offsets[row + 1] as number;
  return column.type.kind === "binary" ? column.bytes.slice(start, end) : decodeUtf8(column.bytes, start, end);
}

function fixedCell({ type, values }: FixedColumn, row: number): CellValue {
  switch (type.kind) {
    case "decimal":
      return formatDecimal(values, 4 * row, type.scale);
    case "timestamp":
      return formatTimestamp(values[2 * row] as number, values[2 * row + 1] as number, type.unit);
    case "date":
      return formatDate(values[row] as number);
    case "int":
      return type.bits === 64 ? wordsToBigInt(values, 2 * row, type.signed) : (values[row] as number);
    default:
      return values[row] as number;
  }
}

export type RowValue = readonly unknown[] | Readonly<Record<string, unknown>>;

/**
 * A batch of rows given as arrays in schema order or as objects; a field that is left out is NULL. Integers may be number, bigint or
 * text, timestamps ISO 8601 text or an integer of the column's unit, dates text or days, decimals text, binary bytes or
 * base64. Nothing is rounded but floats.
 *
 * @throws WeirError `bad-row` naming row and column
 */
export function batchFromRows(schema: Schema, rows: readonly RowValue[]): Batch {
  const builders = schema.fields.map(({ type }) => columnBuilder(type, rows.length));
  rows.forEach((row, index) => {
    const names = Array.isArray(row) ? [] : Object.keys(row);
    if (Array.isArray(row) && row.length !== schema.length) {
      throw badRow(index, undefined, `the row has ${row.length} values for ${schema.length} columns`);
    }
    const unknown = names.find((name) => schema.indexOf(name) < 0);
    if (unknown !== undefined) throw badRow(index, unknown, "there is no such column");
    schema.fields.forEach((field, c) => {
      const problem = append(builders[c] as ColumnBuilder, field, valueAt(row, field.name, c));
      if (problem !== undefined) throw badRow(index, field.name, problem);
    });
  });
  return new Batch(
    schema,
    rows.length,
    builders.map((builder) => builder.finish()),
  );
}

/** Own properties only: an object has no column `toString`, and may have one `__proto__`. */
function valueAt(row: RowValue, name: string, index: number): unknown {
  if (Array.isArray(row)) return row[index];
  return Object.hasOwn(row, name) ? (row as Record<string, unknown>)[name] : null;
}

function badRow(index: number, field: string | undefined, message: string): WeirError {
  const hint = "give each column a value of its type";
  return new WeirError({ code: "bad-row", domain: "data", row: index + 1, field, message, hint });
}

/** What is wrong with the value, if anything. */
function append(builder: ColumnBuilder, { type, nullable }: Field, value: unknown): string | undefined {
  if (value === null || value === undefined) {
    if (!nullable) return "NULL in a column that is not null";
    builder.appendNull();
    return undefined;
  }
  const cell = storedCell(value, type);
  if (cell instanceof Unfit) return `${shown(value)} is no ${typeName(type)}`;
  appendCell(builder, cell);
  return undefined;
}

function shown(value: unknown): string {
  if (typeof value === "object") return Array.isArray(value) ? "a list" : "an object";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
