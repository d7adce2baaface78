import type { Clock } from "../../base/clock.ts";
import type { ErrorData } from "../../base/errors.ts";
import type { FileStore } from "../../base/files.ts";
import type { EdgeId, NodeId, TaskId } from "../../base/ids.ts";
import type { Interrupter } from "../../base/interrupter.ts";
import type { TaskEvent } from "../../core/effects.ts";
import type { Batch } from "../../data/batch.ts";
import type { FullTrace } from "../../trace/trace-event.ts";
import type { RunnerHome, Timekeeper } from "../runner-home.ts";
import type { StageHome } from "../stage-context.ts";

/** Virtual time: moves only by an explicit advance (D-50). */
export class LabTime implements Timekeeper, Clock {
  private ms = 0;

  get wallMs(): number {
    return this.ms;
  }

  get runMs(): number {
    return this.ms;
  }

  now(): number {
    return this.ms;
  }

  refresh(): void {
    // Nothing to read: the lab says what time it is.
  }

  advanceTo(ms: number): void {
    this.ms = ms;
  }
}

/** Rows that a sink made visible, in order. */
export interface Delivery {
  readonly node: NodeId;
  readonly batch: Batch;
}

const NOTES_KEPT = 100;

/** The surroundings of the lab's tasks: everything that they tell lands in lists. */
export class LabHome implements RunnerHome, StageHome {
  readonly time = new LabTime();
  readonly clock: Clock = this.time;
  readonly slowMotionMs = 0;
  /** Time moves to the next timer in one step: ticks arise when it has moved (D-50). */
  readonly longestWaitMs = Number.POSITIVE_INFINITY;
  readonly congested = false;
  readonly files: FileStore;
  readonly interrupter: Interrupter | undefined;
  readonly trace: FullTrace;
  /** Events that the coordinator has yet to take. */
  readonly events: TaskEvent[] = [];
  readonly deliveries: Delivery[] = [];
  readonly notes: ErrorData[] = [];
  /** Newest batch of each edge that somebody wanted to see. */
  readonly samples = new Map<EdgeId, Batch>();

  constructor(files: FileStore, interrupter: Interrupter | undefined, trace: FullTrace) {
    this.files = files;
    this.interrupter = interrupter;
    this.trace = trace;
  }

  tell(event: TaskEvent): void {
    this.events.push(event);
  }

  claimFailure(_task: TaskId, _inputLost: boolean): void {
    // Events reach the lab's coordinator in the order in which they happened: the first failure is first.
  }

  deliver(node: NodeId, batch: Batch): void {
    this.deliveries.push({ node, batch });
  }

  note(error: ErrorData): void {
    if (this.notes.length < NOTES_KEPT) this.notes.push(error);
  }

  sample(edge: EdgeId, batch: Batch): void {
    this.samples.set(edge, batch);
  }

  /** The lab has no ledger of CPU time (F-82). */
  cpuMs(_task: TaskId): null {
    return null;
  }

  wake(_task: TaskId): void {
    // The lab looks at every task before each move.
  }
}
