import type { GraphDocument } from "./graph.ts";

const COLUMN = 320;
const ROW = 160;

/** Gives a node without a place one to the right of what it gets its rows from, where there is room. */
export function placeBeside(graph: GraphDocument): GraphDocument {
  let placed = graph;
  for (const { id, ui } of graph.nodes) {
    const from = placed.edges.find(({ to }) => to.node === id)?.from.node;
    const before = placed.nodes.find((node) => node.id === from)?.ui;
    if (ui !== undefined || before === undefined) continue;
    const place = freePlace(placed, before.x + COLUMN, before.y);
    placed = { ...placed, nodes: placed.nodes.map((node) => (node.id === id ? { ...node, ui: place } : node)) };
  }
  return placed;
}

/** The first place downwards where no node stands. */
function freePlace({ nodes }: GraphDocument, x: number, start: number): { x: number; y: number } {
  const isCovered = (y: number) =>
    nodes.some(({ ui }) => ui !== undefined && Math.abs(ui.x - x) < COLUMN / 2 && Math.abs(ui.y - y) < ROW - 20);
  let y = start;
  while (isCovered(y)) y += ROW;
  return { x, y };
}

/** Gives every node without a place one: by its distance from the sources, below what has a place already. */
export function placeMissing(graph: GraphDocument): GraphDocument {
  if (graph.nodes.every((node) => node.ui !== undefined)) return graph;
  const depths = depthsOf(graph);
  const placed = graph.nodes.flatMap((node) => (node.ui === undefined ? [] : [node.ui.y]));
  const top = placed.length === 0 ? 0 : Math.max(...placed) + ROW;
  const rows = new Map<number, number>();
  const nodes = graph.nodes.map((node) => {
    if (node.ui !== undefined) return node;
    const depth = depths.get(node.id) ?? 0;
    const row = rows.get(depth) ?? 0;
    rows.set(depth, row + 1);
    return { ...node, ui: { x: depth * COLUMN, y: top + row * ROW } };
  });
  return { ...graph, nodes };
}

/** Longest way from a node without inputs; a cycle is cut where it is met. */
function depthsOf(graph: GraphDocument): Map<string, number> {
  const before = new Map<string, string[]>();
  for (const { from, to } of graph.edges) before.set(to.node, [...(before.get(to.node) ?? []), from.node]);
  const depths = new Map<string, number>();
  const open = new Set<string>();
  const visit = (start: string) => {
    const stack = [start];
    while (stack.length > 0) {
      const id = stack.at(-1) as string;
      open.add(id);
      const waiting = (before.get(id) ?? []).filter((each) => !depths.has(each) && !open.has(each));
      if (waiting.length > 0) {
        stack.push(waiting[0] as string);
        continue;
      }
      depths.set(id, Math.max(0, ...(before.get(id) ?? []).map((each) => (depths.get(each) ?? -1) + 1)));
      stack.pop();
    }
  };
  for (const node of graph.nodes) if (!depths.has(node.id)) visit(node.id);
  return depths;
}
