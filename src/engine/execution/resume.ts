import type { ErrorData } from "../base/errors.ts";
import type { TaskId } from "../base/ids.ts";
import { CATALOG } from "../operators/catalog.ts";
import type { Checkpoint, CheckpointNode } from "../state/checkpoint.ts";
import { canonicalText } from "../topology/canonical-text.ts";
import type { Plan } from "../topology/physical-plan.ts";
import { nodesOf, type PlannedNode, shapeOf } from "./planned-nodes.ts";
import { mayRescale, stageStart } from "./rescale.ts";
import type { Resumption, StageStart } from "./resumption.ts";

/** A run's start at a checkpoint, or every reason why its plan cannot go on from there. */
export function resume(checkpoint: Checkpoint, plan: Plan): Resumption | { readonly problems: readonly ErrorData[] } {
  const nodes = nodesOf(plan);
  const before = new Map(checkpoint.nodes.map((node) => [node.node, checkpoint.settled ? settled(node) : node]));
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
  const tasks = plan.tasks.map((task): [TaskId, StageStart[]] => [
    task.id,
    task.stages.map((stage, place) => stageStart(before.get(stage.node) as CheckpointNode, { plan, task, place })),
  ]);
  return { epoch: checkpoint.epoch, tasks: new Map(tasks) };
}

/** A node behind a run that came to its end: what sinks had staged is where it belongs. */
function settled(node: CheckpointNode): CheckpointNode {
  if (CATALOG.get(node.kind)?.role !== "sink") return node;
  return { ...node, subtasks: node.subtasks.map(({ time }) => ({ state: null, time })) };
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
  const rescaled = saved.subtasks.length !== places.length;
  if (rescaled && !mayRescale(saved)) {
    const message = `it has ${places.length} subtasks, and ${saved.subtasks.length} in the checkpoint, which share its rows in their own way`;
    problems.push(misfit({ ...at, field: "parallelism", message, hint: `set it to ${saved.subtasks.length} again` }));
  }
  if (saved.inputs !== shape.inputs)
    problems.push(changed(node, undefined, "the columns that come to it", shape.inputs, saved.inputs));
  // One subtask gets all rows, however they come to it.
  if (saved.routes !== shape.routes && !(rescaled && (saved.subtasks.length === 1 || places.length === 1)))
    problems.push(changed(node, undefined, "the way in which rows come to it", shape.routes, saved.routes));
  for (const { path, is, was } of differences("config", JSON.parse(shape.config), JSON.parse(saved.config)))
    problems.push(changed(node, path, "it", is, was));
  return problems;
}

interface Difference {
  readonly path: string;
  readonly is: string;
  readonly was: string;
}

/** The innermost fields in which two configurations differ; of lists with more than one difference the list. */
function differences(path: string, now: unknown, then: unknown): Difference[] {
  if (isRecord(now) && isRecord(then) && now["kind"] === then["kind"]) {
    const fields = new Set([...Object.keys(now), ...Object.keys(then)]);
    return [...fields].flatMap((field) => differences(`${path}.${field}`, now[field], then[field]));
  }
  if (Array.isArray(now) && Array.isArray(then) && now.length === then.length) {
    const inner = now.flatMap((each, i) => differences(`${path}[${i}]`, each, then[i]));
    if (inner.length < 2) return inner;
  }
  const [is, was] = [textOf(now), textOf(then)];
  return is === was ? [] : [{ path, is, was }];
}

const textOf = (value: unknown): string => (value === undefined ? "not set" : canonicalText(value));

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

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
