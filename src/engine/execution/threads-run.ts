import { type ErrorData, toErrorData } from "../base/errors.ts";
import type { Attempt, EdgeId, Epoch, NodeId, TaskId } from "../base/ids.ts";
import type { CompletedEpoch } from "../core/epoch-tracker.ts";
import { ProbeReader } from "../core/probes.ts";
import type { Plan } from "../topology/physical-plan.ts";
import { packPlan } from "../topology/plan-transfer.ts";
import { TimelineReader } from "../trace/timeline.ts";
import type { TraceEvent } from "../trace/trace-event.ts";
import { DeliveryCredit } from "../transport/delivery-credit.ts";
import type { EdgeView } from "../transport/edge.ts";
import { closeBothEnds } from "../transport/ring-header.ts";
import type { RunLayout } from "../transport/ring-layout.ts";
import { RingView } from "../transport/ring-view.ts";
import type { RunMemory } from "../transport/run-memory.ts";
import { RunWords } from "../transport/run-words.ts";
import { Coordinator, type CoordinatorEffect, type RunOutcome } from "./coordinator.ts";
import { coordinatorSpec } from "./coordinator-spec.ts";
import { hostDied } from "./host-died.ts";
import { type HostState, hostState } from "./host-state.ts";
import { OverdueWatch } from "./overdue.ts";
import { unpackBatch } from "./pack-batch.ts";
import { outEdges } from "./plan-edges.ts";
import { probeShape } from "./probe-shape.ts";
import { type FromHost, type HostHandle, type Placement, tasksOf } from "./protocol.ts";
import { type Resumption, tasksWhere } from "./resumption.ts";
import type { RunOptions } from "./run-options.ts";
import { describeStall, StallWatch } from "./stall.ts";
import { tellViewer } from "./viewer-news.ts";

/** How often the coordinator looks after what no event tells: held-back control words, a run that stands still. */
const HOUSEKEEPING_MS = 100;
/** How long the end of a run waits for its workers to be gone. */
const END_GRACE_MS = 500;
const NEVER_MS = 2 ** 31 - 1;

export interface ThreadsRunSpec {
  readonly plan: Plan;
  readonly options: RunOptions;
  readonly placement: Placement;
  readonly layout: RunLayout;
  readonly memory: RunMemory;
  readonly attempt: Attempt;
  readonly from: Resumption;
  readonly credit: SharedArrayBuffer;
  readonly timelines: readonly SharedArrayBuffer[];
  readonly spawn: (host: number) => HostHandle;
  /** Called when no worker can touch the memory any more. */
  readonly giveBack: () => void;
}

/** One run on workers: gives the coordinator its timers and messages, and performs what it asks for. */
export class ThreadsRun {
  readonly plan: Plan;
  readonly coordinator: Coordinator;
  readonly probes: ProbeReader;
  /** Settles when the run is over and every worker is gone. Never rejects. */
  readonly outcome: Promise<RunOutcome>;
  /** With `trace: "full"`, what the tasks did, host by host. */
  readonly traceByHost: (readonly TraceEvent[])[] = [];
  readonly timelines: readonly TimelineReader[];
  private readonly spec: ThreadsRunSpec;
  private readonly words: RunWords;
  private readonly credit: DeliveryCredit;
  private readonly hosts: HostState[];
  private readonly cells: Float64Array;
  private readonly originMs = performance.timeOrigin + performance.now();
  private readonly stallWatch: StallWatch;
  private readonly overdueWatch: OverdueWatch;
  private deliveries: Promise<void> = Promise.resolve();
  private timer: ReturnType<typeof setTimeout> | undefined = undefined;
  private result: RunOutcome | undefined = undefined;
  private settleOutcome: (outcome: RunOutcome) => void = () => undefined;
  private listeners: (() => void)[] = [];
  private shuttingDown = false;

  constructor(spec: ThreadsRunSpec) {
    const { plan, memory, layout } = spec;
    this.spec = spec;
    this.plan = plan;
    this.coordinator = new Coordinator(coordinatorSpec(plan, spec.from.epoch));
    this.words = new RunWords(memory.buffer, layout);
    this.credit = new DeliveryCredit(spec.credit);
    this.cells = new Float64Array(
      memory.buffer,
      layout.probes.offset,
      layout.probes.bytes / Float64Array.BYTES_PER_ELEMENT,
    );
    this.probes = new ProbeReader(this.cells, probeShape(plan));
    this.stallWatch = new StallWatch(plan, this.cells);
    this.overdueWatch = new OverdueWatch(plan, this.probes);
    this.timelines = spec.timelines.map((buffer) => new TimelineReader(buffer));
    this.outcome = new Promise((resolve) => {
      this.settleOutcome = resolve;
    });
    this.hosts = layout.hosts.map((region, host) => hostState(spec.spawn(host), memory.buffer, region));
    this.hosts.forEach((_, host) => this.open(host));
    this.schedule();
  }

  /** The run's clock, as probes and epochs tell it. */
  get nowMs(): number {
    return performance.timeOrigin + performance.now() - this.originMs;
  }

  /** What workers need to read probes and rings of this run themselves; all of it can be posted. */
  get shared() {
    const { memory, layout, timelines, placement } = this.spec;
    return { memory: memory.buffer, layout, timelines, hostOf: placement.hostOf, originMs: this.originMs };
  }

  edge(id: number): EdgeView {
    return new RingView(this.spec.memory.buffer, this.ringOf(id));
  }

  /** Issues a barrier and answers the epoch issued last. */
  barrier(): Epoch {
    this.perform(this.coordinator.barrier(this.nowMs));
    return this.coordinator.epoch;
  }

  /** One final barrier, then stop (F-59). Answers the final epoch. */
  stop(): Epoch {
    this.perform(this.coordinator.stop(this.nowMs));
    return this.coordinator.epoch;
  }

  cancel(): void {
    // Before the start there is nothing that would have to leave.
    if (this.coordinator.state === "starting") this.giveUpStart({ kind: "cancelled" });
    else this.perform(this.coordinator.cancel(this.nowMs));
  }

  /** Ends the run at once, as failed for a reason that no task could tell: its time is up. */
  fail(error: ErrorData): void {
    this.perform(this.coordinator.fail(error, this.nowMs));
    this.perform(this.coordinator.cancel(this.nowMs));
  }

  pause(): void {
    this.perform(this.coordinator.pause(this.nowMs));
  }

  resume(): void {
    this.perform(this.coordinator.resume(this.nowMs));
  }

  /** A fault, for lessons and tests: the worker is gone, as in a crash. */
  killHost(host: number): void {
    this.hosts[host]?.handle.kill();
  }

  /** Asks for rows of the next batch that is taken from the edge; the last edge counts. `onSample` gets them. */
  sample(edge: EdgeId): void {
    this.words.askSample(edge);
  }

  /** A pause after each message, chosen by a viewer. */
  set slowMotionMs(ms: number) {
    this.words.slowMotionMs = ms;
    this.ringAll();
  }

  /** Called after everything that changed the run's life or its epochs. Answers how to stop listening. */
  onChange(listener: () => void): () => void {
    this.listeners.push(listener);
    return () => {
      this.listeners = this.listeners.filter((other) => other !== listener);
    };
  }

  private open(host: number): void {
    const { spec } = this;
    const { handle } = this.hosts[host] as HostState;
    handle.onMessage((message) => this.hear(host, message));
    handle.onDeath((why) => this.hostDied(host, why));
    handle.post({
      kind: "start",
      host,
      attempt: spec.attempt,
      plan: packPlan(spec.plan),
      layout: spec.layout,
      memory: spec.memory,
      credit: spec.credit,
      placement: spec.placement.hostOf,
      from: { epoch: spec.from.epoch, tasks: tasksWhere(spec.from, (task) => spec.placement.hostOf[task] === host) },
      trace: spec.options.trace ?? "off",
      timeline: spec.timelines[host],
      originMs: this.originMs,
      files: spec.options.files,
    });
  }

  private hear(host: number, message: FromHost): void {
    const state = this.hosts[host] as HostState;
    switch (message.kind) {
      case "built":
        state.built = true;
        // F-10: nothing runs before everything is built.
        if (this.result === undefined && this.hosts.every((other) => other.built)) this.start();
        return;
      case "refused":
        // The start fails, nothing runs (F-10).
        this.giveUpStart({ kind: "failed", error: message.error });
        return;
      case "event":
        this.perform(this.coordinator.event(message.event, this.nowMs));
        return;
      case "rows":
        for (const batch of message.batches) this.deliver(message.node, batch);
        return;
      case "file":
      case "note":
      case "sample":
        tellViewer(message, this.spec.options);
        return;
      case "trace":
        this.traceByHost[host] = message.events;
        return;
      case "crashed":
        this.loseHost(host, message.error);
        return;
      case "over":
        state.gone = true;
        this.finishIfOver();
        return;
    }
  }

  private start(): void {
    try {
      this.spec.options.onStart?.();
    } catch (thrown) {
      this.giveUpStart({ kind: "failed", error: toErrorData(thrown, { code: "start-failed", domain: "engine" }) });
      return;
    }
    this.perform(this.coordinator.start(this.nowMs));
  }

  private giveUpStart(result: RunOutcome): void {
    if (this.result !== undefined) return;
    this.result = result;
    this.words.state = "cancelled";
    this.ringAll();
    void this.shutDown();
  }

  private hostDied(host: number, why: string): void {
    this.loseHost(host, hostDied(this.plan, tasksOf(this.spec.placement.hostOf, host), why));
  }

  /** Its tasks are gone: their edges close on both sides and the peers wake up (D-16). */
  private loseHost(host: number, error: ErrorData): void {
    const state = this.hosts[host] as HostState;
    if (state.gone) return;
    state.gone = true;
    const tasks = tasksOf(this.spec.placement.hostOf, host);
    if (this.coordinator.state === "starting") {
      this.giveUpStart({ kind: "failed", error });
      return;
    }
    this.words.claimFailure({ claimant: this.plan.tasks.length + host, cause: "failure" });
    for (const task of tasks) {
      const planned = this.plan.tasks[task] as Plan["tasks"][number];
      const edges = [...planned.inEdges, ...outEdges(this.plan, planned).map((edge) => edge.id)];
      for (const edge of edges) closeBothEnds(this.spec.memory.buffer, this.ringOf(edge));
    }
    this.ringAll();
    this.perform(this.coordinator.loseTasks(tasks, error, this.nowMs));
  }

  private ringOf(edge: number): RunLayout["rings"][number] {
    return this.spec.layout.rings[edge] as RunLayout["rings"][number];
  }

  private deliver(node: NodeId, packed: Parameters<typeof unpackBatch>[0]): void {
    const rows = packed.rowCount;
    this.deliveries = this.deliveries
      .then(() => this.spec.options.onRows?.(node, unpackBatch(packed)))
      .catch((thrown: unknown) => {
        const error = toErrorData(thrown, { code: "output-failed", domain: "data", node });
        this.perform(this.coordinator.fail(error, this.nowMs));
      })
      .then(() => {
        if (this.credit.takeBack(rows)) this.ringAll();
      });
  }

  private perform(effects: readonly CoordinatorEffect[]): void {
    for (const effect of effects) {
      switch (effect.kind) {
        case "control":
          this.hostOf(effect.task).control.send(effect.task, effect.message);
          break;
        case "run-state":
          this.words.state = effect.state;
          this.ringAll();
          break;
        case "complete":
          void this.makeDurable(effect.epoch);
          break;
        case "aborted":
          this.spec.options.onNote?.(effect.error);
          break;
        case "terminate":
          this.terminate();
          break;
        case "over":
          this.result = effect.outcome;
          this.finishIfOver();
          break;
      }
    }
    this.schedule();
    if (effects.length > 0) for (const listener of this.listeners) listener();
  }

  private async makeDurable(completed: CompletedEpoch): Promise<void> {
    try {
      await this.spec.options.onEpoch?.(completed);
    } catch (thrown) {
      const error = toErrorData(thrown, { code: "checkpoint-failed", domain: "checkpoint" });
      this.perform(this.coordinator.hookFailed(completed.epoch, error, this.nowMs));
      return;
    }
    this.perform(this.coordinator.durable(completed.epoch, this.nowMs));
  }

  /** Cancelled tasks that do not leave by themselves lose their worker. */
  private terminate(): void {
    this.hosts.forEach((state, host) => {
      if (state.gone) return;
      void state.handle.end();
      this.hostDied(host, "it did not leave when the run was cancelled");
    });
  }

  /** Sets the one timer: what the coordinator wants next, or housekeeping. */
  private schedule(): void {
    clearTimeout(this.timer);
    if (this.result !== undefined) return;
    const dueMs = this.coordinator.nextTimerMs - this.nowMs;
    this.timer = setTimeout(() => this.onTimer(), Math.min(Math.max(dueMs, 0), HOUSEKEEPING_MS, NEVER_MS));
  }

  private onTimer(): void {
    for (const host of this.hosts) host.control.flush();
    for (const { task, error } of this.overdueWatch.overdue(this.nowMs)) {
      this.perform(this.coordinator.fail(error, this.nowMs));
      this.killHost(this.hostOfTask(task));
    }
    if (this.coordinator.state !== "running" || this.credit.exhausted) this.stallWatch.reset(this.nowMs);
    else if (this.stallWatch.standsStill(this.nowMs)) {
      this.fail(describeStall(this.plan, this.cells, (edge) => this.edge(edge)));
      return;
    }
    const due = this.coordinator.nextTimerMs <= this.nowMs;
    this.perform(due ? this.coordinator.timer(this.nowMs) : []);
  }

  private finishIfOver(): void {
    if (this.result !== undefined && this.hosts.every((state) => state.gone)) void this.shutDown();
  }

  private async shutDown(): Promise<void> {
    if (this.shuttingDown) return;
    this.shuttingDown = true;
    clearTimeout(this.timer);
    for (const state of this.hosts) state.gone = true;
    const ended = Promise.all(this.hosts.map((state) => state.handle.end()));
    // A worker that was ended in mid-work may take seconds to be gone. The run does not wait for it; its memory does (D-9).
    void ended.then(() => this.spec.giveBack());
    const grace = new Promise<void>((resolve) => {
      this.timer = setTimeout(() => resolve(), END_GRACE_MS);
    });
    await Promise.race([ended, grace]);
    clearTimeout(this.timer);
    await this.deliveries;
    this.settleOutcome(this.result as RunOutcome);
    for (const listener of this.listeners) listener();
  }

  private ringAll(): void {
    for (const state of this.hosts) state.bell.ring();
  }

  /** Number of the worker that runs the task. */
  hostOfTask(task: number): number {
    return this.spec.placement.hostOf[task] as number;
  }

  private hostOf(task: TaskId): HostState {
    return this.hosts[this.spec.placement.hostOf[task] as number] as HostState;
  }
}
