import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Column } from "../../data/column.ts";
import { typeOf } from "../../data/types.ts";
import { highWord, lowWord } from "../../data/words.ts";
import type { Accumulator } from "./accumulator.ts";
import type { Cells, Lane } from "./cells.ts";
import type { Feed } from "./feed.ts";

/** `count`: entries, exact up to 2^53. Also says to other aggregates whether a slot has values at all. */
export class CountAccumulator implements Accumulator {
  readonly inParts = true;
  private readonly counts: Lane;

  constructor(cells: Cells) {
    this.counts = cells.lane();
  }

  add({ slots, heap }: Feed, from: number, to: number): void {
    const { counts } = this;
    if (heap !== undefined) {
      heap.kernels.countSlots(slots.byteOffset + 4 * from, to - from, counts.address, counts.stride);
      return;
    }
    const { values, width, place } = counts;
    for (let i = from; i < to; i++) {
      const at = (slots[i] as number) * width + place;
      values[at] = (values[at] as number) + 1;
    }
  }

  of(slot: number): number {
    return this.counts.of(slot);
  }

  merge(into: number, from: number): void {
    this.counts.set(into, this.of(into) + this.of(from));
  }

  results(slots: Int32Array): Column {
    return longColumn(this.counts.take(slots));
  }

  save(slots: Int32Array): SnapshotValue {
    return this.counts.take(slots);
  }

  load(saved: SnapshotValue, slots: Int32Array): void {
    assert(saved instanceof Float64Array, "saved counts");
    this.counts.put(saved, slots);
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
