import { canonicalText } from "../topology/canonical-text.ts";
import type { Plan, PlanRoute, PlanStage, PlanTask } from "../topology/physical-plan.ts";

/** A node of a plan with the tasks that its subtasks are in. */
export interface PlannedNode {
  readonly stage: PlanStage;
  /** Of each subtask: its task, and its place there. */
  readonly places: readonly { readonly task: PlanTask; readonly stage: number }[];
}

/** By node id. */
export function nodesOf({ tasks }: Plan): Map<string, PlannedNode> {
  const nodes = new Map<string, { stage: PlanStage; places: { task: PlanTask; stage: number }[] }>();
  for (const task of tasks) {
    task.stages.forEach((stage, place) => {
      const node = nodes.get(stage.node);
      if (node === undefined) nodes.set(stage.node, { stage, places: [{ task, stage: place }] });
      else node.places.push({ task, stage: place });
    });
  }
  return nodes;
}

/** What the state of a node depends on, as text: see `CheckpointNode`. */
export function shapeOf(plan: Plan, { stage, places }: PlannedNode) {
  const inputs = Object.entries(stage.inputs).map(([port, schema]) => [port, schema.fields]);
  const routes = new Set(
    places.flatMap(({ task, stage: place }) =>
      place > 0 ? ["in: forward"] : task.inEdges.map((edge) => routeText(plan, edge)),
    ),
  );
  return {
    config: canonicalText(stage.config),
    inputs: canonicalText(Object.fromEntries(inputs)),
    routes: [...routes].sort().join(", "),
  };
}

function routeText(plan: Plan, edge: number): string {
  const { kind, columns } = routeOf(plan, edge);
  return `${plan.edges[edge]?.to.port}: ${[kind, ...columns].join(" ")}`;
}

/** The route that an edge is of. */
export function routeOf(plan: Plan, edge: number): PlanRoute {
  const from = (plan.edges[edge] as Plan["edges"][number]).from.task;
  const routes = (plan.tasks[from] as PlanTask).routes;
  return routes.find(({ targets }) => targets.some((target) => target.edge === edge)) as PlanRoute;
}
