import { CATALOG } from "../operators/catalog.ts";
import type { GraphDocument, GraphEdge, GraphNode } from "./graph-document.ts";

/** What leaves a node, or comes to it, at one of its ports; without a port at the only one. */
export interface GraphPlace {
  readonly node: string;
  readonly side: "in" | "out";
  readonly port?: string | undefined;
}

/** What lies before a place of a graph, as a graph of its own. */
export interface GraphBefore {
  readonly document: GraphDocument;
  /** The node that gets the rows of the place. */
  readonly table: string;
}

/** The same one each time, so that documents can be compared. */
const ROWS_AT_ONCE = { delivery: "at-least-once" } as const;
const NO_CONFIG = {};

/**
 * A document of what lies before the place, at parallelism 1, before a table that shows rows at once; undefined where nothing lies
 * there. Nodes keep their ids, and the table has one that is nobody's. What leaves them at other ports is thrown away.
 */
export function documentBefore(document: GraphDocument, place: GraphPlace): GraphBefore | undefined {
  const table = freeId(document);
  const ends = endsAt(document, place, table);
  const nodes = nodesBefore(document, new Set(ends.map(({ from }) => from.node)));
  if (nodes.size === 0) return undefined;
  const kept = document.nodes.filter(({ id }) => nodes.has(id));
  const edges = [...document.edges.filter(({ to }) => nodes.has(to.node)), ...ends];
  const holes = looseEnds(kept, edges).map((from, index): GraphEdge => {
    const id = `${table}-rest-${index}`;
    return { id, from, to: { node: id }, route: { kind: "forward" } };
  });
  const before = {
    ...document,
    annotations: undefined,
    settings: { ...document.settings, barrierEveryMs: 0 },
    nodes: [
      ...kept.map((node) => ({ ...node, parallelism: 1 })),
      { id: table, kind: "sink.table", parallelism: 1, config: ROWS_AT_ONCE },
      ...holes.map(({ id }) => ({ id, kind: "sink.blackhole", parallelism: 1, config: NO_CONFIG })),
    ],
    edges: [...edges, ...holes],
  };
  return { document: before, table };
}

/** With which no id begins: those of the edges into the table begin with it. */
function freeId({ nodes, edges }: GraphDocument): string {
  const taken = [...nodes, ...edges];
  for (let number = 0; ; number++) {
    const id = number === 0 ? "preview" : `preview${number}`;
    if (!taken.some((each) => each.id.startsWith(id))) return id;
  }
}

/** The edges into the table. */
function endsAt({ nodes, edges }: GraphDocument, { node, side, port }: GraphPlace, table: string): GraphEdge[] {
  const end = (from: GraphEdge["from"], index: number): GraphEdge => ({
    id: `${table}-${index}`,
    from,
    to: { node: table },
    route: { kind: "forward" },
  });
  if (side === "out") return nodes.some(({ id }) => id === node) ? [end({ node, port }, 0)] : [];
  const into = edges.filter(({ to }) => to.node === node && (port === undefined || (to.port ?? port) === port));
  return into.map(({ from }, index) => end(from, index));
}

/** Outputs that no edge leaves; of a node whose config is wrong they are not known. */
function looseEnds(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): { node: string; port: string }[] {
  return nodes.flatMap(({ id, kind, config }) => {
    const spec = CATALOG.get(kind);
    const parsed = spec?.config.safeParse(config);
    const ports = parsed?.success === true ? (spec?.outputs(parsed.data).map(({ name }) => name) ?? []) : [];
    const isTaken = (port: string) => edges.some(({ from }) => from.node === id && (from.port ?? ports[0]) === port);
    return ports.filter((port) => !isTaken(port)).map((port) => ({ node: id, port }));
  });
}

function nodesBefore({ nodes, edges }: GraphDocument, starts: ReadonlySet<string>): Set<string> {
  const there = new Set(nodes.map(({ id }) => id));
  const found = new Set([...starts].filter((id) => there.has(id)));
  for (const id of found) {
    for (const { from, to } of edges) if (to.node === id && there.has(from.node)) found.add(from.node);
  }
  return found;
}
