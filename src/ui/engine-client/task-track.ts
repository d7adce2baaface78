import { TASK_STATES, type TaskState } from "../../engine/index.ts";

/** A track keeps this much, in columns of a millisecond. */
export const TRACK_MS = 60_000;
/** Nothing is known of that millisecond: before the run, or lost. */
export const NOTHING = 255;

export const stateIndex: ReadonlyMap<TaskState, number> = new Map(TASK_STATES.map((state, index) => [state, index]));

const BARRIER = stateIndex.get("Barrier") as number;

/**
 * The states of one task over the last minute, a byte for each millisecond: the state that took most of it. A task may change state
 * a hundred thousand times a second; this takes the same memory whatever it does.
 */
export class TaskTrack {
  private readonly columns = new Uint8Array(TRACK_MS).fill(NOTHING);
  /** Milliseconds of each state in the column that is being filled. */
  private readonly spent = new Float64Array(TASK_STATES.length);
  private state = NOTHING;
  private since = 0;
  private alignedMs = 0;

  enter(state: TaskState, atMs: number): void {
    this.spend(atMs);
    this.state = stateIndex.get(state) ?? NOTHING;
  }

  /** What was between now and the next event is not known. */
  lose(): void {
    this.state = NOTHING;
  }

  /** Time that the task waited for barriers since this was last asked: how long it aligned. */
  takeAligned(atMs: number): number {
    this.spend(atMs);
    const ms = this.alignedMs;
    this.alignedMs = 0;
    return ms;
  }

  /** State in the column of that millisecond, as an index into TASK_STATES, or NOTHING. */
  at(ms: number): number {
    const column = Math.floor(ms);
    const last = Math.floor(this.since);
    if (column > last || (column === last && this.state !== NOTHING)) return this.state;
    return column < 0 || column <= last - TRACK_MS ? NOTHING : (this.columns[column % TRACK_MS] as number);
  }

  /** Milliseconds of each state in [from, to), added to `sums` (one for each state). */
  sum(from: number, to: number, sums: Float64Array): void {
    for (let ms = Math.max(0, Math.floor(from)); ms < to; ms++) {
      const state = this.at(ms);
      if (state !== NOTHING) sums[state] = (sums[state] as number) + 1;
    }
  }

  /** Books the time up to `atMs` to the current state. */
  private spend(atMs: number): void {
    const { state } = this;
    if (atMs <= this.since) return;
    if (state === BARRIER) this.alignedMs += atMs - this.since;
    let from = Math.max(this.since, atMs - TRACK_MS);
    for (let column = Math.floor(from); column < Math.floor(atMs); column++) {
      this.add(state, column + 1 - from);
      this.close(column);
      from = column + 1;
    }
    this.add(state, atMs - from);
    this.since = atMs;
  }

  private add(state: number, ms: number): void {
    if (state !== NOTHING) this.spent[state] = (this.spent[state] as number) + ms;
  }

  private close(column: number): void {
    let most = NOTHING;
    let ms = 0;
    for (let state = 0; state < this.spent.length; state++) {
      if ((this.spent[state] as number) > ms) {
        most = state;
        ms = this.spent[state] as number;
      }
    }
    this.columns[column % TRACK_MS] = most;
    this.spent.fill(0);
  }
}
