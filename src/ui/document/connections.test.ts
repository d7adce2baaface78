import { describe, expect, test } from "vitest";
import { judge } from "./connections.ts";
import { emptyGraph, type GraphDocument } from "./graph.ts";
import { addNode, connect, insertOnEdge, newNode } from "./graph-edits.ts";

const rows = { schema: [{ name: "customer", type: "utf8" }], rows: [] };

function graph(): GraphDocument {
  const nodes = [
    { kind: "source.rows", id: "rows", config: rows },
    { kind: "source.rows", id: "other", config: { schema: [{ name: "price", type: "int64" }], rows: [] } },
    { kind: "union", id: "a", config: {} },
    { kind: "union", id: "b", config: {} },
    { kind: "count", id: "count", config: { groupBy: ["customer"] }, parallelism: 2 },
    { kind: "sink.table", id: "table", config: {} },
  ];
  const made = nodes.reduce(
    (all, { kind, config, ...rest }) => addNode(all, { ...newNode(all, kind, { x: 0, y: 0 }, config), ...rest }),
    emptyGraph(),
  );
  const first = connect(made, { node: "rows", port: "out" }, { node: "a", port: "in" }, { kind: "forward" });
  return connect(first, { node: "a", port: "out" }, { node: "b", port: "in" }, { kind: "forward" });
}

const out = (node: string) => ({ node, port: "out" });
const into = (node: string) => ({ node, port: "in" });
const reason = (from: string, to: string) => {
  const verdict = judge(graph(), out(from), into(to));
  return verdict.kind === "no" ? verdict.reason : verdict.route;
};

describe("an edge before it is drawn", () => {
  test("is refused where it closes a cycle, leads to itself, is there already, or brings other columns", () => {
    expect(reason("b", "a")).toContain("cycle");
    expect(reason("a", "a")).toContain("feeds itself");
    expect(reason("rows", "a")).toContain("already");
    expect(reason("other", "a")).toContain("different columns");
    expect(reason("rows", "other")).toContain("source");
  });

  test("is not refused for what its target still lacks", () => {
    expect(reason("b", "table")).toEqual({ kind: "forward" });
  });

  test("into a keyed node proposes a shuffle on its keys", () => {
    expect(reason("b", "count")).toEqual({ kind: "shuffle", columns: ["customer"] });
  });

  test("does not propose keys that the rows do not have", () => {
    const keyed = {
      ...graph(),
      nodes: graph().nodes.map((node) => (node.id === "count" ? { ...node, parallelism: 1 } : node)),
    };
    expect(judge(keyed, out("other"), into("count"))).toEqual({ kind: "yes", route: { kind: "forward" } });
  });

  test("from one subtask to several proposes what the engine's repair says", () => {
    const wide = {
      ...graph(),
      nodes: graph().nodes.map((node) => (node.id === "table" ? { ...node, parallelism: 3 } : node)),
    };
    expect(judge(wide, out("b"), into("table"))).toEqual({ kind: "yes", route: { kind: "rebalance" } });
  });

  test("leaves the graph as it is", () => {
    const before = graph();
    const copy = structuredClone(before);
    judge(before, out("b"), into("count"));
    expect(before).toEqual(copy);
  });
});

test("a node that goes into an edge leaves the route with the half that its target asked for", () => {
  const keyed = connect(graph(), out("b"), into("count"), { kind: "shuffle", columns: ["customer"] });
  const node = { ...newNode(keyed, "throttle", { x: 0, y: 0 }), id: "slow" };
  const after = insertOnEdge(
    addNode(keyed, node),
    "b-count",
    { in: into("slow"), out: out("slow") },
    { kind: "forward" },
  );
  const shown = after.edges.slice(-2).map((edge) => `${edge.from.node} → ${edge.to.node} ${edge.route?.kind}`);
  expect(shown).toEqual(["slow → count shuffle", "b → slow forward"]);
});
