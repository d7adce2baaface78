import { Batch } from "../data/batch.ts";
import { takeBatch } from "../data/kernels/take.ts";
import type { Schema } from "../data/schema.ts";
import { type PoolColumn, poolColumn } from "./pool-columns.ts";

/**
 * Rows that an operator keeps, in columns, by numbers 0, 1, 2… in the order in which they came. They are copied when they come, and lie in one piece
 * of memory for each column, which grows to the double.
 */
export class RowPool {
  private readonly schema: Schema;
  private columns: readonly PoolColumn[];
  /** NaN for rows without; `null` as long as none has one. */
  private times: Float64Array | null = null;
  private count = 0;

  constructor(schema: Schema) {
    this.schema = schema;
    this.columns = schema.fields.map(({ type }) => poolColumn(type));
  }

  /** Rows there are, those that nobody needs any more among them. */
  get size(): number {
    return this.count;
  }

  /** Event times by number, and anything behind them; `null` where no row has one. Until the next row comes. */
  get eventTimes(): Float64Array | null {
    return this.times;
  }

  /** Keeps the rows and answers the number of the first one. */
  add({ rowCount, columns, eventTimes }: Batch): number {
    const first = this.count;
    if (rowCount === 0) return first;
    for (let c = 0; c < columns.length; c++) {
      const column = columns[c];
      if (column !== undefined) this.columns[c]?.append(column);
    }
    this.count += rowCount;
    if (eventTimes !== null) this.timesFrom(first).set(eventTimes, first);
    else if (this.times !== null) this.timesFrom(first).fill(Number.NaN, first, this.count);
    return first;
  }

  /** Event times with room for all rows, of which those before `first` are there. */
  private timesFrom(first: number): Float64Array {
    const { times, count } = this;
    if (times !== null && times.length >= count) return times;
    const grown = new Float64Array(Math.max(64, 2 * count));
    if (times === null) grown.fill(Number.NaN, 0, first);
    else grown.set(times.subarray(0, first));
    this.times = grown;
    return grown;
  }

  /** These rows in this order. */
  take(rows: Int32Array): Batch {
    const { schema, count, times } = this;
    const columns = this.columns.map((column) => column.view());
    return takeBatch(new Batch(schema, count, columns, times?.subarray(0, count) ?? null), rows);
  }

  /** Every row in order, without event times where there are none. */
  all(): Batch {
    return this.take(Int32Array.from({ length: this.count }, (_, row) => row));
  }

  /** Forgets all rows but `live`, which get the numbers 0, 1, 2… in this order. */
  compact(live: Int32Array): void {
    for (const column of this.columns) column.keep(live);
    this.times = live.length === 0 ? null : this.times && Float64Array.from(live, (row) => this.times?.[row] as number);
    this.count = live.length;
  }
}
