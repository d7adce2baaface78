import { assertNever } from "../base/assert.ts";
import { WeirError } from "../base/errors.ts";
import { fromBase64 } from "./base64.ts";
import { Batch } from "./batch.ts";
import { bitAt, type Column, type FixedColumn, isNull, type VarColumn } from "./column.ts";
import { type BooleanBuilder, type ColumnBuilder, columnBuilder } from "./column-builder.ts";
import { formatDecimal, parseDecimal } from "./decimal.ts";
import type { Field, Schema } from "./schema.ts";
import { formatDate, formatTimestamp } from "./temporal.ts";
import { dateOfText, lastDate, timestampOfText } from "./temporal-parse.ts";
import { decodeUtf8 } from "./text.ts";
import { type LogicalType, typeName } from "./types.ts";
import { type WordPair, wordsToBigInt } from "./words.ts";

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
  const accepted = appendValue(builder, type, value);
  return accepted ? undefined : `${shown(value)} is no ${typeName(type)}`;
}

function shown(value: unknown): string {
  if (typeof value === "object") return Array.isArray(value) ? "a list" : "an object";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function appendValue(builder: ColumnBuilder, type: LogicalType, value: unknown): boolean {
  switch (builder.kind) {
    case "boolean":
      return appendBoolean(builder, value);
    case "number": {
      const number = type.kind === "float" ? floatOf(value) : type.kind === "date" ? daysOf(value) : intOf(type, value);
      if (number === undefined) return false;
      builder.append(Number(number));
      return true;
    }
    case "words": {
      const integer = type.kind === "timestamp" ? instantOf(value, type.unit) : intOf(type, value);
      if (integer === undefined) return false;
      builder.appendBigInt(integer);
      return true;
    }
    case "decimal": {
      if (type.kind !== "decimal" || !["string", "number", "bigint"].includes(typeof value)) return false;
      const unscaled = parseDecimal(String(value), type.precision, type.scale);
      if (typeof unscaled !== "bigint") return false;
      builder.appendBigInt(unscaled);
      return true;
    }
    case "text": {
      const bytes = type.kind === "utf8" ? value : typeof value === "string" ? fromBase64(value) : value;
      if (type.kind === "utf8" && typeof bytes === "string") builder.appendString(bytes);
      else if (type.kind === "binary" && bytes instanceof Uint8Array) builder.appendBytes(bytes);
      else return false;
      return true;
    }
    default:
      return assertNever(builder);
  }
}

function appendBoolean(builder: BooleanBuilder, value: unknown): boolean {
  if (typeof value !== "boolean") return false;
  builder.append(value);
  return true;
}

function integerOf(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === "string" && /^-?\d{1,40}$/.test(value) ? BigInt(value) : undefined;
}

function intOf(type: LogicalType, value: unknown): bigint | undefined {
  const integer = integerOf(value);
  if (integer === undefined || type.kind !== "int") return undefined;
  const wrapped = type.signed ? BigInt.asIntN(type.bits, integer) : BigInt.asUintN(type.bits, integer);
  return wrapped === integer ? integer : undefined;
}

function floatOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (value === "NaN") return Number.NaN;
  return typeof value === "string" && /^[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|Infinity)$/.test(value)
    ? Number(value)
    : undefined;
}

function daysOf(value: unknown): number | undefined {
  if (typeof value === "number") return value === (value | 0) ? value : undefined;
  return typeof value === "string" && dateOfText(value) === "none" ? lastDate() : undefined;
}

const words: WordPair = { lo: 0, hi: 0 };

function instantOf(value: unknown, unit: "s" | "ms" | "us" | "ns"): bigint | undefined {
  const integer = integerOf(value);
  if (integer !== undefined) return BigInt.asIntN(64, integer) === integer ? integer : undefined;
  if (typeof value !== "string" || timestampOfText(value, unit, words) !== "none") return undefined;
  return wordsToBigInt([words.lo, words.hi], 0, true);
}
