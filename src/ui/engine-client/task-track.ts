import { TASK_STATES, type TaskState } from "../../engine/index.ts";

/** A track keeps this much, in columns of a millisecond. */
export const TRACK_MS = 60_000;
/** Nothing is known of that millisecond: before the run, or lost. */
export const NOTHING = 255;

export const stateIndex: ReadonlyMap<TaskState, number> = new Map(TASK_STATES.map((state, index) => [state, index]));

/** A stretch of time is not looked at more often than about this many times. */
const SAMPLES = 24;

const counts = new Uint16Array(TASK_STATES.length);

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
  private changedFrom = 0;

  enter(state: TaskState, atMs: number): void {
    this.spend(atMs);
    this.change(stateIndex.get(state) ?? NOTHING);
  }

  /** What was between now and the next event is not known. */
  lose(): void {
    this.change(NOTHING);
  }

  /** From this millisecond on the track looks otherwise than when this was last asked; infinity: it looks the same. */
  takeChangedFrom(): number {
    const from = this.changedFrom;
    this.changedFrom = Number.POSITIVE_INFINITY;
    return from;
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

  /**
   * The state that took most of the `ms` milliseconds from `fromMs` on, the earlier one of two that took as much; NOTHING where
   * nothing is known. A long stretch is sampled, evenly.
   */
  most(fromMs: number, ms: number): number {
    if (ms <= 1) return this.at(fromMs);
    const step = Math.max(1, Math.floor(ms / SAMPLES));
    const first = this.at(fromMs);
    let at = fromMs + step;
    while (at < fromMs + ms && this.at(at) === first) at += step;
    return at < fromMs + ms ? this.mostCounted(fromMs, ms, step) : first;
  }

  private mostCounted(fromMs: number, ms: number, step: number): number {
    counts.fill(0);
    let most = NOTHING;
    let best = 0;
    for (let at = fromMs; at < fromMs + ms; at += step) {
      const state = this.at(at);
      if (state === NOTHING) continue;
      const count = (counts[state] as number) + 1;
      counts[state] = count;
      if (count > best) {
        best = count;
        most = state;
      }
    }
    return most;
  }

  private change(state: number): void {
    this.changedFrom = Math.min(this.changedFrom, Math.floor(this.since));
    this.state = state;
  }

  /** Books the time up to `atMs` to the current state. */
  private spend(atMs: number): void {
    const { state } = this;
    if (atMs <= this.since) return;
    if (state === BARRIER) this.alignedMs += atMs - this.since;
    const from = Math.max(this.since, atMs - TRACK_MS);
    const first = Math.floor(from);
    const last = Math.floor(atMs);
    if (last === first) this.add(state, atMs - from);
    else {
      this.add(state, first + 1 - from);
      this.close(first);
      this.fill(first + 1, last);
      this.add(state, atMs - last);
    }
    this.since = atMs;
  }

  private add(state: number, ms: number): void {
    if (state !== NOTHING) this.spent[state] = (this.spent[state] as number) + ms;
  }

  /** Whole columns of one state, from `first` to before `end`; at most as many as a track has. */
  private fill(first: number, end: number): void {
    const at = first % TRACK_MS;
    const over = at + end - first - TRACK_MS;
    this.columns.fill(this.state, at, Math.min(TRACK_MS, at + end - first));
    if (over > 0) this.columns.fill(this.state, 0, over);
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
    // Until now it looked like the state that it ended with.
    if (most !== this.state) this.changedFrom = Math.min(this.changedFrom, column);
    this.columns[column % TRACK_MS] = most;
    this.spent.fill(0);
  }
}
