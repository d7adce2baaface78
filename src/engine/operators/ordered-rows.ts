import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { Batch } from "../data/batch.ts";
import { compareBytes, compareFloats, type RowOrder, sortRowsBy } from "../data/kernels/compare.ts";
import { takeBatch } from "../data/kernels/take.ts";
import { encodeKeys } from "../data/key-encoding.ts";
import type { Schema } from "../data/schema.ts";
import { loadBatch, saveBatch } from "../state/batch-snapshot.ts";
import { RowPool } from "./row-pool.ts";

/**
 * Rows that wait for the watermark, to be taken in an order that does not depend on how they came: by event time, then by their encoded bytes
 * (D-27).
 */
export class OrderedRows {
  private readonly schema: Schema;
  private readonly pool: RowPool;
  private least = Number.POSITIVE_INFINITY;

  constructor(schema: Schema) {
    this.schema = schema;
    this.pool = new RowPool(schema);
  }

  /** Every row has an event time. */
  add(batch: Batch): void {
    this.pool.add(batch);
    for (const ms of batch.eventTimes ?? []) this.least = Math.min(this.least, ms);
  }

  /** The rows before `watermark`, in order; `undefined`: none. */
  takeBefore(watermark: number): Batch | undefined {
    if (!(this.least < watermark)) return undefined;
    const all = this.pool.take(Int32Array.from({ length: this.pool.size }, (_, row) => row));
    const times = all.eventTimes as Float64Array;
    const due: number[] = [];
    const rest: number[] = [];
    this.least = Number.POSITIVE_INFINITY;
    times.forEach((ms, row) => {
      (ms < watermark ? due : rest).push(row);
      if (ms >= watermark) this.least = Math.min(this.least, ms);
    });
    this.pool.compact(Int32Array.from(rest));
    const taken = takeBatch(all, Int32Array.from(due));
    return takeBatch(taken, sortRowsBy(timeAndBytes(taken), taken.rowCount));
  }

  save(): SnapshotValue {
    if (this.pool.size === 0) return null;
    return saveBatch(this.pool.take(Int32Array.from({ length: this.pool.size }, (_, row) => row)));
  }

  load(saved: SnapshotValue): void {
    if (saved !== null) this.add(loadBatch(saved, this.schema));
  }
}

/** What decides where ranks are equal (D-27): the earlier event time, then the smaller row by encoded bytes. */
export function timeAndBytes(batch: Batch): RowOrder[] {
  const times = batch.eventTimes as Float64Array;
  // Rows are encoded only when two are of one time.
  let bytes: RowOrder | undefined;
  return [
    (i, j) => compareFloats(times[i] as number, times[j] as number),
    (i, j) => {
      bytes ??= bytesOrder(batch);
      return bytes(i, j);
    },
  ];
}

function bytesOrder(batch: Batch): RowOrder {
  const encoded = encodeKeys(batch.columns, batch.rowCount);
  const offsets = encoded.offsets.slice(0, batch.rowCount + 1);
  const bytes = encoded.bytes.slice(0, offsets[batch.rowCount]);
  const at = (row: number): number => offsets[row] as number;
  return (i, j) => compareBytes(bytes, at(i), at(i + 1), bytes, at(j), at(j + 1));
}
