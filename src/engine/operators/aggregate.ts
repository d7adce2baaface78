import { assert } from "../base/assert.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { Operator, Output, Part } from "../core/stages.ts";
import { Batch } from "../data/batch.ts";
import type { Column } from "../data/column.ts";
import { sortRows } from "../data/kernels/compare.ts";
import { KeyIndex } from "../data/key-index.ts";
import { cell } from "../data/row-codec.ts";
import type { Field, Schema } from "../data/schema.ts";
import { grownWords, newWords } from "../data/state-arrays.ts";
import { grownNumbers, putNumbers, takeNumbers } from "./aggregates/accumulator.ts";
import { Aggregates } from "./aggregates/aggregates.ts";
import { overflow } from "./aggregates/overflow.ts";
import type { RunningAggregateConfig } from "./catalog.ts";
import { Op, opColumn } from "./changelog.ts";
import type { StageContext } from "./context.ts";
import { ownKeys } from "./part.ts";
import { schemaAt } from "./ports.ts";

/** Results go out in batches of so many rows. */
const BATCH_ROWS = 8192;
const LEFT_OUT = -1;
const TOLD = 1;
const CHANGED = 2;

/**
 * Aggregates by key over all rows so far. What changed goes out when time moves on and at END, ordered by key: `insert` the first time, then
 * `update`. The event time of a result is the greatest of its rows', so that it is no later downstream than they were. State: a slot for each key,
 * its number + 1, with dense accumulators.
 */
class RunningAggregate implements Operator<Batch> {
  private readonly input: Schema;
  private readonly schema: Schema;
  private readonly places: readonly number[];
  private readonly keys: KeyIndex;
  private readonly aggregates: Aggregates;
  private capacity = 64;
  private flags = newWords(this.capacity);
  private times = new Float64Array(this.capacity).fill(Number.NaN);
  private changed: number[] = [];
  private slots = newWords(1);

  constructor(config: RunningAggregateConfig, context: StageContext) {
    const input = schemaAt(context.inputs, "in");
    this.input = input;
    this.schema = schemaAt(context.outputs, "out");
    this.places = config.groupBy.map((name) => input.indexOf(name));
    this.keys = new KeyIndex(this.places.map((place) => (input.fields[place] as Field).type));
    this.aggregates = new Aggregates(config.aggregates, input);
    this.aggregates.reserve(this.capacity);
  }

  process(batch: Batch): void {
    const { rowCount } = batch;
    if (rowCount === 0) return;
    if (this.slots.length < rowCount) this.slots = grownWords(this.slots, rowCount);
    const { slots } = this;
    const columns = this.places.map((place) => batch.columns[place] as Column);
    this.keys.idsOf(columns, rowCount, slots);
    this.reserve(this.keys.size + 1);
    const times = batch.eventTimes ?? new Float64Array(rowCount).fill(Number.NaN);
    for (let row = 0; row < rowCount; row++) {
      const slot = (slots[row] as number) + 1;
      slots[row] = slot;
      const flags = this.flags[slot] as number;
      if ((flags & CHANGED) === 0) {
        this.flags[slot] = flags | CHANGED;
        this.changed.push(slot);
      }
      const time = times[row] as number;
      if (!(time <= (this.times[slot] as number)) && !Number.isNaN(time)) this.times[slot] = time;
    }
    this.aggregates.add({ batch, times, count: rowCount, rows: null, slots });
  }

  private reserve(slots: number): void {
    if (slots <= this.capacity) return;
    const before = this.capacity;
    this.capacity = Math.max(slots, 2 * before);
    this.flags = grownWords(this.flags, this.capacity);
    this.times = grownNumbers(this.times, this.capacity).fill(Number.NaN, before);
    this.aggregates.reserve(this.capacity);
  }

  onTime(_ms: number, output: Output<Batch>): void {
    this.tell(output);
  }

  onEnd(output: Output<Batch>): void {
    this.tell(output);
  }

  private tell(output: Output<Batch>): void {
    const slots = Int32Array.from(this.changed);
    this.changed = [];
    if (slots.length === 0) return;
    const keys = this.keys.columns(slots.map((slot) => slot - 1));
    const order = sortRows(
      keys.map((column) => ({ column })),
      slots.length,
    ).map((place) => slots[place] as number);
    for (let from = 0; from < order.length; from += BATCH_ROWS) {
      output.emit(this.results(order.subarray(from, from + BATCH_ROWS)));
    }
  }

  private results(slots: Int32Array): Batch {
    const ops = slots.map((slot) => (((this.flags[slot] as number) & TOLD) === 0 ? Op.insert : Op.update));
    for (const slot of slots) this.flags[slot] = TOLD;
    const columns = [
      ...this.keys.columns(slots.map((slot) => slot - 1)),
      ...this.aggregates.results(slots, (name, slot) => this.fail(name, slot)),
      opColumn(ops),
    ];
    return new Batch(this.schema, slots.length, columns, takeNumbers(this.times, slots));
  }

  private fail(name: string, slot: number): never {
    const key = this.keys.columns(Int32Array.of(slot - 1)).map((column) => cell(column, 0));
    throw overflow(name, key, this.schema);
  }

  snapshot(): SnapshotValue {
    const all = Int32Array.from({ length: this.keys.size }, (_, id) => id + 1);
    return {
      keys: this.keys.snapshot(),
      flags: this.flags.slice(1, all.length + 1),
      times: this.times.slice(1, all.length + 1),
      aggregates: this.aggregates.save(all),
    };
  }

  restore(state: SnapshotValue, part?: Part<Batch>): void {
    const { keys, flags, times, aggregates } = state as { readonly [key: string]: SnapshotValue };
    assert(
      keys !== undefined && aggregates !== undefined && flags instanceof Int32Array && times instanceof Float64Array,
      "a snapshot of a running aggregate",
    );
    const slots = this.keys.add(keys, ownKeys(part, this.input, this.places)).map((id) => (id < 0 ? LEFT_OUT : id + 1));
    this.reserve(this.keys.size + 1);
    putNumbers(times, slots, this.times);
    this.aggregates.load(aggregates, slots);
    slots.forEach((slot, place) => {
      if (slot === LEFT_OUT) return;
      const flag = flags[place] as number;
      this.flags[slot] = flag;
      if ((flag & CHANGED) !== 0) this.changed.push(slot);
    });
  }
}

export function aggregate(config: RunningAggregateConfig, context: StageContext): Operator<Batch> {
  return new RunningAggregate(config, context);
}
