import { describe, expect, test } from "vitest";
import { documentBefore } from "../../engine/index.ts";
import { emptyGraph, type GraphDocument } from "./graph.ts";
import { addNode, changeNode, connect, newNode } from "./graph-edits.ts";
import { sameRows } from "./previews.ts";

const CENTER = { x: 0, y: 0 };

function graph(): GraphDocument {
  const nodes = ["source.generator", "filter", "union"].reduce(
    (all, kind) => addNode(all, newNode(all, kind, CENTER)),
    emptyGraph(),
  );
  return connect(nodes, { node: "generator", port: "out" }, { node: "filter", port: "in" }, { kind: "forward" });
}

const beforeFilter = (of: GraphDocument): GraphDocument => {
  const found = documentBefore(of, { node: "filter", side: "out", port: "out" });
  if (found === undefined) throw new Error("the filter is there");
  return found.document;
};

describe("rows at a place are made anew", () => {
  const first = beforeFilter(graph());

  test("when a setting before it changes, or an edge", () => {
    const config = { expression: "true" };
    expect(sameRows(first, beforeFilter(changeNode(graph(), "filter", { config })))).toBe(false);
    expect(sameRows(first, beforeFilter({ ...graph(), edges: [] }))).toBe(false);
  });

  test("not when something is moved, named, widened or set elsewhere", () => {
    const same = graph();
    const moved = {
      ...same,
      nodes: same.nodes.map((node, index) => ({
        ...node,
        config: first.nodes[index]?.id === node.id ? (first.nodes[index]?.config ?? {}) : { more: 1 },
      })),
    };
    const changed = changeNode(moved, "filter", { name: "Dear", parallelism: 4, ui: { x: 7, y: 7 } });
    expect(sameRows(first, beforeFilter({ ...changed, data: first.data }))).toBe(true);
  });
});
