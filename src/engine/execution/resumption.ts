import { type Epoch, epoch, type TaskId } from "../base/ids.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { TaskSnapshot } from "../core/effects.ts";
import { decodeSnapshot } from "../state/snapshot-codec.ts";

/** Where a run begins: behind an epoch of an earlier run, with every task's snapshot of it. Plain data. */
export interface Resumption {
  /** Its first barrier has the next number (F-8). */
  readonly epoch: Epoch;
  readonly tasks: ReadonlyMap<TaskId, TaskSnapshot>;
}

/** The start of a run that continues nothing. */
export const FRESH: Resumption = { epoch: epoch(0), tasks: new Map() };

/** The same run's start for some of its tasks. */
export function tasksWhere({ tasks }: Resumption, belongs: (task: TaskId) => boolean): Resumption["tasks"] {
  return new Map([...tasks].filter(([task]) => belongs(task)));
}

/**
 * What a stage of a task had saved; undefined where it had nothing.
 * @throws WeirError `snapshot-damaged`, `snapshot-version`
 */
export function savedState(snapshot: TaskSnapshot | undefined, stage: number): SnapshotValue | undefined {
  const state = snapshot?.stages[stage]?.state ?? null;
  return state === null ? undefined : decodeSnapshot(state);
}
