import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Column } from "../../data/column.ts";
import type { LogicalType } from "../../data/types.ts";
import type { Accumulator, Feed } from "./accumulator.ts";
import { HeldValues } from "./held-values.ts";

/** `min` and `max` by the total order (D-26): −0 = 0, NaN greatest, text by bytes. */
export class ExtremeAccumulator implements Accumulator {
  /** What a value's place against the one that is held must be for it to take over. */
  private readonly sign: number;
  private readonly held: HeldValues;

  constructor(fn: "min" | "max", type: LogicalType) {
    this.sign = fn === "max" ? 1 : -1;
    this.held = new HeldValues(type);
  }

  reserve(slots: number): void {
    this.held.reserve(slots);
  }

  add(feed: Feed): void {
    const { slots, count } = feed;
    const column = feed.column as Column;
    const { held, sign } = this;
    const { store } = held;
    for (let i = 0; i < count; i++) {
      const slot = slots[i] as number;
      if (!held.has(slot) || store.compare(column, i, slot) * sign > 0) held.set(slot, column, i);
    }
  }

  merge(into: number, from: number): void {
    const { held } = this;
    if (!held.has(from)) return;
    if (!held.has(into) || held.store.compareSlots(from, into) * this.sign > 0) held.copy(into, from);
  }

  clear(from: number, to: number): void {
    this.held.clear(from, to);
  }

  results(slots: Int32Array): Column {
    return this.held.column(slots);
  }

  save(slots: Int32Array): SnapshotValue {
    return this.held.save(slots);
  }

  load(saved: SnapshotValue, slots: Int32Array): void {
    this.held.load(saved, slots);
  }
}
