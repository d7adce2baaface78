import { describe, expect, it } from "vitest";
import { END, IDLE, timeMark } from "../base/event-time.ts";
import { edgeId, epoch, nodeId, taskId } from "../base/ids.ts";
import { type CheckedPlan, type CheckOptions, checkTrace, InvariantChecker } from "./invariants.ts";
import type { CoordinatorTrace, MessageTrace, TraceEvent } from "./trace-event.ts";

/** Two sources (0, 1) → union (2) → sink (3), over edges 0, 1 and 2. */
function plan(alignment: "aligned" | "none" = "aligned", sourceKind = "source.rows"): CheckedPlan {
  const stage = (node: string, kind: string, role: "source" | "operator" | "sink") => ({
    node: nodeId(node),
    kind,
    role,
  });
  const from = (task: number, node: string) => ({ task: taskId(task), node: nodeId(node) });
  return {
    settings: { alignment },
    tasks: [
      { id: taskId(0), inEdges: [], stages: [stage("a", sourceKind, "source")] },
      { id: taskId(1), inEdges: [], stages: [stage("b", sourceKind, "source")] },
      { id: taskId(2), inEdges: [edgeId(0), edgeId(1)], stages: [stage("u", "union", "operator")] },
      { id: taskId(3), inEdges: [edgeId(2)], stages: [stage("s", "sink.table", "sink")] },
    ],
    edges: [
      { id: edgeId(0), from: from(0, "a"), to: { task: taskId(2) } },
      { id: edgeId(1), from: from(1, "b"), to: { task: taskId(2) } },
      { id: edgeId(2), from: from(2, "u"), to: { task: taskId(3) } },
    ],
  };
}

const EDGE_SOURCE = [0, 1, 2];

/**
 * `0 > 0 data 3` (task 0 sent 3 rows on edge 0), `2 < 0 wm 5`, `wm idle`, `wm end`, `barrier 1`, `eos`; `2 snapshot 1`, `2 committed 1`, `2 ended`,
 * `2 finished`, `2 failed`; `issued 1`, `completed 1`, `aborted 1`, `commit 1`.
 */
function event(line: string): TraceEvent {
  const [first = "", ...rest] = line.split(" ");
  if (!/^\d/.test(first)) return { atMs: 0, kind: first as CoordinatorTrace["kind"], epoch: epoch(Number(rest[0])) };
  const at = { atMs: 0, task: taskId(Number(first)) };
  const [what = "", number, ...message] = rest;
  if (what === ">" || what === "<") {
    const kind = what === ">" ? "sent" : "received";
    return { ...at, kind, edge: edgeId(Number(number)), ...traced(Number(number), message) };
  }
  if (what === "snapshot") return { ...at, kind: what, epoch: epoch(Number(number)), sink: first === "3" };
  if (what === "committed") return { ...at, kind: what, epoch: epoch(Number(number)) };
  if (what === "failed") return { ...at, kind: what, text: "boom" };
  return { ...at, kind: what as "ended" | "finished" };
}

function traced(edge: number, [kind, value]: string[]): MessageTrace {
  switch (kind) {
    case "data":
      return { message: "data", rows: Number(value) };
    case "wm": {
      const mark = value === "idle" ? IDLE : value === "end" ? END : timeMark(Number(value));
      return { message: "watermark", source: taskId(EDGE_SOURCE[edge] as number), mark };
    }
    case "barrier":
      return { message: "barrier", epoch: epoch(Number(value)) };
    default:
      return { message: "eos" };
  }
}

const broken = (lines: readonly string[], options: CheckOptions = {}, of: CheckedPlan = plan()) =>
  checkTrace(of, lines.map(event), options).map(({ law, atStep, message }) => `${law} at ${atStep}: ${message}`);

/** What a part of a run breaks, its end not looked at. */
function during(lines: readonly string[], of: CheckedPlan = plan()): string[] {
  const checker = new InvariantChecker(of);
  return lines.flatMap((line) => checker.feed(event(line)).map(({ law, message }) => `${law}: ${message}`));
}

const GOOD = [
  "0 > 0 data 3",
  "0 > 0 wm 5",
  "1 > 1 data 2",
  "2 < 0 data 3",
  "2 > 2 data 3",
  "2 < 0 wm 5",
  "issued 1",
  "0 snapshot 1",
  "0 > 0 barrier 1",
  "0 > 0 data 4",
  "1 > 1 wm 3",
  "1 snapshot 1",
  "1 > 1 barrier 1",
  "2 < 0 barrier 1",
  "2 < 1 data 2",
  "2 > 2 data 2",
  "2 < 1 wm 3",
  "2 > 2 wm 3",
  "2 < 1 barrier 1",
  "2 snapshot 1",
  "2 > 2 barrier 1",
  "2 < 0 data 4",
  "2 > 2 data 4",
  "3 < 2 data 3",
  "3 < 2 data 2",
  "3 < 2 wm 3",
  "3 < 2 barrier 1",
  "3 snapshot 1",
  "completed 1",
  "commit 1",
  "0 committed 1",
  "1 committed 1",
  "3 committed 1",
  "0 > 0 wm end",
  "0 > 0 eos",
  "0 ended",
  "0 finished",
  "1 > 1 wm end",
  "1 > 1 eos",
  "1 ended",
  "1 finished",
  "2 < 0 wm end",
  "2 < 1 wm end",
  "2 > 2 wm end",
  "2 < 0 eos",
  "2 < 1 eos",
  "2 > 2 eos",
  "2 ended",
  "2 finished",
  "3 < 2 data 4",
  "3 < 2 wm end",
  "3 < 2 eos",
  "3 snapshot 2",
  "3 ended",
  "completed 2",
  "commit 2",
  "3 committed 2",
  "3 finished",
];

/** The good run with some lines replaced. */
const good = (changes: Record<string, string | readonly string[]>): string[] => {
  const unused = new Set(Object.keys(changes));
  const lines = GOOD.flatMap((line) => {
    unused.delete(line);
    return changes[line] ?? line;
  });
  expect([...unused]).toEqual([]);
  return lines;
};

describe("invariants of a trace", () => {
  it("accepts a good run", () => {
    expect(broken(GOOD)).toEqual([]);
    expect(broken(GOOD, {}, plan("none"))).toEqual([]);
  });

  it("accepts the events of a good run when only the order of each task is known", () => {
    const byTask = [3, 2, 1, 0].flatMap((task) => GOOD.filter((line) => line.startsWith(`${task} `)));
    expect(broken(byTask, { ordered: false })).toEqual([]);
  });

  it("finds a violation at the event that shows it, and says it once (incremental)", () => {
    const checker = new InvariantChecker(plan());
    const found = ["0 > 0 eos", "0 > 0 data 1", "0 finished"].map((line) => checker.feed(event(line)));
    expect(found.map((violations) => violations.length)).toEqual([0, 1, 0]);
    expect(checker.violations).toEqual([{ law: "F-46", atStep: 1, message: "edge 0: data was sent after Eos" }]);
  });
});

describe("invariants of an edge", () => {
  it("F-6: a ring may slice a batch, so rows are compared between control messages", () => {
    expect(broken(good({ "2 < 0 data 3": ["2 < 0 data 1", "2 < 0 data 2"] }))).toEqual([]);
  });

  it("F-6: rows that were not sent, or not yet, are not received", () => {
    expect(during(["0 > 0 data 3", "2 < 0 data 4"])).toEqual(["F-6: edge 0: 4 rows received, 3 sent"]);
    expect(during(["2 < 0 barrier 1", "0 > 0 barrier 1"])).toEqual([
      "F-6: edge 0: 0 rows, then barrier 1 received, but not sent",
    ]);
  });

  it("F-6: control keeps its place between the rows", () => {
    expect(during(["0 > 0 data 3", "0 > 0 wm 5", "0 > 0 data 1", "2 < 0 data 2", "2 < 0 wm 5"])).toEqual([
      "F-6: edge 0: 2 rows, then time 5 of task 0 received where 3 rows, then time 5 of task 0 were sent",
    ]);
    expect(during(["0 > 0 wm 5", "0 > 0 wm 6", "2 < 0 wm 6"])).toEqual([
      "F-6: edge 0: 0 rows, then time 6 of task 0 received where 0 rows, then time 5 of task 0 were sent",
    ]);
  });

  it("F-6: also where events of different tasks come in any order", () => {
    expect(
      broken(["2 < 0 data 2", "2 < 0 wm 5", "0 > 0 data 2", "0 > 0 wm 6", "0 > 0 data 1"], { ordered: false }),
    ).toContain(
      "F-6 at 3: edge 0: 2 rows, then time 5 of task 0 received where 2 rows, then time 6 of task 0 were sent",
    );
    const unsent = broken(["2 < 0 wm 5", "0 > 0 data 1"], { ordered: false });
    expect(unsent).toContain("F-6 at 2: edge 0: 0 rows, then time 5 of task 0 received, but not sent");
    expect(broken(["2 < 0 data 5", "0 > 0 data 1"], { ordered: false })).toContain(
      "F-6 at 2: edge 0: 5 rows received where 1 were sent",
    );
  });

  it("F-3: in a run that ended by itself nothing is left on an edge", () => {
    expect(broken(good({ "3 < 2 data 4": "3 < 2 data 3" }))).toContain(
      "F-6 at 50: edge 2: 3 rows, then end of task 2 received where 4 rows, then end of task 2 were sent",
    );
    expect(broken(good({ "3 < 2 wm end": [], "3 < 2 eos": [] }))).toContain(
      "F-3 at 56: edge 2: 9 rows sent, 9 received, 2 control messages left",
    );
  });

  it("F-46: nothing follows Eos, at either end", () => {
    expect(during(["0 > 0 eos", "0 > 0 data 1"])).toEqual(["F-46: edge 0: data was sent after Eos"]);
    expect(during(["0 > 0 eos", "2 < 0 eos", "2 < 0 eos"])).toContain("F-46: edge 0: eos was received after Eos");
  });

  it("F-46: in a run that ended by itself there is Eos on every edge", () => {
    expect(broken(good({ "0 > 0 eos": [], "2 < 0 eos": [] }))).toContain("F-46 at 56: edge 0: Eos was not sent");
  });

  it("D-8: barriers on an edge come one by one, without gaps after the first", () => {
    expect(during(["0 > 0 barrier 4", "0 > 0 barrier 5"])).toEqual([]);
    expect(during(["0 > 0 barrier 4", "0 > 0 barrier 6"])).toEqual(["D-8: edge 0: barrier 6 follows barrier 4"]);
    expect(during(["0 > 0 barrier 4", "0 > 0 barrier 4"])).toEqual(["D-8: edge 0: barrier 4 follows barrier 4"]);
  });

  it("D-22: what is said about time does not go back, unless a script says so (D-52)", () => {
    const back = ["0 > 0 wm 5", "0 > 0 wm idle", "0 > 0 wm 5", "0 > 0 wm 4"];
    expect(during(back)).toEqual(["D-22: edge 0: time went back from 5 to 4"]);
    expect(during(back, plan("aligned", "source.script"))).toEqual([]);
  });

  it("D-3: idle is said once in a row", () => {
    expect(during(["0 > 0 wm idle", "0 > 0 wm 1", "0 > 0 wm idle"])).toEqual([]);
    expect(during(["0 > 0 wm idle", "0 > 0 data 1", "0 > 0 wm idle"])).toEqual([
      "D-3: edge 0: idle was said twice in a row",
    ]);
  });

  it("D-3: nothing is said about time after END", () => {
    expect(during(["0 > 0 wm end", "0 > 0 data 1", "0 > 0 wm 9"])).toEqual([
      "D-3: edge 0: time 9 was said after the end of time",
    ]);
  });
});

describe("invariants of a task", () => {
  const heard = ["0 > 0 wm 5", "1 > 1 wm 3"];

  it("F-17: a task says no time before every input has spoken", () => {
    expect(during([...heard, "2 < 0 wm 5", "2 > 2 wm 5"])).toEqual([
      expect.stringMatching(/^F-17: task 2: it said time 5/),
    ]);
  });

  it("F-17: a task says no time beyond the minimum of its inputs", () => {
    expect(during([...heard, "2 < 0 wm 5", "2 < 1 wm 3", "2 > 2 wm 3"])).toEqual([]);
    expect(during([...heard, "2 < 0 wm 5", "2 < 1 wm 3", "2 > 2 wm 4"])).toEqual([
      "F-17: task 2: it said time 4, its inputs allow 3",
    ]);
  });

  it("D-3: idle and ended inputs leave the minimum; when all are idle the greatest that they said counts", () => {
    const idle = ["1 > 1 wm idle", "2 < 0 wm 5", "2 < 1 wm 3", "2 < 1 wm idle"];
    expect(during([...heard, ...idle, "2 > 2 wm 5"])).toEqual([]);
    const both = [...heard, ...idle, "0 > 0 wm idle", "2 < 0 wm idle"];
    expect(during([...both, "2 > 2 wm 5", "2 > 2 wm idle"])).toEqual([]);
    expect(during([...both, "2 > 2 wm 6"])).toEqual(["F-17: task 2: it said time 6, its inputs allow 5"]);
  });

  it("F-20: a task says idle only when all its inputs are", () => {
    expect(during(["0 > 0 wm idle", "1 > 1 wm 3", "2 < 0 wm idle", "2 < 1 wm 3", "2 > 2 wm idle"])).toEqual([
      "F-20: task 2: it said idle while an input was not",
    ]);
  });

  it("D-3, P-48: a task says END only when all its inputs did", () => {
    const stopped = ["0 > 0 wm end", "1 > 1 wm 3", "1 > 1 eos", "2 < 0 wm end", "2 < 1 wm 3", "2 < 1 eos"];
    expect(during([...stopped, "2 > 2 wm 3"])).toEqual([]);
    expect(during([...stopped, "2 > 2 wm end"])).toEqual([
      "D-3: task 2: it said the end of time before all its inputs had",
    ]);
    const silent = ["0 > 0 wm end", "1 > 1 eos", "2 < 0 wm end", "2 < 1 eos", "2 > 2 wm end"];
    expect(during(silent)).toEqual(["D-3: task 2: it said the end of time before all its inputs had"]);
  });

  it("F-39: a snapshot needs the barrier, or Eos, of every input", () => {
    const one = ["0 > 0 barrier 1", "1 > 1 data 1", "2 < 0 barrier 1"];
    expect(during([...one, "2 snapshot 1"])).toEqual(["F-39: task 2: snapshot 1 without the barrier of edge 1"]);
    expect(during([...one, "1 > 1 eos", "2 < 1 data 1", "2 < 1 eos", "2 snapshot 1"])).toEqual([]);
  });

  it("F-40: rows behind a delivered barrier are not in the snapshot", () => {
    const early = [
      "0 > 0 barrier 1",
      "0 > 0 data 2",
      "1 > 1 barrier 1",
      "2 < 0 barrier 1",
      "2 < 0 data 2",
      "2 < 1 barrier 1",
      "2 snapshot 1",
    ];
    expect(during(early)).toEqual(["F-40: task 2: snapshot 1 holds 2 rows of edge 0, its barrier stands behind 0"]);
  });

  it("D-11: without alignment cuts are not consistent, and nobody says they are", () => {
    const early = [
      "0 > 0 barrier 1",
      "0 > 0 data 2",
      "2 < 0 barrier 1",
      "2 snapshot 1",
      "2 > 2 barrier 1",
      "2 < 0 data 2",
    ];
    expect(during(early, plan("none"))).toEqual([]);
    expect(during(early)).toEqual(["F-39: task 2: snapshot 1 without the barrier of edge 1"]);
  });

  it("F-42: between a snapshot and its barrier on all outputs no input is taken", () => {
    const cut = [
      "0 > 0 barrier 1",
      "1 > 1 barrier 1",
      "0 > 0 data 1",
      "2 < 0 barrier 1",
      "2 < 1 barrier 1",
      "2 snapshot 1",
    ];
    expect(during([...cut, "2 > 2 data 7", "2 > 2 barrier 1", "2 < 0 data 1"])).toEqual([]);
    expect(during([...cut, "2 < 0 data 1", "2 > 2 barrier 1"])).toEqual([
      "F-42: task 2: input was taken before barrier 1 was on all outputs",
    ]);
  });

  it("D-8: snapshots of a task go forward", () => {
    expect(during(["0 snapshot 2", "0 > 0 barrier 2", "0 snapshot 2"])).toEqual([
      "D-8: task 0: snapshot 2 after snapshot 2",
    ]);
  });

  it("F-57: commits of a task go forward", () => {
    expect(during(["0 committed 2", "0 committed 1"])).toContain("F-57: task 0: commit 1 after commit 2");
  });

  it("F-46: a task ends when every input reached Eos", () => {
    expect(during(["0 > 0 eos", "2 < 0 eos", "2 ended"])).toEqual(["F-46: task 2: it ended before Eos of edge 1"]);
  });

  it("F-69: every task finishes, once, and does nothing after", () => {
    expect(broken(good({ "1 finished": [] }))).toEqual(["F-69 at 57: task 1: it never finished"]);
    expect(during(["0 finished", "0 > 0 data 1"])).toEqual(["F-69: task 0: sent after it had finished"]);
  });

  it("F-69: a task whose worker died does not finish, and its edges end where they are", () => {
    const died = ["0 > 0 data 3", "1 finished", "2 < 0 data 1", "2 failed", "2 finished", "3 finished"];
    expect(broken(died, { lost: [0] })).toEqual([]);
    expect(broken(died)).toEqual(["F-69 at 6: task 0: it never finished"]);
  });
});

describe("invariants of epochs", () => {
  const reports = [
    "0 snapshot 1",
    "1 snapshot 1",
    "0 > 0 barrier 1",
    "1 > 1 barrier 1",
    "2 < 0 barrier 1",
    "2 < 1 barrier 1",
    "2 snapshot 1",
  ];
  const sink = ["2 > 2 barrier 1", "3 < 2 barrier 1", "3 snapshot 1"];

  it("F-48: epochs are issued one by one", () => {
    expect(during(["issued 8", "issued 9", "issued 11"])).toEqual(["F-48: epoch 11 was issued after epoch 9"]);
  });

  it("D-13: an epoch that a sink sealed without a barrier counts: the next one comes after it", () => {
    const over = ["0 ended", "1 ended", "2 < 0 eos", "2 < 1 eos", "2 ended", "3 < 2 eos", "3 ended"];
    const sent = ["0 > 0 eos", "1 > 1 eos"];
    expect(during([...sent, ...over.slice(0, 5), "2 > 2 eos", ...over.slice(5), "completed 1", "issued 2"])).toEqual(
      [],
    );
  });

  it("F-50: epochs complete in order, and one that was issued is not passed over", () => {
    const all = [...reports, ...sink];
    expect(during(["issued 1", "issued 2", ...all, "completed 1"])).toEqual([]);
    const ahead = during(["issued 1", "issued 2", "completed 2"]);
    expect(ahead[0]).toBe("F-50: epoch 2 completed before epoch 1");
    const again = during(["issued 1", ...all, "completed 1", "completed 1"]);
    expect(again).toEqual(["F-50: epoch 1 completed after epoch 1"]);
  });

  it("D-8: a later epoch may complete when the earlier one was given up, which itself never completes", () => {
    const all = [...reports, ...sink].map((line) => line.replace(/1$/, "2"));
    expect(during(["issued 1", "issued 2", "aborted 1", ...all, "completed 2", "commit 2"])).toEqual([]);
    expect(during(["issued 1", ...reports, ...sink, "aborted 1", "completed 1"])).toEqual([
      "D-8: epoch 1 completed after it was given up",
    ]);
    expect(during(["aborted 3"])).toEqual(["D-8: epoch 3 was given up, but it was not out"]);
  });

  it("F-55: an epoch completes only when every task has reported it or ended", () => {
    expect(during(["issued 1", ...reports, "completed 1"])).toEqual([
      "F-55: epoch 1 went ahead of task 3, which had not reported it",
    ]);
  });

  it("F-55: a task commits only what the coordinator committed, and nothing that another has not reported", () => {
    expect(during(["issued 1", ...reports, ...sink, "completed 1", "0 committed 1"])).toEqual([
      "F-55: task 0 committed epoch 1, the coordinator did not",
    ]);
    // Of workers only the tasks' own events are known.
    const early = broken([...reports, "0 committed 1"], { ordered: false });
    expect(early).toContain("F-55 at 8: epoch 1 went ahead of task 3, which had not reported it");
    expect(
      broken([...reports, "0 committed 1", ...sink], { ordered: false }).filter((line) => line.startsWith("F-55")),
    ).toEqual([]);
  });

  it("F-57: exactly the completed epochs are committed, in order", () => {
    expect(during(["issued 1", ...reports, ...sink, "commit 1"])).toEqual([
      "F-57: epoch 1 was committed, none is the next completed one",
    ]);
    expect(during(["issued 1", ...reports, ...sink, "completed 1", "commit 1", "commit 1"])).toEqual([
      "F-57: epoch 1 was committed, none is the next completed one",
    ]);
  });
});
