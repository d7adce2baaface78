import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Column } from "../../data/column.ts";
import { columnBuilder, DecimalBuilder, NumberBuilder, WordBuilder } from "../../data/column-builder.ts";
import type { Field } from "../../data/schema.ts";
import { grownNumbers, newNumbers } from "../../data/state-arrays.ts";
import type { LogicalType } from "../../data/types.ts";
import { type Accumulator, type OverflowReport, putNumbers, takeNumbers, zero } from "./accumulator.ts";
import { CountAccumulator } from "./count.ts";
import { DecimalTotals } from "./decimal-total.ts";
import type { Feed } from "./feed.ts";
import { IntegerTotals } from "./integer-total.ts";

/** Totals of floats in IEEE arithmetic. */
class FloatTotals {
  private sums = newNumbers(1);

  reserve(slots: number): void {
    this.sums = grownNumbers(this.sums, slots);
  }

  add(feed: Feed): void {
    const { slots, count, heap } = feed;
    const values = feed.numbers();
    const { sums } = this;
    if (heap !== undefined) {
      heap.kernels.addFloats(slots.byteOffset, values.byteOffset, count, sums.byteOffset);
      return;
    }
    for (let i = 0; i < count; i++) {
      const slot = slots[i] as number;
      sums[slot] = (sums[slot] as number) + (values[i] as number);
    }
  }

  number(slot: number): number {
    return this.sums[slot] as number;
  }

  merge(into: number, from: number): void {
    this.sums[into] = this.number(into) + this.number(from);
  }

  clear(from: number, to: number): void {
    zero(this.sums, from, to);
  }

  save(slots: Int32Array): Float64Array {
    return takeNumbers(this.sums, slots);
  }

  load(saved: SnapshotValue, slots: Int32Array): void {
    assert(saved instanceof Float64Array, "saved totals");
    putNumbers(saved, slots, this.sums);
  }
}

type Totals = IntegerTotals | FloatTotals | DecimalTotals;

function totalsOf(type: LogicalType): Totals {
  if (type.kind === "decimal") return new DecimalTotals();
  return type.kind === "float" ? new FloatTotals() : new IntegerTotals();
}

/** `sum` and `avg`: a total and how many values it is of, because over none they are NULL (D-24). */
export class TotalAccumulator implements Accumulator {
  private readonly fn: "sum" | "avg";
  private readonly type: LogicalType;
  private readonly result: LogicalType;
  private readonly totals: Totals;
  private readonly counts = new CountAccumulator();
  /** The sum of a column without NULLs is never one of nothing, and needs no count. */
  private readonly counted: boolean;
  private readonly scratch = { lo: 0, hi: 0 };

  /** @param result as `aggregateField` says for the column's type */
  constructor(fn: "sum" | "avg", type: LogicalType, result: Pick<Field, "type" | "nullable">) {
    this.fn = fn;
    this.type = type;
    this.result = result.type;
    this.totals = totalsOf(type);
    this.counted = fn === "avg" || result.nullable;
  }

  reserve(slots: number): void {
    this.totals.reserve(slots);
    if (this.counted) this.counts.reserve(slots);
  }

  add(feed: Feed): void {
    this.totals.add(feed);
    if (this.counted) this.counts.add(feed);
  }

  merge(into: number, from: number): void {
    this.totals.merge(into, from);
    if (this.counted) this.counts.merge(into, from);
  }

  clear(from: number, to: number): void {
    this.totals.clear(from, to);
    if (this.counted) this.counts.clear(from, to);
  }

  results(slots: Int32Array, fail: OverflowReport): Column {
    if (!this.counted && this.totals instanceof FloatTotals) {
      const values = this.totals.save(slots);
      return { encoding: "fixed", type: this.result, length: slots.length, nullCount: 0, validity: null, values };
    }
    const builder = columnBuilder(this.result, slots.length);
    for (const slot of slots) {
      if (this.counted && this.counts.of(slot) === 0) builder.appendNull();
      else if (builder instanceof DecimalBuilder) this.appendDecimal(builder, slot, fail);
      else if (builder instanceof WordBuilder) this.appendLong(builder, slot, fail);
      else if (builder instanceof NumberBuilder) builder.append(this.numberOf(slot));
    }
    return builder.finish();
  }

  private numberOf(slot: number): number {
    assert(!(this.totals instanceof DecimalTotals), "decimals stay decimals");
    const total = this.totals.number(slot);
    return this.fn === "sum" ? total : total / this.counts.of(slot);
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
      value = roundedQuotient(value * 10n ** BigInt(more), BigInt(this.counts.of(slot)));
    }
    if (value <= -MAX_DECIMAL || value >= MAX_DECIMAL) fail(slot);
    builder.appendBigInt(value);
  }

  save(slots: Int32Array): SnapshotValue {
    return { totals: this.totals.save(slots), counts: this.counted ? this.counts.save(slots) : null };
  }

  load(saved: SnapshotValue, slots: Int32Array): void {
    const { totals, counts } = saved as { readonly totals: SnapshotValue; readonly counts: SnapshotValue };
    this.totals.load(totals, slots);
    if (this.counted) this.counts.load(counts, slots);
  }
}

const MAX_DECIMAL = 10n ** 38n;

const scaleOf = (type: LogicalType): number => (type.kind === "decimal" ? type.scale : 0);

/** a / b, halves away from zero, for b > 0. */
function roundedQuotient(a: bigint, b: bigint): bigint {
  const magnitude = ((a < 0n ? -a : a) * 2n + b) / (2n * b);
  return a < 0n ? -magnitude : magnitude;
}
