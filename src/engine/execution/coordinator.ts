import { assertNever } from "../base/assert.ts";
import type { ErrorData } from "../base/errors.ts";
import { type Epoch, nextEpoch, type TaskId } from "../base/ids.ts";
import type { TaskEvent } from "../core/effects.ts";
import { type CompletedEpoch, EpochTracker } from "../core/epoch-tracker.ts";
import type { ControlMessage } from "../core/messages.ts";
import type { CoordinatorEffect, CoordinatorSpec, RunLife, RunOutcome } from "./coordinator-contract.ts";
import { EpochLedger, type EpochRecord } from "./epoch-ledger.ts";
import { EpochSchedule, MAX_PENDING_EPOCHS } from "./epoch-schedule.ts";
import { stopTimedOut } from "./stop-timed-out.ts";
import { TaskRoll } from "./task-roll.ts";

export type { CoordinatorEffect, CoordinatorSpec, RunLife, RunOutcome } from "./coordinator-contract.ts";

const INPUT_LOST = "input-lost";

/** A cancelled run whose tasks do not leave by themselves is torn down after this. */
export const CANCEL_GRACE_MS = 2000;

/**
 * A run's life and its epochs: a pure machine, fed with events and the clock, that answers with effects. The threads executor gives it
 * timers and messages, the lab gives it moves.
 */
export class Coordinator {
  private readonly spec: CoordinatorSpec;
  private readonly tracker: EpochTracker;
  private readonly ledger: EpochLedger;
  private readonly schedule: EpochSchedule;
  private readonly tasks: TaskRoll;
  private readonly queue: CompletedEpoch[] = [];
  private life: RunLife = "starting";
  private inHook: CompletedEpoch | undefined = undefined;
  private issued: Epoch;
  private failure: ErrorData | undefined = undefined;
  private cancelled = false;
  private stopRequested = false;
  private manualQueued = false;
  private stopBy = Number.POSITIVE_INFINITY;
  private terminateAt = Number.POSITIVE_INFINITY;
  private effects: CoordinatorEffect[] = [];

  constructor(spec: CoordinatorSpec) {
    this.spec = spec;
    this.tracker = new EpochTracker(
      spec.tasks.map((task) => task.id),
      spec.startEpoch,
    );
    this.tasks = new TaskRoll(spec.tasks);
    this.schedule = new EpochSchedule(spec.barrierEveryMs, spec.epochTimeoutMs);
    this.issued = spec.startEpoch;
    this.ledger = new EpochLedger(spec.startEpoch);
  }

  get state(): RunLife {
    return this.life;
  }

  /** The epoch issued last (F-8). */
  get epoch(): Epoch {
    return this.issued;
  }

  get completedEpoch(): Epoch {
    return this.ledger.lastCompleted;
  }

  get committedEpoch(): Epoch {
    return this.ledger.lastCommitted;
  }

  /** Every epoch that was committed, oldest first. */
  get committedEpochs(): readonly number[] {
    return this.ledger.committedEpochs;
  }

  /** The epochs of the run, newest last, at most the last few hundred. */
  get epochs(): readonly EpochRecord[] {
    return this.ledger.records;
  }

  /** When `timer` wants to be called next; infinity for never. Real milliseconds of the run's clock. */
  get nextTimerMs(): number {
    return Math.min(this.stopBy, this.terminateAt, this.schedule.nextMs);
  }

  /** When patience ends: with a stop, with an epoch, with tasks that do not leave. Infinity for never. */
  get nextDeadlineMs(): number {
    return Math.min(this.stopBy, this.terminateAt, this.schedule.nextOverdueMs);
  }

  /** Every task is built (F-10): tasks may run from here on. */
  start(nowMs: number): CoordinatorEffect[] {
    return this.act(() => {
      if (this.cancelled) return;
      // What was asked for before the start holds: the tasks run, and find their stop.
      if (this.life === "starting") {
        this.life = "running";
        this.schedule.start(nowMs);
      }
      this.effects.push({ kind: "run-state", state: "running" });
    });
  }

  timer(nowMs: number): CoordinatorEffect[] {
    return this.act(() => {
      if (nowMs >= this.terminateAt) {
        this.terminateAt = Number.POSITIVE_INFINITY;
        this.effects.push({ kind: "terminate" });
      }
      if (nowMs >= this.stopBy) this.stopTimedOut(nowMs);
      if (this.life === "paused") return;
      this.abortOverdue(nowMs);
      if (this.schedule.beat(nowMs) && this.hasRoomForEpoch) this.issue(nowMs);
    });
  }

  /** One barrier by hand. While the run is paused (D-19), or too many are outstanding, one is remembered (D-8). */
  barrier(nowMs: number): CoordinatorEffect[] {
    return this.act(() => {
      if (this.isEnding || this.life === "starting") return;
      this.manualQueued = true;
      this.issueQueued(nowMs);
    });
  }

  /** A barrier whose number was decided elsewhere (F-61). */
  injectEpoch(epoch: Epoch, nowMs: number): CoordinatorEffect[] {
    return this.act(() => {
      if (this.isEnding || epoch <= this.issued) return;
      this.issued = epoch;
      this.sendBarrier(epoch, nowMs);
    });
  }

  /** One final barrier, then stop (F-59). Idempotent. */
  stop(nowMs: number): CoordinatorEffect[] {
    return this.act(() => {
      if (this.isEnding) return;
      this.resumeClock(nowMs);
      this.manualQueued = false;
      this.issue(nowMs);
      this.beginStop(nowMs);
    });
  }

  /** Stop without a barrier, where the last epoch was committed already (F-60). */
  signalStop(nowMs: number): CoordinatorEffect[] {
    return this.act(() => {
      if (this.isEnding) return;
      this.resumeClock(nowMs);
      this.beginStop(nowMs);
    });
  }

  pause(nowMs: number): CoordinatorEffect[] {
    return this.act(() => {
      if (this.life !== "running") return;
      this.life = "paused";
      this.schedule.pause(nowMs);
      this.effects.push({ kind: "run-state", state: "paused" });
    });
  }

  resume(nowMs: number): CoordinatorEffect[] {
    return this.act(() => {
      if (this.life !== "paused") return;
      this.resumeClock(nowMs);
      this.issueQueued(nowMs);
    });
  }

  /** Leave at once, without Eos and without a commit (D-16). */
  cancel(nowMs: number): CoordinatorEffect[] {
    return this.act(() => this.cancelNow(nowMs));
  }

  /** A failure that no task could tell: a host that died, a run that cannot start. The first one is the run's (F-69). */
  fail(error: ErrorData, nowMs: number): CoordinatorEffect[] {
    return this.act(() => this.failed(error, nowMs));
  }

  /** The worker that ran these tasks is gone. */
  loseTasks(tasks: readonly TaskId[], error: ErrorData, nowMs: number): CoordinatorEffect[] {
    return this.act(() => {
      const lost = tasks.filter((task) => !this.tasks.isFinished(task));
      if (lost.length === 0) return;
      this.failed(error, nowMs);
      for (const task of lost) this.finish(task, nowMs);
    });
  }

  event(event: TaskEvent, nowMs: number): CoordinatorEffect[] {
    return this.act(() => {
      switch (event.kind) {
        case "snapshot":
        case "ack":
          this.reported(event, nowMs);
          return;
        case "refused": {
          const what = `was refused by ${this.tasks.nameOf(event.task)}: ${event.reason}`;
          if (this.tracker.isPending(event.epoch)) this.abort(event.epoch, what, "epoch-refused", nowMs);
          return;
        }
        case "drained":
          this.tracker.drained(event.task, event.snapshot);
          return;
        case "ended":
          this.tasks.ended(event.task);
          this.completed(this.tracker.end(event.task, event.snapshot), nowMs);
          return;
        case "failed":
          this.failed(event.error, nowMs);
          return;
        case "finished":
          this.finish(event.task, nowMs);
          return;
        default:
          assertNever(event);
      }
    });
  }

  /** The completion hook made the epoch durable: commit it, to sources and sinks (F-55). */
  durable(epoch: Epoch, nowMs: number): CoordinatorEffect[] {
    return this.act(() => {
      this.inHook = undefined;
      this.ledger.durable(epoch, nowMs);
      if (this.failure === undefined && !this.cancelled) {
        this.ledger.committed(epoch, nowMs);
        this.effects.push({ kind: "committed", epoch });
        this.send(this.tasks.committers, { kind: "commit", epoch });
      }
      this.nextHook();
    });
  }

  /** The hook's error is the run's; the epoch is not committed (F-56). */
  hookFailed(epoch: Epoch, error: ErrorData, nowMs: number): CoordinatorEffect[] {
    return this.act(() => {
      this.inHook = undefined;
      this.ledger.failed(epoch, error.message);
      this.failed(error, nowMs);
    });
  }

  private get isEnding(): boolean {
    return this.stopRequested || this.cancelled || this.failure !== undefined || this.isOver;
  }

  private get isOver(): boolean {
    return this.life === "finished" || this.life === "stopped" || this.life === "failed" || this.life === "cancelled";
  }

  private act(run: () => void): CoordinatorEffect[] {
    if (this.isOver) return [];
    this.effects = [];
    run();
    this.concludeIfOver();
    return this.effects;
  }

  private send(tasks: readonly TaskId[], message: ControlMessage): void {
    for (const task of tasks) this.effects.push({ kind: "control", task, message });
  }

  private issue(nowMs: number): void {
    this.issued = nextEpoch(this.issued);
    this.sendBarrier(this.issued, nowMs);
  }

  private sendBarrier(epoch: Epoch, nowMs: number): void {
    this.tracker.issue(epoch);
    this.ledger.issued(epoch, nowMs);
    this.effects.push({ kind: "issued", epoch });
    this.schedule.issued(epoch, nowMs);
    this.send(this.tasks.sources, { kind: "barrier", epoch });
  }

  private beginStop(nowMs: number): void {
    this.stopRequested = true;
    this.life = "stopping";
    this.schedule.stopTicker();
    this.stopBy = Math.min(this.stopBy, nowMs + this.spec.stopTimeoutMs);
    this.send(this.tasks.sources, { kind: "stop" });
  }

  private resumeClock(nowMs: number): void {
    if (!this.schedule.isPaused) return;
    this.schedule.resume(nowMs);
    if (this.life === "paused") this.life = "running";
    this.effects.push({ kind: "run-state", state: "running" });
  }

  /**
   * The first failure is the run's (F-69). A lost input is the trace of another failure, whose own report may travel on a
   * slower path: it is replaced by the first failure of another kind, so it never wins over its cause (D-16).
   */
  private failed(error: ErrorData, nowMs: number): void {
    if (this.failure !== undefined) {
      if (this.failure.code === INPUT_LOST && error.code !== INPUT_LOST) this.failure = error;
      return;
    }
    if (this.cancelled) return;
    this.failure = error;
    this.resumeClock(nowMs);
    if (!this.stopRequested) this.beginStop(nowMs);
    // No commit will come any more: nobody may wait for one (F-68).
    const left = this.tasks.unfinished.map((task) => task.id);
    this.send(left, { kind: "close-control" });
    this.queue.length = 0;
  }

  private cancelNow(nowMs: number): void {
    if (this.cancelled) return;
    this.cancelled = true;
    this.life = "stopping";
    this.schedule.clear();
    this.stopBy = Number.POSITIVE_INFINITY;
    this.terminateAt = nowMs + CANCEL_GRACE_MS;
    this.queue.length = 0;
    this.effects.push({ kind: "run-state", state: "cancelled" });
  }

  private reported(event: TaskEvent & { kind: "snapshot" | "ack" }, nowMs: number): void {
    const { kind, task, epoch, snapshot } = event;
    const bytes = snapshot.stages.reduce((sum, stage) => sum + (stage.state?.byteLength ?? 0), 0);
    this.ledger.reported(epoch, task, bytes, nowMs);
    this.completed(this.tracker[kind](task, epoch, snapshot), nowMs);
  }

  /** Stop becomes Cancel (D-16). The run failed to stop: it says which tasks did not. */
  private stopTimedOut(nowMs: number): void {
    if (this.failure === undefined && !this.cancelled) {
      const left = this.tasks.unfinished.map((task) => task.name);
      this.failure = stopTimedOut(this.spec.stopTimeoutMs, left);
    }
    this.cancelNow(nowMs);
  }

  private abortOverdue(nowMs: number): void {
    for (let epoch = this.schedule.overdue(nowMs); epoch !== undefined; epoch = this.schedule.overdue(nowMs)) {
      const missing = this.tracker.missing(epoch).map((task) => this.tasks.nameOf(task));
      const what = `did not complete within ${this.spec.epochTimeoutMs} ms; not reported by ${missing.join(", ")}`;
      this.abort(epoch, what, "epoch-timeout", nowMs);
    }
  }

  /** Gives an epoch up; those that waited for it may be complete now (D-8). */
  private abort(epoch: Epoch, what: string, code: string, nowMs: number): void {
    const message = `epoch ${epoch} ${what}`;
    this.schedule.settled(epoch);
    this.ledger.failed(epoch, message);
    this.effects.push({ kind: "aborted", epoch, error: { code, domain: "checkpoint", message } });
    this.completed(this.tracker.abort(epoch), nowMs);
  }

  /** Once every task has ended, nobody takes a barrier any more (F-37): an epoch issued then would never be told of again. */
  private get hasRoomForEpoch(): boolean {
    return !this.tracker.allOver && this.tracker.pendingEpochs.length < MAX_PENDING_EPOCHS;
  }

  private issueQueued(nowMs: number): void {
    if (!this.manualQueued || this.life === "paused" || this.isEnding || !this.hasRoomForEpoch) return;
    this.manualQueued = false;
    this.issue(nowMs);
  }

  private completed(epochs: readonly CompletedEpoch[], nowMs: number): void {
    const why = this.failure !== undefined ? "failed" : this.cancelled ? "was cancelled" : undefined;
    for (const completed of epochs) {
      const { epoch } = completed;
      this.schedule.completed(epoch, nowMs, this.ledger.stateBytes(epoch));
      // A sink may have sealed an epoch that was never issued (D-13): the next one comes after it.
      if (epoch > this.issued) this.issued = epoch;
      // In a run that failed or was cancelled tasks end without a report: what was open then is not complete (F-68).
      if (why !== undefined) this.ledger.failed(epoch, `the run ${why} before epoch ${epoch} was complete`);
      else {
        this.ledger.completed(epoch, nowMs);
        this.queue.push(completed);
      }
    }
    this.nextHook();
    this.issueQueued(nowMs);
  }

  private nextHook(): void {
    if (this.inHook !== undefined) return;
    this.inHook = this.queue.shift();
    if (this.inHook !== undefined) this.effects.push({ kind: "complete", epoch: this.inHook });
  }

  private finish(task: TaskId, nowMs: number): void {
    this.tasks.finished(task);
    this.completed(this.tracker.finish(task), nowMs);
  }

  private concludeIfOver(): void {
    if (!this.tasks.allFinished || this.inHook !== undefined || this.queue.length > 0) return;
    const kind = this.cancelled ? "cancelled" : this.stopRequested ? "stopped" : "finished";
    const outcome: RunOutcome = this.failure === undefined ? { kind } : { kind: "failed", error: this.failure };
    this.life = outcome.kind;
    this.effects.push({ kind: "over", outcome });
  }
}
