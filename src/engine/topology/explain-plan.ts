import type { EdgeId, TaskId } from "../base/ids.ts";
import type { Plan, PlanTask } from "./physical-plan.ts";

/** What a plan costs and which nodes share a task: for the page's task view, the command line and `validate`. */
export interface PlanExplanation {
  /** One entry for each group of subtasks, in task order. */
  readonly groups: readonly {
    readonly nodes: readonly string[];
    readonly parallelism: number;
    readonly tasks: readonly TaskId[];
  }[];
  /** Nodes of each task that has several, in stream order. */
  readonly chains: readonly (readonly string[])[];
  /** Physical edges by the document's edge; an edge inside a chain has none and is left out. */
  readonly edges: readonly { readonly edge: string; readonly kind: string; readonly physical: readonly EdgeId[] }[];
  readonly taskCount: number;
  readonly edgeCount: number;
  /** Every ring has at least 64 KiB; rings that need more than `settings.ringBudgetMiB` cannot run on threads. */
  readonly leastRingMiB: number;
}

const LEAST_RING_KIB = 64;

export function explainPlan(plan: Plan): PlanExplanation {
  const groups: { nodes: string[]; parallelism: number; tasks: TaskId[] }[] = [];
  const edges = new Map<string, { edge: string; kind: string; physical: EdgeId[] }>();
  for (const task of plan.tasks) {
    if (task.subtask === 0) groups.push({ nodes: nodesOf(task), parallelism: task.parallelism, tasks: [] });
    groups.at(-1)?.tasks.push(task.id);
    for (const route of task.routes) {
      const entry = edges.get(route.edge) ?? { edge: route.edge, kind: route.kind, physical: [] };
      entry.physical.push(...route.targets.map((target) => target.edge));
      edges.set(route.edge, entry);
    }
  }
  return {
    groups,
    chains: groups.map((group) => group.nodes).filter((nodes) => nodes.length > 1),
    edges: [...edges.values()],
    taskCount: plan.tasks.length,
    edgeCount: plan.edges.length,
    leastRingMiB: (plan.edges.length * LEAST_RING_KIB) / 1024,
  };
}

const nodesOf = (task: PlanTask): string[] => task.stages.map((stage) => stage.node);

/** `orders → clean`, with the subtask where there are several: `orders → clean [2]`. */
export function taskLabel(task: PlanTask): string {
  const nodes = nodesOf(task).join(" → ");
  return task.parallelism === 1 ? nodes : `${nodes} [${task.subtask}]`;
}
