import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Batch } from "../../data/batch.ts";
import { takeBatch } from "../../data/kernels/take.ts";
import type { Schema } from "../../data/schema.ts";
import { loadBatch, saveBatch } from "../../state/batch-snapshot.ts";
import { RowPool } from "../row-pool.ts";
import type { SlotState } from "../window/slots.ts";

/** Dead rows are forgotten when they are most of the pool, but not for a few. */
const FEW_ROWS = 4096;

/** The rows of each slot, as numbers in one pool. */
export class SlotRows implements SlotState {
  private readonly schema: Schema;
  private readonly pool: RowPool;
  private rows: number[][] = [[]];
  private live = 0;

  constructor(schema: Schema) {
    this.schema = schema;
    this.pool = new RowPool(schema);
  }

  reserve(slots: number): void {
    while (this.rows.length < slots) this.rows.push([]);
  }

  /** Row i of the batch goes to `slots[i]`. */
  add(batch: Batch, slots: Int32Array): void {
    const first = this.pool.add(batch);
    slots.forEach((slot, row) => this.of(slot).push(first + row));
    this.live += slots.length;
    this.forget();
  }

  /** Numbers of the slot's rows, for `take`. */
  of(slot: number): number[] {
    return this.rows[slot] as number[];
  }

  take(rows: readonly number[]): Batch {
    return this.pool.take(Int32Array.from(rows));
  }

  /** The slot's rows are these of them from now on. */
  keep(slot: number, rows: number[]): void {
    this.live += rows.length - this.of(slot).length;
    this.rows[slot] = rows;
  }

  merge(into: number, from: number): void {
    this.keep(into, this.of(into).concat(this.of(from)));
  }

  clear(from: number, to: number): void {
    for (let slot = from; slot < to; slot++) this.keep(slot, []);
  }

  private forget(): void {
    if (this.pool.size <= FEW_ROWS || this.pool.size <= 2 * this.live) return;
    const all = this.rows.flat();
    this.pool.compact(Int32Array.from(all));
    let next = 0;
    this.rows = this.rows.map((rows) => rows.map(() => next++));
  }

  save(slots: Int32Array): SnapshotValue {
    const lists = Array.from(slots, (slot) => this.of(slot));
    const all = lists.flat();
    return {
      counts: Int32Array.from(lists, ({ length }) => length),
      rows: all.length === 0 ? null : saveBatch(this.take(all)),
    };
  }

  load(saved: SnapshotValue, slots: Int32Array): void {
    const { counts, rows } = saved as { readonly [key: string]: SnapshotValue };
    assert(counts instanceof Int32Array && rows !== undefined, "saved rows");
    if (rows === null) return;
    const each = Array.from(counts, (count, i) => new Array<number>(count).fill(slots[i] as number)).flat();
    const batch = loadBatch(rows, this.schema);
    const taken = Int32Array.from(each.keys()).filter((row) => (each[row] as number) >= 0);
    this.add(
      takeBatch(batch, taken),
      taken.map((row) => each[row] as number),
    );
  }
}
