import type { Plan, PlanEdge, PlanTask } from "../topology/physical-plan.ts";

/** Edges that a task writes, in edge order. */
export function outEdges(plan: Plan, task: PlanTask): PlanEdge[] {
  return plan.edges.filter((edge) => edge.from.task === task.id);
}
