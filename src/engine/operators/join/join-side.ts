import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Batch } from "../../data/batch.ts";
import type { Schema } from "../../data/schema.ts";
import { loadBatch, saveBatch } from "../../state/batch-snapshot.ts";
import { grownWords } from "../aggregates/accumulator.ts";
import { RowPool } from "../row-pool.ts";
import { TimeRuns } from "./time-runs.ts";

/** Dead rows are forgotten when all but one of so many of a pool are dead, but not for a few. */
const DEAD_SHARE = 4;
const FEW_ROWS = 4096;
/** Room for more rows is given back when few are left. */
const MANY_ROWS = 1 << 16;

/**
 * Rows of one side that wait for partners. A row has its number in the pool, and by that number its key, and its neighbours among those of its key, in
 * order of time. Links are numbers + 1; 0 is none.
 */
export class JoinSide {
  readonly pool: RowPool;
  private readonly schema: Schema;
  /** −1: nobody waits for it any more. */
  private key: Int32Array = new Int32Array(64);
  /** 1: had a partner. */
  matched = new Uint8Array(64);
  private next: Int32Array = new Int32Array(64);
  private before: Int32Array = new Int32Array(64);
  /** While rows are forgotten: by link of a row that stays its new one. */
  private links: Int32Array = new Int32Array(64);
  /** By key. */
  private heads: Int32Array = new Int32Array(64);
  private tails: Int32Array = new Int32Array(64);
  private counts: Int32Array = new Int32Array(64);
  /** While keys are renumbered: for the array that is next. */
  private spare: Int32Array = new Int32Array(0);
  live = 0;
  private readonly runs = new TimeRuns();

  constructor(schema: Schema) {
    this.schema = schema;
    this.pool = new RowPool(schema);
  }

  /** Event times by number of the row. */
  get times(): Float64Array {
    return this.pool.eventTimes ?? new Float64Array(0);
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
    return (this.heads[key] as number) - 1;
  }

  /** Rows with event times, which nobody waits for yet. Answers the number of the first one. */
  add(batch: Batch): number {
    const first = this.pool.add(batch);
    const { size } = this.pool;
    if (size > this.key.length) this.grow(2 * size);
    this.key.fill(-1, first, size);
    this.runs.add(first, size - first, this.times);
    return first;
  }

  private grow(rows: number): void {
    this.key = grownWords(this.key, rows);
    this.next = grownWords(this.next, rows);
    this.before = grownWords(this.before, rows);
    const matched = new Uint8Array(rows);
    matched.set(this.matched);
    this.matched = matched;
  }

  /** The row waits for partners from now on. */
  insert(key: number, row: number, matched: number): void {
    const { times } = this;
    const time = times[row] as number;
    this.key[row] = key;
    this.matched[row] = matched;
    // Rows mostly come in order of time, so the place is near the end.
    let after = this.tails[key] as number;
    while (after !== 0 && (times[after - 1] as number) > time) after = this.before[after - 1] as number;
    const next = after === 0 ? (this.heads[key] as number) : (this.next[after - 1] as number);
    this.link(key, after, row + 1);
    this.link(key, row + 1, next);
    this.counts[key] = this.countOf(key) + 1;
    this.live++;
  }

  private link(key: number, link: number, next: number): void {
    if (link === 0) this.heads[key] = next;
    else this.next[link - 1] = next;
    if (next === 0) this.tails[key] = link;
    else this.before[next - 1] = link;
  }

  remove(row: number): void {
    const key = this.key[row] as number;
    this.link(key, this.before[row] as number, this.next[row] as number);
    this.counts[key] = this.countOf(key) - 1;
    this.key[row] = -1;
    this.live--;
  }

  /** Rows of the key with a time in [from, to], by time, into `out`; answers how many. */
  find(key: number, from: number, to: number, out: number[]): number {
    let link = this.tails[key] as number;
    if (link === 0) return 0;
    const { times, before } = this;
    let count = 0;
    for (; link !== 0; link = before[link - 1] as number) {
      const time = times[link - 1] as number;
      if (time < from) break;
      if (time <= to) out[count++] = link - 1;
    }
    for (let a = 0, b = count - 1; a < b; a++, b--) {
      const row = out[a] as number;
      out[a] = out[b] as number;
      out[b] = row;
    }
    return count;
  }

  /** Rows that wait, and whose time is before `limit`, wait no more. Answers those of them that had no partner, if somebody asks. */
  removeBefore(limit: number, asks: boolean): number[] {
    const alone: number[] = [];
    this.runs.takeBefore(limit, this.times, (row) => {
      if ((this.key[row] as number) < 0) return;
      if (asks && this.matched[row] === 0) alone.push(row);
      this.remove(row);
    });
    return alone;
  }

  forgetRows(always = false): void {
    const { size } = this.pool;
    if (!always && (size <= FEW_ROWS || size <= DEAD_SHARE * this.live)) return;
    const live = new Int32Array(this.live);
    if (this.links.length <= size) this.links = new Int32Array(2 * size);
    const { key, matched, next, before, links } = this;
    let count = 0;
    for (let row = 0; row < size; row++) {
      if ((key[row] as number) < 0) continue;
      live[count++] = row;
      links[row + 1] = count;
    }
    this.pool.compact(live);
    this.runs.clear();
    // In place: a row only moves to where an earlier one was.
    for (let row = 0; row < count; row++) {
      const old = live[row] as number;
      const id = key[old] as number;
      key[row] = id;
      matched[row] = matched[old] as number;
      next[row] = links[next[old] as number] as number;
      before[row] = links[before[old] as number] as number;
      if (before[row] === 0) this.heads[id] = row + 1;
      if (next[row] === 0) this.tails[id] = row + 1;
    }
    if (key.length > MANY_ROWS && key.length > 8 * count) this.shrink(Math.max(64, 2 * count));
    this.runs.add(0, count, this.times);
  }

  private shrink(rows: number): void {
    this.key = this.key.slice(0, rows);
    this.next = this.next.slice(0, rows);
    this.before = this.before.slice(0, rows);
    this.matched = this.matched.slice(0, rows);
    this.links = new Int32Array(64);
  }

  /** Gives numbers 0, 1, 2… to keys that have rows and no number yet, in the order of their rows. `numbers` has −1 for none, `found` the keys. */
  numberKeys(numbers: Int32Array, found: number[]): void {
    for (let row = 0; row < this.pool.size; row++) {
      const key = this.key[row] as number;
      if (key >= 0 && numbers[key] === -1) numbers[key] = found.push(key) - 1;
    }
  }

  /** Key k has number `numbers[k]` of so many from now on. */
  renumberKeys(numbers: Int32Array, keys: number): void {
    const { length } = this.heads;
    const room = length >= 2 * keys && length <= MANY_ROWS ? length : Math.max(64, 2 * keys);
    const moved = (values: Int32Array): Int32Array => {
      const out = this.spare.length === room ? this.spare.fill(0) : new Int32Array(room);
      for (let key = 0; key < numbers.length; key++) {
        const number = numbers[key] as number;
        if (number >= 0) out[number] = values[key] as number;
      }
      this.spare = values;
      return out;
    };
    this.heads = moved(this.heads);
    this.tails = moved(this.tails);
    this.counts = moved(this.counts);
    for (let row = 0; row < this.pool.size; row++) {
      const key = this.key[row] as number;
      if (key >= 0) this.key[row] = numbers[key] as number;
    }
  }

  /** The rows that wait, with whether each had a partner. */
  save(): SnapshotValue {
    this.forgetRows(true);
    const { size } = this.pool;
    return { rows: saveBatch(this.pool.all()), matched: Int32Array.from(this.matched.subarray(0, size)) };
  }

  /** What `save` gave, as rows. */
  saved(value: SnapshotValue): SavedRows {
    const { rows, matched } = value as { readonly [key: string]: SnapshotValue };
    assert(rows !== undefined && matched instanceof Int32Array, "a saved side of a join");
    return { rows: loadBatch(rows, this.schema), matched };
  }
}

export interface SavedRows {
  readonly rows: Batch;
  /** By row: 1 where it had a partner. */
  readonly matched: Int32Array;
}
