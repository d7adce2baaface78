import type { Batch } from "./batch.ts";
import { ByteBuffer } from "./byte-buffer.ts";
import { type CellNotation, cellWriter } from "./cell-text.ts";
import type { Schema } from "./schema.ts";
import { encodeUtf8 } from "./text.ts";

const QUOTE = 34;
const NEWLINE = 10;
const RETURN = 13;

export interface CsvOptions {
  /** One ASCII character. */
  readonly delimiter?: string;
}

/** The line of column names, with its end. */
export function csvHeader(schema: Schema, { delimiter = "," }: CsvOptions = {}): Uint8Array<ArrayBuffer> {
  const out = new ByteBuffer();
  const { text } = csvNotation(delimiter);
  schema.names.forEach((name, index) => {
    if (index > 0) out.text(delimiter);
    const bytes = encodeUtf8(name);
    text(out, bytes, 0, bytes.length);
  });
  out.byte(NEWLINE);
  return out.take();
}

/**
 * Rows as CSV without the header: NULL is nothing, empty text is `""` (D-40), text is quoted where it must be. Everything else
 * as in NDJSON, without quotes.
 */
export function csvOf(batch: Batch, { delimiter = "," }: CsvOptions = {}): Uint8Array<ArrayBuffer> {
  const out = new ByteBuffer();
  const notation = csvNotation(delimiter);
  const writers = batch.columns.map((column) => cellWriter(column, out, notation));
  for (let row = 0; row < batch.rowCount; row++) {
    for (let c = 0; c < writers.length; c++) {
      if (c > 0) out.text(delimiter);
      writers[c]?.(row);
    }
    out.byte(NEWLINE);
  }
  return out.take();
}

function csvNotation(delimiter: string): CellNotation {
  const separator = delimiter.charCodeAt(0);
  return {
    around: "",
    null: () => {},
    text(out, bytes, from, to) {
      if (needsQuotes(bytes, from, to, separator)) writeQuoted(out, bytes, from, to);
      else out.append(bytes, from, to);
    },
  };
}

/** Also where a reader would take the first bytes for a byte order mark. */
function needsQuotes(bytes: Uint8Array, from: number, to: number, separator: number): boolean {
  if (from === to || bytes[from] === 0xef) return true;
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte === separator || byte === QUOTE || byte === NEWLINE || byte === RETURN) return true;
  }
  return false;
}

function writeQuoted(out: ByteBuffer, bytes: Uint8Array, from: number, to: number): void {
  out.byte(QUOTE);
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) out.byte(QUOTE);
    out.byte(byte);
  }
  out.byte(QUOTE);
}
