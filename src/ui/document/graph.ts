import {
  type AttachedFile,
  GRAPH_FORMAT,
  type GraphAnnotation,
  type GraphDocument,
  type GraphEdge,
  type GraphEdgeEnd,
  type GraphNode,
  type GraphRoute,
  type GraphSettings,
  graphDocumentSchema,
} from "../../engine/index.ts";

export type {
  AttachedFile,
  GraphAnnotation,
  GraphDocument,
  GraphEdge,
  GraphEdgeEnd,
  GraphNode,
  GraphRoute,
  GraphSettings,
};

export const UNTITLED = "Untitled graph";

export function emptyGraph(name = UNTITLED): GraphDocument {
  return graphDocumentSchema.parse({ format: GRAPH_FORMAT, name, nodes: [] });
}

/** Nothing that a person made would be lost with it. */
export function isBlank(graph: GraphDocument): boolean {
  return graph.nodes.length === 0 && (graph.annotations ?? []).length === 0;
}

export const nodeOf = (graph: GraphDocument, id: string): GraphNode | undefined =>
  graph.nodes.find((node) => node.id === id);

/** What a node is called: its name, else its id. */
export const nodeName = (node: GraphNode): string =>
  node.name === undefined || node.name === "" ? node.id : node.name;

/** `base`, `base2`, `base3` …: the first that is not taken. */
export function freeId(base: string, taken: ReadonlySet<string>): string {
  const stem = base.replaceAll(/[^A-Za-z0-9_-]/g, "-").slice(0, 120) || "node";
  if (!taken.has(stem)) return stem;
  for (let n = 2; ; n++) if (!taken.has(`${stem}${n}`)) return `${stem}${n}`;
}
