import { assertNever } from "../base/assert.ts";
import { type ErrorData, errorText, WeirError } from "../base/errors.ts";
import { END } from "../base/event-time.ts";
import { type EdgeId, type Epoch, nextEpoch } from "../base/ids.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import { Alignment, type AlignmentMode } from "./alignment.ts";
import type { Effect, StageProgress, TaskEvent } from "./effects.ts";
import type { ControlMessage, Message } from "./messages.ts";
import { type ChainSpec, StageChain } from "./stage-chain.ts";
import type { Acker, PollResult } from "./stages.ts";
import { TaskEpochs } from "./task-epochs.ts";

export interface TaskSpec<B> extends Omit<ChainSpec<B>, "inputs"> {
  readonly inEdges: readonly { readonly edge: EdgeId; readonly port: string }[];
  readonly alignment: AlignmentMode;
  /** The run continues from this epoch; 0 for a fresh one (F-8). */
  readonly startEpoch: Epoch;
  /** How far the time of each stage had come with that epoch. Their state is theirs already. */
  readonly restored?: readonly StageProgress[] | undefined;
}

/**
 * Where a task is in its life. `commit-wait`: everything is sent and reported, a commit is awaited (F-36, F-58).
 */
export type Phase = "open" | "commit-wait" | "done";

/** A source sends a tick, and a task forwards one, at most this often (F-25, F-26). */
export const TICK_EVERY_MS = 100;

/**
 * One task: a source, an operator, a sink, or a chain of them. Synchronous and without I/O: it is offered one
 * input at a time and answers with effects in order. It never blocks; the runner offers the next input when the effects are through.
 */
export class TaskMachine<B> implements Acker {
  readonly spec: TaskSpec<B>;
  private readonly chain: StageChain<B>;
  private readonly alignment: Alignment;
  private current: Phase = "open";
  private stopping = false;
  private sourceStopped = false;
  private controlClosed = false;
  private readonly epochs: TaskEpochs<B>;
  private drained = false;
  private inCall = false;
  private saidEnded = false;
  private greatestTick = Number.NEGATIVE_INFINITY;
  private lastTick = Number.NEGATIVE_INFINITY;

  constructor(spec: TaskSpec<B>) {
    this.spec = spec;
    const inputs = spec.inEdges.length;
    this.chain = new StageChain<B>({ ...spec, inputs });
    this.alignment = new Alignment(inputs, spec.alignment, spec.startEpoch);
    if (spec.restored !== undefined) this.chain.restore(spec.restored, spec.alignment);
    this.epochs = new TaskEpochs<B>({ ...spec, inputs }, this.chain, spec.startEpoch, spec.restored !== undefined);
  }

  get phase(): Phase {
    return this.current;
  }

  get isSource(): boolean {
    return this.chain.source !== undefined;
  }

  get hasSink(): boolean {
    return this.chain.sink !== undefined;
  }

  /** Epoch that is being aligned, and the inputs that it waits for. */
  get pendingEpoch(): Epoch | undefined {
    return this.alignment.pending;
  }

  missingInputs(): number[] {
    return this.alignment.missing();
  }

  get completedEpoch(): Epoch {
    return this.epochs.sealed;
  }

  get committedEpoch(): Epoch {
    return this.epochs.committed;
  }

  /** What is known about the time of an input, of the task's inputs together, and of its output. */
  inputMark(input: number) {
    return this.chain.head.markOf(input);
  }

  outputMark() {
    return this.chain.saidByTask();
  }

  /** Whether a message of this input may be taken now (F-40, D-1). */
  accepts(input: number): boolean {
    return this.current === "open" && !this.alignment.holds(input) && !this.alignment.hasEnded(input);
  }

  holds(input: number): boolean {
    return this.alignment.holds(input);
  }

  hasEnded(input: number): boolean {
    return this.alignment.hasEnded(input);
  }

  /** Before the first input of any kind. */
  open(nowMs: number): Effect<B>[] {
    return this.call(nowMs, () => {
      this.lastTick = nowMs;
      if (this.spec.restored !== undefined) this.takeUp(this.spec.startEpoch);
      this.chain.current = 0;
      this.chain.source?.open?.(this.chain.output(0));
    });
  }

  /** Takes a message from an input; only where `accepts` said so. */
  offer(input: number, message: Message<B>, nowMs: number): Effect<B>[] {
    return this.call(nowMs, () => {
      switch (message.kind) {
        case "data":
          this.chain.deliver(0, message.batch, (this.spec.inEdges[input] as { port: string }).port);
          return;
        case "watermark":
          this.chain.applyTime(0, this.chain.head.update(input, message.source, message.mark));
          return;
        case "tick":
          this.onTick(message.nowMs);
          return;
        case "barrier": {
          const complete = this.alignment.barrier(input, message.epoch);
          if (complete !== undefined) this.completeBarrier(complete);
          return;
        }
        case "eos": {
          const complete = this.alignment.end(input);
          if (complete !== undefined) this.completeBarrier(complete);
          if (this.current === "done") return;
          this.chain.applyTime(0, this.chain.head.endInput(input));
          if (this.alignment.allEnded) this.finishInputs();
          return;
        }
        default:
          assertNever(message);
      }
    });
  }

  /** A source's turn. Effects of the turn come before what its result means (F-30). */
  poll(nowMs: number): { effects: Effect<B>[]; next: PollResult } {
    let next: PollResult = { kind: "done" };
    const effects = this.call(nowMs, () => {
      const source = this.chain.source;
      if (source === undefined || this.current !== "open") return;
      next = source.poll(this.chain.output(0));
      if (nowMs - this.lastTick >= TICK_EVERY_MS) this.onTick(nowMs);
      if (next.kind === "failed") this.fail({ node: this.spec.stages[0]?.node, ...next.error, task: this.spec.task });
      else if (next.kind === "done") this.finishSource(true);
    });
    return { effects, next };
  }

  /** A word of the coordinator. Sources take it between polls, in the order issued (F-28, D-18). */
  control(message: ControlMessage, nowMs: number): Effect<B>[] {
    return this.call(nowMs, () => {
      switch (message.kind) {
        case "barrier":
          // A source that has ended takes no barrier any more (F-37); epochs only move forward (D-8).
          if (this.isSource && this.current === "open" && message.epoch > this.epochs.sealed) {
            this.completeBarrier(message.epoch);
          }
          return;
        case "commit":
          this.commit(message.epoch);
          return;
        case "stop":
          if (this.isSource && this.current === "open" && !this.stopping) this.finishSource(false);
          return;
        case "close-control":
          this.controlClosed = true;
          this.leaveWhenSettled();
          return;
        default:
          assertNever(message);
      }
    });
  }

  /** The inputs closed before their Eos: an upstream task, or its worker, is gone (F-67). */
  loseInputs(inputs: readonly number[], nowMs: number): Effect<B>[] {
    return this.call(nowMs, () => {
      if (this.current !== "open") return;
      const edges = inputs.map((input) => this.spec.inEdges[input]?.edge).join(", ");
      this.fail({
        code: "input-lost",
        domain: "task",
        task: this.spec.task,
        node: this.spec.stages[0]?.node,
        message:
          `task ${this.spec.task}: input closed before end-of-stream on edge(s) [${edges}] — ` +
          "an upstream task, or the worker running it, is gone",
      });
    });
  }

  /** The run is cancelled: leave without Eos and without a commit (D-16). */
  cancel(nowMs: number): Effect<B>[] {
    return this.call(nowMs, () => {
      if (this.current !== "done") this.finish(false);
    });
  }

  /** A failure that the runner met while it performed effects, such as a row that fits no ring. */
  abort(error: ErrorData, nowMs: number): Effect<B>[] {
    return this.call(nowMs, () => {
      if (this.current !== "done") this.fail({ ...error, task: this.spec.task });
    });
  }

  /** From the sink, after a flush that said `later` (F-45). Called between calls, the report waits for `takeEffects`. */
  ack(epoch: Epoch, precommit: SnapshotValue): void {
    if (this.current === "done") return;
    const acknowledge = () => {
      const report = this.epochs.ack(epoch, precommit);
      if (report !== undefined) this.report(report);
    };
    // Inside a call of the sink nothing else of it may be called (F-14): the call's end sees to what follows.
    if (this.inCall) acknowledge();
    else {
      this.guard(acknowledge);
      this.guard(() => this.leaveWhenSettled());
    }
  }

  /** Whether an `ack` left something to do. */
  get hasEffects(): boolean {
    return this.chain.effects.length > 0;
  }

  takeEffects(): Effect<B>[] {
    const { effects } = this.chain;
    this.chain.effects = [];
    return effects;
  }

  private call(nowMs: number, run: () => void): Effect<B>[] {
    this.chain.nowMs = nowMs;
    this.inCall = true;
    this.guard(run);
    this.inCall = false;
    this.guard(() => this.leaveWhenSettled());
    return this.takeEffects();
  }

  private guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.fail(this.thrown(error));
    }
  }

  private report(event: TaskEvent): void {
    this.chain.effects.push({ kind: "report", event });
  }

  private onTick(nowMs: number): void {
    this.greatestTick = Math.max(this.greatestTick, nowMs);
    this.chain.tick(this.greatestTick);
    if (this.greatestTick - this.lastTick < TICK_EVERY_MS) return;
    this.lastTick = this.greatestTick;
    this.chain.sendControl({ kind: "tick", nowMs: this.greatestTick });
  }

  /** Before anything new: what the checkpoint's sinks had staged becomes visible (D-14), and downstream hears what time it is. */
  private takeUp(from: Epoch): void {
    this.chain.current = this.spec.stages.length - 1;
    this.chain.sink?.commit(from);
    this.chain.sayAgain();
  }

  /** Every input delivered the barrier (F-42): rows of the operators first, snapshot, then the barrier itself. */
  private completeBarrier(epoch: Epoch): void {
    this.chain.beforeBarrier(epoch);
    const seal = this.epochs.seal(epoch, false);
    if (seal.kind === "impossible") {
      this.failEpoch("checkpoint-refused", seal.stage, `checkpoint at epoch ${epoch}: ${seal.refused}`);
      return;
    }
    if (seal.kind === "reported") this.report(seal.event);
    else if (seal.kind === "refused") this.report(this.epochs.refusal(epoch, seal.reason));
    this.chain.sendControl({ kind: "barrier", epoch });
  }

  /** The last epoch, without a barrier (D-13). */
  private sealLastEpoch(): void {
    const epoch = nextEpoch(this.epochs.sealed);
    const seal = this.epochs.seal(epoch, this.drained);
    if (seal.kind === "impossible") {
      this.failEpoch("checkpoint-refused", seal.stage, `checkpoint at epoch ${epoch}: ${seal.refused}`);
    } else if (seal.kind === "refused") {
      // No later epoch could take these rows over: a run without them must not look finished.
      const last = this.spec.stages.length - 1;
      this.failEpoch("last-epoch-refused", last, `the sink refused its last epoch ${epoch}: ${seal.reason}`);
    } else if (seal.kind === "reported") this.report(seal.event);
  }

  private failEpoch(code: string, stage: number, what: string): void {
    const { task, stages } = this.spec;
    this.fail({ code, domain: "checkpoint", task, node: stages[stage]?.node, message: `task ${task}: ${what}` });
  }

  private finishSource(drained: boolean): void {
    this.stopping = true;
    this.drained = drained;
    if (drained) this.chain.say(0, END);
    this.stopSource();
    this.finishInputs();
  }

  private stopSource(): void {
    if (this.sourceStopped) return;
    this.sourceStopped = true;
    this.chain.current = 0;
    this.chain.source?.stop?.();
  }

  private closeSink(): void {
    this.chain.current = this.spec.stages.length - 1;
    this.chain.sink?.close();
  }

  /** Nothing comes in any more: flush, seal the last epoch, say Eos, and wait for the acks and the commit that are owed. */
  private finishInputs(): void {
    this.chain.eos();
    if (this.chain.sink?.holdsRows() && !this.controlClosed) this.sealLastEpoch();
    if (this.current === "done") return;
    this.chain.sendControl({ kind: "eos" });
    this.current = "commit-wait";
    this.leaveWhenSettled();
  }

  /** Says that the task ended, once nothing is left to report (D-15), and leaves when no commit is owed (F-36, F-58). */
  private leaveWhenSettled(): void {
    if (this.current !== "commit-wait") return;
    if (this.epochs.awaitsAck && !this.controlClosed) return;
    if (!this.saidEnded) this.sayEnded();
    const owed = (this.isSource || this.hasSink) && this.epochs.awaitsCommit;
    if (!owed || this.controlClosed) this.finish(true);
  }

  private sayEnded(): void {
    this.saidEnded = true;
    const { task } = this.spec;
    const snapshot = this.epochs.atEnd(this.drained);
    // A subtask without a part of the input has no position, but it may have other stages with a state.
    const ranDry = this.drained && snapshot !== null && snapshot.stages[0]?.state !== null;
    if (ranDry) this.report({ kind: "drained", task, snapshot });
    this.report({ kind: "ended", task, snapshot: ranDry ? null : snapshot });
  }

  private commit(epoch: Epoch): void {
    if (this.current === "done" || epoch <= this.epochs.committed) return;
    this.epochs.committed = epoch;
    this.chain.current = this.spec.stages.length - 1;
    this.chain.sink?.commit(epoch);
    this.chain.current = 0;
    this.chain.source?.commit?.(epoch);
    this.leaveWhenSettled();
  }

  /** A failed task says no Eos; its edges just close (F-35, F-64). The first failure of a task is its only one. */
  private fail(error: ErrorData): void {
    if (this.current === "done") return;
    this.current = "done";
    this.report({ kind: "failed", task: this.spec.task, error });
    this.finish(false);
  }

  private finish(clean: boolean): void {
    this.current = "done";
    let closed = clean;
    for (const close of [() => this.stopSource(), () => this.closeSink()]) {
      try {
        close();
      } catch (error) {
        // It is this task's failure, unless one was told already.
        if (closed) this.report({ kind: "failed", task: this.spec.task, error: this.thrown(error) });
        closed = false;
      }
    }
    this.chain.effects.push({ kind: "finish", clean: closed });
  }

  /** A `WeirError` says itself what is wrong; anything else is a panic (F-64). */
  private thrown(error: unknown): ErrorData {
    const { task, stages } = this.spec;
    const place = { task, node: stages[this.chain.current]?.node };
    if (error instanceof WeirError) return error.at(place).data;
    const message = `task ${task} panicked: ${errorText(error)}`;
    return { code: "task-panicked", domain: "task", ...place, message };
  }
}
