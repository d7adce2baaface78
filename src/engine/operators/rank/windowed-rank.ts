import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Operator, Output } from "../../core/stages.ts";
import { Batch } from "../../data/batch.ts";
import { takeBatch } from "../../data/kernels/take.ts";
import type { Schema } from "../../data/schema.ts";
import { loadBatch, saveBatch } from "../../state/batch-snapshot.ts";
import { longColumn } from "../aggregates/count.ts";
import type { RankConfig } from "../catalog.ts";
import type { StageContext } from "../context.ts";
import { schemaAt } from "../ports.ts";
import { RowPool } from "../row-pool.ts";
import { type Grid, stretchAt } from "../window/assigner.ts";
import { msColumn } from "../window/ms-column.ts";
import { Ranking } from "./top-rows.ts";

/** Results go out in batches of so many rows. */
const BATCH_ROWS = 8192;
/** A window's rows are cut down to its ranking when they are twice as many, but not for a few. */
const FEW_ROWS = 4096;

/** Tumbling or sliding. */
type GridWindow = Exclude<NonNullable<RankConfig["window"]>, { readonly kind: "session" }>;

/** Rows of one open window, and how many of them were ranked when it was cut down last. */
interface Pane {
  readonly start: number;
  readonly pool: RowPool;
  ranked: number;
}

/** The first n rows of each partition and window; late rows are dropped and counted. */
export class WindowedRank implements Operator<Batch> {
  private readonly input: Schema;
  private readonly output: Schema;
  private readonly context: StageContext;
  private readonly grid: Grid;
  private readonly ranking: Ranking;
  private readonly panes = new Map<number, Pane>();
  private watermark = Number.NEGATIVE_INFINITY;

  constructor(config: RankConfig, window: GridWindow, context: StageContext) {
    this.input = schemaAt(context.inputs, "in");
    this.output = schemaAt(context.outputs, "out");
    this.context = context;
    const slide = window.kind === "sliding" ? window.slideMs : window.sizeMs;
    this.grid = { size: window.sizeMs, slide, offset: window.offsetMs };
    this.ranking = new Ranking(config, this.input);
  }

  process(batch: Batch): void {
    const rowsOf = new Map<number, number[]>();
    let late = 0;
    for (let row = 0; row < batch.rowCount; row++) {
      const { first, last } = stretchAt(this.grid, batch.eventTimes?.[row] ?? Number.NaN);
      let open = false;
      for (let start = first; start <= last; start += this.grid.slide) {
        if (start + this.grid.size <= this.watermark) continue;
        open = true;
        const rows = rowsOf.get(start);
        if (rows === undefined) rowsOf.set(start, [row]);
        else rows.push(row);
      }
      if (!open) late++;
    }
    if (late > 0) this.context.count("late", late);
    for (const [start, rows] of rowsOf) this.add(start, takeBatch(batch, Int32Array.from(rows)));
  }

  private add(start: number, rows: Batch): void {
    const pane = this.panes.get(start) ?? { start, pool: new RowPool(this.input), ranked: 0 };
    this.panes.set(start, pane);
    pane.pool.add(rows);
    if (pane.pool.size <= FEW_ROWS + 2 * pane.ranked) return;
    pane.pool.compact(this.ranking.top(pane.pool.all()).rows);
    pane.ranked = pane.pool.size;
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
    for (const pane of due.sort((a, b) => a.start - b.start)) {
      this.panes.delete(pane.start);
      const all = pane.pool.all();
      const { rows, ranks } = this.ranking.top(all);
      for (let from = 0; from < rows.length; from += BATCH_ROWS) {
        const part = takeBatch(all, rows, from, Math.min(from + BATCH_ROWS, rows.length));
        output.emit(this.results(part, pane.start, ranks.subarray(from, from + part.rowCount)));
      }
    }
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

  restore(state: SnapshotValue): void {
    const { starts, rows, watermark } = state as { readonly [key: string]: SnapshotValue };
    assert(starts instanceof Float64Array && Array.isArray(rows), "a snapshot of a ranking");
    starts.forEach((start, i) => {
      this.add(start, loadBatch(rows[i] as SnapshotValue, this.input));
    });
    this.watermark = watermark as number;
  }
}
