import { GRAPH_FORMAT, graphDocumentSchema, parseJson, writeJson } from "../../engine/index.ts";
import type { GraphDocument } from "./graph.ts";
import { freeId } from "./graph.ts";
import { type Items, notePlace, type Place } from "./graph-edits.ts";

/**
 * What is copied is itself a small graph document: nodes, the edges between them, notes. So it can be pasted into another
 * tab, a mail or a file, and a whole graph file can be pasted as well.
 */
export interface Fragment {
  readonly nodes: GraphDocument["nodes"];
  readonly edges: GraphDocument["edges"];
  readonly notes: NonNullable<GraphDocument["annotations"]>;
}

export function fragmentOf(graph: GraphDocument, items: Items): Fragment {
  return {
    nodes: graph.nodes.filter((node) => items.nodes.has(node.id)),
    edges: graph.edges.filter((edge) => items.nodes.has(edge.from.node) && items.nodes.has(edge.to.node)),
    notes: (graph.annotations ?? []).filter((note) => items.notes.has(note.id)),
  };
}

export const isEmpty = (fragment: Fragment): boolean => fragment.nodes.length === 0 && fragment.notes.length === 0;

export function fragmentText({ nodes, edges, notes }: Fragment): string {
  return writeJson({ format: GRAPH_FORMAT, nodes, edges, ...(notes.length > 0 && { annotations: notes }) });
}

/** The fragment in the text, or undefined when the text is something else. Edges that lead out of it are left out. */
export function readFragment(text: string): Fragment | undefined {
  if (!text.includes(GRAPH_FORMAT)) return undefined;
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return undefined;
  }
  const parsed = graphDocumentSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const { nodes, edges, annotations = [] } = parsed.data;
  const ids = new Set(nodes.map((node) => node.id));
  if (ids.size < nodes.length) return undefined;
  return { nodes, edges: edges.filter((edge) => ids.has(edge.from.node) && ids.has(edge.to.node)), notes: annotations };
}

/** The graph with the fragment in it under new ids, moved by `by`; and what was added, to be selected. */
export function paste(graph: GraphDocument, fragment: Fragment, by: Place): { graph: GraphDocument; added: Items } {
  const nodeIds = freshIds(graph.nodes, fragment.nodes);
  const edgeIds = freshIds(graph.edges, fragment.edges);
  const noteIds = freshIds(graph.annotations ?? [], fragment.notes);
  const nodes = fragment.nodes.map((node) => ({
    ...node,
    id: nodeIds.get(node.id) as string,
    ui: { x: (node.ui?.x ?? 0) + by.x, y: (node.ui?.y ?? 0) + by.y },
  }));
  const edges = fragment.edges.map((edge) => ({
    ...edge,
    id: edgeIds.get(edge.id) as string,
    from: { ...edge.from, node: nodeIds.get(edge.from.node) as string },
    to: { ...edge.to, node: nodeIds.get(edge.to.node) as string },
  }));
  const notes = fragment.notes.map((note) => {
    const place = notePlace(note);
    return { ...note, id: noteIds.get(note.id) as string, ui: { ...place, x: place.x + by.x, y: place.y + by.y } };
  });
  return {
    graph: {
      ...graph,
      nodes: [...graph.nodes, ...nodes],
      edges: [...graph.edges, ...edges],
      ...(notes.length > 0 && { annotations: [...(graph.annotations ?? []), ...notes] }),
    },
    added: { nodes: new Set(nodeIds.values()), edges: new Set(), notes: new Set(noteIds.values()) },
  };
}

/** Old id to new: `filter` becomes `filter2`, and `filter2` the next that is free. */
function freshIds(
  there: readonly { readonly id: string }[],
  coming: readonly { readonly id: string }[],
): Map<string, string> {
  const taken = new Set(there.map((item) => item.id));
  const fresh = new Map<string, string>();
  for (const { id } of coming) {
    const next = freeId(taken.has(id) ? id.replace(/\d+$/, "") : id, taken);
    taken.add(next);
    fresh.set(id, next);
  }
  return fresh;
}

/** Upper left corner of a fragment. */
export function cornerOf({ nodes, notes }: Fragment): Place {
  const places = [...nodes.map((node) => node.ui ?? { x: 0, y: 0 }), ...notes.map(notePlace)];
  return { x: Math.min(...places.map((place) => place.x)), y: Math.min(...places.map((place) => place.y)) };
}
