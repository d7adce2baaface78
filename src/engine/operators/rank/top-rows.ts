import type { Batch } from "../../data/batch.ts";
import type { Column } from "../../data/column.ts";
import { keyOrder, type RowOrder, type SortKey, sortRowsBy } from "../../data/kernels/compare.ts";
import type { Schema } from "../../data/schema.ts";
import type { RankConfig } from "../catalog.ts";
import { timeAndBytes } from "../ordered-rows.ts";
import { orderValues } from "./order-values.ts";

/** Rows that are ranked, ordered by partition, then rank, then as ties are broken; ranks count from 1. */
export interface TopRows {
  readonly rows: Int32Array;
  readonly ranks: Int32Array;
}

interface Order {
  readonly place: number;
  readonly desc: boolean;
  readonly nulls?: "first" | "last";
}

/** Where a ranking finds its columns. */
export class Ranking {
  private readonly partition: readonly number[];
  private readonly order: readonly Order[];
  private readonly n: number;
  private readonly keepsTies: boolean;

  constructor({ partitionBy, orderBy, n, ties }: RankConfig, schema: Schema) {
    this.partition = partitionBy.map((name) => schema.indexOf(name));
    this.order = orderBy.map(({ column, desc, nulls }) => {
      const place = schema.indexOf(column);
      return nulls === undefined ? { place, desc } : { place, desc, nulls };
    });
    this.n = n;
    this.keepsTies = ties === "keep";
  }

  /** Numbers by row that never contradict the order; of rows with equal ones either may come first. */
  valuesOf(batch: Batch, out: Float64Array): void {
    const { place, ...how } = this.order[0] as Order;
    orderValues(batch.columns[place] as Column, how, out);
  }

  /** The first n of each partition (D-27), with ties all that have a rank up to n; every row has an event time. */
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
    const equal = (orders: readonly RowOrder[], a: number, b: number): boolean =>
      orders.every((compare) => compare(a, b) === 0);
    let count = 0;
    let place = 0;
    let rank = 0;
    sorted.forEach((row, i) => {
      const before = sorted[i - 1];
      place = before !== undefined && equal(partition, before, row) ? place + 1 : 1;
      if (place === 1 || !this.keepsTies || !equal(order, before as number, row)) rank = place;
      if (rank > this.n) return;
      rows[count] = row;
      ranks[count++] = rank;
    });
    return { rows: rows.subarray(0, count), ranks: ranks.subarray(0, count) };
  }
}
