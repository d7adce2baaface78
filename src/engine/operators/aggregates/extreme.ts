import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Column } from "../../data/column.ts";
import type { LogicalType } from "../../data/types.ts";
import type { KernelHeap } from "../../data/wasm/kernel-heap.ts";
import type { Accumulator } from "./accumulator.ts";
import type { Feed } from "./feed.ts";
import { HeldValues } from "./held-values.ts";
import { NumberValues, WordValues } from "./value-store.ts";

/** `min` and `max` by the total order (D-26): −0 = 0, NaN greatest, text by bytes. */
export class ExtremeAccumulator implements Accumulator {
  readonly inParts = true;
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

  add(feed: Feed, from: number, to: number): void {
    if (feed.heap !== undefined && this.addByKernel(feed, feed.heap, from, to)) return;
    const { slots } = feed;
    const column = feed.column as Column;
    const { held, sign } = this;
    const { store } = held;
    for (let i = from; i < to; i++) {
      const slot = slots[i] as number;
      if (!held.has(slot) || store.compare(column, i, slot) * sign > 0) held.set(slot, column, i);
    }
  }

  /** False where there is no kernel for the type. */
  private addByKernel(feed: Feed, { kernels }: KernelHeap, from: number, to: number): boolean {
    const by = feed.slots.byteOffset + 4 * from;
    const { store, address } = this.held;
    const max = this.sign > 0 ? 1 : 0;
    if (store instanceof NumberValues) {
      const values = feed.numbers().byteOffset + 8 * from;
      kernels.extremeNumbers(by, values, max, to - from, address, store.values.byteOffset);
      return true;
    }
    if (!(store instanceof WordValues) || store.size !== 2) return false;
    const flip = store.signed ? 0 : 0x80000000;
    const values = feed.longs().byteOffset + 8 * from;
    kernels.extremeLongs(by, values, max, flip, to - from, address, store.words.byteOffset);
    return true;
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
