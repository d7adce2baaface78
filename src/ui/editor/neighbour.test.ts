import { expect, test } from "vitest";
import { emptyGraph } from "../document/graph.ts";
import { addNode, newNode } from "../document/graph-edits.ts";
import { neighbour } from "./neighbour.ts";

const PLACES = { left: [0, 0], right: [300, 10], far: [900, 0], above: [320, -400], below: [300, 200] } as const;
const graph = Object.entries(PLACES).reduce(
  (all, [id, [x, y]]) => addNode(all, { ...newNode(all, "union", { x, y }), id }),
  emptyGraph(),
);
const from = (id: string) => graph.nodes.find((node) => node.id === id);

test("the arrows go to the nearest node in their direction, straight ahead before to the side", () => {
  expect(neighbour(graph, from("left"), 1, 0)).toBe("right");
  expect(neighbour(graph, from("right"), 1, 0)).toBe("far");
  expect(neighbour(graph, from("right"), 0, 1)).toBe("below");
  expect(neighbour(graph, from("right"), 0, -1)).toBe("above");
  expect(neighbour(graph, from("right"), -1, 0)).toBe("left");
});

test("where nothing lies in the direction they go nowhere; from nowhere they go to the first node", () => {
  expect(neighbour(graph, from("far"), 1, 0)).toBeUndefined();
  expect(neighbour(graph, undefined, 1, 0)).toBe("left");
});
