import { describe, expect, test } from "vitest";
import { placeBeside, placeMissing } from "./place-missing.ts";
import { readGraph } from "./read-graph.ts";

const document = (rest: object) => JSON.stringify({ format: "weir.graph/v1", ...rest });
const union = (id: string, ui?: object) => ({ id, kind: "union", ...(ui && { ui }) });

describe("the door for graphs (P-61)", () => {
  test.each([
    [
      "an edge to an unknown node",
      document({ nodes: [union("a")], edges: [{ id: "e", from: "a", to: "b" }] }),
      "unknown-node",
    ],
    ["two nodes with one id", document({ nodes: [union("a"), union("a")] }), "duplicate-id"],
    [
      "two edges with one id",
      document({
        nodes: [union("a"), union("b")],
        edges: [
          { id: "e", from: "a", to: "b" },
          { id: "e", from: "a", to: "b" },
        ],
      }),
      "duplicate-id",
    ],
    ["an unknown kind", document({ nodes: [{ id: "a", kind: "unoin" }] }), "unknown-kind"],
    ["nesting 100,000 deep", "[".repeat(100_000), "not-json"],
    ["a newer version", '{"format":"weir.graph/v2"}', "newer-version"],
    ["nothing", "", "not-json"],
    ["HTML", "<html></html>", "not-json"],
    ["NaN", document({ nodes: [] }).replace("[]", '[{"id":"a","kind":"union","ui":{"x":NaN,"y":0}}]'), "not-json"],
  ])("%s is refused with its reason", (_, text, code) => {
    const read = readGraph(text);
    expect(read.kind === "refused" && read.problems.map((problem) => problem.code)).toContain(code);
  });

  test("a graph that is not finished opens: what is missing is no fault of the file", () => {
    const read = readGraph(
      document({
        nodes: [
          { id: "a", kind: "throttle" },
          { id: "b", kind: "select", config: { columns: [] } },
        ],
        edges: [{ id: "e", from: { node: "a", port: "gone" }, to: "b" }],
      }),
    );
    expect(read.kind).toBe("graph");
  });

  test("all faults of shape and structure are told at once", () => {
    const read = readGraph(
      document({
        nodes: [union("a"), union("a"), { id: "c" }],
        edges: [{ id: "e", from: "a", to: "nowhere" }],
        oops: 1,
      }),
    );
    const codes = read.kind === "refused" ? read.problems.map((problem) => problem.code) : [];
    expect(codes).toEqual(expect.arrayContaining(["missing-field", "unknown-field", "duplicate-id", "unknown-node"]));
  });

  test("faults with a repair are offered repaired", () => {
    const read = readGraph(
      document({
        nodes: [union("a"), union("a"), { id: "c", kind: "unoin" }],
        edges: [{ id: "e", from: "a", to: "nowhere" }],
      }),
    );
    const repaired = read.kind === "refused" ? read.repaired : undefined;
    expect(repaired?.nodes.map(({ id, kind }) => `${id} ${kind}`)).toEqual(["a union", "a-2 union", "c union"]);
    expect(repaired?.edges).toEqual([]);
  });
});

describe("nodes without a place", () => {
  test("are laid out by their distance from the sources", () => {
    const read = readGraph(
      document({
        nodes: ["c", "b", "a", "d"].map((id) => union(id)),
        edges: [
          ["a", "b"],
          ["b", "c"],
          ["a", "c"],
        ].map(([from, to], n) => ({ id: `e${n}`, from, to })),
      }),
    );
    const places = read.kind === "graph" ? Object.fromEntries(read.graph.nodes.map(({ id, ui }) => [id, ui])) : {};
    expect(places).toEqual({ a: { x: 0, y: 0 }, d: { x: 0, y: 160 }, b: { x: 320, y: 0 }, c: { x: 640, y: 0 } });
  });

  test("go below those that have one, which stay", () => {
    const read = readGraph(document({ nodes: [union("a", { x: 5, y: 300 }), union("b")] }));
    const places = read.kind === "graph" ? read.graph.nodes.map((node) => node.ui) : [];
    expect(places).toEqual([
      { x: 5, y: 300 },
      { x: 0, y: 460 },
    ]);
  });

  test("beside what they get their rows from, below what stands there", () => {
    const edge = (from: string, to: string) => ({ id: `${from}-${to}`, from, to });
    const nodes = [union("a", { x: 5, y: 300 }), union("b", { x: 330, y: 310 }), union("c")];
    const read = readGraph(document({ nodes, edges: [edge("a", "b"), edge("a", "c")] }));
    if (read.kind !== "graph") throw new Error("it is a graph");
    const without = {
      ...read.graph,
      nodes: read.graph.nodes.map((node) => (node.id === "c" ? { ...node, ui: undefined } : node)),
    };
    expect(placeBeside(without).nodes.map(({ ui }) => ui)[2]).toEqual({ x: 325, y: 460 });
    expect(placeBeside(read.graph)).toBe(read.graph);
  });

  test("a cycle does not keep the layout from ending", () => {
    const read = readGraph(
      document({
        nodes: [union("a"), union("b")],
        edges: [
          { id: "e", from: "a", to: "b" },
          { id: "f", from: "b", to: "a" },
        ],
      }),
    );
    if (read.kind !== "graph") throw new Error("a cycle is no reason to refuse");
    expect(placeMissing(read.graph)).toBe(read.graph);
  });
});
