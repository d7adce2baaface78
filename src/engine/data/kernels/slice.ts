import { assert, assertNever } from "../../base/assert.ts";
import { Batch } from "../batch.ts";
import { bitsFrom, nullsIn } from "../bits.ts";
import type { Column } from "../column.ts";
import { elementsPerRow } from "../storage.ts";

/** Rows [from, to) without copying: the slice shares the column's buffers. */
export function sliceColumn(column: Column, from: number, to: number): Column {
  assert(from >= 0 && from <= to && to <= column.length, `rows ${from}…${to} of ${column.length}`);
  const length = to - from;
  const nullCount = column.nullCount === 0 ? 0 : nullsIn(column.validity, from, length);
  const validity = nullCount === 0 || column.validity === null ? null : bitsFrom(column.validity, from);
  const common = { type: column.type, length, nullCount, validity };
  switch (column.encoding) {
    case "fixed": {
      const width = elementsPerRow(column.type);
      return { encoding: "fixed", ...common, values: column.values.subarray(from * width, to * width) };
    }
    case "bits":
      return { encoding: "bits", ...common, values: bitsFrom(column.values, from) };
    case "var":
      return { encoding: "var", ...common, offsets: column.offsets.subarray(from, to + 1), bytes: column.bytes };
    case "dictionary": {
      const { dictionary } = column;
      return { encoding: "dictionary", ...common, codes: column.codes.subarray(from, to), dictionary };
    }
    default:
      return assertNever(column);
  }
}

/** Rows [from, to) without copying, borrowed where the batch is. */
export function sliceBatch(batch: Batch, from: number, to: number): Batch {
  if (from === 0 && to === batch.rowCount) return batch;
  const columns = batch.columns.map((column) => sliceColumn(column, from, to));
  const eventTimes = batch.eventTimes === null ? null : batch.eventTimes.subarray(from, to);
  return new Batch(batch.schema, to - from, columns, eventTimes, batch.borrowed);
}
