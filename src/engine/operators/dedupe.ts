import { assert } from "../base/assert.ts";
import { timeMark } from "../base/event-time.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { Operator, Output, Part } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";
import type { Column } from "../data/column.ts";
import { takeBatch } from "../data/kernels/take.ts";
import { KeyIndex } from "../data/key-index.ts";
import type { Field, Schema } from "../data/schema.ts";
import { loadBatch, saveBatch } from "../state/batch-snapshot.ts";
import { grownNumbers, grownWords, putNumbers, takeNumbers } from "./aggregates/accumulator.ts";
import type { DedupeConfig } from "./catalog.ts";
import type { StageContext } from "./context.ts";
import { OrderedRows } from "./ordered-rows.ts";
import { ownBatch, ownKeys } from "./part.ts";
import { schemaAt } from "./ports.ts";
import { RowPool } from "./row-pool.ts";
import { Timers } from "./window/timers.ts";

/** What is dead is forgotten when it is most, but not for a little. */
const FEW = 4096;

/**
 * One row of each key (D-27). Rows are taken by event time as the watermark passes them. State: by key, its number, the time of the row that
 * counts, NaN for none; with keep: last that row too; and the rows that wait for the watermark.
 */
class Dedupe implements Operator<Batch> {
  private readonly schema: Schema;
  private readonly context: StageContext;
  private readonly places: readonly number[];
  private readonly last: boolean;
  private readonly ttlMs: number;
  private readonly keys: KeyIndex;
  private times = new Float64Array(0);
  private live = 0;
  /** keep: last — the row that counts, by key. */
  private rows = new Int32Array(0);
  private readonly pool: RowPool;
  private readonly waiting: OrderedRows;
  private watermark = Number.NEGATIVE_INFINITY;
  /** By number of the key + 1: when its row is so old that the next one begins anew. */
  private readonly timers = new Timers();
  /** Whether rows come without event time, and the clock counts: then none has one, which validation sees to. */
  private byClock = false;
  /** keep: last without a time to forget — no row that waits for the end is older. */
  private floor = Number.POSITIVE_INFINITY;

  constructor(config: DedupeConfig, context: StageContext) {
    this.schema = schemaAt(context.inputs, "in");
    this.context = context;
    this.places = config.keys.map((name) => this.schema.indexOf(name));
    this.last = config.keep === "last";
    this.ttlMs = config.ttlMs ?? Number.POSITIVE_INFINITY;
    this.keys = new KeyIndex(this.places.map((place) => (this.schema.fields[place] as Field).type));
    this.pool = new RowPool(this.schema);
    this.waiting = new OrderedRows(this.schema);
  }

  process(batch: Batch, _port: string, output: Output<Batch>): void {
    if (batch.rowCount === 0) return;
    const { eventTimes } = batch;
    if (eventTimes === null) {
      this.byClock = true;
      this.take(batch, new Float64Array(batch.rowCount).fill(output.nowMs), output);
      return;
    }
    const rows: number[] = [];
    eventTimes.forEach((ms, row) => {
      if (ms >= this.watermark) rows.push(row);
    });
    if (rows.length < batch.rowCount) this.context.count("late", batch.rowCount - rows.length);
    if (rows.length > 0) this.waiting.add(takeBatch(batch, Int32Array.from(rows)));
  }

  /** Rows in their order. */
  private take(batch: Batch, times: Float64Array, output: Output<Batch>): void {
    const { rowCount } = batch;
    const ids = new Int32Array(rowCount);
    this.keys.idsOf(
      this.places.map((place) => batch.columns[place] as Column),
      rowCount,
      ids,
    );
    this.reserve(this.keys.size);
    if (this.last) this.takeLast(batch, times, ids, output);
    else this.takeFirst(batch, times, ids, output);
    this.tidy();
  }

  private get forgets(): boolean {
    return Number.isFinite(this.ttlMs);
  }

  private takeFirst(batch: Batch, times: Float64Array, ids: Int32Array, output: Output<Batch>): void {
    const rows: number[] = [];
    ids.forEach((id, row) => {
      const time = times[row] as number;
      const before = this.times[id] as number;
      if (time <= before + this.ttlMs) return;
      this.count(id, time);
      rows.push(row);
    });
    if (rows.length > 0) output.emit(takeBatch(batch, Int32Array.from(rows)));
  }

  private takeLast(batch: Batch, times: Float64Array, ids: Int32Array, output: Output<Batch>): void {
    const first = this.pool.add(batch);
    const done: number[] = [];
    ids.forEach((id, row) => {
      const time = times[row] as number;
      if (time > (this.times[id] as number) + this.ttlMs) done.push(this.rows[id] as number);
      // Of rows at the same time the smaller one counts, which came first.
      if (time === this.times[id] && !this.byClock) return;
      this.count(id, time);
      this.rows[id] = first + row;
      this.floor = Math.min(this.floor, time);
    });
    this.emit(done, output);
  }

  private count(id: number, time: number): void {
    if (Number.isNaN(this.times[id])) this.live++;
    this.times[id] = time;
    if (this.forgets) this.timers.set(id + 1, time + this.ttlMs);
  }

  private emit(rows: readonly number[], output: Output<Batch>): void {
    if (rows.length > 0) output.emit(this.pool.take(Int32Array.from(rows)));
  }

  private reserve(keys: number): void {
    const before = this.times.length;
    if (keys <= before) return;
    this.times = grownNumbers(this.times, Math.max(64, 2 * keys)).fill(Number.NaN, before);
    this.rows = grownWords(this.rows, Math.max(64, 2 * keys));
  }

  onTime(ms: number, output: Output<Batch>): void {
    // Rows by the clock have nothing to do with what others say about event time.
    if (this.byClock) return;
    this.watermark = ms;
    this.takeDue(ms, output);
    this.expire(ms, output);
    // A row that waits for later ones of its key goes out with its own, older time.
    if (this.last) output.mark(timeMark(Math.min(ms, this.forgets ? ms - this.ttlMs : this.floor)));
  }

  private takeDue(watermark: number, output: Output<Batch>): void {
    const due = this.waiting.takeBefore(watermark);
    if (due !== undefined) this.take(due, due.eventTimes as Float64Array, output);
  }

  onTick(nowMs: number, output: Output<Batch>): void {
    if (this.byClock) this.expire(nowMs, output);
  }

  onEnd(output: Output<Batch>): void {
    this.takeDue(Number.POSITIVE_INFINITY, output);
    if (!this.last) return;
    const done: number[] = [];
    for (let id = 0; id < this.keys.size; id++) if (!Number.isNaN(this.times[id])) this.finish(id, done);
    this.timers.clear();
    this.emitInOrder(done, output);
  }

  /** Every key that counts has its row in the snapshot at its own number. */
  private rowsByKey(): Int32Array {
    return this.rows.slice(0, this.keys.size);
  }

  /** Ends with every key whose time to forget has passed. */
  private expire(now: number, output: Output<Batch>): void {
    const done: number[] = [];
    for (let slot = this.timers.takeBefore(now); slot !== 0; slot = this.timers.takeBefore(now)) {
      this.finish(slot - 1, done);
    }
    this.emitInOrder(done, output);
    this.tidy();
  }

  private finish(id: number, done: number[]): void {
    if (this.last) done.push(this.rows[id] as number);
    this.times[id] = Number.NaN;
    this.live--;
  }

  /** The pool has rows in the order in which they were taken. */
  private emitInOrder(rows: number[], output: Output<Batch>): void {
    this.emit(
      rows.sort((a, b) => a - b),
      output,
    );
  }

  private tidy(): void {
    const few = FEW + 2 * this.live;
    if (this.keys.size > few || this.pool.size > few) this.forget();
  }

  /** Keeps only the keys that count, in the order of their rows. */
  private forget(): void {
    const all = Int32Array.from({ length: this.keys.size }, (_, id) => id);
    const ids = all.filter((id) => !Number.isNaN(this.times[id]));
    if (this.last) {
      ids.sort((a, b) => (this.rows[a] as number) - (this.rows[b] as number));
      this.pool.compact(ids.map((id) => this.rows[id] as number));
      this.rows = new Int32Array(this.times.length).map((_, id) => id);
    }
    const times = takeNumbers(this.times, ids);
    this.keys.compact(ids);
    this.times.fill(Number.NaN);
    this.times.set(times);
    this.startTimers();
  }

  private startTimers(): void {
    this.timers.clear();
    if (!this.forgets) return;
    for (let id = 0; id < this.keys.size; id++) this.timers.set(id + 1, (this.times[id] as number) + this.ttlMs);
  }

  snapshot(): SnapshotValue {
    this.forget();
    const { size } = this.keys;
    return {
      keys: this.keys.snapshot(),
      times: this.times.slice(0, size),
      rows: this.last && size > 0 ? saveBatch(this.pool.take(this.rowsByKey())) : null,
      waiting: this.waiting.save(),
      watermark: this.watermark,
      floor: this.floor,
      byClock: this.byClock,
    };
  }

  restore(state: SnapshotValue, part?: Part<Batch>): void {
    const { keys, times, rows, waiting, watermark, floor, byClock } = state as {
      readonly [key: string]: SnapshotValue;
    };
    assert(
      keys !== undefined && rows !== undefined && waiting !== undefined && times instanceof Float64Array,
      "a snapshot of dedupe",
    );
    const ids = this.keys.add(keys, ownKeys(part, this.schema, this.places));
    this.reserve(this.keys.size);
    // The run's clock begins anew: the last row came just before.
    const before = byClock === true ? times.reduce((latest, time) => Math.max(latest, time), 0) : 0;
    putNumbers(
      times.map((time) => time - before),
      ids,
      this.times,
    );
    this.live = this.keys.size;
    // All of them, those of left-out keys, too: numbers in the pool are those of the snapshot.
    const first = rows === null ? 0 : this.pool.add(loadBatch(rows, this.schema));
    ids.forEach((id, place) => {
      if (id >= 0) this.rows[id] = first + place;
    });
    this.startTimers();
    if (waiting !== null) this.waiting.add(ownBatch(part, loadBatch(waiting, this.schema)));
    this.byClock ||= byClock as boolean;
    this.watermark = part === undefined || this.byClock ? (watermark as number) : part.watermark;
    this.floor = Math.min(this.floor, floor as number);
  }
}

export function dedupe(config: DedupeConfig, context: StageContext): Operator<Batch> {
  return new Dedupe(config, context);
}
