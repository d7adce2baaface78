import { describe, expect, it } from "vitest";
import { planned } from "../testing/planned.ts";
import { letLastGoFirst, meetingSources, type Paced } from "./meeting-sources.ts";

const rows = {
  schema: [
    { name: "k", type: "int32" },
    { name: "t", type: "timestamp[ms]" },
  ],
  rows: [[1, 1]],
  time: { column: "t" },
};
const source = (id: string, parallelism = 1) => ({ id, kind: "source.rows", parallelism, config: rows });
const join = (id: string) => ({
  id,
  kind: "join.interval",
  config: { leftKey: ["k"], rightKey: ["k"], lowerMs: 0, upperMs: 0 },
});
const sink = (id: string) => ({ id, kind: "sink.blackhole", config: {} });
const shuffled = (from: string, to: string, port: string) => ({
  id: `${from}-${to}`,
  from,
  to: { node: to, port },
  route: { kind: "shuffle", columns: ["k"] },
});

/** The groups by names of the nodes. */
function groupsOf(nodes: readonly object[], edges: readonly object[]): string[][] {
  const { plan } = planned({ format: "weir.graph/v1", nodes, edges });
  return meetingSources(plan).map((group) => group.map((id) => String(plan.tasks[id]?.stages[0]?.node)));
}

describe("sources that meet", () => {
  it("are all subtasks whose rows come to one join, through whatever lies between", () => {
    const nodes = [
      source("a", 2),
      { id: "some", kind: "filter", parallelism: 2, config: { expression: "k > 0" } },
      source("b"),
      source("alone"),
      join("both"),
      sink("x"),
      sink("y"),
    ];
    const edges = [
      { id: "s", from: "a", to: "some" },
      shuffled("some", "both", "left"),
      shuffled("b", "both", "right"),
      { id: "x", from: "both", to: "x" },
      { id: "y", from: "alone", to: "y" },
    ];
    expect(groupsOf(nodes, edges)).toEqual([["a", "a", "b"]]);
  });

  it("are one group where joins share a source, and several where they do not", () => {
    const joins = (shared: string) => {
      const ids = [...new Set(["a", "b", shared, "d"])];
      const nodes = [...ids.map((id) => source(id)), join("j"), join("k"), sink("x"), sink("y")];
      const edges = [
        shuffled("a", "j", "left"),
        shuffled("b", "j", "right"),
        shuffled(shared, "k", "left"),
        shuffled("d", "k", "right"),
        { id: "x", from: "j", to: "x" },
        { id: "y", from: "k", to: "y" },
      ];
      return groupsOf(nodes, edges);
    };
    expect(joins("c")).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
    expect(joins("b")).toEqual([["a", "b", "d"]]);
  });

  it("let the one that is behind go first; one that could not go on anyway keeps nobody waiting", () => {
    const group: Paced[] = [5, 3, undefined, 3, 9].map((pace) => ({ pace, yields: true }));
    letLastGoFirst(group);
    expect(group.map(({ yields }) => yields)).toEqual([true, false, false, false, true]);
  });
});
