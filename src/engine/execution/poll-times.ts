import type { TaskId } from "../base/ids.ts";
import type { PollResult } from "../core/stages.ts";
import type { RunnerHome } from "./runner-home.ts";

/** An idle source is polled again after this (F-29). */
const IDLE_SLEEP_MS = 5;

/** When a source is polled next, on the run's clock. */
export class PollTimes {
  private readonly home: RunnerHome;
  private readonly task: TaskId;
  private at = Number.NEGATIVE_INFINITY;
  private last = Number.NEGATIVE_INFINITY;
  /** Settles when the source may be polled again, where it waits for I/O. */
  pending: PromiseLike<void> | undefined = undefined;
  /** Another source, whose rows this one's are to meet, is behind and goes first; but this one is polled now and then all the same. */
  yields = false;

  constructor(home: RunnerHome, task: TaskId) {
    this.home = home;
    this.task = task;
  }

  get next(): number {
    return this.yields ? Math.max(this.at, this.last + this.home.longestWaitMs) : this.at;
  }

  /** Whether the source has more rows at once, as far as it knows. */
  get isEager(): boolean {
    return this.pending === undefined && this.at === Number.NEGATIVE_INFINITY;
  }

  /** It is polled now. */
  polled(): void {
    this.last = this.home.time.runMs;
  }

  /** What it answered. */
  plan(result: PollResult): void {
    switch (result.kind) {
      case "again":
        this.at = Number.NEGATIVE_INFINITY;
        return;
      case "idle": {
        const nowMs = this.home.time.runMs;
        this.at = Math.min(result.wakeAtMs ?? nowMs + IDLE_SLEEP_MS, nowMs + this.home.longestWaitMs);
        return;
      }
      case "pending":
        this.at = Number.NEGATIVE_INFINITY;
        this.pending = result.ready.then(() => {
          this.pending = undefined;
          this.home.wake(this.task);
        });
        return;
      default:
        return;
    }
  }
}
