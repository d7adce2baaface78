import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Column } from "../../data/column.ts";
import { compareBytes } from "../../data/kernels/compare.ts";
import { takeBatch } from "../../data/kernels/take.ts";
import { type EncodedKeys, encodeKeys } from "../../data/key-encoding.ts";
import type { LogicalType } from "../../data/types.ts";
import { type Accumulator, grownNumbers, grownWords, putNumbers, takeNumbers } from "./accumulator.ts";
import type { Feed } from "./feed.ts";
import { HeldValues } from "./held-values.ts";

const NOTHING = new Uint8Array(0);
/** From so many rows of a batch at the time of another one, all its rows are encoded at once rather than each that is asked for. */
const MANY_TIES = 16;

/**
 * `first` and `last` by event time. Of rows at the same time it is the one with the smaller encoded bytes (D-27), so that the order in which
 * rows come makes no difference; for that the bytes of the row that is held are kept beside its value.
 */
export class FirstLastAccumulator implements Accumulator {
  readonly inParts = false;
  private readonly sign: number;
  private readonly held: HeldValues;
  private times = new Float64Array(1);
  private rowBytes: Uint8Array[] = [NOTHING];
  /** While a batch is added: entry + 1 that a slot takes from it. */
  private taken = new Int32Array(1);
  private touched = new Int32Array(0);
  /** While a batch is added: rows that were at the time of another one, and the bytes of all its rows when that is often. */
  private ties = 0;
  private encoded: EncodedKeys | undefined = undefined;

  constructor(fn: "first" | "last", type: LogicalType) {
    this.sign = fn === "last" ? 1 : -1;
    this.held = new HeldValues(type);
  }

  reserve(slots: number): void {
    this.held.reserve(slots);
    this.times = grownNumbers(this.times, slots);
    this.taken = grownWords(this.taken, slots);
    while (this.rowBytes.length < slots) this.rowBytes.push(NOTHING);
  }

  add(feed: Feed): void {
    const { slots, count, rows, times } = feed;
    if (this.touched.length < count) this.touched = new Int32Array(count);
    const { taken, touched } = this;
    let winners = 0;
    for (let i = 0; i < count; i++) {
      const slot = slots[i] as number;
      const known = times[rows === null ? i : (rows[i] as number)] as number;
      // Before all others where it has no time.
      const time = Number.isNaN(known) ? Number.NEGATIVE_INFINITY : known;
      const before = taken[slot] as number;
      if ((before !== 0 || this.held.has(slot)) && !this.beats(feed, i, time, slot)) continue;
      this.times[slot] = time;
      taken[slot] = i + 1;
      if (before === 0) touched[winners++] = slot;
    }
    this.ties = 0;
    this.encoded = undefined;
    this.keep(feed, touched.subarray(0, winners));
  }

  /** Whether entry `i` comes before what the slot has. */
  private beats(feed: Feed, i: number, time: number, slot: number): boolean {
    const other = this.times[slot] as number;
    if (time !== other) return time > other === this.sign > 0;
    const before = (this.taken[slot] as number) - 1;
    if (++this.ties === MANY_TIES) this.encoded = encodeKeys(feed.batch.columns, feed.batch.rowCount);
    const bytes = this.bytesOf(feed, i);
    const rival = before < 0 ? (this.rowBytes[slot] as Uint8Array) : this.bytesOf(feed, before);
    return compareBytes(bytes, 0, bytes.length, rival, 0, rival.length) < 0;
  }

  private bytesOf({ batch, rows }: Feed, entry: number): Uint8Array {
    const row = rows === null ? entry : (rows[entry] as number);
    if (this.encoded !== undefined) {
      const { offsets, bytes } = this.encoded;
      return bytes.subarray(offsets[row], offsets[row + 1]);
    }
    const { offsets, bytes } = encodeKeys(takeBatch(batch, Int32Array.of(row)).columns, 1);
    return bytes.slice(offsets[0], offsets[1]);
  }

  private keep(feed: Feed, touched: Int32Array): void {
    if (touched.length === 0) return;
    const entries = touched.map((slot) => (this.taken[slot] as number) - 1);
    const rows = entries.map((entry) => (feed.rows === null ? entry : (feed.rows[entry] as number)));
    const { offsets, bytes } = encodeKeys(takeBatch(feed.batch, rows).columns, rows.length);
    touched.forEach((slot, k) => {
      this.held.set(slot, feed.column as Column, entries[k] as number);
      this.rowBytes[slot] = bytes.slice(offsets[k], offsets[k + 1]);
      this.taken[slot] = 0;
    });
  }

  merge(into: number, from: number): void {
    if (!this.held.has(from)) return;
    if (this.held.has(into)) {
      const time = this.times[from] as number;
      const other = this.times[into] as number;
      if (time === other ? this.compareRows(from, into) >= 0 : time > other !== this.sign > 0) return;
    }
    this.held.copy(into, from);
    this.times[into] = this.times[from] as number;
    this.rowBytes[into] = this.rowBytes[from] as Uint8Array;
  }

  private compareRows(a: number, b: number): number {
    const x = this.rowBytes[a] as Uint8Array;
    const y = this.rowBytes[b] as Uint8Array;
    return compareBytes(x, 0, x.length, y, 0, y.length);
  }

  clear(from: number, to: number): void {
    this.held.clear(from, to);
    this.rowBytes.fill(NOTHING, from, to);
  }

  results(slots: Int32Array): Column {
    return this.held.column(slots);
  }

  save(slots: Int32Array): SnapshotValue {
    const rows = Array.from(slots, (slot) => (this.rowBytes[slot] as Uint8Array).slice());
    return { values: this.held.save(slots), times: takeNumbers(this.times, slots), rows };
  }

  load(saved: SnapshotValue, slots: Int32Array): void {
    const { values, times, rows } = saved as { readonly [key: string]: SnapshotValue };
    assert(values !== undefined && times instanceof Float64Array && Array.isArray(rows), "saved values");
    this.held.load(values, slots);
    putNumbers(times, slots, this.times);
    rows.forEach((bytes: Uint8Array, i: number) => {
      const slot = slots[i] as number;
      if (slot >= 0) this.rowBytes[slot] = bytes;
    });
  }
}
