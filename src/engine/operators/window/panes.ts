import { type Grid, type Stretch, stretchAt, windowsPerRow } from "./assigner.ts";
import type { Assignment } from "./assignment.ts";
import { Pane } from "./pane.ts";
import type { SlotOrder } from "./slot-order.ts";
import { PENDING, type Slots } from "./slots.ts";
import type { Pairs, Rows, Windows } from "./windows.ts";

const NONE = new Int32Array(0);

/** Tumbling and sliding windows: open from their first row until no row can come to them any more. */
export class Panes implements Windows {
  readonly perRow: number;
  private readonly grid: Grid;
  /** How long behind its end a window takes rows; −1: it takes none from its end on. */
  private readonly keepMs: number;
  private readonly slots: Slots;
  private readonly order: SlotOrder;
  private readonly tells: boolean;
  private readonly byStart = new Map<number, Pane>();
  /** By start. */
  private open: Pane[] = [];
  private corrected: number[] = [];

  /** @param tells each of them has a result, which a row behind its end corrects */
  constructor(grid: Grid, keepMs: number, slots: Slots, order: SlotOrder, tells = true) {
    this.grid = grid;
    this.perRow = windowsPerRow(grid);
    this.keepMs = keepMs;
    this.slots = slots;
    this.order = order;
    this.tells = tells;
  }

  get single(): boolean {
    return this.perRow === 1;
  }

  get pairs(): number {
    return this.slots.live;
  }

  /** Those that are open, by start. */
  get all(): readonly Pane[] {
    return this.open;
  }

  assign(rows: Rows, from: number, to: number, watermark: number, out: Assignment): void {
    if (this.perRow === 1) this.assignOne(rows, from, to, watermark, out);
    else this.assignMany(rows, from, to, watermark, out);
  }

  private assignOne({ times, ids, keys }: Rows, from: number, to: number, watermark: number, out: Assignment): void {
    for (let first = from; first < to; ) {
      const { from: start, to: end, last } = stretchAt(this.grid, times[first] as number);
      const next = endOfRun(times, first + 1, to, start, end);
      const pane = this.paneAt(last, watermark, keys);
      if (pane === undefined) out.allLate(first, next);
      else {
        const { count } = out;
        pane.slotsOf(ids, first, next, out.slots, count);
        out.addRows(first, next);
        if (pane.fired) for (let at = count; at < out.count; at++) this.correct(out.slots[at] as number);
      }
      first = next;
    }
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
        const slot = pane.slotOf(id);
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
    const pane = this.paneOf(start, watermark);
    pane.cover(keys);
    return pane;
  }

  /** The window, opened if need be. */
  paneOf(start: number, watermark: number): Pane {
    return this.byStart.get(start) ?? this.openPane(start, watermark);
  }

  private openPane(start: number, watermark: number): Pane {
    const end = start + this.grid.size;
    const pane = new Pane(start, end, this.tells && end <= watermark, this.slots);
    this.byStart.set(start, pane);
    let place = this.open.length;
    while (place > 0 && (this.open[place - 1] as Pane).start > start) place--;
    this.open.splice(place, 0, pane);
    return pane;
  }

  private correct(slot: number): void {
    if (this.slots.has(slot, PENDING)) return;
    this.slots.raise(slot, PENDING);
    this.corrected.push(slot);
  }

  settle(): void {}

  corrections(): Int32Array {
    if (this.corrected.length === 0) return NONE;
    const slots = this.corrected.filter((slot) => this.slots.isOpen(slot) && this.slots.has(slot, PENDING));
    this.corrected = [];
    return this.order.byStartAndKey(Int32Array.from(slots));
  }

  due(watermark: number): Int32Array {
    const parts: Int32Array[] = [];
    for (const pane of this.open) {
      if (pane.end > watermark) break;
      if (pane.fired) continue;
      pane.fired = true;
      parts.push(this.order.byKey(pane.all()));
    }
    return joined(parts);
  }

  expire(watermark: number): void {
    let gone = 0;
    for (const pane of this.open) {
      if (watermark <= pane.end + this.keepMs) break;
      this.drop(pane);
      gone++;
    }
    this.open.splice(0, gone);
  }

  private drop(pane: Pane): void {
    pane.release();
    this.byStart.delete(pane.start);
  }

  evict(limit: number, spared: number): number {
    const touched = this.slots.touched();
    const excess = Math.max(0, this.slots.live - limit);
    let left = excess;
    for (const pane of this.open) {
      if (left === 0) break;
      const others = pane.all().filter((slot) => touched[slot] !== spared);
      const doomed = others.length <= left ? others : this.order.byKey(others).subarray(0, left);
      pane.close(doomed);
      left -= doomed.length;
    }
    this.open = this.open.filter((pane) => {
      if (pane.count > 0) return true;
      this.drop(pane);
      return false;
    });
    return excess - left;
  }

  clear(): void {
    for (const pane of this.open) this.drop(pane);
    this.open = [];
    this.corrected = [];
  }

  place({ key, start, flags }: Pairs, keys: number, watermark: number): Int32Array {
    return key.map((id, i) => {
      const pane = this.paneOf(start[i] as number, watermark);
      pane.cover(keys);
      return pane.open(id, flags[i] as number);
    });
  }
}

/** Where rows of one window end: they mostly come together, so loops over a run of them have little to decide. */
export function endOfRun(times: Float64Array, from: number, to: number, start: number, end: number): number {
  let row = from;
  for (; row + 4 <= to; row += 4) {
    const a = times[row] as number;
    const b = times[row + 1] as number;
    const c = times[row + 2] as number;
    const d = times[row + 3] as number;
    if (!(a >= start && a < end && b >= start && b < end && c >= start && c < end && d >= start && d < end)) break;
  }
  while (row < to && (times[row] as number) >= start && (times[row] as number) < end) row++;
  return row;
}

export function joined(parts: readonly Int32Array[]): Int32Array {
  const [first = NONE, ...more] = parts;
  if (more.length === 0) return first;
  const all = new Int32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
