import { type Epoch, nextEpoch, type TaskId } from "../base/ids.ts";
import type { TaskSnapshot } from "./effects.ts";

/** An epoch that every task reported, or ended before (F-50, F-53). */
export interface CompletedEpoch {
  readonly epoch: Epoch;
  /** Sources and operators by task id; what drained sources said last stands in for a report (F-51, F-52). */
  readonly snapshots: readonly (readonly [TaskId, TaskSnapshot])[];
  /** Pre-commit snapshots of sinks by task id (D-14). */
  readonly precommits: readonly (readonly [TaskId, TaskSnapshot])[];
}

interface PendingEpoch {
  readonly snapshots: Map<TaskId, TaskSnapshot>;
  readonly precommits: Map<TaskId, TaskSnapshot>;
}

/**
 * Decides which epochs are complete. Pure bookkeeping: epochs become known by being issued or reported (a sink seals its
 * last epoch without a barrier, D-13), complete in order, several at once if need be, and are never completed after an abort (D-8).
 */
export class EpochTracker {
  private readonly expected: readonly TaskId[];
  private readonly pending = new Map<Epoch, PendingEpoch>();
  private readonly aborted = new Set<Epoch>();
  /** What tasks that ended or drained said last: it stands in for their reports of later epochs (F-52). */
  private readonly atEnd = new Map<TaskId, TaskSnapshot>();
  /** Tasks that report acks: sinks alone. */
  private readonly acking = new Set<TaskId>();
  private readonly over = new Set<TaskId>();
  private greatest: Epoch;
  private last: Epoch;

  constructor(expected: readonly TaskId[], startEpoch: Epoch) {
    this.expected = expected;
    this.greatest = startEpoch;
    this.last = startEpoch;
  }

  /** The greatest epoch that was issued or reported. */
  get greatestKnown(): Epoch {
    return this.greatest;
  }

  get pendingEpochs(): Epoch[] {
    return [...this.pending.keys()].sort((a, b) => a - b);
  }

  /** Whether every expected task has ended or finished. */
  get allOver(): boolean {
    return this.expected.every((task) => this.over.has(task));
  }

  issue(epoch: Epoch): void {
    this.know(epoch);
  }

  snapshot(task: TaskId, epoch: Epoch, snapshot: TaskSnapshot): CompletedEpoch[] {
    this.know(epoch)?.snapshots.set(task, snapshot);
    return this.complete();
  }

  ack(task: TaskId, epoch: Epoch, precommit: TaskSnapshot): CompletedEpoch[] {
    this.acking.add(task);
    this.know(epoch)?.precommits.set(task, precommit);
    return this.complete();
  }

  /** The final position of a source that ran dry: part of every later epoch that it does not report (F-52). */
  drained(task: TaskId, snapshot: TaskSnapshot): void {
    this.atEnd.set(task, snapshot);
  }

  /**
   * The task ended: it counts as reported wherever it did not report (F-53, D-15), with its state at the end, such as windows that a stop
   * left open (D-4), if it has one that it did not tell as `drained`.
   */
  end(task: TaskId, snapshot: TaskSnapshot | null = null): CompletedEpoch[] {
    if (snapshot !== null) this.atEnd.set(task, snapshot);
    return this.finishTask(task);
  }

  /** The task finished: what a sink had staged is committed, or nobody waits for it. */
  finish(task: TaskId): CompletedEpoch[] {
    if (this.acking.has(task)) this.atEnd.delete(task);
    return this.finishTask(task);
  }

  private finishTask(task: TaskId): CompletedEpoch[] {
    this.over.add(task);
    const completed = this.complete();
    // Everything is over, and the last epochs were aborted: what their sinks staged still has to be committed.
    if (this.allOver && this.pending.size === 0 && this.last < this.greatest) {
      this.know(nextEpoch(this.greatest));
      completed.push(...this.complete());
    }
    return completed;
  }

  /** Gives the epoch up: reports that come later are dropped. Answers the epochs that waited for it (D-8). */
  abort(epoch: Epoch): CompletedEpoch[] {
    this.pending.delete(epoch);
    this.aborted.add(epoch);
    return this.complete();
  }

  isPending(epoch: Epoch): boolean {
    return this.pending.has(epoch);
  }

  /** Tasks that have not reported the epoch and may still do so. */
  missing(epoch: Epoch): TaskId[] {
    const entry = this.pending.get(epoch);
    if (entry === undefined) return [];
    return this.expected.filter(
      (task) => !this.over.has(task) && !entry.snapshots.has(task) && !entry.precommits.has(task),
    );
  }

  private know(epoch: Epoch): PendingEpoch | undefined {
    if (epoch <= this.last || this.aborted.has(epoch)) return undefined;
    let entry = this.pending.get(epoch);
    if (entry === undefined) {
      entry = { snapshots: new Map(), precommits: new Map() };
      this.pending.set(epoch, entry);
      if (epoch > this.greatest) this.greatest = epoch;
    }
    return entry;
  }

  private complete(): CompletedEpoch[] {
    const completed: CompletedEpoch[] = [];
    for (const epoch of this.pendingEpochs) {
      if (this.missing(epoch).length > 0) break;
      const { snapshots, precommits } = this.pending.get(epoch) as PendingEpoch;
      for (const [task, snapshot] of this.atEnd) {
        const reports = this.acking.has(task) ? precommits : snapshots;
        if (!reports.has(task)) reports.set(task, snapshot);
      }
      this.pending.delete(epoch);
      this.last = epoch;
      completed.push({ epoch, snapshots: byTask(snapshots), precommits: byTask(precommits) });
    }
    return completed;
  }
}

function byTask(map: ReadonlyMap<TaskId, TaskSnapshot>): (readonly [TaskId, TaskSnapshot])[] {
  return [...map].sort(([a], [b]) => a - b);
}
