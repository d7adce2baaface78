import type { SnapshotValue } from "../../base/snapshot-value.ts";
import { type Column, isNull } from "../../data/column.ts";
import { takeColumn } from "../../data/kernels/take.ts";
import type { Schema } from "../../data/schema.ts";
import { heapOf } from "../../data/state-arrays.ts";
import { typeOf } from "../../data/types.ts";
import { type KernelHeap, kernelHeap } from "../../data/wasm/kernel-heap.ts";
import { type AggregateConfig, aggregateField } from "../catalog/aggregates.ts";
import type { Accumulator, OverflowReport } from "./accumulator.ts";
import { Cells } from "./cells.ts";
import { CountAccumulator } from "./count.ts";
import { DistinctAccumulator } from "./count-distinct.ts";
import type { Entries } from "./entries.ts";
import { ExtremeAccumulator } from "./extreme.ts";
import { Feed } from "./feed.ts";
import { FirstLastAccumulator } from "./first-last.ts";
import { SpreadAccumulator } from "./spread.ts";
import { TotalAccumulator } from "./sum.ts";

/**
 * Entries that are added to all aggregates before further ones are: so few that what they touch stays in the nearest cache. A call of a kernel still
 * takes a small part of the time.
 */
const PART = 512;

function accumulatorOf(config: AggregateConfig, schema: Schema, cells: Cells): Accumulator {
  const { fn, column } = config;
  const type = schema.field(column ?? "")?.type ?? typeOf("int64");
  switch (fn) {
    case "count":
      return new CountAccumulator(cells);
    case "sum":
    case "avg":
      return new TotalAccumulator(fn, type, aggregateField(config, schema), cells);
    case "min":
    case "max":
      return new ExtremeAccumulator(fn, type);
    case "count_distinct":
      return new DistinctAccumulator(type);
    case "first":
    case "last":
      return new FirstLastAccumulator(fn, type);
    case "stddev":
    case "var":
      return new SpreadAccumulator(fn, cells);
  }
}

/** All aggregates of a node. */
export class Aggregates {
  private readonly cells = new Cells();
  private readonly accumulators: readonly Accumulator[];
  /** Column of the input by aggregate, −1 for rows. */
  private readonly places: readonly number[];
  private readonly names: readonly string[];
  private readonly onHeap = kernelHeap() !== undefined;

  constructor(configs: readonly AggregateConfig[], schema: Schema) {
    this.accumulators = configs.map((config) => accumulatorOf(config, schema, this.cells));
    this.places = configs.map(({ column }) => (column === undefined ? -1 : schema.indexOf(column)));
    this.names = configs.map(({ name }) => name);
  }

  reserve(slots: number): void {
    this.cells.reserve(slots);
    for (const each of this.accumulators) each.reserve?.(slots);
  }

  add(entries: Entries): void {
    if (entries.count === 0) return;
    const heap = this.onHeap ? heapOf(entries.slots, entries.count) : undefined;
    const byColumn = new Map<number, Feed>();
    const feeds = this.places.map((place) => {
      const feed = byColumn.get(place) ?? this.feedOf(entries, place, heap);
      byColumn.set(place, feed);
      return feed;
    });
    this.accumulators.forEach((each, a) => {
      const feed = feeds[a] as Feed;
      if (!comesInParts(each, feed)) each.add(feed, 0, feed.count);
    });
    for (let from = 0; from < entries.count; from += PART) this.addPart(feeds, from);
    for (const feed of byColumn.values()) feed.release();
  }

  /** Of each feed the entries from there on. */
  private addPart(feeds: readonly Feed[], from: number): void {
    for (let a = 0; a < feeds.length; a++) {
      const each = this.accumulators[a] as Accumulator;
      const feed = feeds[a] as Feed;
      const to = Math.min(from + PART, feed.count);
      if (from < to && comesInParts(each, feed)) each.add(feed, from, to);
    }
  }

  /** Values of a column for the entries, without NULLs. */
  private feedOf(entries: Entries, place: number, heap: KernelHeap | undefined): Feed {
    const { batch, count, rows, slots } = entries;
    if (place < 0) return new Feed(entries, null, heap);
    const column = batch.columns[place] as Column;
    if (column.nullCount === 0 && (column.encoding !== "dictionary" || column.dictionary.nullCount === 0)) {
      return new Feed(entries, rows === null ? column : takeColumn(column, rows, 0, count), heap);
    }
    const kept = new Int32Array(count);
    const keptSlots = new Int32Array(count);
    let length = 0;
    for (let i = 0; i < count; i++) {
      const row = rows === null ? i : (rows[i] as number);
      if (isNull(column, row)) continue;
      kept[length] = row;
      keptSlots[length++] = slots[i] as number;
    }
    const taken = takeColumn(column, kept, 0, length);
    return new Feed({ ...entries, count: length, slots: keptSlots, rows: kept }, taken, undefined);
  }

  merge(into: number, from: number): void {
    for (const each of this.accumulators) each.merge(into, from);
  }

  clear(from: number, to: number): void {
    this.cells.clear(from, to);
    for (const each of this.accumulators) each.clear?.(from, to);
  }

  /** @param fail is told the name of the aggregate that overflows */
  results(slots: Int32Array, fail: (name: string, slot: number) => never): Column[] {
    return this.accumulators.map((accumulator, a) => {
      const report: OverflowReport = (slot) => fail(this.names[a] as string, slot);
      return accumulator.results(slots, report);
    });
  }

  save(slots: Int32Array): SnapshotValue {
    return this.accumulators.map((each) => each.save(slots));
  }

  load(saved: SnapshotValue, slots: Int32Array): void {
    const parts = saved as readonly SnapshotValue[];
    this.accumulators.forEach((each, a) => {
      each.load(parts[a] as SnapshotValue, slots);
    });
  }
}

/** Without kernels the values would have to be made anew for each part. */
const comesInParts = ({ inParts }: Accumulator, { heap }: Feed): boolean => inParts && heap !== undefined;
