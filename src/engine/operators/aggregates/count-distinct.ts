import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Column } from "../../data/column.ts";
import { KeyIndex } from "../../data/key-index.ts";
import type { LogicalType } from "../../data/types.ts";
import type { Accumulator } from "./accumulator.ts";
import { longColumn } from "./count.ts";
import type { Feed } from "./feed.ts";

/** Values are forgotten when most are of no slot any more, but not for a few. */
const FEW_VALUES = 1024;

/** `count_distinct`: values get numbers (equal by logical value, D-26), and a slot keeps the set of its numbers. */
export class DistinctAccumulator implements Accumulator {
  private readonly values: KeyIndex;
  private sets: Set<number>[] = [new Set()];
  /** Members of all sets: no fewer than the values that are still needed. */
  private members = 0;
  private ids = new Int32Array(0);

  constructor(type: LogicalType) {
    this.values = new KeyIndex([type]);
  }

  reserve(slots: number): void {
    while (this.sets.length < slots) this.sets.push(new Set());
  }

  add({ column, slots, count }: Feed): void {
    if (this.values.size > FEW_VALUES && this.values.size > 2 * this.members) this.forget();
    if (this.ids.length < count) this.ids = new Int32Array(count);
    const { ids, sets } = this;
    this.values.idsOf([column as Column], count, ids);
    for (let i = 0; i < count; i++) {
      const set = sets[slots[i] as number] as Set<number>;
      const before = set.size;
      set.add(ids[i] as number);
      this.members += set.size - before;
    }
  }

  merge(into: number, from: number): void {
    const set = this.sets[into] as Set<number>;
    const before = set.size;
    for (const id of this.sets[from] as Set<number>) set.add(id);
    this.members += set.size - before;
  }

  clear(from: number, to: number): void {
    for (let slot = from; slot < to; slot++) {
      const { size } = this.sets[slot] as Set<number>;
      this.members -= size;
      if (size > 0) this.sets[slot] = new Set();
    }
  }

  results(slots: Int32Array): Column {
    return longColumn(Float64Array.from(slots, (slot) => (this.sets[slot] as Set<number>).size));
  }

  /** Values that some slot has, and their new numbers by their old ones. */
  private live(): { live: Int32Array; renumber: Map<number, number> } {
    const renumber = new Map<number, number>();
    for (const set of this.sets) for (const id of set) if (!renumber.has(id)) renumber.set(id, renumber.size);
    return { live: Int32Array.from(renumber.keys()), renumber };
  }

  private forget(): void {
    const { live, renumber } = this.live();
    this.sets = this.sets.map((set) => new Set(Array.from(set, (id) => renumber.get(id) as number)));
    this.values.compact(live);
  }

  save(slots: Int32Array): SnapshotValue {
    this.forget();
    const sizes = Int32Array.from(slots, (slot) => (this.sets[slot] as Set<number>).size);
    const ids = new Int32Array(sizes.reduce((sum, size) => sum + size, 0));
    let at = 0;
    for (const slot of slots) for (const id of this.sets[slot] as Set<number>) ids[at++] = id;
    return { values: this.values.snapshot(), sizes, ids };
  }

  load(saved: SnapshotValue, slots: Int32Array): void {
    const { values, sizes, ids } = saved as { readonly [key: string]: SnapshotValue };
    assert(values !== undefined && sizes instanceof Int32Array && ids instanceof Int32Array, "saved sets");
    this.values.restore(values);
    let at = 0;
    sizes.forEach((size, i) => {
      this.sets[slots[i] as number] = new Set(ids.subarray(at, at + size));
      at += size;
    });
    this.members = ids.length;
  }
}
