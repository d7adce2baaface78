import type { Batch } from "../../data/batch.ts";
import type { Column, FixedColumn } from "../../data/column.ts";
import type { KernelHeap } from "../../data/wasm/kernel-heap.ts";
import type { Entries } from "./entries.ts";
import { numbersInto, numbersOf } from "./numbers.ts";

/** Values for the accumulators, none of them NULL (D-24). Entry i belongs to slot `slots[i]`. */
export class Feed {
  /** One value an entry; of `count(*)` there is none. */
  readonly column: Column | null;
  readonly count: number;
  readonly slots: Int32Array;
  /** Row of the batch that entry i is; `null`: row i. */
  readonly rows: Int32Array | null;
  readonly batch: Batch;
  /** Event time by row of the batch. */
  readonly times: Float64Array;
  /** Where kernels may take the values in: slots and state lie there. */
  readonly heap: KernelHeap | undefined;
  /** Copies of the values for kernels, made once for all accumulators. */
  private lentNumbers: Float64Array | undefined;
  private lentWords: Int32Array | undefined;

  /** @param column of the values alone, as many as there are entries */
  constructor({ batch, times, count, slots, rows }: Entries, column: Column | null, heap: KernelHeap | undefined) {
    this.column = column;
    this.count = count;
    this.slots = slots;
    this.rows = rows;
    this.batch = batch;
    this.times = times;
    this.heap = heap;
  }

  /** The values as doubles: see `numbersOf`. On the heap where there is one. */
  numbers(): Float64Array {
    const column = this.column as Column;
    if (this.heap === undefined) return numbersOf(column, this.count);
    if (this.lentNumbers === undefined) {
      this.lentNumbers = this.heap.numbers(this.count);
      numbersInto(column, this.count, this.lentNumbers);
    }
    return this.lentNumbers;
  }

  /** Values of two words, on the heap where there is one. */
  longs(): Int32Array {
    const values = (this.column as FixedColumn).values as Int32Array;
    if (this.heap === undefined) return values;
    if (this.lentWords === undefined) {
      this.lentWords = this.heap.words(2 * this.count);
      this.lentWords.set(values.length === 2 * this.count ? values : values.subarray(0, 2 * this.count));
    }
    return this.lentWords;
  }

  /** All accumulators have the values. */
  release(): void {
    if (this.lentNumbers !== undefined) this.heap?.release(this.lentNumbers);
    if (this.lentWords !== undefined) this.heap?.release(this.lentWords);
    this.lentNumbers = undefined;
    this.lentWords = undefined;
  }
}
