import { moveItems, type Place } from "../document/graph-edits.ts";
import type { Workbench } from "../shell/workbench.ts";
import { cardRoom } from "./card-room.ts";
import { CARD_WIDTH } from "./edge-geometry.ts";

/** Lays the whole graph out from left to right, as one step of the history. The layout engine is loaded when it is first asked for. */
export async function tidy({ document, editor }: Workbench): Promise<void> {
  const { Graph, layout } = await import("@dagrejs/dagre");
  const { graph } = document.getState();
  const drawing = new Graph({ multigraph: true });
  drawing.setGraph({ rankdir: "LR", nodesep: 36, ranksep: 120, marginx: 0, marginy: 0 });
  drawing.setDefaultEdgeLabel(() => ({}));
  for (const node of graph.nodes) {
    const height = Math.max(cardRoom(node), editor.view?.sizeOf(node.id).height ?? 0);
    drawing.setNode(node.id, { width: CARD_WIDTH, height });
  }
  for (const { id, from, to } of graph.edges) drawing.setEdge(from.node, to.node, { minlen: 1, weight: 1 }, id);
  layout(drawing);
  const places = new Map<string, Place>();
  for (const { id } of graph.nodes) {
    const { x, y, width, height } = drawing.node(id);
    places.set(id, { x: round(x - width / 2), y: round(y - height / 2) });
  }
  if (document.getState().graph !== graph) return;
  document.edit("tidy", (current) => moveItems(current, places, new Map()));
  editor.view?.fit();
}

const round = (value: number): number => Math.round(value / 10) * 10;
