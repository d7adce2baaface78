import type { Output } from "../../core/stages.ts";
import { Batch } from "../../data/batch.ts";
import type { Column } from "../../data/column.ts";
import { nullColumn } from "../../data/column-builder.ts";
import type { Schema } from "../../data/schema.ts";
import type { RowPool } from "../row-pool.ts";

/** Results go out in batches of so many rows. */
export const BATCH_ROWS = 8192;

/** Which columns of a side a result has, and where its key is. */
export interface SidePlan {
  readonly pool: RowPool;
  readonly schema: Schema;
  /** Column of the key, if it is one of text (D-31). */
  readonly textKey: number | undefined;
}

/** Makes rows of the join: the left side, the right side, and the key. Event time is the greater of the two (D-29). */
export class JoinOutput {
  private readonly schema: Schema;
  private readonly left: SidePlan;
  private readonly right: SidePlan;

  constructor(schema: Schema, left: SidePlan, right: SidePlan) {
    this.schema = schema;
    this.left = left;
    this.right = right;
  }

  /** Row i of the left beside row i of the right, by numbers in their pools. */
  pairs(leftRows: Int32Array, rightRows: Int32Array, output: Output<Batch>): void {
    const left = this.left.pool.take(leftRows);
    const right = this.right.pool.take(rightRows);
    const key = this.left.textKey === undefined ? [] : [left.columns[this.left.textKey] as Column];
    const times = new Float64Array(leftRows.length);
    for (let i = 0; i < times.length; i++) {
      times[i] = Math.max(left.eventTimes?.[i] as number, right.eventTimes?.[i] as number);
    }
    output.emit(new Batch(this.schema, times.length, [...left.columns, ...right.columns, ...key], times));
  }

  /** Rows of one side beside NULLs. */
  unmatched(side: "left" | "right", rows: readonly number[], output: Output<Batch>): void {
    for (let from = 0; from < rows.length; from += BATCH_ROWS) {
      const part = Int32Array.from(rows.slice(from, from + BATCH_ROWS));
      this.alone(side, this[side].pool.take(part), output);
    }
  }

  alone(side: "left" | "right", batch: Batch, output: Output<Batch>): void {
    const plan = this[side];
    const other = side === "left" ? this.right : this.left;
    const nulls = other.schema.fields.map(({ type }) => nullColumn(type, batch.rowCount));
    const key = plan.textKey === undefined ? [] : [batch.columns[plan.textKey] as Column];
    const both = side === "left" ? [...batch.columns, ...nulls] : [...nulls, ...batch.columns];
    output.emit(new Batch(this.schema, batch.rowCount, [...both, ...key], batch.eventTimes));
  }
}
