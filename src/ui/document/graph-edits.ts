import type {
  GraphAnnotation,
  GraphDocument,
  GraphEdge,
  GraphEdgeEnd,
  GraphNode,
  GraphRoute,
  GraphSettings,
} from "./graph.ts";
import { freeId } from "./graph.ts";

/** Edits of a graph as pure functions. Each returns the graph it was given when there is nothing to change. */

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Ids of what is selected; notes are the document's annotations. */
export interface Items {
  readonly nodes: ReadonlySet<string>;
  readonly edges: ReadonlySet<string>;
  readonly notes: ReadonlySet<string>;
}

export function newNode(
  graph: GraphDocument,
  kind: string,
  at: Place,
  config: Record<string, unknown> = {},
): GraphNode {
  const taken = new Set(graph.nodes.map((node) => node.id));
  return { id: freeId(kindStem(kind), taken), kind, parallelism: 1, config, ui: { x: at.x, y: at.y } };
}

/** `source.file` makes `file`, `sink.file` makes `file-out`: ids are read in messages and on the command line. */
function kindStem(kind: string): string {
  const [family = "", ...rest] = kind.split(".");
  if (rest.length === 0) return family;
  return family === "sink" ? `${rest.join("-")}-out` : family === "source" ? rest.join("-") : family;
}

export function addNode(graph: GraphDocument, node: GraphNode): GraphDocument {
  return { ...graph, nodes: [...graph.nodes, node] };
}

export function changeNode(graph: GraphDocument, id: string, change: Partial<GraphNode>): GraphDocument {
  return mapItems(graph, "nodes", (node) => (node.id === id ? changed(node, change) : node));
}

export function changeEdge(graph: GraphDocument, id: string, change: Partial<GraphEdge>): GraphDocument {
  return mapItems(graph, "edges", (edge) => (edge.id === id ? changed(edge, change) : edge));
}

export function changeSettings(graph: GraphDocument, settings: GraphSettings): GraphDocument {
  return settings === graph.settings ? graph : { ...graph, settings };
}

export function rename(graph: GraphDocument, name: string): GraphDocument {
  return name === graph.name ? graph : { ...graph, name };
}

/** An edge between two ports; the caller has asked whether it may be. */
export function connect(graph: GraphDocument, from: GraphEdgeEnd, to: GraphEdgeEnd, route: GraphRoute): GraphDocument {
  const id = freeId(`${from.node}-${to.node}`, new Set(graph.edges.map((edge) => edge.id)));
  return { ...graph, edges: [...graph.edges, { id, from, to, route }] };
}

/** The selected items, and every edge of a node that goes. */
export function removeItems(graph: GraphDocument, items: Items): GraphDocument {
  const nodes = graph.nodes.filter((node) => !items.nodes.has(node.id));
  const edges = graph.edges.filter(
    (edge) => !items.edges.has(edge.id) && !items.nodes.has(edge.from.node) && !items.nodes.has(edge.to.node),
  );
  const annotations = graph.annotations?.filter((note) => !items.notes.has(note.id));
  const same =
    nodes.length === graph.nodes.length &&
    edges.length === graph.edges.length &&
    annotations?.length === graph.annotations?.length;
  return same ? graph : { ...graph, nodes, edges, ...(annotations && { annotations }) };
}

/**
 * Puts a node into an edge: what came out of the edge now comes out of the node. The second half keeps the edge's route, since
 * it is the one that its target asked for; the first gets `route`.
 */
export function insertOnEdge(
  graph: GraphDocument,
  edgeId: string,
  through: { readonly in: GraphEdgeEnd; readonly out: GraphEdgeEnd },
  route: GraphRoute,
): GraphDocument {
  const edge = graph.edges.find((each) => each.id === edgeId);
  if (edge === undefined) return graph;
  const shortened = changeEdge(graph, edgeId, { from: through.out });
  return connect(shortened, edge.from, through.in, route);
}

export function moveItems(
  graph: GraphDocument,
  places: ReadonlyMap<string, Place>,
  notePlaces: ReadonlyMap<string, Place>,
): GraphDocument {
  const moved = mapItems(graph, "nodes", (node) => {
    const place = places.get(node.id);
    return place === undefined || (node.ui?.x === place.x && node.ui.y === place.y)
      ? node
      : { ...node, ui: { x: place.x, y: place.y } };
  });
  return mapItems(moved, "annotations", (note) => {
    const place = notePlaces.get(note.id);
    const ui = note.ui ?? DEFAULT_NOTE;
    return place === undefined || (ui.x === place.x && ui.y === place.y)
      ? note
      : { ...note, ui: { ...ui, x: place.x, y: place.y } };
  });
}

const DEFAULT_NOTE = { x: 0, y: 0, w: 200, h: 80 };

export const notePlace = (note: GraphAnnotation): NonNullable<GraphAnnotation["ui"]> => note.ui ?? DEFAULT_NOTE;

export function addNote(graph: GraphDocument, at: Place, text: string): { graph: GraphDocument; id: string } {
  const id = freeId("note", new Set(graph.annotations?.map((note) => note.id)));
  const note: GraphAnnotation = { id, text, ui: { ...DEFAULT_NOTE, ...at } };
  return { graph: { ...graph, annotations: [...(graph.annotations ?? []), note] }, id };
}

export function changeNote(graph: GraphDocument, id: string, change: Partial<GraphAnnotation>): GraphDocument {
  return mapItems(graph, "annotations", (note) => (note.id === id ? changed(note, change) : note));
}

/** `item` with the change; itself when it says the same already. A field set to undefined is left out. */
function changed<T extends object>(item: T, change: Partial<T>): T {
  const keys = Object.keys(change) as (keyof T)[];
  if (keys.every((key) => Object.is(item[key], change[key]))) return item;
  return Object.fromEntries(Object.entries({ ...item, ...change }).filter(([, value]) => value !== undefined)) as T;
}

type ListName = "nodes" | "edges" | "annotations";
type Item<L extends ListName> = NonNullable<GraphDocument[L]>[number];

function mapItems<L extends ListName>(
  graph: GraphDocument,
  list: L,
  change: (item: Item<L>) => Item<L>,
): GraphDocument {
  const before = (graph[list] ?? []) as readonly Item<L>[];
  const after = before.map(change);
  return after.every((item, index) => item === before[index]) ? graph : { ...graph, [list]: after };
}
