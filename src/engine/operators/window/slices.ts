import type { Grid } from "./assigner.ts";
import type { Assignment } from "./assignment.ts";
import { Pane } from "./pane.ts";
import { joined, Panes } from "./panes.ts";
import type { SlotOrder } from "./slot-order.ts";
import type { SlotState, Slots } from "./slots.ts";
import type { Pairs, Rows, Windows } from "./windows.ts";

const NONE = new Int32Array(0);
/** No batch has this number. */
const UNTOUCHED = -1;

/** Whether windows are made of whole slides, several of them. */
export const isSliced = ({ size, slide }: Grid): boolean => slide < size && size % slide === 0;

/**
 * Sliding windows that are made of whole slides. A row goes into one slice, as long as a slide, and not into every window that it is in: a window is
 * put together of its slices when it fires, and leaves nothing behind. A row that is late for some of its windows counts in the others, because those
 * have fired before (D-20).
 *
 * Where windows take rows after that, or where there are so many pairs of windows and keys that some may have to go, each window is kept by itself.
 */
export class Slices implements Windows {
  readonly perRow: number;
  private readonly grid: Grid;
  private readonly slots: Slots;
  private readonly order: SlotOrder;
  private readonly state: SlotState;
  private readonly slices: Panes;
  private readonly whole: Panes;
  /** Whether windows are kept by themselves: from now on. */
  private split: boolean;
  /** Up to when windows have fired. */
  private fired = Number.NEGATIVE_INFINITY;
  /** What fired, until it is told. */
  private told: Pane[] = [];

  /** @param keepMs as Panes */
  constructor(grid: Grid, keepMs: number, split: boolean, slots: Slots, order: SlotOrder, state: SlotState) {
    const { size, slide, offset } = grid;
    this.grid = grid;
    this.slots = slots;
    this.order = order;
    this.state = state;
    // A slice takes rows as long as its last window does.
    this.slices = new Panes({ size: slide, slide, offset }, size - slide - 1, slots, order, false);
    this.whole = new Panes(grid, keepMs, slots, order);
    this.perRow = this.whole.perRow;
    this.split = split;
  }

  get single(): boolean {
    return !this.split;
  }

  /** At most so many: a key may be in some slices of a window alone. */
  get pairs(): number {
    return this.split ? this.whole.pairs : this.slots.live * this.perRow;
  }

  private get open(): Panes {
    return this.split ? this.whole : this.slices;
  }

  assign(rows: Rows, from: number, to: number, watermark: number, out: Assignment): void {
    this.open.assign(rows, from, to, watermark, out);
  }

  settle(): void {}

  corrections(): Int32Array {
    return this.split ? this.whole.corrections() : NONE;
  }

  due(watermark: number): Int32Array {
    if (this.split) return this.whole.due(watermark);
    const parts: Int32Array[] = [];
    for (const start of this.starts(watermark)) {
      const pane = this.put(start, new Pane(start, start + this.grid.size, true, this.slots));
      this.told.push(pane);
      parts.push(this.order.byKey(pane.all()));
    }
    this.fired = watermark;
    return joined(parts);
  }

  /** Starts of the windows with rows that have not fired and end by `until`. */
  private starts(until: number): number[] {
    const { size, slide } = this.grid;
    const starts: number[] = [];
    let next = Number.NEGATIVE_INFINITY;
    for (const { start: slice } of this.slices.all) {
      // Those of the slice, but for what an earlier one had.
      for (let start = Math.max(next, slice - size + slide); start <= slice; start += slide) {
        next = start + slide;
        if (start + size <= this.fired) continue;
        if (start + size > until) return starts;
        starts.push(start);
      }
    }
    return starts;
  }

  /** Puts what the slices of a window hold into its pane. */
  private put(from: number, pane: Pane): Pane {
    for (const slice of this.slices.all) {
      if (slice.start >= from + this.grid.size) break;
      if (slice.start < from) continue;
      pane.cover(slice.keys);
      for (const slot of slice.all()) this.state.merge(pane.slotOf(this.slots.keyOf(slot)), slot);
    }
    return pane;
  }

  expire(watermark: number): void {
    for (const pane of this.told) pane.release();
    this.told = [];
    this.open.expire(watermark);
  }

  evict(limit: number, spared: number): number {
    if (!this.split) this.splitUp(spared);
    return this.whole.evict(limit, spared);
  }

  /** Keeps windows by themselves from now on. What batch `touching` touched keeps that mark. */
  private splitUp(touching: number): void {
    for (const start of this.starts(Number.POSITIVE_INFINITY)) this.put(start, this.whole.paneOf(start, this.fired));
    const touched = this.slots.touched();
    for (const slice of this.slices.all) {
      for (const slot of slice.all()) {
        if (touched[slot] !== touching) continue;
        for (const pane of this.whole.all) {
          if (pane.start <= slice.start && pane.end > slice.start) {
            touched[pane.slotOf(this.slots.keyOf(slot))] = touching;
          }
        }
      }
    }
    this.slices.clear();
    this.split = true;
  }

  clear(): void {
    this.slices.clear();
    this.whole.clear();
  }

  place(pairs: Pairs, keys: number, watermark: number): Int32Array {
    this.fired = watermark;
    const length = pairs.key.length === 0 ? 0 : (pairs.end[0] as number) - (pairs.start[0] as number);
    if (length !== this.grid.size) return this.slices.place(pairs, keys, watermark);
    this.split = true;
    return this.whole.place(pairs, keys, watermark);
  }

  /** A slice does not tell for which keys its windows have fired. */
  standApart(): void {
    this.splitUp(UNTOUCHED);
  }
}
