import { describe, expect, test } from "vitest";
import { analyse } from "../../engine/index.ts";
import { emptyGraph, type GraphDocument } from "../document/graph.ts";
import { addNode, addNote, changeNode, connect, moveItems, newNode } from "../document/graph-edits.ts";
import { NOTHING } from "../document/selection.ts";
import { canvasEdges, canvasNodes, noteFlowId, noteIdOf } from "./canvas-items.ts";

function graph(): GraphDocument {
  const two = ["a", "b", "c"].reduce(
    (all, id, index) => addNode(all, { ...newNode(all, "union", { x: index * 100, y: 0 }), id }),
    emptyGraph(),
  );
  const joined = connect(two, { node: "a", port: "out" }, { node: "b", port: "in" }, { kind: "forward" });
  return addNote(joined, { x: 0, y: 0 }, "note").graph;
}

const draw = (of: GraphDocument, before: ReturnType<typeof canvasNodes> = [], selected = NOTHING) =>
  canvasNodes(before, of, analyse(of), selected);

describe("what the canvas draws", () => {
  test("a node that did not change keeps its object, whatever happens to others (P-66)", () => {
    const before = draw(graph());
    const moved = moveItems(graph(), new Map([["b", { x: 5, y: 5 }]]), new Map());
    const sameNodes = {
      ...moved,
      nodes: moved.nodes.map((node, index) => (index === 1 ? node : (graphNodes(before)[index] ?? node))),
    };
    const after = draw(sameNodes, before);
    expect(after.map((node, index) => node === before[index])).toEqual([false, true, false, true]);
    expect(after[2]?.position).toEqual({ x: 5, y: 5 });
  });

  test("selecting changes the selected node only, and sizes that were measured stay", () => {
    const measured = draw(graph()).map((node) => ({ ...node, measured: { width: 200, height: 44 } }));
    const same = { ...graph(), nodes: graphNodes(measured) };
    const before = draw(same, measured);
    const after = draw(same, before, { ...NOTHING, nodes: new Set(["a"]) });
    expect(after.filter((node, index) => node !== before[index]).map((node) => node.id)).toEqual(["a"]);
    expect(after.every((node) => node.measured?.height === 44)).toBe(true);
  });

  test("a port that an edge names and its node no longer has is drawn all the same", () => {
    const odd = connect(graph(), { node: "b", port: "late" }, { node: "c", port: "in" }, { kind: "forward" });
    const card = draw(odd).find((node) => node.id === "b");
    expect(card?.type === "card" && card.data.ports.outputs).toEqual(["out", "late"]);
  });

  test("edges to nodes that are not there are not drawn", () => {
    const dangling = connect(graph(), { node: "b", port: "out" }, { node: "gone", port: "in" }, { kind: "forward" });
    expect(canvasEdges([], dangling, draw(dangling), NOTHING).map((edge) => edge.id)).toEqual(["a-b"]);
  });

  test("an edge keeps its object when a node changes", () => {
    const nodes = draw(graph());
    const start = { ...graph(), nodes: graphNodes(nodes) };
    const edges = canvasEdges([], start, nodes, NOTHING);
    const named = changeNode(start, "a", { name: "first" });
    expect(canvasEdges(edges, named, draw(named, nodes), NOTHING)[0]).toBe(edges[0]);
  });

  test("notes and nodes do not share names", () => {
    expect(noteIdOf(noteFlowId("a"))).toBe("a");
    expect(noteIdOf("a")).toBeUndefined();
  });
});

function graphNodes(nodes: ReturnType<typeof canvasNodes>) {
  return nodes.flatMap((node) => (node.type === "card" ? [node.data.node] : []));
}
