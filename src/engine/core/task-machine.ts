import { assertNever } from "../base/assert.ts";
import { type ErrorData, errorText, WeirError } from "../base/errors.ts";
import { END } from "../base/event-time.ts";
import { type EdgeId, type Epoch, nextEpoch } from "../base/ids.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import { Alignment, type AlignmentMode } from "./alignment.ts";
import type { Effect, StageSnapshot, TaskEvent, TaskSnapshot } from "./effects.ts";
import type { ControlMessage, Message } from "./messages.ts";
import { type ChainSpec, StageChain } from "./stage-chain.ts";
import type { Acker, FlushResult, PollResult } from "./stages.ts";

export interface TaskSpec<B> extends Omit<ChainSpec<B>, "inputs"> {
  readonly inEdges: readonly { readonly edge: EdgeId; readonly port: string }[];
  readonly alignment: AlignmentMode;
  /** The run continues from this epoch; 0 for a fresh one (F-8). */
  readonly startEpoch: Epoch;
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
  private lastBarrier: Epoch;
  private lastCommit: Epoch;
  private accepted: TaskSnapshot;
  /** Snapshots of epochs that the sink will acknowledge later (F-45). */
  private readonly unacked = new Map<Epoch, StageSnapshot[]>();
  private greatestTick = Number.NEGATIVE_INFINITY;
  private lastTick = Number.NEGATIVE_INFINITY;

  constructor(spec: TaskSpec<B>) {
    this.spec = spec;
    this.chain = new StageChain<B>({ ...spec, inputs: spec.inEdges.length });
    this.alignment = new Alignment(spec.inEdges.length, spec.alignment, spec.startEpoch);
    this.lastBarrier = spec.startEpoch;
    this.lastCommit = spec.startEpoch;
    const unset: StageSnapshot = { state: null, time: { fired: undefined, said: undefined } };
    this.accepted = { stages: spec.stages.map(() => unset) };
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
    return this.lastBarrier;
  }

  get committedEpoch(): Epoch {
    return this.lastCommit;
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
      if (next.kind === "failed") this.fail({ ...next.error, task: this.spec.task });
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
          if (this.isSource && this.current === "open" && message.epoch > this.lastBarrier) {
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
          if (this.current === "commit-wait") this.finish(true);
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

  /** From the sink, after a flush that said `later`; the report goes out with the next effects (F-45). */
  ack(epoch: Epoch, precommit: SnapshotValue): void {
    const parts = this.unacked.get(epoch);
    if (parts === undefined) return;
    this.unacked.delete(epoch);
    const last = parts.length - 1;
    parts[last] = { ...(parts[last] as StageSnapshot), state: precommit === null ? null : this.spec.encode(precommit) };
    this.reportEpoch(epoch, { stages: parts });
  }

  private call(nowMs: number, run: () => void): Effect<B>[] {
    this.chain.nowMs = nowMs;
    try {
      run();
    } catch (error) {
      this.fail(this.thrown(error));
    }
    const effects = this.chain.effects;
    this.chain.effects = [];
    return effects;
  }

  private report(event: TaskEvent): void {
    this.chain.effects.push({ kind: "report", event });
  }

  private reportEpoch(epoch: Epoch, snapshot: TaskSnapshot): void {
    const alone = this.spec.stages.length === 1 && this.chain.sink !== undefined;
    this.report({ kind: alone ? "ack" : "snapshot", task: this.spec.task, epoch, snapshot });
  }

  private onTick(nowMs: number): void {
    this.greatestTick = Math.max(this.greatestTick, nowMs);
    this.chain.tick(this.greatestTick);
    if (this.greatestTick - this.lastTick < TICK_EVERY_MS) return;
    this.lastTick = this.greatestTick;
    this.chain.sendControl({ kind: "tick", nowMs: this.greatestTick });
  }

  /** Every input delivered the barrier (F-42): rows of the operators first, snapshot, then the barrier itself. */
  private completeBarrier(epoch: Epoch): void {
    this.chain.beforeBarrier(epoch);
    if (!this.sealEpoch(epoch, false)) return;
    this.chain.sendControl({ kind: "barrier", epoch });
  }

  /** Flushes the sink, then snapshots (F-70), and reports. False when the task failed over it. */
  private sealEpoch(epoch: Epoch, final: boolean): boolean {
    const flushed: FlushResult = this.chain.flush(epoch) ?? { kind: "durable", precommit: null };
    if (flushed.kind === "refused") {
      // The epoch repeats the last accepted position, so a commit of it commits nothing newer (F-71, D-15).
      this.lastBarrier = epoch;
      this.reportEpoch(epoch, this.accepted);
      return true;
    }
    const taken = this.chain.snapshot(epoch, flushed.kind === "durable" ? flushed.precommit : null, final);
    if (!Array.isArray(taken)) {
      this.fail({
        code: "checkpoint-refused",
        domain: "checkpoint",
        task: this.spec.task,
        node: this.spec.stages[taken.stage]?.node,
        message: `task ${this.spec.task}: checkpoint at epoch ${epoch}: ${taken.refused}`,
      });
      return false;
    }
    this.lastBarrier = epoch;
    this.accepted = { stages: taken };
    if (flushed.kind === "later") this.unacked.set(epoch, taken);
    else this.reportEpoch(epoch, this.accepted);
    return true;
  }

  private finishSource(drained: boolean): void {
    this.stopping = true;
    if (drained) this.chain.say(0, END);
    this.stopSource();
    this.finishInputs(drained);
  }

  private stopSource(): void {
    if (this.sourceStopped) return;
    this.sourceStopped = true;
    this.chain.current = 0;
    this.chain.source?.stop?.();
  }

  /** Nothing comes in any more: flush, seal the last epoch (D-13), say Eos, and wait for the commit that is owed. */
  private finishInputs(drained = false): void {
    this.chain.eos();
    const sink = this.chain.sink;
    if (sink?.holdsRows() && !this.controlClosed && !this.sealEpoch(nextEpoch(this.lastBarrier), drained)) return;
    if (drained) this.reportDrained();
    this.chain.sendControl({ kind: "eos" });
    this.report({ kind: "ended", task: this.spec.task });
    const owed = (this.isSource || sink !== undefined) && this.lastBarrier > this.lastCommit;
    if (owed && !this.controlClosed) this.current = "commit-wait";
    else this.finish(true);
  }

  private reportDrained(): void {
    const taken = this.chain.snapshot(this.lastBarrier, null, true);
    if (Array.isArray(taken) && taken[0]?.state !== null) {
      this.report({ kind: "drained", task: this.spec.task, snapshot: { stages: taken } });
    }
  }

  private commit(epoch: Epoch): void {
    if (this.current === "done" || epoch <= this.lastCommit) return;
    this.lastCommit = epoch;
    this.chain.current = this.spec.stages.length - 1;
    this.chain.sink?.commit(epoch);
    this.chain.current = 0;
    this.chain.source?.commit?.(epoch);
    if (this.current === "commit-wait" && epoch >= this.lastBarrier) this.finish(true);
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
    for (const close of [() => this.stopSource(), () => this.chain.sink?.close()]) {
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
