import { assert } from "../base/assert.ts";
import { WeirError } from "../base/errors.ts";
import { type EdgeId, edgeId, nodeId, type TaskId, taskId } from "../base/ids.ts";
import { type VnodeRange, vnodeRanges } from "../core/vnodes.ts";
import type { Schema } from "../data/schema.ts";
import { CATALOG, type Catalog } from "../operators/catalog.ts";
import { chainsOf } from "./chains.ts";
import { fingerprintOf } from "./fingerprint.ts";
import type { GraphDocument, GraphRoute } from "./graph-document.ts";
import type { Link, NodeInfo } from "./links.ts";
import type { Plan, PlanEdge, PlanRoute, PlanStage, PlanTarget, PlanTask } from "./physical-plan.ts";
import { type Analysis, analyse } from "./validate.ts";

/**
 * The physical plan of a document, a pure function of it.
 *
 * Tasks are numbered in document order, subtasks 0 … P − 1 of each node together (F-1, A-1); a chain stands where its
 * first node stands. Edges are numbered walking tasks, their routes in the order of the document's edges, and each route's
 * targets (F-4).
 *
 * @throws WeirError `invalid-graph` when `validate` finds anything
 */
export function planOf(document: GraphDocument, catalog: Catalog = CATALOG): Plan {
  const analysis = analyse(document, { catalog });
  const [problem, ...others] = analysis.problems;
  if (problem !== undefined) {
    const { fix: _, ...data } = problem;
    const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
    throw new WeirError({ ...data, code: "invalid-graph", message: data.message + more });
  }
  const plan = new Planner(document, analysis).plan();
  return { ...plan, fingerprint: fingerprintOf(plan, document.data) };
}

/** The tasks of one chain: `first` is subtask 0, the others follow. */
interface ChainTasks {
  readonly chain: readonly NodeInfo[];
  readonly first: number;
  readonly parallelism: number;
}

class Planner {
  private readonly document: GraphDocument;
  private readonly analysis: Analysis;
  private readonly chains: readonly ChainTasks[];
  private readonly chainOf = new Map<string, ChainTasks>();
  /** Links that leave a chain, in document order; the links inside it are none. */
  private readonly linksOut = new Map<ChainTasks, Link[]>();
  private readonly edges: PlanEdge[] = [];

  constructor(document: GraphDocument, analysis: Analysis) {
    this.document = document;
    this.analysis = analysis;
    let first = 0;
    this.chains = chainsOf(document, analysis).map((chain) => {
      const parallelism = (chain[0] as NodeInfo).node.parallelism;
      const tasks = { chain, first, parallelism };
      first += parallelism;
      for (const info of chain) this.chainOf.set(info.node.id, tasks);
      this.linksOut.set(tasks, []);
      return tasks;
    });
    for (const link of analysis.links) {
      const from = this.chainOf.get(link.from.info.node.id) as ChainTasks;
      if (from !== this.chainOf.get(link.to.info.node.id)) this.linksOut.get(from)?.push(link);
    }
  }

  plan(): Omit<Plan, "fingerprint"> {
    const { settings } = this.document;
    const tasks = this.chains.flatMap((chain) => this.tasksOf(chain));
    const into = new Map<TaskId, EdgeId[]>(tasks.map((task) => [task.id, []]));
    for (const edge of this.edges) into.get(edge.to.task)?.push(edge.id);
    return { tasks: tasks.map((task) => ({ ...task, inEdges: into.get(task.id) ?? [] })), edges: this.edges, settings };
  }

  private tasksOf(tasks: ChainTasks): Omit<PlanTask, "inEdges">[] {
    const stages = tasks.chain.map((info) => this.stage(info));
    const links = this.linksOut.get(tasks) ?? [];
    return Array.from({ length: tasks.parallelism }, (_, subtask) => {
      const id = taskId(tasks.first + subtask);
      const routes = links.map((link) => this.route(link, tasks, id, subtask));
      return { id, subtask, parallelism: tasks.parallelism, stages, routes };
    });
  }

  private stage(info: NodeInfo): PlanStage {
    const schemas = this.analysis.schemas.get(info.node.id);
    assert(
      info.spec !== undefined && info.config !== undefined && schemas !== undefined,
      "a valid node is known in full",
    );
    const { kind, role } = info.spec;
    const { id, name } = info.node;
    const config = info.config.value;
    const waits = info.spec.needsEventTime?.(config) === true && ({ waitsForTime: true } as const);
    return { node: nodeId(id), ...(name && { name }), kind, role, ...waits, config, ...schemas };
  }

  private route(link: Link, tasks: ChainTasks, from: TaskId, subtask: number): PlanRoute {
    const route = this.analysis.routes.get(link);
    const to = this.chainOf.get(link.to.info.node.id);
    assert(route !== undefined && to !== undefined, "a valid edge has a route");
    const targets = targetsOf(route, subtask, to.parallelism, this.document.settings.vnodes).map(
      ([index, vnodes]): PlanTarget => {
        const task = taskId(to.first + index);
        return { edge: this.addEdge(link, from, task), task, vnodes };
      },
    );
    const stage = tasks.chain.indexOf(link.from.info);
    const columns = route.kind === "shuffle" ? route.columns : [];
    return { stage, port: link.from.port, kind: route.kind, columns, edge: link.edge.id, targets };
  }

  private addEdge(link: Link, from: TaskId, to: TaskId): EdgeId {
    const id = edgeId(this.edges.length);
    this.edges.push({
      id,
      edge: link.edge.id,
      from: { task: from, node: nodeId(link.from.info.node.id), port: link.from.port },
      to: { task: to, node: nodeId(link.to.info.node.id), port: link.to.port },
      capacity: link.edge.capacity ?? this.document.settings.edgeCapacity,
      schema: this.schemaAt(link),
    });
    return id;
  }

  private schemaAt(link: Link): Schema {
    const schema = this.analysis.schemas.get(link.from.info.node.id)?.outputs[link.from.port];
    assert(schema !== undefined, "a valid edge has a schema");
    return schema;
  }
}

/** Subtasks that a route leads to from `subtask`, each with the vnodes that it owns: all of them where nothing is shuffled. */
function targetsOf(route: GraphRoute, subtask: number, parallelism: number, vnodes: number): [number, VnodeRange][] {
  const all: VnodeRange = [0, vnodes];
  switch (route.kind) {
    case "forward":
      return [[parallelism === 1 ? 0 : subtask, all]];
    case "shuffle":
      return vnodeRanges(vnodes, parallelism).map((range, index) => [index, range]);
    case "broadcast":
    case "rebalance":
      return Array.from({ length: parallelism }, (_, index) => [index, all]);
  }
}
