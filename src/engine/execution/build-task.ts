import { toErrorData, WeirError } from "../base/errors.ts";
import type { StageProbe, TaskProbe } from "../core/probes.ts";
import type { PayloadOps } from "../core/routing.ts";
import type { Stage } from "../core/stage-chain.ts";
import { TaskMachine } from "../core/task-machine.ts";
import type { Batch } from "../data/batch.ts";
import { splitByVnode } from "../data/kernels/split.ts";
import type { TurnMemory } from "../data/turn-memory.ts";
import type { KernelMemory } from "../data/wasm/kernel-memory.ts";
import { KernelSplitter } from "../data/wasm/kernel-splitter.ts";
import { FEWEST_ROWS } from "../data/wasm/kernels.ts";
import type { OperatorBuilder, SinkBuilder, SourceBuilder } from "../operators/context.ts";
import { operatorBuilder } from "../operators/registry.ts";
import { sinkBuilder } from "../sinks/registry.ts";
import { sourceBuilder } from "../sources/registry.ts";
import { encodeSnapshot } from "../state/snapshot-codec.ts";
import type { Plan, PlanStage, PlanTask } from "../topology/physical-plan.ts";
import { firstStageOf, probeShape } from "./probe-shape.ts";
import { positionOf, restoreStage } from "./restore-stage.ts";
import type { Resumption } from "./resumption.ts";
import { LateAcker, type StageHome, TaskStageContext } from "./stage-context.ts";

/** What the core needs to know of batches. */
export const BATCH_OPS: PayloadOps<Batch> = {
  rowCount: (batch) => batch.rowCount,
  split: (batch, columns, vnodes, ranges) => splitByVnode(batch, columns, vnodes, ranges),
};

/** Where a task's batches may lie while they are on their way; both are used again when all effects of a call are through. */
export interface TaskMemory {
  readonly turn: TurnMemory;
  /** What kernels work in, if they can; asked for once there are many rows, because it takes milliseconds. */
  readonly kernels: () => KernelMemory | undefined;
}

/** The same with memory for one task. */
function opsWithin({ turn, kernels }: TaskMemory): PayloadOps<Batch> {
  let splitter: KernelSplitter | undefined;
  return {
    rowCount: BATCH_OPS.rowCount,
    split: (batch, columns, vnodes, ranges) => {
      if (splitter === undefined && batch.rowCount >= FEWEST_ROWS) {
        const memory = kernels();
        if (memory !== undefined) splitter = new KernelSplitter(memory);
      }
      return (splitter ?? BATCH_OPS).split(batch, columns, vnodes, ranges);
    },
    settled: () => {
      turn.settled();
      splitter?.settled();
    },
  };
}

/** Where the code of a kind comes from. Each throws WeirError `unknown-kind`. */
export interface StageBuilders {
  source(kind: string): Promise<SourceBuilder>;
  operator(kind: string): Promise<OperatorBuilder>;
  sink(kind: string): Promise<SinkBuilder>;
}

/** The kinds of the catalog. */
export const CATALOG_BUILDERS: StageBuilders = { source: sourceBuilder, operator: operatorBuilder, sink: sinkBuilder };

/**
 * Builds a task's stages on the worker that owns it, gives them back the state that they had, and builds the machine around them (F-9).
 * @param from where the run begins
 * @param memory where batches go over edges that copy them; none in the lab, whose edges keep them
 * @throws WeirError naming the node whose builder refused (F-10)
 */
export async function buildTask(
  plan: Plan,
  task: PlanTask,
  home: StageHome,
  probe: TaskProbe,
  from: Resumption,
  builders: StageBuilders = CATALOG_BUILDERS,
  memory?: TaskMemory,
): Promise<TaskMachine<Batch>> {
  const acker = new LateAcker(home, task.id);
  const restored = from.tasks.get(task.id);
  const stages: Stage<Batch>[] = [];
  const tallies: StageProbe[] = [];
  for (const stage of task.stages) {
    const tally = probe.stage(probeShape(plan), firstStageOf(plan, task) + tallies.length);
    tallies.push(tally);
    const probes = { task: probe, stage: tally };
    try {
      const start = restored?.[stages.length];
      const place = { firstEpoch: from.epoch + 1, position: stage.role === "source" ? positionOf(start) : undefined };
      const context = new TaskStageContext(plan, task, stage, home, probes, acker, place, memory?.turn);
      const built = await buildStage(stage, context, builders);
      if (start !== undefined) restoreStage(built, start);
      stages.push(built);
    } catch (error) {
      throw new WeirError(
        toErrorData(error, { code: "build-failed", domain: "task", node: stage.node, task: task.id }),
      );
    }
  }
  const machine = new TaskMachine<Batch>({
    task: task.id,
    stages,
    inEdges: task.inEdges.map((edge) => ({ edge, port: (plan.edges[edge] as Plan["edges"][number]).to.port })),
    routes: task.routes,
    vnodes: plan.settings.vnodes,
    alignment: plan.settings.alignment,
    startEpoch: from.epoch,
    restored: restored?.map(({ time }) => time),
    payload: memory === undefined ? BATCH_OPS : opsWithin(memory),
    tallies,
    encode: encodeSnapshot,
  });
  acker.machine = machine;
  return machine;
}

async function buildStage(stage: PlanStage, context: TaskStageContext, builders: StageBuilders): Promise<Stage<Batch>> {
  const { node, kind } = stage;
  const config = stage.config as never;
  switch (stage.role) {
    case "source":
      return { role: "source", node, source: await (await builders.source(kind))(config, context) };
    case "operator":
      return { role: "operator", node, operator: await (await builders.operator(kind))(config, context) };
    case "sink":
      return { role: "sink", node, sink: await (await builders.sink(kind))(config, context) };
  }
}
