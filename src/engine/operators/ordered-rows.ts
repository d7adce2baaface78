import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { Batch } from "../data/batch.ts";
import { compareBytes, compareFloats, type RowOrder, sortRowsBy } from "../data/kernels/compare.ts";
import { takeBatch } from "../data/kernels/take.ts";
import { encodeKeys } from "../data/key-encoding.ts";
import type { Schema } from "../data/schema.ts";
import { saveBatch } from "../state/batch-snapshot.ts";
import { grownNumbers, takeNumbers } from "./aggregates/accumulator.ts";
import { RowPool } from "./row-pool.ts";
import { Timers } from "./window/timers.ts";

/** Rows that were taken are forgotten when they are most of the pool, but not for a few. */
const FEW_ROWS = 4096;

/**
 * Rows that wait for the watermark, to be taken in an order that does not depend on how they came: by event time, then by their encoded bytes
 * (D-27). What is taken costs, not what waits.
 */
export class OrderedRows {
  private readonly pool: RowPool;
  /** Event time by number in the pool; NaN: taken. */
  private times: Float64Array = new Float64Array(64);
  private live = 0;
  /** By number in the pool + 1. */
  private readonly timers = new Timers();

  constructor(schema: Schema) {
    this.pool = new RowPool(schema);
  }

  /** Every row has an event time. */
  add(batch: Batch): void {
    const first = this.pool.add(batch);
    if (this.times.length < this.pool.size) this.times = grownNumbers(this.times, 2 * this.pool.size);
    this.times.set(batch.eventTimes ?? [], first);
    for (let row = first; row < this.pool.size; row++) this.timers.set(row + 1, this.times[row] as number);
    this.live += batch.rowCount;
  }

  /** The rows before `watermark`, in order; `undefined`: none. */
  takeBefore(watermark: number): Batch | undefined {
    const due: number[] = [];
    for (let slot = this.timers.takeBefore(watermark); slot !== 0; slot = this.timers.takeBefore(watermark)) {
      this.times[slot - 1] = Number.NaN;
      due.push(slot - 1);
    }
    if (due.length === 0) return undefined;
    const taken = this.pool.take(Int32Array.from(due));
    this.live -= due.length;
    if (this.pool.size > FEW_ROWS + 2 * this.live) this.forget();
    return takeBatch(taken, sortRowsBy(timeAndBytes(taken), taken.rowCount));
  }

  /** Forgets the rows that were taken. */
  private forget(): void {
    const all = Int32Array.from({ length: this.pool.size }, (_, row) => row);
    const waiting = all.filter((row) => !Number.isNaN(this.times[row]));
    this.pool.compact(waiting);
    this.times = takeNumbers(this.times, waiting);
    this.timers.clear();
    for (let row = 0; row < waiting.length; row++) this.timers.set(row + 1, this.times[row] as number);
  }

  save(): SnapshotValue {
    this.forget();
    return this.live === 0 ? null : saveBatch(this.pool.all());
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
