import { expect, test } from "vitest";
import { emptyGraph } from "../document/graph.ts";
import { newNode } from "../document/graph-edits.ts";
import type { CanvasEdge, CanvasNode } from "./canvas-items.ts";
import { DistantPlaces, type MeasuredPorts } from "./distant-places.ts";

const card = (id: string, x: number): CanvasNode => ({
  id,
  type: "card",
  position: { x, y: 0 },
  measured: { width: 200, height: 44 },
  data: {
    node: { ...newNode(emptyGraph(), "union", { x, y: 0 }), id },
    ports: { inputs: ["in"], outputs: ["out"] },
  },
});
const edge = (source: string, target: string): CanvasEdge => ({
  id: `${source}-${target}`,
  source,
  target,
  type: "flow",
});
const ports: MeasuredPorts = (_, side) => ({ x: side === "source" ? 195 : -5, y: 17, width: 10, height: 10 });

test("an edge runs from port to port, and keeps its object while neither of its cards moves (P-66)", () => {
  const places = new DistantPlaces();
  const nodes = [card("a", 0), card("b", 300), card("c", 600)];
  const edges = [edge("a", "b"), edge("b", "c")];
  const before = places.of(edges, nodes, ports);
  expect(before.map(({ geometry }) => geometry.path)).toEqual([
    "M205 22C250 22 250 22 295 22",
    "M505 22C550 22 550 22 595 22",
  ]);
  expect(places.of(edges, [...nodes], ports)).toBe(before);
  const moved = places.of(edges, [nodes[0] as CanvasNode, nodes[1] as CanvasNode, card("c", 700)], ports);
  expect(moved[0]).toBe(before[0]);
  expect(moved[1]?.geometry.path).toBe("M505 22C600 22 600 22 695 22");
});

test("an edge of a card that was never measured has no place yet", () => {
  const places = new DistantPlaces();
  const { measured: _, ...unseen } = card("b", 300);
  const edges = [edge("a", "b"), edge("b", "a")];
  const none: MeasuredPorts = (node, ...rest) => (node === "b" ? undefined : ports(node, ...rest));
  expect(places.of(edges, [card("a", 0), unseen], none)).toEqual([]);
  expect(places.of(edges, [card("a", 0), card("b", 300)], ports)).toHaveLength(2);
});
