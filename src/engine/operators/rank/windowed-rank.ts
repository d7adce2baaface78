import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Operator, Output, Part } from "../../core/stages.ts";
import { Batch } from "../../data/batch.ts";
import type { Column } from "../../data/column.ts";
import { takeBatch } from "../../data/kernels/take.ts";
import { KeyIndex } from "../../data/key-index.ts";
import type { Field, Schema } from "../../data/schema.ts";
import { grownWords, newWords } from "../../data/state-arrays.ts";
import { loadBatch, saveBatch } from "../../state/batch-snapshot.ts";
import { longColumn } from "../aggregates/count.ts";
import type { RankConfig } from "../catalog.ts";
import type { StageContext } from "../context.ts";
import { ownBatch } from "../part.ts";
import { schemaAt } from "../ports.ts";
import { type Grid, stretchAt } from "../window/assigner.ts";
import { msColumn } from "../window/ms-column.ts";
import { endOfRun } from "../window/panes.ts";
import { RankPane } from "./rank-pane.ts";
import { Ranking } from "./top-rows.ts";

/** Results go out in batches of so many rows. */
const BATCH_ROWS = 8192;
/** A window's rows are cut down to its ranking when they are twice as many, but not for a few. */
const FEW_ROWS = 4096;
/** Partitions are forgotten when most have no bar any more, but not for a few. */
const FEW_PARTITIONS = 1024;

/** Tumbling or sliding. */
type GridWindow = Exclude<NonNullable<RankConfig["window"]>, { readonly kind: "session" }>;

/** The first n rows of each partition and window; late rows are dropped and counted. */
export class WindowedRank implements Operator<Batch> {
  private readonly input: Schema;
  private readonly output: Schema;
  private readonly context: StageContext;
  private readonly n: number;
  private readonly grid: Grid;
  private readonly ranking: Ranking;
  private readonly places: readonly number[];
  /** Numbers of partitions, by which windows have their bars. */
  private readonly keys: KeyIndex;
  private readonly panes = new Map<number, RankPane>();
  private watermark = Number.NEGATIVE_INFINITY;
  /** By row of the batch: the number of its partition, and its value. */
  private partitions = newWords(1);
  private values = new Float64Array(0);

  constructor(config: RankConfig, window: GridWindow, context: StageContext) {
    this.input = schemaAt(context.inputs, "in");
    this.output = schemaAt(context.outputs, "out");
    this.context = context;
    this.n = config.n;
    const slide = window.kind === "sliding" ? window.slideMs : window.sizeMs;
    this.grid = { size: window.sizeMs, slide, offset: window.offsetMs };
    this.ranking = new Ranking(config, this.input);
    this.places = config.partitionBy.map((name) => this.input.indexOf(name));
    this.keys = new KeyIndex(this.places.map((place) => (this.input.fields[place] as Field).type));
  }

  process(batch: Batch): void {
    const { rowCount } = batch;
    const times = batch.eventTimes ?? new Float64Array(rowCount).fill(Number.NaN);
    const barred = this.n === 1 || [...this.panes.values()].some(({ ranked }) => ranked > 0);
    if (barred) this.look(batch);
    const touched = new Set<RankPane>();
    let late = 0;
    for (let from = 0; from < rowCount; ) {
      const stretch = stretchAt(this.grid, times[from] as number);
      const to = endOfRun(times, from + 1, rowCount, stretch.from, stretch.to);
      let open = false;
      for (let start = stretch.first; start <= stretch.last; start += this.grid.slide) {
        if (start + this.grid.size <= this.watermark) continue;
        open = true;
        const pane = this.paneAt(start);
        touched.add(pane);
        if (barred) pane.sift(this.values, this.partitions, from, to);
        else pane.keep(from, to);
      }
      if (!open) late += to - from;
      from = to;
    }
    if (late > 0) this.context.count("late", late);
    for (const pane of touched) this.settle(pane, batch);
  }

  /** Finds out partitions and values of the rows. */
  private look(batch: Batch): void {
    const { rowCount } = batch;
    if (this.values.length < rowCount) {
      this.values = new Float64Array(rowCount);
      this.partitions = grownWords(this.partitions, rowCount);
    }
    this.ranking.valuesOf(batch, this.values);
    if (this.places.length === 0) return;
    const columns = this.places.map((place) => batch.columns[place] as Column);
    this.keys.idsOf(columns, rowCount, this.partitions);
  }

  private paneAt(start: number): RankPane {
    let pane = this.panes.get(start);
    if (pane === undefined) {
      pane = new RankPane(start, this.n, this.input);
      this.panes.set(start, pane);
    }
    pane.cover(this.places.length === 0 ? 1 : this.keys.size);
    return pane;
  }

  private settle(pane: RankPane, batch: Batch): void {
    pane.settle(batch);
    if (pane.pool.size <= FEW_ROWS + 2 * pane.ranked) return;
    pane.cut(this.ranking.top(pane.pool.all()).rows);
    this.look(pane.pool.all());
    pane.cover(this.keys.size);
    pane.raise(this.values, this.partitions);
  }

  onTime(ms: number, output: Output<Batch>): void {
    this.watermark = ms;
    this.fire(ms, output);
  }

  onEnd(output: Output<Batch>): void {
    this.fire(Number.POSITIVE_INFINITY, output);
  }

  private fire(watermark: number, output: Output<Batch>): void {
    const due = [...this.panes.values()].filter(({ start }) => start + this.grid.size <= watermark);
    if (due.length === 0) return;
    for (const pane of due.sort((a, b) => a.start - b.start)) {
      this.panes.delete(pane.start);
      const all = pane.pool.all();
      const { rows, ranks } = this.ranking.top(all);
      for (let from = 0; from < rows.length; from += BATCH_ROWS) {
        const part = takeBatch(all, rows, from, Math.min(from + BATCH_ROWS, rows.length));
        output.emit(this.results(part, pane.start, ranks.subarray(from, from + part.rowCount)));
      }
    }
    this.forgetPartitions();
  }

  private forgetPartitions(): void {
    const { size } = this.keys;
    if (size <= FEW_PARTITIONS) return;
    const panes = [...this.panes.values()];
    const live = Int32Array.from({ length: size }, (_, id) => id).filter((id) => panes.some((pane) => pane.has(id)));
    if (2 * live.length > size) return;
    this.keys.compact(live);
    for (const pane of panes) pane.renumber(live);
  }

  private results({ columns, rowCount }: Batch, start: number, ranks: Int32Array): Batch {
    const end = start + this.grid.size;
    const every = (value: number): Float64Array => new Float64Array(rowCount).fill(value);
    const added = [msColumn(every(start)), msColumn(every(end)), longColumn(Float64Array.from(ranks))];
    return new Batch(this.output, rowCount, [...columns, ...added], every(end - 1));
  }

  snapshot(): SnapshotValue {
    const panes = [...this.panes.values()];
    return {
      starts: Float64Array.from(panes, ({ start }) => start),
      rows: panes.map(({ pool }) => saveBatch(pool.all())),
      watermark: this.watermark,
    };
  }

  restore(state: SnapshotValue, part?: Part<Batch>): void {
    const { starts, rows, watermark } = state as { readonly [key: string]: SnapshotValue };
    assert(starts instanceof Float64Array && Array.isArray(rows), "a snapshot of a ranking");
    starts.forEach((start, i) => {
      const batch = ownBatch(part, loadBatch(rows[i] as SnapshotValue, this.input));
      if (batch.rowCount === 0) return;
      this.look(batch);
      const pane = this.paneAt(start);
      pane.sift(this.values, this.partitions, 0, batch.rowCount);
      this.settle(pane, batch);
    });
    this.watermark = part?.watermark ?? (watermark as number);
  }
}
