import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { Output, PollResult, Source } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";
import type { EventTimeTracker } from "./event-time.ts";

/** A subtask to which no part of the input falls: idle from its start, and done (D-6, E-4). */
export class NothingSource implements Source<Batch> {
  private readonly tracker: EventTimeTracker;

  constructor(tracker: EventTimeTracker) {
    this.tracker = tracker;
  }

  open(output: Output<Batch>): void {
    this.tracker.open(output);
  }

  poll(): PollResult {
    return { kind: "done" };
  }

  position(): SnapshotValue {
    return null;
  }
}
