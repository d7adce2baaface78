import { grownWords } from "../aggregates/accumulator.ts";
import { Timers } from "../window/timers.ts";

/**
 * Rows by time, in runs: those of a batch in order of time, and those of further batches as long as they go on where it ends. Rows mostly come in
 * order, so there are a few runs, and one timer for each run, set to the time of its next row.
 */
export class TimeRuns {
  /** Numbers of rows; those of a run lie together. */
  private rows = new Int32Array(64);
  private count = 0;
  /** Where each run goes on and ends. Run 0 is none. */
  private readonly at = [0];
  private readonly ends = [0];
  private readonly free: number[] = [];
  /** The run that ends at `count`; 0 when it has no rows left. */
  private last = 0;
  private readonly timers = new Timers();

  /** Rows [first, first + count) with these times, by number of the row. */
  add(first: number, count: number, times: Float64Array): void {
    if (count === 0) return;
    const from = this.count;
    const to = from + count;
    if (to > this.rows.length) this.rows = grownWords(this.rows, 2 * to);
    const { rows } = this;
    for (let i = 0; i < count; i++) rows[from + i] = first + i;
    if (!isOrdered(times, first, first + count)) rows.subarray(from, to).sort((a, b) => byTime(times, a, b));
    this.count = to;
    const next = times[rows[from] as number] as number;
    if (this.last !== 0 && (times[rows[from - 1] as number] as number) <= next) this.ends[this.last] = to;
    else this.begin(from, to, next);
  }

  private begin(from: number, to: number, time: number): void {
    const run = this.free.pop() ?? this.at.length;
    this.at[run] = from;
    this.ends[run] = to;
    this.last = run;
    this.timers.set(run, time);
  }

  /** Takes out the rows with a time before `limit`, those of a run in order. */
  takeBefore(limit: number, times: Float64Array, take: (row: number) => void): void {
    const { rows, timers } = this;
    for (let run = timers.takeBefore(limit); run !== 0; run = timers.takeBefore(limit)) {
      let at = this.at[run] as number;
      const end = this.ends[run] as number;
      while (at < end && (times[rows[at] as number] as number) < limit) take(rows[at++] as number);
      this.at[run] = at;
      if (at < end) timers.set(run, times[rows[at] as number] as number);
      else {
        this.free.push(run);
        if (this.last === run) this.last = 0;
      }
    }
  }

  clear(): void {
    this.count = 0;
    this.at.length = 1;
    this.ends.length = 1;
    this.free.length = 0;
    this.last = 0;
    this.timers.clear();
  }
}

function isOrdered(times: Float64Array, from: number, to: number): boolean {
  for (let row = from + 1; row < to; row++) if ((times[row] as number) < (times[row - 1] as number)) return false;
  return true;
}

/** Of equal times the row that came first. */
export const byTime = (times: Float64Array, a: number, b: number): number =>
  (times[a] as number) - (times[b] as number) || a - b;
