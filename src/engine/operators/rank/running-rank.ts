import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Operator, Output, Part } from "../../core/stages.ts";
import { Batch } from "../../data/batch.ts";
import type { Column } from "../../data/column.ts";
import { keyOrder } from "../../data/kernels/compare.ts";
import { takeBatch } from "../../data/kernels/take.ts";
import { KeyIndex } from "../../data/key-index.ts";
import type { Field, Schema } from "../../data/schema.ts";
import { loadBatch, saveBatch } from "../../state/batch-snapshot.ts";
import { grownWords } from "../aggregates/accumulator.ts";
import { longColumn } from "../aggregates/count.ts";
import type { RankConfig } from "../catalog.ts";
import { Op, opColumn } from "../changelog.ts";
import type { StageContext } from "../context.ts";
import { ownRows } from "../part.ts";
import { schemaAt } from "../ports.ts";
import { RowPool } from "../row-pool.ts";
import { Ranking } from "./top-rows.ts";

/** Rows that nobody needs any more are forgotten when they are most, but not for a few. */
const FEW_ROWS = 16_384;

/**
 * The first n rows of each partition over all rows so far. What changed since the last time goes out when time moves on and at END, by partition
 * and rank: a rank that is new is an insert, one that another row has now an update. Rows only come, so no rank is ever deleted. Only partitions that had
 * rows since are ranked again.
 */
export class RunningRank implements Operator<Batch> {
  private readonly input: Schema;
  private readonly output: Schema;
  private readonly places: readonly number[];
  private readonly ranking: Ranking;
  /** Numbers of partitions. */
  private readonly keys: KeyIndex;
  private readonly pool: RowPool;
  /** Partition of every row of the pool. */
  private partitions = new Int32Array(64);
  /** Rows that were told, in order of rank, by partition. */
  private told: number[][] = [];
  private toldRows = 0;
  /** Rows since then, and how many of them there were when they were cut down last. */
  private fresh: number[] = [];
  private kept = 0;

  constructor(config: RankConfig, context: StageContext) {
    this.input = schemaAt(context.inputs, "in");
    this.output = schemaAt(context.outputs, "out");
    this.places = config.partitionBy.map((name) => this.input.indexOf(name));
    this.ranking = new Ranking(config, this.input);
    this.keys = new KeyIndex(this.places.map((place) => (this.input.fields[place] as Field).type));
    this.pool = new RowPool(this.input);
  }

  process(batch: Batch): void {
    const { schema, rowCount, columns, eventTimes, borrowed } = batch;
    const times = eventTimes ?? new Float64Array(rowCount).fill(Number.NaN);
    for (let row = this.add(new Batch(schema, rowCount, columns, times, borrowed)); row < this.pool.size; row++) {
      this.fresh.push(row);
    }
    if (this.fresh.length > FEW_ROWS + 2 * this.kept) this.cut();
  }

  /** The number of the first of the rows. */
  private add(batch: Batch): number {
    const ids = new Int32Array(batch.rowCount);
    this.keys.idsOf(
      this.places.map((place) => batch.columns[place] as Column),
      batch.rowCount,
      ids,
    );
    while (this.told.length < this.keys.size) this.told.push([]);
    const first = this.pool.add(batch);
    if (this.partitions.length < this.pool.size) this.partitions = grownWords(this.partitions, 2 * this.pool.size);
    this.partitions.set(ids, first);
    return first;
  }

  onTime(_ms: number, output: Output<Batch>): void {
    this.tell(output);
  }

  onEnd(output: Output<Batch>): void {
    this.tell(output);
  }

  /** Rows of the partitions that had rows since: those that were told, of each partition together, then the new ones. */
  private changing(): { readonly rows: number[]; readonly starts: ReadonlyMap<number, number> } {
    const rows: number[] = [];
    const starts = new Map<number, number>();
    for (const row of this.fresh) {
      const id = this.partitions[row] as number;
      if (starts.has(id)) continue;
      starts.set(id, rows.length);
      for (const old of this.told[id] as number[]) rows.push(old);
    }
    for (const row of this.fresh) rows.push(row);
    return { rows, starts };
  }

  private tell(output: Output<Batch>): void {
    if (this.fresh.length === 0) return;
    const { rows, starts } = this.changing();
    const batch = this.pool.take(Int32Array.from(rows));
    const { rows: ranked, ranks } = this.ranking.top(batch);
    const changed: number[] = [];
    const ops: number[] = [];
    const now = new Map<number, number[]>();
    const sameRow = rowsAreSame(batch);
    ranked.forEach((place, i) => {
      const row = rows[place] as number;
      const id = this.partitions[row] as number;
      const rank = ranks[i] as number;
      const told = now.get(id) ?? [];
      told.push(row);
      now.set(id, told);
      const isNew = rank > (this.told[id] as number[]).length;
      if (!isNew && sameRow((starts.get(id) as number) + rank - 1, place)) return;
      changed.push(i);
      ops.push(isNew ? Op.insert : Op.update);
    });
    for (const [id, told] of now) {
      this.toldRows += told.length - (this.told[id] as number[]).length;
      this.told[id] = told;
    }
    this.fresh = [];
    this.kept = 0;
    this.tidy();
    if (changed.length > 0) this.emit(batch, ranked, ranks, { changed, ops }, output);
  }

  private emit(
    batch: Batch,
    ranked: Int32Array,
    ranks: Int32Array,
    { changed, ops }: { readonly changed: readonly number[]; readonly ops: readonly number[] },
    output: Output<Batch>,
  ): void {
    const rows = Int32Array.from(changed, (i) => ranked[i] as number);
    const { columns, rowCount, eventTimes } = takeBatch(batch, rows);
    const rank = longColumn(Float64Array.from(changed, (i) => ranks[i] as number));
    output.emit(new Batch(this.output, rowCount, [...columns, rank, opColumn(Int32Array.from(ops))], eventTimes));
  }

  /** Leaves out new rows that have n others before them already. */
  private cut(): void {
    const { rows } = this.changing();
    const told = rows.length - this.fresh.length;
    const { rows: ranked } = this.ranking.top(this.pool.take(Int32Array.from(rows)));
    this.fresh = Array.from(ranked.filter((place) => place >= told).sort(), (place) => rows[place] as number);
    this.kept = this.fresh.length;
    this.tidy();
  }

  private tidy(): void {
    if (this.pool.size > FEW_ROWS + 2 * (this.toldRows + this.fresh.length)) this.forget();
  }

  /** Keeps only rows that are needed: those that were told by partition and rank, then the new ones. */
  private forget(): void {
    const live = new Int32Array(this.toldRows + this.fresh.length);
    let count = 0;
    const number = (row: number): number => {
      live[count] = row;
      return count++;
    };
    this.told = this.told.map((rows) => rows.map(number));
    this.fresh = this.fresh.map(number);
    this.pool.compact(live);
    this.partitions = live.map((row) => this.partitions[row] as number);
  }

  snapshot(): SnapshotValue {
    this.forget();
    return { rows: saveBatch(this.pool.all()), told: this.toldRows };
  }

  restore(state: SnapshotValue, part?: Part<Batch>): void {
    const { rows, told } = state as { readonly [key: string]: SnapshotValue };
    assert(rows !== undefined && typeof told === "number", "a snapshot of a ranking");
    const saved = loadBatch(rows, this.input);
    const own = ownRows(part, saved);
    const first = this.add(takeBatch(saved, own));
    own.forEach((place, i) => {
      const row = first + i;
      if (place >= told) this.fresh.push(row);
      else (this.told[this.partitions[row] as number] as number[]).push(row);
    });
    this.toldRows += own.filter((place) => place < told).length;
  }
}

/** Whether two rows are equal in every column. */
function rowsAreSame({ columns }: Batch): (a: number, b: number) => boolean {
  const orders = columns.map((column) => keyOrder({ column }, column));
  return (a, b) => a === b || orders.every((order) => order(a, b) === 0);
}
