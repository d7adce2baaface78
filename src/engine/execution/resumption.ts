import { type Epoch, epoch, type TaskId } from "../base/ids.ts";
import type { StageProgress } from "../core/effects.ts";

/** Where a run begins: behind an epoch of an earlier run, with what its tasks had saved. Plain data. */
export interface Resumption {
  /** Its first barrier has the next number (F-8). */
  readonly epoch: Epoch;
  /** By task, what each of its stages goes on with. */
  readonly tasks: ReadonlyMap<TaskId, readonly StageStart[]>;
}

/** What one stage of a task goes on with. */
export interface StageStart {
  /** Encoded states: its own, none, or those of all that had a part of what is its own now. */
  readonly states: readonly Uint8Array[];
  readonly time: StageProgress;
  /** Which part of them, where they are those of other tasks. */
  readonly share: Share | undefined;
}

/** What comes to a task by shuffles: rows of some vnodes, by columns of each input port. */
export interface Share {
  readonly vnodes: number;
  readonly from: number;
  readonly to: number;
  readonly columns: Readonly<Record<string, readonly string[]>>;
}

/** The start of a run that continues nothing. */
export const FRESH: Resumption = { epoch: epoch(0), tasks: new Map() };

/** The same run's start for some of its tasks. */
export function tasksWhere({ tasks }: Resumption, belongs: (task: TaskId) => boolean): Resumption["tasks"] {
  return new Map([...tasks].filter(([task]) => belongs(task)));
}
