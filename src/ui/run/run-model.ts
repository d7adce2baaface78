import { firstStageOf, type Plan, type PlanEdge, type PlanStage, type PlanTask } from "../../engine/index.ts";
import { type GraphDocument, nodeName } from "../document/graph.ts";
import { groupBy } from "../shared/group-by.ts";

/** One node's part in one task. */
export interface NodeTask {
  readonly task: PlanTask;
  readonly stage: PlanStage;
  /** Number among the stages of the run. */
  readonly stageIndex: number;
}

/** How the tasks and edges of a plan belong to the nodes and edges of the graph that was run, and what they are called. */
export class RunModel {
  readonly plan: Plan;
  readonly graph: GraphDocument;
  /** By node id, in subtask order. */
  readonly tasksOf: ReadonlyMap<string, readonly NodeTask[]>;
  /** Physical edges by the document's edge id; an edge inside a chain has none. */
  readonly ringsOf: ReadonlyMap<string, readonly PlanEdge[]>;
  /** Edges into and out of each task. */
  readonly into: readonly (readonly PlanEdge[])[];
  readonly outOf: readonly (readonly PlanEdge[])[];
  /** Task ids in the order of the stream: sources first. */
  readonly order: readonly number[];
  /** By task id: its place in `order`. */
  readonly rowOf: readonly number[];
  /** Some source says times. */
  readonly hasTime: boolean;
  private readonly names: ReadonlyMap<string, string>;

  constructor(plan: Plan, graph: GraphDocument) {
    this.plan = plan;
    this.graph = graph;
    this.names = new Map(graph.nodes.map((node) => [node.id, nodeName(node)]));
    this.tasksOf = tasksByNode(plan);
    this.ringsOf = new Map(groupBy(plan.edges, ({ edge }) => edge));
    this.into = plan.tasks.map(({ id }) => plan.edges.filter(({ to }) => to.task === id));
    this.outOf = plan.tasks.map(({ id }) => plan.edges.filter(({ from }) => from.task === id));
    this.order = inStreamOrder(this.into, this.outOf);
    this.rowOf = rowsOf(this.order);
    this.hasTime = plan.tasks.some(({ stages }) => stages.some(saysTime));
  }

  nodeName(id: string): string {
    return this.names.get(id) ?? id;
  }

  /** `join · 1`; without the number where the node has one task only. */
  taskName(id: number): string {
    const task = this.plan.tasks[id];
    if (task === undefined) return `task ${id}`;
    const name = task.stages.map(({ node }) => this.nodeName(node)).join(" → ");
    return task.parallelism > 1 ? `${name} · ${task.subtask}` : name;
  }

  /** The part of a task's name that says which node, for places where room is short. */
  headName(id: number): string {
    const node = this.plan.tasks[id]?.stages[0]?.node;
    return node === undefined ? `task ${id}` : this.nodeName(node);
  }

  /** What an input is called at its task: the node, or the subtask, that feeds it. */
  inputName({ from, to }: PlanEdge): string {
    const alike = (this.into[to.task] ?? []).filter((edge) => edge.from.node === from.node);
    const subtask = this.plan.tasks[from.task]?.subtask ?? 0;
    const several = new Set(alike.map((edge) => edge.from.task)).size > 1;
    const name = several ? `${this.nodeName(from.node)} · ${subtask}` : this.nodeName(from.node);
    const ports = new Set(alike.filter((edge) => edge.from.task === from.task).map((edge) => edge.to.port));
    return ports.size > 1 ? `${name} (${to.port})` : name;
  }

  isSource(task: number): boolean {
    return this.plan.tasks[task]?.stages[0]?.role === "source";
  }
}

function tasksByNode(plan: Plan): Map<string, NodeTask[]> {
  const parts = plan.tasks.flatMap((task) => {
    const first = firstStageOf(plan, task);
    return task.stages.map((stage, index): NodeTask => ({ task, stage, stageIndex: first + index }));
  });
  return new Map(groupBy(parts, ({ stage }): string => stage.node));
}

function saysTime({ role, kind, config }: PlanStage): boolean {
  if (role !== "source") return false;
  return kind === "source.script" || kind === "source.nexmark" || (config as { time?: unknown }).time !== undefined;
}

/** Tasks of one distance from the sources stay together, in plan order. */
function inStreamOrder(into: RunModel["into"], outOf: RunModel["outOf"]): number[] {
  const depth = new Array<number>(into.length).fill(0);
  const waiting = into.map((edges) => edges.length);
  const ready = into.flatMap((edges, task) => (edges.length === 0 ? [task] : []));
  for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
    for (const { to } of outOf[next] ?? []) {
      depth[to.task] = Math.max(depth[to.task] as number, (depth[next] as number) + 1);
      waiting[to.task] = (waiting[to.task] as number) - 1;
      if (waiting[to.task] === 0) ready.push(to.task);
    }
  }
  return into.map((_, task) => task).sort((a, b) => (depth[a] as number) - (depth[b] as number) || a - b);
}

function rowsOf(order: readonly number[]): number[] {
  const rows = new Array<number>(order.length);
  order.forEach((task, row) => {
    rows[task] = row;
  });
  return rows;
}
