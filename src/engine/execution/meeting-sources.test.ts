import { describe, expect, it } from "vitest";
import { taskId } from "../base/ids.ts";
import { planned } from "../testing/planned.ts";
import { layoutRun } from "../transport/ring-layout.ts";
import { allocateRunMemory } from "../transport/run-memory.ts";
import { SourcePaces } from "../transport/source-paces.ts";
import { Meeting, meetingSources, type Paced } from "./meeting-sources.ts";

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

  it("are subtasks of one source before a window, but not where nothing waits for time", () => {
    const window = {
      id: "sums",
      kind: "window",
      parallelism: 2,
      config: {
        groupBy: ["k"],
        window: { kind: "tumbling", sizeMs: 10 },
        aggregates: [{ name: "rows", fn: "count" }],
      },
    };
    const nodes = [source("a", 2), source("b", 2), window, sink("x"), sink("y")];
    const edges = [
      { id: "s", from: "a", to: "sums", route: { kind: "shuffle", columns: ["k"] } },
      { id: "x", from: "sums", to: "x" },
      { id: "y", from: "b", to: "y" },
    ];
    expect(groupsOf(nodes, edges)).toEqual([["a", "a"]]);
  });

  it("let the one that is behind go first; one that could not go on anyway keeps nobody waiting", () => {
    const group = pacedAt([5, 3, undefined, 3, 9]);
    new Meeting(group, [], newPaces()).look();
    expect(yielding(group)).toEqual([true, false, false, false, true]);
  });

  it("are ahead of those on other hosts by two bursts at most, and wait for none that could not go on", () => {
    const paces = newPaces();
    const here = pacedAt([100]);
    const [source] = here as [Paced & { pace: number | undefined }];
    const meeting = new Meeting(here, [taskId(7), taskId(8)], paces);
    const yieldsAt = (pace: number, other: number | undefined): boolean => {
      source.pace = pace;
      paces.tell(taskId(7), other);
      meeting.tell();
      meeting.look();
      return source.yields;
    };
    expect([yieldsAt(100, 100), yieldsAt(110, 100), yieldsAt(120, 100), yieldsAt(130, 100)]).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect([yieldsAt(130, 110), yieldsAt(130, undefined)]).toEqual([false, false]);
  });

  it("tell the other hosts what is news, and nobody where there is no other", () => {
    const paces = newPaces();
    const here = pacedAt([1, 2]);
    const meeting = new Meeting(here, [taskId(7)], paces);
    expect([meeting.tell(), meeting.tell()]).toEqual([true, false]);
    (here[1] as { pace: number | undefined }).pace = undefined;
    expect([meeting.tell(), paces.of(taskId(0)), paces.of(taskId(1))]).toEqual([true, 1, undefined]);
    expect(new Meeting(here, [], paces).tell()).toBe(false);
  });
});

/** Of ten tasks. */
function newPaces(): SourcePaces {
  const layout = layoutRun({ edges: [], hosts: 0, ringBudgetMiB: 1, probeBytes: 0, pacedTasks: 10 });
  return new SourcePaces(allocateRunMemory(layout.totalBytes).buffer, layout);
}

const pacedAt = (paces: readonly (number | undefined)[]): Paced[] =>
  paces.map((pace, task) => ({ task: taskId(task), pace, yields: true }));
const yielding = (group: readonly Paced[]): boolean[] => group.map(({ yields }) => yields);
