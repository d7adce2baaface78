import { assert } from "../../base/assert.ts";
import { type ErrorData, toErrorData } from "../../base/errors.ts";
import type { FileStore } from "../../base/files.ts";
import type { EdgeId, Epoch, TaskId } from "../../base/ids.ts";
import type { Interrupter } from "../../base/interrupter.ts";
import type { CompletedEpoch } from "../../core/epoch-tracker.ts";
import { EdgeProbe, probeBytes, TaskProbe } from "../../core/probes.ts";
import type { Batch } from "../../data/batch.ts";
import type { Plan, PlanTask } from "../../topology/physical-plan.ts";
import { type CoordinatorTrace, FullTrace } from "../../trace/trace-event.ts";
import type { EdgeView } from "../../transport/edge.ts";
import { MemoryEdge } from "../../transport/memory-edge.ts";
import { buildTask } from "../build-task.ts";
import { Coordinator, type CoordinatorEffect, type RunOutcome } from "../coordinator.ts";
import { coordinatorSpec } from "../coordinator-spec.ts";
import { Outbox } from "../outbox.ts";
import { outEdges } from "../plan-edges.ts";
import { probeShape } from "../probe-shape.ts";
import type { Resumption } from "../resumption.ts";
import type { TaskMove } from "../runner-home.ts";
import { describeStall } from "../stall.ts";
import { TaskRunner } from "../task-runner.ts";
import { LabHome } from "./lab-home.ts";
import type { Move } from "./moves.ts";

/** Makes a completed epoch durable (F-55); throwing fails the run (F-56). In the lab it is synchronous. */
export type LabEpochHook = (epoch: CompletedEpoch) => void;

/** What the lab has of the world outside. */
export interface LabPorts {
  readonly files: FileStore;
  readonly interrupter?: Interrupter | undefined;
}

/**
 * Everything in the lab that changes: tasks, edges, coordinator, clock. One object graph without closures over state, so that
 * a keyframe is a copy of it.
 */
export class LabWorld {
  readonly home: LabHome;
  readonly cells: Float64Array;
  readonly coordinator: Coordinator;
  outcome: RunOutcome | undefined = undefined;
  private readonly plan: Plan;
  private readonly edges: MemoryEdge<Batch>[];
  private readonly runners: TaskRunner<Batch>[] = [];
  private readonly killed = new Set<TaskId>();
  /** What each task can do, as long as nothing near it changed; undefined: to be asked. */
  private readonly enabled: (readonly (Move & TaskMove)[] | undefined)[] = [];
  /** Tasks at the other ends of each task's edges: what it takes or sends may free or feed them. */
  private readonly neighbours: readonly (readonly TaskId[])[];
  /** Result of the completion hook, not yet told to the coordinator. */
  private hook: { readonly epoch: Epoch; readonly error: ErrorData | undefined } | undefined = undefined;

  private constructor(plan: Plan, { files, interrupter }: LabPorts, from: Resumption) {
    this.plan = plan;
    this.home = new LabHome(files, interrupter, new FullTrace());
    const shape = probeShape(plan);
    this.cells = new Float64Array(probeBytes(shape) / Float64Array.BYTES_PER_ELEMENT);
    this.edges = plan.edges.map(
      ({ capacity }) => new MemoryEdge<Batch>({ capacity, rowsOf: (batch) => batch.rowCount }),
    );
    this.coordinator = new Coordinator(coordinatorSpec(plan, from.epoch));
    this.neighbours = plan.tasks.map(({ id }) => [
      ...new Set(
        plan.edges.flatMap(({ from, to }) => (from.task === id ? [to.task] : to.task === id ? [from.task] : [])),
      ),
    ]);
  }

  static async build(plan: Plan, ports: LabPorts, from: Resumption): Promise<LabWorld> {
    const world = new LabWorld(plan, ports, from);
    try {
      for (const task of plan.tasks) world.runners.push(await world.buildRunner(task, from));
    } catch (error) {
      world.giveUp(toErrorData(error, { code: "start-failed", domain: "engine" }));
      return world;
    }
    world.perform(world.coordinator.start(0), undefined);
    for (const runner of world.runners) runner.open();
    return world;
  }

  sampleNext(edge: EdgeId): void {
    const task = this.plan.edges[edge]?.to.task;
    if (task !== undefined) this.runners[task]?.display.sampleNext(edge);
  }

  get awaitsIo(): boolean {
    return this.outcome === undefined && this.runners.some((runner) => runner.awaitsIo);
  }

  /** Settles when at least one awaited file block has arrived. */
  async io(): Promise<void> {
    await Promise.race(this.runners.filter((runner) => runner.awaitsIo).map((runner) => runner.io));
    this.enabled.length = 0;
  }

  choices(): Move[] {
    // A block of a file arrives before anything else moves, else the disk's speed would change the run (D-50).
    if (this.outcome !== undefined || this.awaitsIo) return [];
    const moves: Move[] = [];
    for (const { task } of this.runners) for (const move of this.movesOf(task)) moves.push(move);
    if (this.home.events.length > 0) moves.push({ by: "coordinator", kind: "event" });
    if (this.hook !== undefined) moves.push({ by: "coordinator", kind: "durable" });
    // Work takes no time here, so a deadline is never offered before everything that can still be done in time.
    const next = this.nextTimerMs;
    if (Number.isFinite(next) && (moves.length === 0 || next < this.coordinator.nextDeadlineMs)) {
      moves.push({ by: "clock", kind: "advance" });
    }
    return moves;
  }

  isEnabled(move: Move): boolean {
    if (this.outcome !== undefined) return false;
    switch (move.by) {
      case "task": {
        const { task, kind } = move;
        if (this.runners[task] === undefined) return false;
        return this.movesOf(task).some(
          (m) => m.kind === kind && (!("edge" in m) || ("edge" in move && m.edge === move.edge)),
        );
      }
      case "coordinator":
        return move.kind === "event" ? this.home.events.length > 0 : this.hook !== undefined;
      case "clock":
        return Number.isFinite(this.nextTimerMs);
      case "person":
        return move.kind !== "kill" || (this.runners[move.task] !== undefined && !this.killed.has(move.task));
    }
  }

  apply(move: Move, onEpoch: LabEpochHook | undefined): void {
    const { coordinator, home } = this;
    const now = home.time.wallMs;
    switch (move.by) {
      case "task": {
        const { by: _, task, ...taskMove } = move;
        (this.runners[task] as TaskRunner<Batch>).apply(taskMove);
        this.changed(task);
        return;
      }
      case "coordinator":
        if (move.kind === "event") {
          const event = home.events.shift();
          assert(event !== undefined, "the coordinator has an event to take");
          this.perform(coordinator.event(event, now), onEpoch);
        } else this.takeHook(onEpoch);
        return;
      case "clock":
        home.time.advanceTo(this.nextTimerMs);
        this.enabled.length = 0;
        if (coordinator.nextTimerMs <= home.time.wallMs) this.perform(coordinator.timer(home.time.wallMs), onEpoch);
        return;
      case "person":
        if (move.kind === "kill") this.kill(move.task, onEpoch);
        else this.perform(coordinator[move.kind](now), onEpoch);
        return;
    }
  }

  edgeView(id: number): EdgeView {
    return (this.edges[id] as MemoryEdge<Batch>).view;
  }

  /** The run fails for a reason from outside, and is cancelled. */
  fail(error: ErrorData, onEpoch: LabEpochHook | undefined): void {
    const now = this.home.time.wallMs;
    this.perform(this.coordinator.fail(error, now), onEpoch);
    this.perform(this.coordinator.cancel(now), onEpoch);
  }

  /** Ends the run from outside, with the reason. */
  giveUp(error: ErrorData): void {
    this.outcome = { kind: "failed", error };
  }

  stallError(): ErrorData {
    const { probes, edges, plan } = { probes: this.cells, edges: this.edges, plan: this.plan };
    return describeStall(plan, probes, (edge) => (edges[edge] as MemoryEdge<Batch>).view);
  }

  private movesOf(task: TaskId): readonly (Move & TaskMove)[] {
    if (this.killed.has(task)) return [];
    const known = this.enabled[task];
    if (known !== undefined) return known;
    const moves = (this.runners[task] as TaskRunner<Batch>)
      .moves()
      .map((move) => ({ by: "task" as const, task, ...move }));
    this.enabled[task] = moves;
    return moves;
  }

  private changed(task: TaskId): void {
    this.enabled[task] = undefined;
    for (const neighbour of this.neighbours[task] as readonly TaskId[]) this.enabled[neighbour] = undefined;
  }

  /** The earliest moment at which somebody wants to be woken; never in the past. */
  private get nextTimerMs(): number {
    const now = this.home.time.wallMs;
    let next = this.coordinator.nextTimerMs;
    for (const runner of this.runners) {
      const at = this.killed.has(runner.task) ? Number.POSITIVE_INFINITY : runner.wakeAtMs;
      if (at > now && at < next) next = at;
    }
    return Math.max(next, now);
  }

  private async buildRunner(task: PlanTask, from: Resumption): Promise<TaskRunner<Batch>> {
    const { plan, home, cells } = this;
    const shape = probeShape(plan);
    const probe = new TaskProbe(cells, task.id, 0);
    const machine = await buildTask(plan, task, home, probe, from);
    const inputs = task.inEdges.map((edge) => ({
      edge,
      reader: (this.edges[edge] as MemoryEdge<Batch>).reader,
      probe: new EdgeProbe(cells, shape, edge),
    }));
    const outboxes = outEdges(plan, task).map(({ id }) => new Outbox(id, (this.edges[id] as MemoryEdge<Batch>).writer));
    return new TaskRunner(machine, home, inputs, outboxes, probe);
  }

  private perform(effects: readonly CoordinatorEffect[], onEpoch: LabEpochHook | undefined): void {
    for (const effect of effects) {
      switch (effect.kind) {
        case "control":
          if (!this.killed.has(effect.task)) this.runners[effect.task]?.control(effect.message);
          this.enabled[effect.task] = undefined;
          break;
        case "run-state":
          if (effect.state === "cancelled") for (const runner of this.runners) runner.cancel();
          this.enabled.length = 0;
          break;
        case "issued":
          this.traceCoordinator({ kind: "issued", epoch: effect.epoch });
          break;
        case "committed":
          this.traceCoordinator({ kind: "commit", epoch: effect.epoch });
          break;
        case "complete":
          this.traceCoordinator({ kind: "completed", epoch: effect.epoch.epoch });
          this.runHook(effect.epoch, onEpoch);
          break;
        case "aborted":
          this.traceCoordinator({ kind: "aborted", epoch: effect.epoch });
          this.home.note(effect.error);
          break;
        case "terminate":
          break;
        case "over":
          this.outcome = effect.outcome;
          break;
      }
    }
  }

  private runHook(completed: CompletedEpoch, onEpoch: LabEpochHook | undefined): void {
    let error: ErrorData | undefined;
    try {
      onEpoch?.(completed);
    } catch (thrown) {
      error = toErrorData(thrown, { code: "checkpoint-failed", domain: "checkpoint" });
    }
    this.hook = { epoch: completed.epoch, error };
  }

  private takeHook(onEpoch: LabEpochHook | undefined): void {
    const hook = this.hook;
    assert(hook !== undefined, "an epoch is being made durable");
    this.hook = undefined;
    const now = this.home.time.wallMs;
    if (hook.error !== undefined) {
      this.perform(this.coordinator.hookFailed(hook.epoch, hook.error, now), onEpoch);
      return;
    }
    this.perform(this.coordinator.durable(hook.epoch, now), onEpoch);
  }

  /** The task's worker dies: nothing of it runs any more, and its edges close on both sides (D-16). */
  private kill(task: TaskId, onEpoch: LabEpochHook | undefined): void {
    this.killed.add(task);
    this.enabled.length = 0;
    const planned = this.plan.tasks[task] as PlanTask;
    for (const edge of planned.inEdges) this.edges[edge]?.reader.close();
    for (const { id } of outEdges(this.plan, planned)) this.edges[id]?.writer.close();
    const node = planned.stages[0]?.node;
    const error: ErrorData = {
      code: "host-died",
      domain: "host",
      node,
      task,
      message: `the worker that ran ${node} · ${planned.subtask} is gone`,
      hint: "run again",
    };
    this.perform(this.coordinator.loseTasks([task], error, this.home.time.wallMs), onEpoch);
  }

  private traceCoordinator(event: CoordinatorTrace): void {
    this.home.trace.record({ atMs: this.home.time.wallMs, ...event });
  }
}
