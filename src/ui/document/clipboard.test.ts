import { describe, expect, test } from "vitest";
import { cornerOf, fragmentOf, fragmentText, isEmpty, paste, readFragment } from "./clipboard.ts";
import { emptyGraph, type GraphDocument } from "./graph.ts";
import { addNode, addNote, connect, newNode } from "./graph-edits.ts";
import { NOTHING } from "./selection.ts";

function chain(): GraphDocument {
  let graph = emptyGraph();
  for (const [index, id] of ["a", "b", "b2"].entries()) {
    graph = addNode(graph, { ...newNode(graph, "union", { x: index * 100, y: 50 }), id });
  }
  graph = connect(graph, { node: "a", port: "out" }, { node: "b", port: "in" }, { kind: "forward" });
  graph = connect(graph, { node: "b", port: "out" }, { node: "b2", port: "in" }, { kind: "shuffle", columns: ["k"] });
  return addNote(graph, { x: -50, y: 0 }, "remember").graph;
}

const pick = (...nodes: string[]) => ({ ...NOTHING, nodes: new Set(nodes) });

describe("copying", () => {
  test("takes the edges between what is copied, and no others", () => {
    const fragment = fragmentOf(chain(), pick("b", "b2"));
    expect(fragment.edges.map((edge) => edge.id)).toEqual(["b-b2"]);
  });

  test("is a graph document of its own, which reads back as it was", () => {
    const fragment = fragmentOf(chain(), { ...pick("b", "b2"), notes: new Set(["note"]) });
    expect(readFragment(fragmentText(fragment))).toEqual(fragment);
  });

  test("edges alone are nothing to copy", () => {
    expect(isEmpty(fragmentOf(chain(), { ...NOTHING, edges: new Set(["a-b"]) }))).toBe(true);
  });
});

describe("pasting", () => {
  test("gives new ids, also where an id with a number is taken, and joins what was joined", () => {
    const graph = chain();
    const { graph: after, added } = paste(graph, fragmentOf(graph, pick("b", "b2")), { x: 30, y: 30 });
    expect([...added.nodes]).toEqual(["b3", "b4"]);
    const edge = after.edges.at(-1);
    expect([edge?.from.node, edge?.to.node, edge?.route]).toEqual(["b3", "b4", { kind: "shuffle", columns: ["k"] }]);
    expect(after.nodes.at(-1)?.ui).toEqual({ x: 230, y: 80 });
    expect(new Set(after.edges.map((each) => each.id)).size).toBe(after.edges.length);
  });

  test("the corner of a fragment is over its nodes and notes", () => {
    expect(cornerOf(fragmentOf(chain(), { ...pick("b"), notes: new Set(["note"]) }))).toEqual({ x: -50, y: 0 });
  });

  test.each([
    ["other text", "select * from orders"],
    ["a document of another kind", '{"format":"weir.graph/v9","nodes":[]}'],
    [
      "two nodes with one id",
      '{"format":"weir.graph/v1","nodes":[{"id":"a","kind":"union"},{"id":"a","kind":"union"}]}',
    ],
  ])("%s is no fragment", (_, text) => {
    expect(readFragment(text)).toBeUndefined();
  });

  test("edges that lead out of a pasted document are left out", () => {
    const text =
      '{"format":"weir.graph/v1","nodes":[{"id":"a","kind":"union"}],"edges":[{"id":"e","from":"a","to":"gone"}]}';
    expect(readFragment(text)?.edges).toEqual([]);
  });
});
