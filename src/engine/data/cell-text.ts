import { assertNever } from "../base/assert.ts";
import { toBase64 } from "./base64.ts";
import type { ByteBuffer } from "./byte-buffer.ts";
import { bitAt, type Column, type FixedColumn, isNull, type VarColumn } from "./column.ts";
import { formatDecimal } from "./decimal.ts";
import { MAX_TEMPORAL_BYTES, toEventMs, writeDate, writeTimestamp } from "./temporal.ts";
import { wordsToText } from "./words.ts";

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
    out.text(around);
    out.text(toBase64(bytes.subarray(offsets[row], offsets[row + 1])));
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
        out.fill(MAX_TEMPORAL_BYTES, (target, at) => writeDate(values[row] as number, target, at));
        out.text(around);
      };
    case "float":
      return (row) => out.text(floatText(values[row] as number, around));
    default:
      if (type.kind !== "int" || type.bits < 64) return (row) => out.text(String(values[row]));
      return (row) => out.text(wordsToText(values[2 * row] as number, values[2 * row + 1] as number, type.signed));
  }
}

function timestampWriter({ type, values }: FixedColumn, out: ByteBuffer, around: string): CellWriter {
  const unit = type.kind === "timestamp" ? type.unit : "ms";
  return (row) => {
    out.text(around);
    out.fill(MAX_TEMPORAL_BYTES, (target, at) =>
      writeTimestamp(values[2 * row] as number, values[2 * row + 1] as number, unit, target, at),
    );
    out.text(around);
  };
}

function msWriter(column: FixedColumn, out: ByteBuffer): CellWriter {
  const ms = toEventMs(column, "ms");
  return (row) => out.text(String(ms[row]));
}

function floatText(value: number, around: string): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? "-0.0" : String(value);
  return around + String(value) + around;
}
