import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Column } from "../../data/column.ts";
import { columnBuilder, DecimalBuilder, NumberBuilder, WordBuilder } from "../../data/column-builder.ts";
import type { Field } from "../../data/schema.ts";
import type { LogicalType } from "../../data/types.ts";
import type { Accumulator, OverflowReport } from "./accumulator.ts";
import type { Cells, Lane } from "./cells.ts";
import { CountAccumulator } from "./count.ts";
import { DecimalTotals } from "./decimal-total.ts";
import type { Feed } from "./feed.ts";
import { IntegerTotals } from "./integer-total.ts";

/** Totals of floats in IEEE arithmetic. */
class FloatTotals {
  private readonly sums: Lane;

  constructor(cells: Cells) {
    this.sums = cells.lane();
  }

  add(feed: Feed, from: number, to: number): void {
    const { slots, heap } = feed;
    const added = feed.numbers();
    const { sums } = this;
    if (heap !== undefined) {
      const [by, values] = [slots.byteOffset + 4 * from, added.byteOffset + 8 * from];
      heap.kernels.addFloats(by, values, to - from, sums.address, sums.stride);
      return;
    }
    const { values, width, place } = sums;
    for (let i = from; i < to; i++) {
      const at = (slots[i] as number) * width + place;
      values[at] = (values[at] as number) + (added[i] as number);
    }
  }

  number(slot: number): number {
    return this.sums.of(slot);
  }

  merge(into: number, from: number): void {
    this.sums.set(into, this.number(into) + this.number(from));
  }

  save(slots: Int32Array): Float64Array {
    return this.sums.take(slots);
  }

  load(saved: SnapshotValue, slots: Int32Array): void {
    assert(saved instanceof Float64Array, "saved totals");
    this.sums.put(saved, slots);
  }
}

type Totals = IntegerTotals | FloatTotals | DecimalTotals;

function totalsOf(type: LogicalType, cells: Cells): Totals {
  if (type.kind === "decimal") return new DecimalTotals();
  return type.kind === "float" ? new FloatTotals(cells) : new IntegerTotals(cells);
}

/** `sum` and `avg`: a total and how many values it is of, because over none they are NULL (D-24). */
export class TotalAccumulator implements Accumulator {
  readonly inParts = true;
  private readonly fn: "sum" | "avg";
  private readonly type: LogicalType;
  private readonly result: LogicalType;
  private readonly totals: Totals;
  /** The sum of a column without NULLs is never one of nothing, and needs none. */
  private readonly counts: CountAccumulator | undefined;
  private readonly scratch = { lo: 0, hi: 0 };

  /** @param result as `aggregateField` says for the column's type */
  constructor(fn: "sum" | "avg", type: LogicalType, result: Pick<Field, "type" | "nullable">, cells: Cells) {
    this.fn = fn;
    this.type = type;
    this.result = result.type;
    this.totals = totalsOf(type, cells);
    this.counts = fn === "avg" || result.nullable ? new CountAccumulator(cells) : undefined;
  }

  reserve(slots: number): void {
    if (this.totals instanceof DecimalTotals) this.totals.reserve(slots);
  }

  add(feed: Feed, from: number, to: number): void {
    this.totals.add(feed, from, to);
    this.counts?.add(feed, from, to);
  }

  merge(into: number, from: number): void {
    this.totals.merge(into, from);
    this.counts?.merge(into, from);
  }

  clear(from: number, to: number): void {
    if (this.totals instanceof DecimalTotals) this.totals.clear(from, to);
  }

  results(slots: Int32Array, fail: OverflowReport): Column {
    if (this.counts === undefined && this.totals instanceof FloatTotals) {
      const values = this.totals.save(slots);
      return { encoding: "fixed", type: this.result, length: slots.length, nullCount: 0, validity: null, values };
    }
    const builder = columnBuilder(this.result, slots.length);
    for (const slot of slots) {
      if (this.counts?.of(slot) === 0) builder.appendNull();
      else if (builder instanceof DecimalBuilder) this.appendDecimal(builder, slot, fail);
      else if (builder instanceof WordBuilder) this.appendLong(builder, slot, fail);
      else if (builder instanceof NumberBuilder) builder.append(this.numberOf(slot));
    }
    return builder.finish();
  }

  private numberOf(slot: number): number {
    assert(!(this.totals instanceof DecimalTotals), "decimals stay decimals");
    const total = this.totals.number(slot);
    return this.fn === "sum" ? total : total / this.countOf(slot);
  }

  private appendLong(builder: WordBuilder, slot: number, fail: OverflowReport): void {
    assert(this.totals instanceof IntegerTotals, "whole numbers");
    if (!this.totals.total(slot, this.scratch)) fail(slot);
    builder.append(this.scratch.lo, this.scratch.hi);
  }

  private appendDecimal(builder: DecimalBuilder, slot: number, fail: OverflowReport): void {
    assert(this.totals instanceof DecimalTotals, "decimals");
    let value = this.totals.total(slot);
    if (this.fn === "avg") {
      const more = scaleOf(this.result) - scaleOf(this.type);
      value = roundedQuotient(value * 10n ** BigInt(more), BigInt(this.countOf(slot)));
    }
    if (value <= -MAX_DECIMAL || value >= MAX_DECIMAL) fail(slot);
    builder.appendBigInt(value);
  }

  private countOf(slot: number): number {
    assert(this.counts !== undefined, "values are counted");
    return this.counts.of(slot);
  }

  save(slots: Int32Array): SnapshotValue {
    return { totals: this.totals.save(slots), counts: this.counts?.save(slots) ?? null };
  }

  load(saved: SnapshotValue, slots: Int32Array): void {
    const { totals, counts } = saved as { readonly totals: SnapshotValue; readonly counts: SnapshotValue };
    this.totals.load(totals, slots);
    this.counts?.load(counts, slots);
  }
}

const MAX_DECIMAL = 10n ** 38n;

const scaleOf = (type: LogicalType): number => (type.kind === "decimal" ? type.scale : 0);

/** a / b, halves away from zero, for b > 0. */
function roundedQuotient(a: bigint, b: bigint): bigint {
  const magnitude = ((a < 0n ? -a : a) * 2n + b) / (2n * b);
  return a < 0n ? -magnitude : magnitude;
}
