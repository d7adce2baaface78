import { type Analysis, analyse, applyPatch, CATALOG, type Problem } from "../../engine/index.ts";
import type { GraphDocument, GraphEdge, GraphEdgeEnd, GraphNode, GraphRoute } from "./graph.ts";
import { connect } from "./graph-edits.ts";

/** What the engine says to an edge before it is drawn. */
export type Verdict =
  | { readonly kind: "yes"; readonly route: GraphRoute; readonly note?: string | undefined }
  | { readonly kind: "no"; readonly reason: string };

/** Faults that an edge brings into the world. What its target still lacks is the target's business and no reason to refuse. */
const REFUSING = new Set([
  "cycle",
  "port-taken",
  "duplicate-edge",
  "schema-mismatch",
  "sink-with-output",
  "source-with-input",
  "unknown-port",
  "unknown-node",
]);

/** Whether an edge may lead from one port to another, by which route, or why not. */
export function judge(graph: GraphDocument, from: Required<GraphEdgeEnd>, to: Required<GraphEdgeEnd>): Verdict {
  const drawn = connect(graph, from, to, { kind: "forward" });
  const edge = drawn.edges.at(-1) as GraphEdge;
  const { route: _, ...plain } = edge;
  const bare = { ...drawn, edges: [...graph.edges, plain] };
  const first = analyse(bare);
  const refusal = refusalOf(first, edge.id);
  if (refusal !== undefined) return { kind: "no", reason: reasonOf(refusal) };
  return { kind: "yes", route: proposedRoute(bare, first, edge.id) };
}

function refusalOf(analysis: Analysis, edge: string): Problem | undefined {
  return analysis.problems.find((problem) => problem.edge === edge && REFUSING.has(problem.code));
}

const reasonOf = ({ message, hint }: Problem): string => (hint === undefined ? message : `${message}; ${hint}`);

/** The keys of a keyed input; else what the engine's own repair says; else forward. */
function proposedRoute(graph: GraphDocument, analysis: Analysis, edge: string): GraphRoute {
  const problem = analysis.problems.find(
    (each) => each.edge === edge && each.field?.startsWith("route") && each.fix !== undefined,
  );
  if (problem?.fix !== undefined) {
    const repaired = applyPatch(graph, problem.fix.patch).edges.find((each) => each.id === edge)?.route;
    if (repaired !== undefined) return repaired;
  }
  const link = analysis.links.find((each) => each.edge.id === edge);
  const { spec, config } = link?.to.info ?? {};
  const keys = config === undefined ? undefined : spec?.keys?.(config.value)[link?.to.port ?? ""];
  const known = link && analysis.schemas.get(link.from.info.node.id)?.outputs[link.from.port];
  if (keys === undefined || keys.length === 0 || keys.some((key) => known !== undefined && known.indexOf(key) < 0)) {
    return { kind: "forward" };
  }
  return { kind: "shuffle", columns: [...keys] };
}

/** Input ports of a node, as the catalog has them. */
export function inputPorts(node: GraphNode): readonly string[] {
  return CATALOG.get(node.kind)?.inputs.map((port) => port.name) ?? [];
}

/** Output ports of a node as its config has them; of one whose config is wrong, the first. */
export function outputPorts(analysis: Analysis, node: GraphNode): readonly string[] {
  const info = analysis.nodes.get(node.id);
  if (info?.outputs !== undefined) return info.outputs.map((port) => port.name);
  return CATALOG.get(node.kind)?.role === "sink" ? [] : ["out"];
}

/** The port that an edge's end means, also where the document leaves it out. */
export function portOf(end: GraphEdgeEnd, side: "from" | "to", node: GraphNode | undefined): string {
  if (end.port !== undefined) return end.port;
  if (side === "from" || node === undefined) return "out";
  return inputPorts(node)[0] ?? "in";
}
