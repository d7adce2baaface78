import { WeirError } from "../../base/errors.ts";
import { copyBits } from "../../data/bits.ts";
import type { Column, DictionaryColumn, FixedColumn, VarColumn } from "../../data/column.ts";
import { bytesOf } from "../../data/storage.ts";
import type { LogicalType } from "../../data/types.ts";

/** Values of a column without NULLs, as the plain encoding of their Parquet type. Dictionary columns are written as codes elsewhere. */
export function plainValues(column: Exclude<Column, DictionaryColumn>): Uint8Array {
  switch (column.encoding) {
    case "bits":
      return copyBits(column.values, column.length).bits;
    case "var":
      return plainTexts(column);
    case "fixed":
      return plainNumbers(column);
  }
}

function plainNumbers({ type, values, length }: FixedColumn): Uint8Array {
  if (type.kind === "decimal") return plainDecimals(type, values as Int32Array, length);
  if (type.kind === "timestamp" && type.unit === "s") return bytesOf(milliseconds(values as Int32Array));
  if (type.kind === "int" && type.bits < 32) return bytesOf(Int32Array.from(values));
  return bytesOf(values);
}

/** Seconds, as pairs of words, times 1000. */
function milliseconds(seconds: Int32Array): Int32Array {
  const out = new Int32Array(seconds.length);
  for (let at = 0; at < seconds.length; at += 2) {
    const low = ((seconds[at] as number) >>> 0) * 1000;
    const high = (seconds[at + 1] as number) * 1000 + Math.floor(low / 2 ** 32);
    if (high < -(2 ** 31) || high >= 2 ** 31) throw tooFar();
    out[at] = (low % 2 ** 32) | 0;
    out[at + 1] = high;
  }
  return out;
}

function tooFar(): WeirError {
  return new WeirError({
    code: "timestamp-too-far",
    domain: "data",
    message: "Parquet has no seconds, and a time is too far away to be written as milliseconds",
    hint: "write another format, or derive a timestamp[ms]",
  });
}

function plainDecimals(
  { precision }: Extract<LogicalType, { kind: "decimal" }>,
  words: Int32Array,
  count: number,
): Uint8Array {
  if (precision <= 18) {
    const width = precision <= 9 ? 1 : 2;
    const out = new Int32Array(width * count);
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < width; k++) out[width * i + k] = words[4 * i + k] as number;
    }
    return bytesOf(out);
  }
  const out = new Uint8Array(16 * count);
  const view = new DataView(out.buffer);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 4; k++) view.setInt32(16 * i + 4 * k, words[4 * i + 3 - k] as number);
  }
  return out;
}

export function plainTexts({ offsets, bytes, length }: VarColumn): Uint8Array {
  const start = offsets[0] as number;
  const out = new Uint8Array(4 * length + (offsets[length] as number) - start);
  for (let row = 0, at = 0; row < length; row++) {
    const from = offsets[row] as number;
    const size = (offsets[row + 1] as number) - from;
    out[at] = size;
    out[at + 1] = size >> 8;
    out[at + 2] = size >> 16;
    out[at + 3] = size >> 24;
    at += 4;
    if (size > 24) out.set(bytes.subarray(from, from + size), at);
    else for (let k = 0; k < size; k++) out[at + k] = bytes[from + k] as number;
    at += size;
  }
  return out;
}

/** Numbers below 2 to the `width`, packed into one run of groups of eight. */
export function packedRun(values: Int32Array, width: number): Uint8Array {
  const groups = (values.length + 7) >> 3;
  const head = runHead(groups * 2 + 1);
  const out = new Uint8Array(head.length + groups * width);
  out.set(head);
  let at = head.length;
  let word = 0;
  let have = 0;
  for (const value of values) {
    word |= value << have;
    have += width;
    for (; have >= 8; have -= 8) {
      out[at++] = word;
      word >>>= 8;
    }
  }
  if (have > 0) out[at] = word;
  return out;
}

/** A varint. */
export function runHead(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest & 127) | 128);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
