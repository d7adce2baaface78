import type { Batch } from "../../data/batch.ts";
import type { Column } from "../../data/column.ts";
import { keyOrder, type RowOrder, type SortKey, sortRowsBy } from "../../data/kernels/compare.ts";
import type { Schema } from "../../data/schema.ts";
import type { RankConfig } from "../catalog.ts";
import { timeAndBytes } from "../ordered-rows.ts";

/** Rows that are ranked, ordered by partition, then rank; ranks count from 1. */
export interface TopRows {
  readonly rows: Int32Array;
  readonly ranks: Int32Array;
}

/** Where a ranking finds its columns. */
export class Ranking {
  private readonly partition: readonly number[];
  private readonly order: readonly {
    readonly place: number;
    readonly desc: boolean;
    readonly nulls?: "first" | "last";
  }[];
  private readonly n: number;

  constructor({ partitionBy, orderBy, n }: RankConfig, schema: Schema) {
    this.partition = partitionBy.map((name) => schema.indexOf(name));
    this.order = orderBy.map(({ column, desc, nulls }) => {
      const place = schema.indexOf(column);
      return nulls === undefined ? { place, desc } : { place, desc, nulls };
    });
    this.n = n;
  }

  /** The first n of each partition (D-27); every row has an event time. */
  top(batch: Batch): TopRows {
    const at = (place: number): Column => batch.columns[place] as Column;
    const orderOf = (key: SortKey): RowOrder => keyOrder(key, key.column);
    const partition = this.partition.map((place) => orderOf({ column: at(place) }));
    const order = this.order.map(({ place, desc, nulls }) => {
      const key = { column: at(place), descending: desc };
      return orderOf(nulls === undefined ? key : { ...key, nulls });
    });
    const sorted = sortRowsBy([...partition, ...order, ...timeAndBytes(batch)], batch.rowCount);
    const rows = new Int32Array(sorted.length);
    const ranks = new Int32Array(sorted.length);
    let count = 0;
    let rank = 0;
    sorted.forEach((row, i) => {
      const before = sorted[i - 1];
      rank = before !== undefined && partition.every((compare) => compare(before, row) === 0) ? rank + 1 : 1;
      if (rank > this.n) return;
      rows[count] = row;
      ranks[count++] = rank;
    });
    return { rows: rows.subarray(0, count), ranks: ranks.subarray(0, count) };
  }
}
