import type { Batch } from "../../data/batch.ts";
import { takeBatch } from "../../data/kernels/take.ts";
import type { Schema } from "../../data/schema.ts";
import { grownWords } from "../aggregates/accumulator.ts";
import { RowPool } from "../row-pool.ts";

const NONE = new Int32Array(0);
const FEWEST_KEPT = 64;

/**
 * Rows of one open window that may still be ranked. Each partition has a bar, a value of the order's first column: what is behind it is behind n others
 * and is never copied. A bar falls with every better row where one row alone is ranked, else when the rows are cut down.
 */
export class RankPane {
  readonly start: number;
  readonly pool: RowPool;
  /** How many rows were ranked when they were cut down last. */
  ranked = 0;
  private readonly n: number;
  /** By number of the partition. */
  private bars = new Float64Array(0);
  /** Rows of the batch that is sifted. There may be thousands of windows, so the memory is not kept. */
  private kept = NONE;
  private count = 0;

  constructor(start: number, n: number, schema: Schema) {
    this.start = start;
    this.n = n;
    this.pool = new RowPool(schema);
  }

  /** Makes room for so many partitions. */
  cover(partitions: number): void {
    const { length } = this.bars;
    if (partitions <= length) return;
    const bars = new Float64Array(Math.max(partitions, 2 * length)).fill(Number.POSITIVE_INFINITY, length);
    bars.set(this.bars);
    this.bars = bars;
  }

  /** Whether the partition has a bar. */
  has(partition: number): boolean {
    return partition < this.bars.length && this.bars[partition] !== Number.POSITIVE_INFINITY;
  }

  /** Partition `live[i]` has number i from now on; the others have no bar. */
  renumber(live: Int32Array): void {
    const { bars } = this;
    this.bars = Float64Array.from(live, (old) =>
      old < bars.length ? (bars[old] as number) : Number.POSITIVE_INFINITY,
    );
  }

  /** Of rows [from, to) of a batch, keeps those that are not behind the bars of their partitions. */
  sift(values: Float64Array, partitions: Int32Array, from: number, to: number): void {
    const { bars, n } = this;
    let { kept, count } = this;
    for (let row = from; row < to; row++) {
      const value = values[row] as number;
      const partition = partitions[row] as number;
      if (value > (bars[partition] as number)) continue;
      if (n === 1) bars[partition] = value;
      // Mostly there are a few.
      if (count === kept.length) kept = grownWords(kept, 2 * count + FEWEST_KEPT);
      kept[count++] = row;
    }
    this.kept = kept;
    this.count = count;
  }

  /** Keeps all of them. */
  keep(from: number, to: number): void {
    const needed = this.count + to - from;
    if (needed > this.kept.length) this.kept = grownWords(this.kept, Math.max(needed, 2 * this.count));
    for (let row = from; row < to; row++) this.kept[this.count++] = row;
  }

  /** Takes in what was kept of the batch. */
  settle(batch: Batch): void {
    const { kept, count } = this;
    this.kept = NONE;
    this.count = 0;
    if (count > 0) this.pool.add(count === batch.rowCount ? batch : takeBatch(batch, kept, 0, count));
  }

  /** Keeps these rows of the pool alone: what is ranked of it, by partition and rank. */
  cut(rows: Int32Array): void {
    this.pool.compact(rows);
    this.ranked = rows.length;
  }

  /** Sets the bars by the rows of the pool after a cut. */
  raise(values: Float64Array, partitions: Int32Array): void {
    const counts = new Int32Array(this.bars.length);
    for (let row = 0; row < this.ranked; row++) {
      const partition = partitions[row] as number;
      counts[partition] = (counts[partition] as number) + 1;
      if ((counts[partition] as number) >= this.n) this.bars[partition] = values[row] as number;
    }
  }
}
