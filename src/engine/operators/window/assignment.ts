import type { Batch } from "../../data/batch.ts";
import { grownWords, newWords } from "../../data/state-arrays.ts";
import type { Entries } from "../aggregates/entries.ts";

/** Where the rows of a batch go: pairs of a row and a slot, and the rows that are late for all their windows. The memory is used again. */
export class Assignment {
  rows = newWords(1);
  slots = newWords(1);
  count = 0;
  lateRows = new Int32Array(0);
  lateCount = 0;
  /** The pairs are rows 0, 1, 2… so far, and `rows` need not say so. */
  private inOrder = true;

  /** For a batch of `rowCount` rows. */
  start(rowCount: number): void {
    this.lateCount = 0;
    if (this.lateRows.length < rowCount) this.lateRows = new Int32Array(rowCount);
  }

  /** For a part of the batch with at most so many pairs. */
  startPart(pairs: number): void {
    this.count = 0;
    this.inOrder = true;
    if (this.rows.length >= pairs) return;
    this.rows = grownWords(this.rows, pairs);
    this.slots = grownWords(this.slots, pairs);
  }

  late(row: number): void {
    this.lateRows[this.lateCount++] = row;
  }

  /** Of a batch whose rows have at most one pair each: rows [from, to) got slots. */
  addRows(from: number, to: number): void {
    if (this.inOrder) this.count = to;
    else for (let row = from; row < to; row++) this.rows[this.count++] = row;
  }

  /** Of such a batch: rows [from, to) are late. */
  allLate(from: number, to: number): void {
    if (this.inOrder) for (let row = 0; row < this.count; row++) this.rows[row] = row;
    this.inOrder = false;
    for (let row = from; row < to; row++) this.late(row);
  }

  /** @param single each row of the batch has at most one pair, so that as many pairs as rows are all rows in order */
  entries(batch: Batch, times: Float64Array, single: boolean): Entries {
    const { count, slots } = this;
    return { batch, times, count, slots, rows: single && count === batch.rowCount ? null : this.rows };
  }
}
