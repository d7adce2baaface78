import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Operator, Output } from "../../core/stages.ts";
import { Batch } from "../../data/batch.ts";
import type { Column } from "../../data/column.ts";
import { keyOrder } from "../../data/kernels/compare.ts";
import { takeBatch } from "../../data/kernels/take.ts";
import { KeyIndex } from "../../data/key-index.ts";
import type { Field, Schema } from "../../data/schema.ts";
import { loadBatch, saveBatch } from "../../state/batch-snapshot.ts";
import { longColumn } from "../aggregates/count.ts";
import type { RankConfig } from "../catalog.ts";
import { Op, opColumn } from "../changelog.ts";
import type { StageContext } from "../context.ts";
import { schemaAt } from "../ports.ts";
import { RowPool } from "../row-pool.ts";
import { Ranking } from "./top-rows.ts";

/** Rows since the last time are cut down to those that may be told when they are twice as many as before, but not for a few. */
const FEW_ROWS = 16_384;

/**
 * The first n rows of each partition over all rows so far. What changed since the last time goes out when time moves on and at END, by partition
 * and rank: a rank that is new is an insert, one that another row has now an update. Rows only come, so no rank is ever deleted.
 */
export class RunningRank implements Operator<Batch> {
  private readonly input: Schema;
  private readonly output: Schema;
  private readonly places: readonly number[];
  private readonly ranking: Ranking;
  /** Numbers of partitions while they are told; empty otherwise. */
  private readonly keys: KeyIndex;
  /** The ranked rows that were told, then the rows since. */
  private readonly pool: RowPool;
  private told = 0;
  /** Rows that there were when they were cut down last. */
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
    this.pool.add(new Batch(schema, rowCount, columns, times, borrowed));
    if (this.pool.size > FEW_ROWS + 2 * this.kept) this.cut();
  }

  /** Forgets rows that have n others before them. Those that were told stay, to be compared with what is told next. */
  private cut(): void {
    const { told } = this;
    const fresh = this.ranking.top(this.pool.all()).rows.filter((row) => row >= told);
    const live = new Int32Array(told + fresh.length).map((_, row) => row);
    live.set(fresh.sort(), told);
    this.pool.compact(live);
    this.kept = live.length;
  }

  onTime(_ms: number, output: Output<Batch>): void {
    this.tell(output);
  }

  onEnd(output: Output<Batch>): void {
    this.tell(output);
  }

  private tell(output: Output<Batch>): void {
    if (this.pool.size === this.told) return;
    const all = this.pool.all();
    const { rows, ranks } = this.ranking.top(all);
    const ids = this.partitions(all);
    const before = this.toldRanks(ids);
    const changed: number[] = [];
    const ops: number[] = [];
    const sameRow = rowsAreSame(all);
    rows.forEach((row, i) => {
      const old = before.get(ids[row] as number)?.[(ranks[i] as number) - 1];
      if (old !== undefined && sameRow(old, row)) return;
      changed.push(i);
      ops.push(old === undefined ? Op.insert : Op.update);
    });
    this.pool.compact(rows);
    this.told = rows.length;
    this.kept = rows.length;
    if (changed.length === 0) return;
    const places = Int32Array.from(changed);
    const { columns, rowCount, eventTimes } = takeBatch(
      all,
      places.map((i) => rows[i] as number),
    );
    const rank = longColumn(Float64Array.from(places, (i) => ranks[i] as number));
    output.emit(new Batch(this.output, rowCount, [...columns, rank, opColumn(Int32Array.from(ops))], eventTimes));
  }

  /** Rows that were told, in order of rank, by number of the partition. */
  private toldRanks(ids: Int32Array): Map<number, number[]> {
    const told = new Map<number, number[]>();
    for (let row = 0; row < this.told; row++) {
      const ranked = told.get(ids[row] as number);
      if (ranked === undefined) told.set(ids[row] as number, [row]);
      else ranked.push(row);
    }
    return told;
  }

  private partitions(all: Batch): Int32Array {
    const ids = new Int32Array(all.rowCount);
    this.keys.idsOf(
      this.places.map((place) => all.columns[place] as Column),
      all.rowCount,
      ids,
    );
    this.keys.compact(new Int32Array(0));
    return ids;
  }

  snapshot(): SnapshotValue {
    return { rows: saveBatch(this.pool.all()), told: this.told };
  }

  restore(state: SnapshotValue): void {
    const { rows, told } = state as { readonly [key: string]: SnapshotValue };
    assert(rows !== undefined && typeof told === "number", "a snapshot of a ranking");
    this.pool.add(loadBatch(rows, this.input));
    this.told = told;
  }
}

/** Whether two rows are equal in every column. */
function rowsAreSame({ columns }: Batch): (a: number, b: number) => boolean {
  const orders = columns.map((column) => keyOrder({ column }, column));
  return (a, b) => a === b || orders.every((order) => order(a, b) === 0);
}
