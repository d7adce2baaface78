import type { GraphDocument, GraphNode } from "../document/graph.ts";

/** How much further something to the side is, compared with something straight ahead. */
const SIDEWAYS = 2.5;

/**
 * The node to go to from `from` with an arrow key: the nearest one in that direction, straight ahead before to the side. With
 * none to start from, the first node of the document.
 */
export function neighbour(
  graph: GraphDocument,
  from: GraphNode | undefined,
  dx: number,
  dy: number,
): string | undefined {
  if (from === undefined) return graph.nodes[0]?.id;
  const start = from.ui ?? { x: 0, y: 0 };
  let best: { id: string; cost: number } | undefined;
  for (const { id, ui = { x: 0, y: 0 } } of graph.nodes) {
    const ahead = (ui.x - start.x) * dx + (ui.y - start.y) * dy;
    const aside = Math.abs((ui.x - start.x) * dy) + Math.abs((ui.y - start.y) * dx);
    const cost = ahead + aside * SIDEWAYS;
    if (id !== from.id && ahead > 0 && (best === undefined || cost < best.cost)) best = { id, cost };
  }
  return best?.id;
}
