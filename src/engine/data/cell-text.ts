import { assertNever } from "../base/assert.ts";
import { toBase64 } from "./base64.ts";
import type { ByteBuffer } from "./byte-buffer.ts";
import { bitAt, type Column, type FixedColumn, isNull, type VarColumn } from "./column.ts";
import { formatDecimal } from "./decimal.ts";
import { MAX_INTEGER_BYTES, writeInteger } from "./digits.ts";
import { MAX_TEMPORAL_BYTES, toEventMs, writeDate, writeTimestamp } from "./temporal.ts";
import { wordsToBigInt, wordsToNumber } from "./words.ts";

/** How a notation writes what it does not write bare. */
export interface CellNotation {
  null(out: ByteBuffer): void;
  /** UTF-8 bytes of a text cell. */
  text(out: ByteBuffer, bytes: Uint8Array, from: number, to: number): void;
  /** What stands before and after a value that is no number and no text: a time, a decimal, NaN. */
  readonly around: string;
}

/** Writes the cell of one row. */
export type CellWriter = (row: number) => void;

/**
 * The writer of a column's cells: integers with every digit, floats with the fewest digits that read back the same, decimals
 * with all digits of their scale, times as ISO 8601 in UTC with the column's precision, binary as base64. With `asMs` a
 * timestamp is an integer of milliseconds.
 */
export function cellWriter(column: Column, out: ByteBuffer, notation: CellNotation, asMs = false): CellWriter {
  const write = valueWriter(column, out, notation, asMs);
  if (column.nullCount === 0 && column.encoding !== "dictionary") return write;
  return (row) => (isNull(column, row) ? notation.null(out) : write(row));
}

function valueWriter(column: Column, out: ByteBuffer, notation: CellNotation, asMs: boolean): CellWriter {
  switch (column.encoding) {
    case "fixed":
      return fixedWriter(column, out, notation.around, asMs);
    case "bits":
      return (row) => out.text(bitAt(column.values, row) ? "true" : "false");
    case "var":
      return textWriter(column, out, notation);
    case "dictionary": {
      const write = textWriter(column.dictionary, out, notation);
      return (row) => write(column.codes[row] as number);
    }
    default:
      return assertNever(column);
  }
}

function textWriter({ type, bytes, offsets }: VarColumn, out: ByteBuffer, notation: CellNotation): CellWriter {
  const { around } = notation;
  if (type.kind === "utf8") {
    return (row) => notation.text(out, bytes, offsets[row] as number, offsets[row + 1] as number);
  }
  return (row) => {
    const from = offsets[row] as number;
    const to = offsets[row + 1] as number;
    // No bytes are no NULL: they are written like empty text.
    if (from === to) return notation.text(out, bytes, from, to);
    out.text(around);
    out.text(toBase64(bytes.subarray(from, to)));
    out.text(around);
  };
}

function fixedWriter(column: FixedColumn, out: ByteBuffer, around: string, asMs: boolean): CellWriter {
  const { type, values } = column;
  switch (type.kind) {
    case "timestamp":
      return asMs ? msWriter(column, out) : timestampWriter(column, out, around);
    case "decimal":
      return (row) => out.text(around + formatDecimal(values, 4 * row, type.scale) + around);
    case "date":
      return (row) => {
        out.text(around);
        out.end = writeDate(values[row] as number, out.room(MAX_TEMPORAL_BYTES), out.end);
        out.text(around);
      };
    case "float":
      return (row) => out.text(floatText(values[row] as number, around));
    default:
      if (type.kind === "int" && type.bits === 64) return longWriter(values as Int32Array, type.signed, out);
      return (row) => writeWhole(values[row] as number, out);
  }
}

function writeWhole(value: number, out: ByteBuffer): void {
  out.end = writeInteger(value, out.room(MAX_INTEGER_BYTES), out.end);
}

function longWriter(words: Int32Array, signed: boolean, out: ByteBuffer): CellWriter {
  return (row) => {
    const lo = words[2 * row] as number;
    const hi = words[2 * row + 1] as number;
    // Within ±2^53 the value is an exact number.
    if (hi >= -2097152 && hi < 2097152 && (signed || hi >= 0)) writeWhole(wordsToNumber(lo, hi), out);
    else out.text(String(wordsToBigInt(words, 2 * row, signed)));
  };
}

function timestampWriter({ type, values }: FixedColumn, out: ByteBuffer, around: string): CellWriter {
  const unit = type.kind === "timestamp" ? type.unit : "ms";
  return (row) => {
    out.text(around);
    const target = out.room(MAX_TEMPORAL_BYTES);
    out.end = writeTimestamp(values[2 * row] as number, values[2 * row + 1] as number, unit, target, out.end);
    out.text(around);
  };
}

function msWriter(column: FixedColumn, out: ByteBuffer): CellWriter {
  const ms = toEventMs(column, "ms");
  return (row) => writeWhole(ms[row] as number, out);
}

function floatText(value: number, around: string): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? "-0.0" : String(value);
  return around + String(value) + around;
}
