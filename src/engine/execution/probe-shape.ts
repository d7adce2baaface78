import type { ProbeShape } from "../core/probes.ts";
import type { Plan, PlanTask } from "../topology/physical-plan.ts";

/** Shape of the probes of a run of this plan. */
export function probeShape({ tasks, edges }: Plan): ProbeShape {
  return { tasks: tasks.length, edges: edges.length, stages: countStages(tasks) };
}

/** Number of a task's first stage among the stages of the run. */
export function firstStageOf(plan: Plan, task: PlanTask): number {
  return countStages(plan.tasks.slice(0, task.id));
}

function countStages(tasks: readonly PlanTask[]): number {
  return tasks.reduce((sum, task) => sum + task.stages.length, 0);
}
