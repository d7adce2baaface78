import { Batch } from "../data/batch.ts";
import type { Column } from "../data/column.ts";
import { plainText } from "../data/kernels/plain.ts";
import { Schema } from "../data/schema.ts";
import type { PackedBatch } from "./protocol.ts";

/** Structured clone copies whole buffers: a view of less than this part of its buffer is copied out before. */
const WASTEFUL = 0.75;

/** The batch as plain data. Its buffers are the caller's own: not borrowed from a ring. */
export function packBatch(batch: Batch): PackedBatch {
  return {
    fields: batch.schema.fields,
    rowCount: batch.rowCount,
    columns: batch.columns.map(compact),
    eventTimes: batch.eventTimes === null ? null : tight(batch.eventTimes),
  };
}

export function unpackBatch(packed: PackedBatch): Batch {
  return new Batch(new Schema(packed.fields), packed.rowCount, packed.columns, packed.eventTimes);
}

function compact(column: Column): Column {
  const validity = column.validity === null ? null : { ...column.validity, bits: tight(column.validity.bits) };
  switch (column.encoding) {
    case "fixed":
      return { ...column, validity, values: tight(column.values) };
    case "bits":
      return { ...column, validity, values: { ...column.values, bits: tight(column.values.bits) } };
    case "var":
      return { ...column, validity, offsets: tight(column.offsets), bytes: tight(column.bytes) };
    case "dictionary":
      // A few rows need not take all the words along.
      if (column.dictionary.length > column.length) return compact(plainText(column));
      return {
        ...column,
        validity,
        codes: tight(column.codes),
        dictionary: compact(column.dictionary) as typeof column.dictionary,
      };
  }
}

function tight<A extends ArrayBufferView & { slice(): A }>(view: A): A {
  return view.byteLength < view.buffer.byteLength * WASTEFUL ? view.slice() : view;
}
