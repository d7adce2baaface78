import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Column } from "../../data/column.ts";
import { grownNumbers, newNumbers } from "../../data/state-arrays.ts";
import { typeOf } from "../../data/types.ts";
import { highWord, lowWord } from "../../data/words.ts";
import { type Accumulator, putNumbers, takeNumbers, zero } from "./accumulator.ts";
import type { Feed } from "./feed.ts";

/** `count`: entries, exact up to 2^53. Also says to other aggregates whether a slot has values at all. */
export class CountAccumulator implements Accumulator {
  private counts = newNumbers(1);

  reserve(slots: number): void {
    this.counts = grownNumbers(this.counts, slots);
  }

  add({ slots, count, heap }: Feed): void {
    const { counts } = this;
    if (heap !== undefined) {
      heap.kernels.countSlots(slots.byteOffset, count, counts.byteOffset);
      return;
    }
    for (let i = 0; i < count; i++) {
      const slot = slots[i] as number;
      counts[slot] = (counts[slot] as number) + 1;
    }
  }

  of(slot: number): number {
    return this.counts[slot] as number;
  }

  merge(into: number, from: number): void {
    this.counts[into] = this.of(into) + this.of(from);
  }

  clear(from: number, to: number): void {
    zero(this.counts, from, to);
  }

  results(slots: Int32Array): Column {
    return longColumn(takeNumbers(this.counts, slots));
  }

  save(slots: Int32Array): SnapshotValue {
    return takeNumbers(this.counts, slots);
  }

  load(saved: SnapshotValue, slots: Int32Array): void {
    assert(saved instanceof Float64Array, "saved counts");
    putNumbers(saved, slots, this.counts);
  }
}

/** Safe integers as int64. */
export function longColumn(values: Float64Array): Column {
  const words = new Int32Array(2 * values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    words[2 * i] = lowWord(value);
    words[2 * i + 1] = value >= 0 && value < 4294967296 ? 0 : highWord(value);
  }
  const type = typeOf("int64");
  return { encoding: "fixed", type, length: values.length, nullCount: 0, validity: null, values: words };
}
