import { assert } from "../base/assert.ts";
import type { Batch } from "../data/batch.ts";
import { Batch as RowBatch } from "../data/batch.ts";
import { nullColumn } from "../data/column-builder.ts";
import { concatBatches } from "../data/kernels/concat.ts";
import { retain } from "../data/kernels/copy.ts";
import { takeBatch } from "../data/kernels/take.ts";
import type { Schema } from "../data/schema.ts";

/**
 * Rows that an operator keeps, in columns, by numbers 0, 1, 2… in the order in which they came. Batches are joined into pieces of which each is
 * larger than the next one together, so that n rows are copied log n times and lie in few pieces.
 */
export class RowPool {
  private readonly schema: Schema;
  private pieces: Batch[] = [];
  /** Number of the first row of a piece. */
  private starts: number[] = [];
  private count = 0;

  constructor(schema: Schema) {
    this.schema = schema;
  }

  /** Rows there are, those that nobody needs any more among them. */
  get size(): number {
    return this.count;
  }

  /** Keeps the rows and answers the number of the first one. */
  add(batch: Batch): number {
    const first = this.count;
    if (batch.rowCount === 0) return first;
    // A batch may say "nullable" where the port does not, and the other way round.
    const { rowCount, columns, eventTimes } = retain(batch);
    this.pieces.push(new RowBatch(this.schema, rowCount, columns, eventTimes));
    this.starts.push(first);
    this.count += rowCount;
    this.join();
    return first;
  }

  private join(): void {
    const { pieces, starts } = this;
    while (pieces.length > 1) {
      const last = pieces[pieces.length - 1] as Batch;
      const before = pieces[pieces.length - 2] as Batch;
      if (before.rowCount > last.rowCount) return;
      pieces.splice(-2, 2, concatBatches([before, last]));
      starts.pop();
    }
  }

  /** These rows in this order. */
  take(rows: Int32Array): Batch {
    const [only] = this.pieces;
    assert(only !== undefined, "rows of an empty pool");
    if (this.pieces.length === 1) return takeBatch(only, rows);
    const parts: Batch[] = [];
    const places = new Int32Array(rows.length);
    let at = 0;
    this.pieces.forEach((piece, p) => {
      const start = this.starts[p] as number;
      const local: number[] = [];
      rows.forEach((row, i) => {
        if (row < start || row >= start + piece.rowCount) return;
        places[i] = at++;
        local.push(row - start);
      });
      if (local.length > 0) parts.push(takeBatch(piece, Int32Array.from(local)));
    });
    const [one] = parts;
    if (one === undefined) return takeBatch(only, new Int32Array(0));
    return takeBatch(parts.length === 1 ? one : concatBatches(parts), places);
  }

  /** Every row in order, without event times where there are none. */
  all(): Batch {
    if (this.count === 0)
      return new RowBatch(
        this.schema,
        0,
        this.schema.fields.map(({ type }) => nullColumn(type, 0)),
      );
    return this.take(Int32Array.from({ length: this.count }, (_, row) => row));
  }

  /** Forgets all rows but `live`, which get the numbers 0, 1, 2… in this order. */
  compact(live: Int32Array): void {
    const kept = live.length === 0 ? undefined : this.take(live);
    this.pieces = kept === undefined ? [] : [kept];
    this.starts = kept === undefined ? [] : [0];
    this.count = live.length;
  }
}
