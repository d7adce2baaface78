import { assert } from "../base/assert.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import { Batch } from "../data/batch.ts";
import type { Column } from "../data/column.ts";
import {
  BufferMemory,
  bufferCount,
  bufferSizes,
  columnOver,
  type Encoding,
  writeBuffers,
} from "../data/column-buffers.ts";
import { plainText } from "../data/kernels/plain.ts";
import type { Schema } from "../data/schema.ts";

/** A column's encoding in a snapshot; dictionary columns are kept as plain text. */
const ENCODINGS: readonly Encoding[] = ["fixed", "bits", "var"];

const padded = (bytes: number): number => (bytes + 7) & ~7;

/**
 * A batch as plain data for a snapshot, a deep copy (D-7). Its schema is not part of it: the plan has it. Rows stay exact to
 * the last bit.
 */
export function saveBatch(batch: Batch): SnapshotValue {
  const columns = batch.columns.map((column) => (column.encoding === "dictionary" ? plainText(column) : column));
  const sizes: number[] = [];
  let at = 0;
  for (const column of columns) at = bufferSizes(column, sizes, at);
  const { starts, end } = layOut(sizes);
  const bytes = new Uint8Array(end);
  at = 0;
  const memory = new BufferMemory(bytes);
  for (const column of columns) at = writeBuffers(column, memory, starts, at);
  return {
    rows: batch.rowCount,
    encodings: Int32Array.from(columns, ({ encoding }) => ENCODINGS.indexOf(encoding)),
    nulls: Int32Array.from(columns, ({ nullCount }) => nullCount),
    sizes: Int32Array.from(sizes),
    bytes,
    eventTimes: batch.eventTimes === null ? null : Float64Array.from(batch.eventTimes),
  };
}

/** The batch that `saveBatch` was given, in memory of its own. */
export function loadBatch(saved: SnapshotValue, schema: Schema): Batch {
  const { rows, encodings, nulls, sizes, bytes, eventTimes } = saved as { readonly [key: string]: SnapshotValue };
  assert(
    typeof rows === "number" &&
      encodings instanceof Int32Array &&
      encodings.length === schema.length &&
      nulls instanceof Int32Array &&
      sizes instanceof Int32Array &&
      bytes instanceof Uint8Array,
    "a saved batch fits its schema",
  );
  // A decoder may have put the bytes at any offset, and columns need theirs aligned (P-54).
  const memory = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  const { starts } = layOut(sizes);
  let at = 0;
  const columns = schema.fields.map(({ type }, index): Column => {
    const encoding = ENCODINGS[encodings[index] as number] as Encoding;
    const shape = { type, encoding, length: rows, nullCount: nulls[index] as number };
    const column = columnOver(shape, memory, starts, sizes, at);
    at += bufferCount(encoding);
    return column;
  });
  return new Batch(schema, rows, columns, eventTimes instanceof Float64Array ? eventTimes : null);
}

function layOut(sizes: ArrayLike<number>): { starts: number[]; end: number } {
  const starts: number[] = [];
  let end = 0;
  for (let i = 0; i < sizes.length; i++) {
    starts.push(end);
    end += padded(sizes[i] as number);
  }
  return { starts, end };
}
