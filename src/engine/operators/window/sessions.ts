import { grownWords } from "../aggregates/accumulator.ts";
import type { Assignment } from "./assignment.ts";
import type { SlotOrder } from "./slot-order.ts";
import { EMITTED, PENDING, type SlotState, type Slots } from "./slots.ts";
import { Timers } from "./timers.ts";
import type { Pairs, Rows, Windows } from "./windows.ts";

/**
 * Session windows (A-23, D-28): a row opens [time, time + gap) and joins every session of its key that this touches, bounds included; sessions that
 * meet in it become one. A session [s, e) takes rows while W ≤ e, and fires when e < W.
 */
export class Sessions implements Windows {
  readonly perRow = 1;
  readonly single = true;
  private readonly gap: number;
  /** How long behind its end a session takes rows. */
  private readonly keepMs: number;
  private readonly slots: Slots;
  private readonly order: SlotOrder;
  private readonly state: SlotState;
  /** First session by key, and the next one of the same key by slot; 0: none. */
  private heads = new Int32Array(64);
  private next = new Int32Array(64);
  /** When a session fires, or when it has fired, ends for good. */
  private readonly timers = new Timers();
  /** Sessions that went into others during `assign`, in pairs (from, into), and for each the one that it is now. */
  private merged: number[] = [];
  private into = new Int32Array(64);
  private corrected: number[] = [];
  /** Those that `due` found to be over for good. */
  private over: number[] = [];
  /** When each session begins, from the first time on that some were given up: which are the oldest is asked for again then with every batch. */
  private oldest: Timers | undefined = undefined;

  constructor(gap: number, keepMs: number, slots: Slots, order: SlotOrder, state: SlotState) {
    this.gap = gap;
    this.keepMs = keepMs;
    this.slots = slots;
    this.order = order;
    this.state = state;
  }

  assign(rows: Rows, from: number, to: number, watermark: number, out: Assignment): void {
    if (this.heads.length < rows.keys) this.heads = grownWords(this.heads, 2 * rows.keys);
    let { count } = out;
    for (let row = from; row < to; row++) {
      const time = rows.times[row] as number;
      const slot = Number.isNaN(time) ? 0 : this.sessionOf(rows.ids[row] as number, time, watermark);
      if (slot === 0) {
        out.late(row);
        continue;
      }
      out.rows[count] = row;
      out.slots[count++] = slot;
    }
    out.count = count;
    this.resolve(out);
  }

  /** The session that the row is in now, or 0 when it is late. */
  private sessionOf(key: number, time: number, watermark: number): number {
    const { start, end } = this.slots;
    let from = time;
    let to = time + this.gap;
    let first = 0;
    let others = false;
    for (let slot = this.heads[key] as number; slot !== 0; slot = this.next[slot] as number) {
      if (time + this.gap < (start[slot] as number) || time > (end[slot] as number)) continue;
      from = Math.min(from, start[slot] as number);
      to = Math.max(to, end[slot] as number);
      others = first !== 0;
      if (first === 0) first = slot;
    }
    if (watermark > to + this.keepMs) return 0;
    if (first === 0) return this.open(key, from, to, watermark);
    if (others) this.absorb(first, time);
    this.extend(first, from, to, watermark);
    return first;
  }

  private open(key: number, start: number, end: number, watermark: number): number {
    const slot = this.link(key, start, end, PENDING);
    if (end < watermark) this.corrected.push(slot);
    else this.timers.set(slot, end);
    return slot;
  }

  private link(key: number, start: number, end: number, flags: number): number {
    const slot = this.slots.openOne(key, start, end, flags);
    if (slot >= this.next.length) {
      this.next = grownWords(this.next, 2 * slot);
      this.into = grownWords(this.into, 2 * slot);
    }
    this.next[slot] = this.heads[key] as number;
    this.heads[key] = slot;
    this.oldest?.set(slot, start);
    return slot;
  }

  private extend(slot: number, start: number, end: number, watermark: number): void {
    const { slots } = this;
    if (start !== slots.start[slot]) this.oldest?.set(slot, start);
    slots.start[slot] = start;
    slots.end[slot] = end;
    const pending = slots.has(slot, PENDING);
    slots.raise(slot, PENDING);
    if (end < watermark) {
      if (!pending) this.corrected.push(slot);
    } else if (!pending) this.timers.set(slot, end);
  }

  /** Takes all other sessions that the row touches into `first`. */
  private absorb(first: number, time: number): void {
    const { slots } = this;
    let before = first;
    for (let slot = this.next[first] as number; slot !== 0; slot = this.next[slot] as number) {
      if (time + this.gap < (slots.start[slot] as number) || time > (slots.end[slot] as number)) {
        before = slot;
        continue;
      }
      this.next[before] = this.next[slot] as number;
      if (slots.has(slot, EMITTED)) slots.raise(first, EMITTED);
      this.timers.cancel(slot);
      this.oldest?.cancel(slot);
      this.into[slot] = first;
      this.merged.push(slot, first);
    }
  }

  /** Pairs of sessions that went into others since go to those. */
  private resolve(out: Assignment): void {
    if (this.merged.length === 0) return;
    const { slots } = out;
    for (let i = 0; i < out.count; i++) {
      let slot = slots[i] as number;
      while ((this.into[slot] as number) !== 0) slot = this.into[slot] as number;
      slots[i] = slot;
    }
  }

  settle(): void {
    const { merged } = this;
    for (let i = 0; i < merged.length; i += 2) this.state.merge(merged[i + 1] as number, merged[i] as number);
    for (let i = 0; i < merged.length; i += 2) {
      this.into[merged[i] as number] = 0;
      this.slots.releaseBlock(merged[i] as number);
    }
    this.merged = [];
  }

  corrections(watermark: number): Int32Array {
    const { slots } = this;
    const found: number[] = [];
    for (const slot of new Set(this.corrected)) {
      if (!slots.isOpen(slot) || !slots.has(slot, PENDING)) continue;
      const end = slots.end[slot] as number;
      if (end < watermark) found.push(slot);
      this.timers.set(slot, end < watermark ? end + this.keepMs : end);
    }
    this.corrected = [];
    return this.order.byStartAndKey(Int32Array.from(found));
  }

  due(watermark: number): Int32Array {
    const { slots } = this;
    const found: number[] = [];
    const kept: number[] = [];
    for (let slot = this.timers.takeBefore(watermark); slot !== 0; slot = this.timers.takeBefore(watermark)) {
      const end = slots.end[slot] as number;
      const isPending = slots.has(slot, PENDING);
      if (isPending && end >= watermark) {
        this.timers.set(slot, end);
        continue;
      }
      if (isPending) found.push(slot);
      if (end + this.keepMs < watermark) this.over.push(slot);
      else kept.push(slot);
    }
    for (const slot of kept) this.timers.set(slot, (slots.end[slot] as number) + this.keepMs);
    return this.order.byStartAndKey(Int32Array.from(found));
  }

  expire(): void {
    for (const slot of this.over) this.remove(slot);
    this.over = [];
  }

  private remove(slot: number): void {
    const key = this.slots.keyOf(slot);
    if (this.heads[key] === slot) this.heads[key] = this.next[slot] as number;
    else {
      let before = this.heads[key] as number;
      while (this.next[before] !== slot) before = this.next[before] as number;
      this.next[before] = this.next[slot] as number;
    }
    this.timers.cancel(slot);
    this.oldest?.cancel(slot);
    this.slots.releaseBlock(slot);
  }

  get pairs(): number {
    return this.slots.live;
  }

  evict(limit: number, spared: number): number {
    const { start } = this.slots;
    const touched = this.slots.touched();
    const oldest = this.oldest ?? this.startOldest();
    const excess = this.slots.live - limit;
    const doomed: number[] = [];
    const kept: number[] = [];
    /** Takes sessions that begin before then, until there are enough. */
    const take = (before: number, enough: number): void => {
      while (doomed.length < enough) {
        const slot = oldest.takeBefore(before);
        if (slot === 0) return;
        (touched[slot] === spared ? kept : doomed).push(slot);
      }
    };
    take(Number.POSITIVE_INFINITY, excess);
    if (doomed.length === excess) {
      // Of those that begin with the last one, the first by key.
      const last = start[doomed.at(-1) as number] as number;
      take(last + 1, Number.POSITIVE_INFINITY);
      const from = doomed.findIndex((slot) => start[slot] === last);
      const ties = this.order.byKey(Int32Array.from(doomed.splice(from)));
      for (const slot of ties) (doomed.length < excess ? doomed : kept).push(slot);
    }
    for (const slot of doomed) this.remove(slot);
    for (const slot of kept) oldest.set(slot, start[slot] as number);
    return doomed.length;
  }

  private startOldest(): Timers {
    const oldest = new Timers();
    for (const slot of this.slots.all()) oldest.set(slot, this.slots.start[slot] as number);
    this.oldest = oldest;
    return oldest;
  }

  clear(): void {
    for (const slot of this.slots.all()) this.slots.releaseBlock(slot);
    this.heads.fill(0);
    this.timers.clear();
    this.oldest = undefined;
    this.over = [];
    this.corrected = [];
  }

  place({ key, start, end, flags }: Pairs, keys: number, _watermark: number): Int32Array {
    if (this.heads.length < keys) this.heads = new Int32Array(2 * keys);
    return key.map((id, i) => {
      const until = end[i] as number;
      const slot = this.link(id, start[i] as number, until, flags[i] as number);
      this.timers.set(slot, this.slots.has(slot, PENDING) ? until : until + this.keepMs);
      return slot;
    });
  }
}
