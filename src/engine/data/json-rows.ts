import type { Batch } from "./batch.ts";
import { ByteBuffer } from "./byte-buffer.ts";
import { type CellNotation, cellWriter } from "./cell-text.ts";
import type { Field } from "./schema.ts";
import { encodeUtf8 } from "./text.ts";

const QUOTE = 34;
const BACKSLASH = 92;
const NEWLINE = 10;

const NOTATION: CellNotation = { around: '"', null: (out) => out.text("null"), text: writeString };

export interface NdjsonOptions {
  /** Further timestamp columns, beside the bounds of windows, to be written as integers of milliseconds. */
  readonly integerMs?: ReadonlySet<string>;
}

/**
 * Rows as NDJSON: one object a line, keys in schema order; int64 and uint64 as numbers with every digit, decimals, timestamps and
 * dates as text, NaN and the infinities as text, binary as base64 (graph-format, section 3).
 */
export function ndjsonOf(batch: Batch, { integerMs }: NdjsonOptions = {}): Uint8Array<ArrayBuffer> {
  const out = new ByteBuffer();
  const cells = batch.columns.map((column, index) => {
    const { name, windowBound = false } = batch.schema.fields[index] as Field;
    const key = encodeUtf8(`${index === 0 ? "" : ","}${JSON.stringify(name.toWellFormed())}:`);
    return { key, write: cellWriter(column, out, NOTATION, windowBound || integerMs?.has(name) === true) };
  });
  for (let row = 0; row < batch.rowCount; row++) {
    out.byte(123);
    for (const { key, write } of cells) {
      out.append(key);
      write(row);
    }
    out.byte(125);
    out.byte(NEWLINE);
  }
  return out.take();
}

/** UTF-8 bytes as a JSON string; what must not stand in one is escaped. */
function writeString(out: ByteBuffer, bytes: Uint8Array, from: number, to: number): void {
  out.byte(QUOTE);
  let start = from;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    if (byte >= 32 && byte !== QUOTE && byte !== BACKSLASH) continue;
    out.append(bytes, start, at);
    out.text(JSON.stringify(String.fromCharCode(byte)).slice(1, -1));
    start = at + 1;
  }
  out.append(bytes, start, to);
  out.byte(QUOTE);
}
