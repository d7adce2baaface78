import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { Batch } from "../data/batch.ts";
import type { Column } from "../data/column.ts";
import { sortRows } from "../data/kernels/compare.ts";
import { takeBatch } from "../data/kernels/take.ts";
import { encodeKeys } from "../data/key-encoding.ts";
import type { Schema } from "../data/schema.ts";
import { typeOf } from "../data/types.ts";
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
    return takeBatch(
      taken,
      sortRows(
        timeAndBytes(taken).map((column) => ({ column })),
        taken.rowCount,
      ),
    );
  }

  save(): SnapshotValue {
    if (this.pool.size === 0) return null;
    return saveBatch(this.pool.take(Int32Array.from({ length: this.pool.size }, (_, row) => row)));
  }

  load(saved: SnapshotValue): void {
    if (saved !== null) this.add(loadBatch(saved, this.schema));
  }
}

/** Columns to sort by where ranks are equal (D-27). */
export function timeAndBytes(batch: Batch): Column[] {
  const common = { length: batch.rowCount, nullCount: 0, validity: null };
  const { offsets, bytes } = encodeKeys(batch.columns, batch.rowCount);
  const last = offsets[batch.rowCount] as number;
  return [
    { encoding: "fixed", type: typeOf("float64"), ...common, values: batch.eventTimes as Float64Array },
    {
      encoding: "var",
      type: typeOf("binary"),
      ...common,
      offsets: offsets.slice(0, batch.rowCount + 1),
      bytes: bytes.slice(0, last),
    },
  ];
}
