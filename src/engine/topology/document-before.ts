import type { GraphDocument, GraphEdge } from "./graph-document.ts";

/** What leaves a node, or comes to it, at one of its ports; without a port at the only one. */
export interface GraphPlace {
  readonly node: string;
  readonly side: "in" | "out";
  readonly port?: string | undefined;
}

/**
 * A document of what lies before the place, at parallelism 1, before a table `sink` that shows rows at once; undefined where nothing
 * lies there. Nodes keep their ids.
 */
export function documentBefore(document: GraphDocument, place: GraphPlace, sink: string): GraphDocument | undefined {
  const ends = endsAt(document, place, sink);
  const nodes = nodesBefore(document, new Set(ends.map(({ from }) => from.node)));
  if (nodes.size === 0) return undefined;
  return {
    ...document,
    annotations: undefined,
    settings: { ...document.settings, barrierEveryMs: 0 },
    nodes: [
      ...document.nodes.filter(({ id }) => nodes.has(id)).map((node) => ({ ...node, parallelism: 1 })),
      { id: sink, kind: "sink.table", parallelism: 1, config: { delivery: "at-least-once" } },
    ],
    edges: [...document.edges.filter(({ to }) => nodes.has(to.node)), ...ends],
  };
}

/** The edges into the table. */
function endsAt({ nodes, edges }: GraphDocument, { node, side, port }: GraphPlace, sink: string): GraphEdge[] {
  const end = (from: GraphEdge["from"], index: number): GraphEdge => ({
    id: `${sink}-${index}`,
    from,
    to: { node: sink },
    route: { kind: "forward" },
  });
  if (side === "out") return nodes.some(({ id }) => id === node) ? [end({ node, port }, 0)] : [];
  const into = edges.filter(({ to }) => to.node === node && (port === undefined || (to.port ?? port) === port));
  return into.map(({ from }, index) => end(from, index));
}

function nodesBefore({ nodes, edges }: GraphDocument, starts: ReadonlySet<string>): Set<string> {
  const there = new Set(nodes.map(({ id }) => id));
  const found = new Set([...starts].filter((id) => there.has(id)));
  for (const id of found) {
    for (const { from, to } of edges) if (to.node === id && there.has(from.node)) found.add(from.node);
  }
  return found;
}
