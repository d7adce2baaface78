import { type EpochRecord, TASK_STATES, type TaskReading, type TaskState } from "../../../engine/index.ts";

export type Shares = Readonly<Record<TaskState, number>>;

/** Where the whole time of a task went, from its start to now; what it does after its end is none of it. */
export function wholeShares({ spentMs, state, forMs }: Pick<TaskReading, "spentMs" | "state" | "forMs">): Shares {
  const spent = (each: TaskState) => (each === "Done" || each === "Failed" ? 0 : spentMs[each]);
  const now = state === "Done" || state === "Failed" ? 0 : forMs;
  const total = TASK_STATES.reduce((sum, each) => sum + spent(each), now);
  const share = (each: TaskState) => (total <= 0 ? 0 : (spent(each) + (each === state ? now : 0)) / total);
  return Object.fromEntries(TASK_STATES.map((each) => [each, share(each)])) as Record<TaskState, number>;
}

/** What the field calls the states of a task, as parts of its time. */
export interface Load {
  readonly busy: number;
  /** Waiting for input. */
  readonly idle: number;
  /** Waiting for room at an output. */
  readonly backpressured: number;
  /** Waiting for a barrier on other inputs. */
  readonly aligning: number;
}

export const loadOf = (shares: Shares): Load => ({
  busy: shares.Working + shares.Polling,
  idle: shares.Receiving,
  backpressured: shares.Sending,
  aligning: shares.Barrier,
});

export function meanLoad(loads: readonly Load[]): Load {
  const mean = (of: (load: Load) => number) =>
    loads.reduce((sum, load) => sum + of(load), 0) / Math.max(1, loads.length);
  return {
    busy: mean((load) => load.busy),
    idle: mean((load) => load.idle),
    backpressured: mean((load) => load.backpressured),
    aligning: mean((load) => load.aligning),
  };
}

/** The largest of several counts, as a multiple of their mean; undefined of none. */
export function skewOf(counts: readonly number[]): { readonly index: number; readonly times: number } | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const most = Math.max(...counts);
  return { index: counts.indexOf(most), times: (most * counts.length) / total };
}

/** The newest epoch that completed: its snapshots are the newest that there are. */
export const lastCompleted = (epochs: readonly EpochRecord[]): EpochRecord | undefined =>
  epochs.findLast(({ completedMs }) => completedMs !== undefined);

/** Bytes of a task's snapshot; undefined where it made none. */
export const snapshotBytes = (record: EpochRecord | undefined, task: number): number | undefined =>
  record?.reports.find((report) => report.task === task)?.bytes;
