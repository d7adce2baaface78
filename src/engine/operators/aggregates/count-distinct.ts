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
  readonly inParts = false;
  private readonly values: KeyIndex;
  /** None for a slot without values: most of a window's block of slots may be like that. */
  private sets: (Set<number> | undefined)[] = [undefined];
  /** Members of all sets: no fewer than the values that are still needed. */
  private members = 0;
  private ids = new Int32Array(0);

  constructor(type: LogicalType) {
    this.values = new KeyIndex([type]);
  }

  reserve(slots: number): void {
    while (this.sets.length < slots) this.sets.push(undefined);
  }

  add({ column, slots, count }: Feed): void {
    if (this.values.size > FEW_VALUES && this.values.size > 2 * this.members) this.forget();
    if (this.ids.length < count) this.ids = new Int32Array(count);
    const { ids, sets } = this;
    this.values.idsOf([column as Column], count, ids);
    for (let i = 0; i < count; i++) {
      const slot = slots[i] as number;
      const set = sets[slot] ?? new Set();
      sets[slot] = set;
      const before = set.size;
      set.add(ids[i] as number);
      this.members += set.size - before;
    }
  }

  merge(into: number, from: number): void {
    const other = this.sets[from];
    if (other === undefined) return;
    const set = this.sets[into] ?? new Set();
    this.sets[into] = set;
    const before = set.size;
    for (const id of other) set.add(id);
    this.members += set.size - before;
  }

  clear(from: number, to: number): void {
    for (let slot = from; slot < to; slot++) {
      this.members -= this.sizeOf(slot);
      this.sets[slot] = undefined;
    }
  }

  results(slots: Int32Array): Column {
    return longColumn(Float64Array.from(slots, (slot) => this.sizeOf(slot)));
  }

  private sizeOf(slot: number): number {
    return this.sets[slot]?.size ?? 0;
  }

  /** Values that some slot has, and their new numbers by their old ones. */
  private live(): { live: Int32Array; renumber: Map<number, number> } {
    const renumber = new Map<number, number>();
    for (const set of this.sets) for (const id of set ?? []) if (!renumber.has(id)) renumber.set(id, renumber.size);
    return { live: Int32Array.from(renumber.keys()), renumber };
  }

  private forget(): void {
    const { live, renumber } = this.live();
    this.sets = this.sets.map((set) => set && new Set(Array.from(set, (id) => renumber.get(id) as number)));
    this.values.compact(live);
  }

  save(slots: Int32Array): SnapshotValue {
    this.forget();
    const sizes = Int32Array.from(slots, (slot) => this.sizeOf(slot));
    const ids = new Int32Array(sizes.reduce((sum, size) => sum + size, 0));
    let at = 0;
    for (const slot of slots) for (const id of this.sets[slot] ?? []) ids[at++] = id;
    return { values: this.values.snapshot(), sizes, ids };
  }

  load(saved: SnapshotValue, slots: Int32Array): void {
    const { values, sizes, ids } = saved as { readonly [key: string]: SnapshotValue };
    assert(values !== undefined && sizes instanceof Int32Array && ids instanceof Int32Array, "saved sets");
    const numbers = this.values.add(values);
    let at = 0;
    sizes.forEach((size, i) => {
      const slot = slots[i] as number;
      if (slot >= 0) {
        this.sets[slot] = new Set(ids.subarray(at, at + size).map((id) => numbers[id] as number));
        this.members += size;
      }
      at += size;
    });
  }
}
