import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Column } from "../../data/column.ts";
import { NumberBuilder } from "../../data/column-builder.ts";
import { typeOf } from "../../data/types.ts";
import type { Accumulator } from "./accumulator.ts";
import type { Cells, Lane } from "./cells.ts";
import type { Feed } from "./feed.ts";

/** `var` and `stddev` of a sample, by Welford's method, merged by Chan's; NULL below two values (D-24). */
export class SpreadAccumulator implements Accumulator {
  readonly inParts = true;
  private readonly root: boolean;
  /** One behind the other, and behind those sums of squared distances from the mean. */
  private readonly counts: Lane;
  private readonly means: Lane;
  private readonly squares: Lane;

  constructor(fn: "var" | "stddev", cells: Cells) {
    this.root = fn === "stddev";
    this.counts = cells.lane();
    this.means = cells.lane();
    this.squares = cells.lane();
  }

  add(feed: Feed, from: number, to: number): void {
    const { slots } = feed;
    const added = feed.numbers();
    const { values, width, place } = this.counts;
    for (let i = from; i < to; i++) {
      const at = (slots[i] as number) * width + place;
      const value = added[i] as number;
      const n = (values[at] as number) + 1;
      const mean = values[at + 1] as number;
      let next = mean + (value - mean) / n;
      // Numbers so far apart that their distance is none: their variance is infinite, and their mean still between them.
      if (next - next !== 0) next = mean + (value / n - mean / n);
      values[at] = n;
      values[at + 1] = next;
      values[at + 2] = (values[at + 2] as number) + (value - mean) * (value - next);
    }
  }

  merge(into: number, from: number): void {
    const { counts, means, squares } = this;
    const a = counts.of(into);
    const b = counts.of(from);
    if (b === 0) return;
    const n = a + b;
    const mean = means.of(into);
    const other = means.of(from);
    const apart = other - mean;
    const next = mean + (apart * b) / n;
    counts.set(into, n);
    means.set(into, next - next === 0 ? next : mean * (a / n) + other * (b / n));
    squares.set(into, squares.of(into) + squares.of(from) + (apart * apart * a * b) / n);
  }

  results(slots: Int32Array): Column {
    const builder = new NumberBuilder(typeOf("float64"), slots.length);
    for (const slot of slots) {
      const n = this.counts.of(slot);
      const variance = this.squares.of(slot) / (n - 1);
      if (n < 2) builder.appendNull();
      else builder.append(this.root ? Math.sqrt(variance) : variance);
    }
    return builder.finish();
  }

  save(slots: Int32Array): SnapshotValue {
    return [this.counts, this.means, this.squares].map((lane) => lane.take(slots));
  }

  load(saved: SnapshotValue, slots: Int32Array): void {
    const [counts, means, squares] = saved as readonly SnapshotValue[];
    assert(
      counts instanceof Float64Array && means instanceof Float64Array && squares instanceof Float64Array,
      "a saved spread",
    );
    this.counts.put(counts, slots);
    this.means.put(means, slots);
    this.squares.put(squares, slots);
  }
}
