import { timeMark } from "../../base/event-time.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Operator, Output, Part } from "../../core/stages.ts";
import { Batch } from "../../data/batch.ts";
import type { Column } from "../../data/column.ts";
import { takeBatch } from "../../data/kernels/take.ts";
import { KeyIndex } from "../../data/key-index.ts";
import type { Field, Schema } from "../../data/schema.ts";
import { longColumn } from "../aggregates/count.ts";
import type { RankConfig } from "../catalog.ts";
import type { StageContext } from "../context.ts";
import { ownKeys } from "../part.ts";
import { schemaAt } from "../ports.ts";
import { Assignment } from "../window/assignment.ts";
import { msColumn } from "../window/ms-column.ts";
import { Sessions } from "../window/sessions.ts";
import { SlotOrder } from "../window/slot-order.ts";
import { Slots } from "../window/slots.ts";
import { addWindowState, forgetKeys, hasFewKeys, saveWindowState } from "../window/window-state.ts";
import { SlotRows } from "./slot-rows.ts";
import { Ranking } from "./top-rows.ts";

/** Results go out in batches of so many rows. */
const BATCH_ROWS = 8192;
/** A session's rows are cut down to its ranking when they are so many more. */
const FEW_ROWS = 4096;

/** Ranked rows of sessions that end, with the session of each. */
interface Ranked {
  readonly rows: number[];
  readonly slots: number[];
  readonly ranks: number[];
}

/**
 * The first n rows of each session of a partition (D-28): sessions are those of `window`, by the partition's key. Late rows are dropped and counted.
 * The event time of a result is the session's end − 1.
 */
export class SessionRank implements Operator<Batch> {
  private readonly input: Schema;
  private readonly output: Schema;
  private readonly context: StageContext;
  private readonly places: readonly number[];
  private readonly n: number;
  private readonly ranking: Ranking;
  readonly keys: KeyIndex;
  readonly state: SlotRows;
  readonly slots: Slots;
  readonly order: SlotOrder;
  readonly windows: Sessions;
  private readonly assignment = new Assignment();
  private watermark = Number.NEGATIVE_INFINITY;

  constructor(config: RankConfig, gapMs: number, context: StageContext) {
    const input = schemaAt(context.inputs, "in");
    this.input = input;
    this.output = schemaAt(context.outputs, "out");
    this.context = context;
    this.places = config.partitionBy.map((name) => input.indexOf(name));
    this.n = config.n;
    this.ranking = new Ranking(config, input);
    this.keys = new KeyIndex(this.places.map((place) => (input.fields[place] as Field).type));
    this.state = new SlotRows(input);
    this.slots = new Slots(this.state);
    this.order = new SlotOrder(this.slots, this.keys);
    this.windows = new Sessions(gapMs, 0, this.slots, this.order, this.state);
  }

  process(batch: Batch): void {
    const { rowCount } = batch;
    if (rowCount === 0) return;
    const ids = new Int32Array(rowCount);
    const columns = this.places.map((place) => batch.columns[place] as Column);
    this.keys.idsOf(columns, rowCount, ids);
    const times = batch.eventTimes ?? new Float64Array(rowCount).fill(Number.NaN);
    const { assignment, windows } = this;
    assignment.start(rowCount);
    assignment.startPart(rowCount);
    windows.assign({ ids, keys: this.keys.size, times }, 0, rowCount, this.watermark, assignment);
    const { count, lateCount } = assignment;
    if (lateCount > 0) this.context.count("late", lateCount);
    if (count === 0) return;
    const slots = assignment.slots.subarray(0, count);
    this.state.add(lateCount === 0 ? batch : takeBatch(batch, assignment.rows, 0, count), slots);
    windows.settle();
    for (const slot of new Set(slots)) this.cut(slot);
  }

  /** A session keeps no more rows than its ranking needs, and a few. */
  private cut(slot: number): void {
    const rows = this.state.of(slot);
    if (rows.length <= FEW_ROWS + 2 * this.n) return;
    const top = this.ranking.top(this.state.take(rows)).rows;
    this.state.keep(
      slot,
      Array.from(top, (place) => rows[place] as number),
    );
  }

  onTime(ms: number, output: Output<Batch>): void {
    this.watermark = ms;
    this.fire(ms, output);
    // A session is told when time is past its end, one later than its event time allows (D-28).
    output.mark(timeMark(ms - 1));
  }

  onEnd(output: Output<Batch>): void {
    this.fire(Number.POSITIVE_INFINITY, output);
  }

  private fire(watermark: number, output: Output<Batch>): void {
    const before = this.slots.live;
    let ranked: Ranked = { rows: [], slots: [], ranks: [] };
    for (const slot of this.windows.due(watermark)) {
      const rows = this.state.of(slot);
      const top = this.ranking.top(this.state.take(rows));
      top.rows.forEach((place, i) => {
        ranked.rows.push(rows[place] as number);
        ranked.slots.push(slot);
        ranked.ranks.push(top.ranks[i] as number);
      });
      if (ranked.rows.length < BATCH_ROWS) continue;
      this.emit(ranked, output);
      ranked = { rows: [], slots: [], ranks: [] };
    }
    if (ranked.rows.length > 0) this.emit(ranked, output);
    this.windows.expire();
    if (this.slots.live < before && !hasFewKeys(this.keys, before)) forgetKeys(this, this.watermark);
  }

  private emit({ rows, slots, ranks }: Ranked, output: Output<Batch>): void {
    const { columns, rowCount } = this.state.take(rows);
    const { start, end } = this.slots;
    const starts = Float64Array.from(slots, (slot) => start[slot] as number);
    const ends = Float64Array.from(slots, (slot) => end[slot] as number);
    const added = [msColumn(starts), msColumn(ends), longColumn(Float64Array.from(ranks))];
    output.emit(
      new Batch(
        this.output,
        rowCount,
        [...columns, ...added],
        ends.map((ms) => ms - 1),
      ),
    );
  }

  snapshot(): SnapshotValue {
    return { ...saveWindowState(this), watermark: this.watermark };
  }

  restore(state: SnapshotValue, part?: Part<Batch>): void {
    const { watermark, ...saved } = state as { readonly [key: string]: SnapshotValue };
    addWindowState(saved, this, watermark as number, ownKeys(part, this.input, this.places));
    this.watermark = part?.watermark ?? (watermark as number);
  }
}
