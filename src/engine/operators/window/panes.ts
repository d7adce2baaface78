import { grownWords } from "../aggregates/accumulator.ts";
import { type Grid, type Stretch, stretchAt, windowsPerRow } from "./assigner.ts";
import type { Assignment } from "./assignment.ts";
import type { SlotOrder } from "./slot-order.ts";
import { SlotPages } from "./slot-pages.ts";
import { PENDING, type Slots } from "./slots.ts";
import type { Rows, Windows } from "./windows.ts";

const NONE = new Int32Array(0);

/** One window that is open: its slots by key and in a list. */
class Pane {
  readonly start: number;
  readonly end: number;
  /** Whether time has passed its end; what comes now is a correction. */
  fired: boolean;
  pages: Int32Array = new Int32Array(0);
  private list = new Int32Array(16);
  private count = 0;

  constructor(start: number, end: number, fired: boolean) {
    this.start = start;
    this.end = end;
    this.fired = fired;
  }

  push(slot: number): void {
    if (this.count === this.list.length) this.list = grownWords(this.list, 2 * this.count);
    this.list[this.count++] = slot;
  }

  get slots(): Int32Array {
    return this.list.subarray(0, this.count);
  }

  keep(slots: Int32Array): void {
    this.list.set(slots);
    this.count = slots.length;
  }
}

/** Tumbling and sliding windows: open from their first row until no row can come to them any more. */
export class Panes implements Windows {
  readonly perRow: number;
  private readonly grid: Grid;
  /** How long behind its end a window takes rows; −1: it takes none from its end on. */
  private readonly keepMs: number;
  private readonly slots: Slots;
  private readonly order: SlotOrder;
  private readonly pages = new SlotPages();
  private readonly byStart = new Map<number, Pane>();
  /** By start. */
  private open: Pane[] = [];
  private corrected: number[] = [];

  constructor(grid: Grid, keepMs: number, slots: Slots, order: SlotOrder) {
    this.grid = grid;
    this.perRow = windowsPerRow(grid);
    this.keepMs = keepMs;
    this.slots = slots;
    this.order = order;
  }

  assign(rows: Rows, from: number, to: number, watermark: number, out: Assignment): void {
    if (this.perRow === 1) this.assignOne(rows, from, to, watermark, out);
    else this.assignMany(rows, from, to, watermark, out);
  }

  private assignOne(rows: Rows, from: number, to: number, watermark: number, out: Assignment): void {
    const { times } = rows;
    for (let row = from; row < to; ) {
      const time = times[row] as number;
      const stretch = stretchAt(this.grid, time);
      const { from: start, to: end } = stretch;
      const first = row++;
      // Rows of one window mostly come together: loops over a run of them have little to decide.
      while (row < to && (times[row] as number) >= start && (times[row] as number) < end) row++;
      const pane = this.paneAt(stretch.last, watermark, rows.keys);
      if (pane !== undefined) this.assignRun(rows, first, row, pane, out);
      else for (let late = first; late < row; late++) out.late(late);
    }
  }

  /** Gives rows [from, to) their slots in one window. */
  private assignRun({ ids }: Rows, from: number, to: number, pane: Pane, out: Assignment): void {
    const { rows: outRows, slots: outSlots, count } = out;
    const { pages } = pane;
    let { pool } = this.pages;
    for (let row = from, at = count; row < to; row++, at++) {
      const id = ids[row] as number;
      let slot = pool[((pages[id >> 8] as number) << 8) | (id & 255)] as number;
      if (slot === 0) {
        slot = this.openSlot(pane, id);
        pool = this.pages.pool;
      }
      outRows[at] = row;
      outSlots[at] = slot;
    }
    out.count = count + to - from;
    if (pane.fired) for (let at = count; at < out.count; at++) this.correct(outSlots[at] as number);
  }

  private assignMany(rows: Rows, from: number, to: number, watermark: number, out: Assignment): void {
    const { ids, times } = rows;
    const { rows: outRows, slots: outSlots } = out;
    let { count } = out;
    let panes: Pane[] = [];
    let stretch: Stretch | undefined;
    for (let row = from; row < to; row++) {
      const time = times[row] as number;
      if (stretch === undefined || !(time >= stretch.from && time < stretch.to)) {
        stretch = stretchAt(this.grid, time);
        panes = this.panesIn(stretch, watermark, rows.keys);
      }
      if (panes.length === 0) out.late(row);
      const id = ids[row] as number;
      for (const pane of panes) {
        const slot = this.pages.get(pane.pages, id) || this.openSlot(pane, id);
        if (pane.fired) this.correct(slot);
        outRows[count] = row;
        outSlots[count++] = slot;
      }
    }
    out.count = count;
  }

  /** The windows of a stretch that still take rows. */
  private panesIn({ first, last }: Stretch, watermark: number, keys: number): Pane[] {
    const panes: Pane[] = [];
    for (let start = first; start <= last; start += this.grid.slide) {
      const pane = this.paneAt(start, watermark, keys);
      if (pane !== undefined) panes.push(pane);
    }
    return panes;
  }

  /** The window, opened if need be; `undefined` when it takes no more rows, or when there is no time. */
  private paneAt(start: number, watermark: number, keys: number): Pane | undefined {
    const end = start + this.grid.size;
    if (!(watermark <= end + this.keepMs)) return undefined;
    const pane = this.byStart.get(start) ?? this.openPane(start, watermark);
    pane.pages = this.pages.cover(pane.pages, keys);
    return pane;
  }

  private openPane(start: number, watermark: number): Pane {
    const end = start + this.grid.size;
    const pane = new Pane(start, end, end <= watermark);
    this.byStart.set(start, pane);
    let place = this.open.length;
    while (place > 0 && (this.open[place - 1] as Pane).start > start) place--;
    this.open.splice(place, 0, pane);
    return pane;
  }

  private openSlot(pane: Pane, key: number): number {
    const slot = this.slots.open(key, pane.start, pane.end, 0);
    this.pages.set(pane.pages, key, slot);
    pane.push(slot);
    return slot;
  }

  private correct(slot: number): void {
    if (this.slots.has(slot, PENDING)) return;
    this.slots.raise(slot, PENDING);
    this.corrected.push(slot);
  }

  settle(): void {}

  corrections(): Int32Array {
    if (this.corrected.length === 0) return NONE;
    const { key } = this.slots;
    const slots = this.corrected.filter((slot) => (key[slot] as number) >= 0 && this.slots.has(slot, PENDING));
    this.corrected = [];
    return this.order.byStartAndKey(Int32Array.from(slots));
  }

  due(watermark: number): Int32Array {
    const parts: Int32Array[] = [];
    for (const pane of this.open) {
      if (pane.end > watermark) break;
      if (pane.fired) continue;
      pane.fired = true;
      parts.push(this.order.byKey(pane.slots));
    }
    const slots = new Int32Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      slots.set(part, at);
      at += part.length;
    }
    return slots;
  }

  expire(watermark: number): void {
    let gone = 0;
    for (const pane of this.open) {
      if (watermark <= pane.end + this.keepMs) break;
      for (const slot of pane.slots) this.slots.close(slot);
      this.drop(pane);
      gone++;
    }
    this.open.splice(0, gone);
  }

  private drop(pane: Pane): void {
    this.pages.release(pane.pages);
    this.byStart.delete(pane.start);
  }

  evict(excess: number, spared: number): number {
    const { touched } = this.slots;
    let left = excess;
    for (const pane of this.open) {
      if (left === 0) break;
      const kept = pane.slots.filter((slot) => touched[slot] === spared);
      const others = pane.slots.filter((slot) => touched[slot] !== spared);
      const doomed = others.length <= left ? others : this.order.byKey(others).subarray(0, left);
      const gone = new Set(doomed);
      for (const slot of doomed) {
        this.pages.set(pane.pages, this.slots.key[slot] as number, 0);
        this.slots.close(slot);
      }
      left -= doomed.length;
      pane.keep(Int32Array.from([...kept, ...others.filter((slot) => !gone.has(slot))]));
    }
    this.open = this.open.filter((pane) => {
      if (pane.slots.length > 0) return true;
      this.drop(pane);
      return false;
    });
    return excess - left;
  }

  rebuild(keys: number, watermark: number): void {
    for (const pane of this.open) this.drop(pane);
    this.open = [];
    for (const slot of this.slots.all()) {
      const start = this.slots.start[slot] as number;
      const pane = this.byStart.get(start) ?? this.openPane(start, watermark);
      pane.pages = this.pages.cover(pane.pages, keys);
      this.pages.set(pane.pages, this.slots.key[slot] as number, slot);
      pane.push(slot);
    }
  }
}
