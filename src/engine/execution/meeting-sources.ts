import type { TaskId } from "../base/ids.ts";
import type { Plan, PlanTask } from "../topology/physical-plan.ts";

/** How far a source has come, and whether it lets others go first. */
export interface Paced {
  /** Event time of a source that could go on at once, or as soon as there is room; `undefined` for any other. */
  readonly pace: number | undefined;
  yields: boolean;
}

/**
 * The source tasks whose rows meet in tasks with several ports, such as joins, in groups; no task is in two of them. Rows of one that is ahead of the
 * others would only wait there, as state.
 */
export function meetingSources(plan: Plan): TaskId[][] {
  let groups: Set<TaskId>[] = [];
  for (const task of plan.tasks) {
    const ports = new Set(task.inEdges.map((edge) => plan.edges[edge]?.to.port));
    if (ports.size < 2) continue;
    const met = sourcesOf(plan, task);
    const apart = groups.filter((group) => [...met].every((source) => !group.has(source)));
    for (const group of groups) if (!apart.includes(group)) for (const source of group) met.add(source);
    groups = [...apart, met];
  }
  return groups.map((group) => [...group].sort((a, b) => a - b));
}

/** Sources upstream of a task. */
function sourcesOf(plan: Plan, task: PlanTask): Set<TaskId> {
  const seen = new Set([task]);
  // What is added is gone through as well.
  for (const { inEdges } of seen) {
    for (const edge of inEdges) seen.add(plan.tasks[plan.edges[edge]?.from.task as TaskId] as PlanTask);
  }
  return new Set([...seen].filter(({ inEdges }) => inEdges.length === 0).map(({ id }) => id));
}

/** Those of a group that are ahead let the one that is behind go first. */
export function letLastGoFirst(group: readonly Paced[]): void {
  let least = Number.POSITIVE_INFINITY;
  for (const { pace } of group) if (pace !== undefined) least = Math.min(least, pace);
  for (const source of group) source.yields = source.pace !== undefined && source.pace > least;
}
