import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Column } from "../../data/column.ts";
import { NumberBuilder } from "../../data/column-builder.ts";
import { typeOf } from "../../data/types.ts";
import { type Accumulator, grownNumbers, putNumbers, takeNumbers, zero } from "./accumulator.ts";
import type { Feed } from "./feed.ts";

/** `var` and `stddev` of a sample, by Welford's method, merged by Chan's; NULL below two values (D-24). */
export class SpreadAccumulator implements Accumulator {
  private readonly root: boolean;
  private counts = new Float64Array(1);
  private means = new Float64Array(1);
  /** Sums of squared distances from the mean. */
  private squares = new Float64Array(1);

  constructor(fn: "var" | "stddev") {
    this.root = fn === "stddev";
  }

  reserve(slots: number): void {
    this.counts = grownNumbers(this.counts, slots);
    this.means = grownNumbers(this.means, slots);
    this.squares = grownNumbers(this.squares, slots);
  }

  add(feed: Feed): void {
    const { slots, count } = feed;
    const values = feed.numbers();
    const { counts, means, squares } = this;
    for (let i = 0; i < count; i++) {
      const slot = slots[i] as number;
      const value = values[i] as number;
      const n = (counts[slot] as number) + 1;
      const mean = means[slot] as number;
      let next = mean + (value - mean) / n;
      // Numbers so far apart that their distance is none: their variance is infinite, and their mean still between them.
      if (next - next !== 0) next = mean + (value / n - mean / n);
      counts[slot] = n;
      means[slot] = next;
      squares[slot] = (squares[slot] as number) + (value - mean) * (value - next);
    }
  }

  merge(into: number, from: number): void {
    const a = this.counts[into] as number;
    const b = this.counts[from] as number;
    if (b === 0) return;
    const n = a + b;
    const mean = this.means[into] as number;
    const other = this.means[from] as number;
    const apart = other - mean;
    const next = mean + (apart * b) / n;
    this.counts[into] = n;
    this.means[into] = next - next === 0 ? next : mean * (a / n) + other * (b / n);
    this.squares[into] = (this.squares[into] as number) + (this.squares[from] as number) + (apart * apart * a * b) / n;
  }

  clear(from: number, to: number): void {
    for (const values of [this.counts, this.means, this.squares]) zero(values, from, to);
  }

  results(slots: Int32Array): Column {
    const builder = new NumberBuilder(typeOf("float64"), slots.length);
    for (const slot of slots) {
      const n = this.counts[slot] as number;
      const variance = (this.squares[slot] as number) / (n - 1);
      if (n < 2) builder.appendNull();
      else builder.append(this.root ? Math.sqrt(variance) : variance);
    }
    return builder.finish();
  }

  save(slots: Int32Array): SnapshotValue {
    return [this.counts, this.means, this.squares].map((values) => takeNumbers(values, slots));
  }

  load(saved: SnapshotValue, slots: Int32Array): void {
    const [counts, means, squares] = saved as readonly SnapshotValue[];
    assert(
      counts instanceof Float64Array && means instanceof Float64Array && squares instanceof Float64Array,
      "a saved spread",
    );
    putNumbers(counts, slots, this.counts);
    putNumbers(means, slots, this.means);
    putNumbers(squares, slots, this.squares);
  }
}
