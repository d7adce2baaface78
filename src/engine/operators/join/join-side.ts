import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Schema } from "../../data/schema.ts";
import { loadBatch, saveBatch } from "../../state/batch-snapshot.ts";
import { grownNumbers, grownWords } from "../aggregates/accumulator.ts";
import { RowPool } from "../row-pool.ts";
import { Timers } from "../window/timers.ts";

/** Dead rows are forgotten when they are most of a pool, but not for a few. */
const FEW_ROWS = 4096;

/** Rows of one side that wait for partners: by key in order of time, in columns by slot. Slot 0 is none. */
export class JoinSide {
  readonly pool: RowPool;
  private readonly schema: Schema;
  time = new Float64Array(64);
  key = new Int32Array(64).fill(-1);
  /** Number in the pool. */
  row = new Int32Array(64);
  /** 1: had a partner. */
  matched = new Int32Array(64);
  live = 0;
  private next = new Int32Array(64);
  private before = new Int32Array(64);
  private used = 1;
  private readonly free: number[] = [];
  private heads = new Int32Array(64);
  private tails = new Int32Array(64);
  private counts = new Int32Array(64);
  private readonly timers = new Timers();

  constructor(schema: Schema) {
    this.schema = schema;
    this.pool = new RowPool(schema);
  }

  /** There are so many keys from now on. */
  cover(keys: number): void {
    if (keys <= this.heads.length) return;
    this.heads = grownWords(this.heads, 2 * keys);
    this.tails = grownWords(this.tails, 2 * keys);
    this.counts = grownWords(this.counts, 2 * keys);
  }

  countOf(key: number): number {
    return this.counts[key] as number;
  }

  /** The one with the least time; of several the one that came first. */
  oldest(key: number): number {
    return this.heads[key] as number;
  }

  insert(key: number, time: number, row: number, matched: number): void {
    const slot = this.free.pop() ?? this.used++;
    if (slot === this.key.length) this.grow();
    this.time[slot] = time;
    this.key[slot] = key;
    this.row[slot] = row;
    this.matched[slot] = matched;
    // Rows mostly come in order of time, so the place is near the end.
    let after = this.tails[key] as number;
    while (after !== 0 && (this.time[after] as number) > time) after = this.before[after] as number;
    const next = after === 0 ? (this.heads[key] as number) : (this.next[after] as number);
    this.link(key, after, slot);
    this.link(key, slot, next);
    this.counts[key] = this.countOf(key) + 1;
    this.live++;
    this.timers.set(slot, time);
  }

  private link(key: number, slot: number, next: number): void {
    if (slot === 0) this.heads[key] = next;
    else this.next[slot] = next;
    if (next === 0) this.tails[key] = slot;
    else this.before[next] = slot;
  }

  remove(slot: number): void {
    const key = this.key[slot] as number;
    this.link(key, this.before[slot] as number, this.next[slot] as number);
    this.counts[key] = this.countOf(key) - 1;
    this.key[slot] = -1;
    this.live--;
    this.timers.cancel(slot);
    this.free.push(slot);
  }

  /** Slots of the key with a time in [from, to], by time, into `out`; answers how many. */
  find(key: number, from: number, to: number, out: number[]): number {
    let count = 0;
    for (let slot = this.tails[key] as number; slot !== 0; slot = this.before[slot] as number) {
      const time = this.time[slot] as number;
      if (time < from) break;
      if (time <= to) out[count++] = slot;
    }
    for (let a = 0, b = count - 1; a < b; a++, b--) {
      const slot = out[a] as number;
      out[a] = out[b] as number;
      out[b] = slot;
    }
    return count;
  }

  /** A slot whose time is before `time`, oldest first, to be removed by the caller; 0: none. */
  takeBefore(time: number): number {
    return this.timers.takeBefore(time);
  }

  private grow(): void {
    const slots = 2 * this.key.length;
    this.time = grownNumbers(this.time, slots);
    this.key = grownWords(this.key, slots).fill(-1, slots / 2);
    this.row = grownWords(this.row, slots);
    this.matched = grownWords(this.matched, slots);
    this.next = grownWords(this.next, slots);
    this.before = grownWords(this.before, slots);
  }

  /** All slots, by number in the pool. */
  private all(): Int32Array {
    // Rows in the pool have one slot each.
    const slotOf = new Int32Array(this.pool.size);
    for (let slot = 1; slot < this.used; slot++) {
      if ((this.key[slot] as number) >= 0) slotOf[this.row[slot] as number] = slot;
    }
    return slotOf.filter((slot) => slot !== 0);
  }

  forgetRows(always = false): void {
    if (!always && (this.pool.size <= FEW_ROWS || this.pool.size <= 2 * this.live)) return;
    const slots = this.all();
    this.pool.compact(slots.map((slot) => this.row[slot] as number));
    slots.forEach((slot, row) => {
      this.row[slot] = row;
    });
  }

  /** Calls back with every key that has rows, and gives it the number that is answered. */
  renumber(keys: number, numberOf: (key: number) => number): void {
    const slots = this.all();
    const saved = slots.map((slot) => numberOf(this.key[slot] as number));
    const heads = new Int32Array(Math.max(64, 2 * keys));
    const tails = new Int32Array(heads.length);
    const counts = new Int32Array(heads.length);
    slots.forEach((slot, i) => {
      const old = this.key[slot] as number;
      const key = saved[i] as number;
      heads[key] = this.heads[old] as number;
      tails[key] = this.tails[old] as number;
      counts[key] = this.countOf(old);
    });
    slots.forEach((slot, i) => {
      this.key[slot] = saved[i] as number;
    });
    this.heads = heads;
    this.tails = tails;
    this.counts = counts;
  }

  save(): SnapshotValue {
    this.forgetRows(true);
    const slots = this.all();
    return {
      rows: slots.length === 0 ? null : saveBatch(this.pool.take(Int32Array.from(slots, (_, row) => row))),
      time: Float64Array.from(slots, (slot) => this.time[slot] as number),
      key: slots.map((slot) => this.key[slot] as number),
      matched: slots.map((slot) => this.matched[slot] as number),
    };
  }

  /** Into an empty side that covers the keys. */
  load(saved: SnapshotValue): void {
    const { rows, time, key, matched } = saved as { readonly [key: string]: SnapshotValue };
    assert(
      rows !== undefined && time instanceof Float64Array && key instanceof Int32Array && matched instanceof Int32Array,
      "a saved side of a join",
    );
    if (rows !== null) this.pool.add(loadBatch(rows, this.schema));
    for (let row = 0; row < key.length; row++) {
      this.insert(key[row] as number, time[row] as number, row, matched[row] as number);
    }
  }
}
