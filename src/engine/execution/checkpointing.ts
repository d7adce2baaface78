import { type ErrorData, WeirError } from "../base/errors.ts";
import type { TaskId } from "../base/ids.ts";
import type { StageSnapshot, TaskSnapshot } from "../core/effects.ts";
import type { CompletedEpoch } from "../core/epoch-tracker.ts";
import type { Checkpoint, CheckpointNode } from "../state/checkpoint.ts";
import { canonicalText } from "../topology/canonical-text.ts";
import type { Plan, PlanStage, PlanTask } from "../topology/physical-plan.ts";
import type { Resumption } from "./resumption.ts";

const NO_STATE: StageSnapshot = { state: null, time: { fired: undefined, said: undefined } };

/** A node of a plan with the tasks that its subtasks are in. */
interface PlannedNode {
  readonly stage: PlanStage;
  /** Of each subtask: its task, and its place there. */
  readonly places: readonly { readonly task: PlanTask; readonly stage: number }[];
}

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

/** A run's start at a checkpoint, or every reason why its plan cannot go on from there. */
export function resume(checkpoint: Checkpoint, plan: Plan): Resumption | { readonly problems: readonly ErrorData[] } {
  const nodes = nodesOf(plan);
  const before = new Map(checkpoint.nodes.map((node) => [node.node, node]));
  const problems = [
    ...changedNodes(before, nodes),
    ...[...nodes.values()].flatMap((node) => {
      const saved = before.get(node.stage.node);
      return saved === undefined ? [] : misfits(saved, node, plan);
    }),
  ];
  if (problems.length === 0 && checkpoint.vnodes !== plan.settings.vnodes) {
    const message = `there are ${plan.settings.vnodes} vnodes, and the checkpoint has ${checkpoint.vnodes}`;
    problems.push(misfit({ field: "settings.vnodes", message, hint: `set it to ${checkpoint.vnodes} again` }));
  }
  if (problems.length > 0) return { problems };
  const tasks = plan.tasks.map((task): [TaskId, TaskSnapshot] => {
    const stages = task.stages.map(({ node, role }) => {
      const saved = before.get(node)?.subtasks[task.subtask] ?? NO_STATE;
      return role === "sink" && checkpoint.settled ? { ...saved, state: null } : saved;
    });
    return [task.id, { stages }];
  });
  return { epoch: checkpoint.epoch, tasks: new Map(tasks) };
}

function changedNodes(before: ReadonlyMap<string, CheckpointNode>, now: ReadonlyMap<string, PlannedNode>): ErrorData[] {
  const gone = [...before.keys()].filter((node) => !now.has(node));
  const added = [...now.keys()].filter((node) => !before.has(node));
  return [
    ...gone.map((node) =>
      misfit({ message: `the checkpoint has a node ${JSON.stringify(node)}, which the graph has not` }),
    ),
    ...added.map((node) => misfit({ node, message: "the checkpoint knows nothing of this node" })),
  ];
}

/** Why a node cannot go on with its state. One without state may be another one now. */
function misfits(saved: CheckpointNode, node: PlannedNode, plan: Plan): ErrorData[] {
  const { stage, places } = node;
  const at = { node: stage.node };
  if (saved.kind !== stage.kind) {
    return [misfit({ ...at, field: "kind", message: `it is ${stage.kind}, and was ${saved.kind} in the checkpoint` })];
  }
  if (saved.subtasks.every(({ state }) => state === null)) return [];
  const shape = shapeOf(plan, node);
  const problems: ErrorData[] = [];
  if (saved.subtasks.length !== places.length) {
    const message = `it has ${places.length} subtasks, and ${saved.subtasks.length} in the checkpoint`;
    problems.push(misfit({ ...at, field: "parallelism", message, hint: `set it to ${saved.subtasks.length} again` }));
  }
  if (saved.inputs !== shape.inputs)
    problems.push(changed(node, undefined, "the columns that come to it", shape.inputs, saved.inputs));
  if (saved.routes !== shape.routes)
    problems.push(changed(node, undefined, "the way in which rows come to it", shape.routes, saved.routes));
  const [now, then] = [recordOf(shape.config), recordOf(saved.config)];
  for (const field of new Set([...Object.keys(now), ...Object.keys(then)])) {
    const [is, was] = [canonicalText(now[field]), canonicalText(then[field])];
    if (is !== was) problems.push(changed(node, `config.${field}`, "it", is, was));
  }
  return problems;
}

const recordOf = (config: string): Readonly<Record<string, unknown>> => JSON.parse(config) as Record<string, unknown>;

/** More of a text than this is no help in a message. */
const SHOWN = 80;
const shown = (text: string): string => (text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`);

function changed({ stage }: PlannedNode, field: string | undefined, what: string, is: string, was: string): ErrorData {
  const message = `${what} changed since the checkpoint: ${shown(is)}, and ${shown(was)} then`;
  return misfit({ node: stage.node, field, message });
}

function misfit(what: Partial<ErrorData> & { readonly message: string }): ErrorData {
  return {
    code: "checkpoint-misfit",
    domain: "checkpoint",
    hint: "run the graph as it was, or begin anew with an empty folder",
    ...what,
  };
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

function nodesOf({ tasks }: Plan): Map<string, PlannedNode> {
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

/** What the state of a node depends on, as text. */
function shapeOf(plan: Plan, { stage, places }: PlannedNode): Pick<CheckpointNode, "config" | "inputs" | "routes"> {
  const inputs = Object.entries(stage.inputs).map(([port, schema]) => [port, schema.fields]);
  const routes = new Set(
    places.flatMap(({ task, stage: place }) =>
      place > 0 ? ["in: forward"] : task.inEdges.map((edge) => routeOf(plan, edge)),
    ),
  );
  return {
    config: canonicalText(stage.config),
    inputs: canonicalText(Object.fromEntries(inputs)),
    routes: [...routes].sort().join(", "),
  };
}

function routeOf(plan: Plan, edge: number): string {
  const { from, to } = plan.edges[edge] as Plan["edges"][number];
  const route = plan.tasks[from.task]?.routes.find(({ targets }) => targets.some((target) => target.edge === edge));
  return `${to.port}: ${[route?.kind, ...(route?.columns ?? [])].join(" ")}`;
}
