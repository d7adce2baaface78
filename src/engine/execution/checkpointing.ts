import { WeirError } from "../base/errors.ts";
import type { TaskId } from "../base/ids.ts";
import type { StageSnapshot, TaskSnapshot } from "../core/effects.ts";
import type { CompletedEpoch } from "../core/epoch-tracker.ts";
import type { Checkpoint, CheckpointNode } from "../state/checkpoint.ts";
import type { Plan, PlanStage, PlanTask } from "../topology/physical-plan.ts";
import { nodesOf, shapeOf } from "./planned-nodes.ts";

const NO_STATE: StageSnapshot = { state: null, time: { fired: undefined, said: undefined } };

/**
 * A completed epoch as a checkpoint.
 * @throws WeirError `checkpoint-incomplete`: a task ended in a state that cannot be saved
 */
export function checkpointOf(
  plan: Plan,
  { epoch, snapshots, precommits }: CompletedEpoch,
  { lineage, graph }: Pick<Checkpoint, "lineage" | "graph">,
): Checkpoint {
  const saved = new Map<TaskId, TaskSnapshot>([...snapshots, ...precommits]);
  const nodes = [...nodesOf(plan).values()].map((node): CheckpointNode => {
    const subtasks = node.places.map(({ task, stage }) => {
      const snapshot = saved.get(task.id)?.stages[stage];
      // A sink alone that sealed nothing has nothing to tell.
      if (snapshot === undefined && node.stage.role !== "sink") throw incomplete(node.stage, task, epoch);
      return snapshot ?? NO_STATE;
    });
    return { node: node.stage.node, kind: node.stage.kind, ...shapeOf(plan, node), subtasks };
  });
  return { lineage, graph, epoch, vnodes: plan.settings.vnodes, settled: false, nodes };
}

function incomplete(stage: PlanStage, task: PlanTask, epoch: number): WeirError {
  return new WeirError({
    code: "checkpoint-incomplete",
    domain: "checkpoint",
    node: stage.node,
    task: task.id,
    message: `subtask ${task.subtask} ended in a state that cannot be saved with epoch ${epoch}`,
  });
}
