import { describe, expect, it } from "vitest";
import { epoch, taskId } from "../base/ids.ts";
import { type PerfettoInput, perfettoTrace } from "./perfetto.ts";
import type { TraceEvent } from "./trace-event.ts";

interface Trace {
  readonly traceEvents: readonly Record<string, unknown>[];
}

const tasks = [
  { name: "orders · 0", group: "orders" },
  { name: "join · 0", group: "join" },
  { name: "join · 1", group: "join" },
];

const state = (atMs: number, task: number, name: "Polling" | "Barrier" | "Receiving"): TraceEvent => ({
  atMs,
  task: taskId(task),
  kind: "state",
  state: name,
});

const snapshot = (atMs: number, task: number, number: number): TraceEvent => ({
  atMs,
  task: taskId(task),
  kind: "snapshot",
  epoch: epoch(number),
  sink: false,
});

function traceOf(input: Partial<PerfettoInput>): Trace["traceEvents"] {
  const text = perfettoTrace({ tasks, events: [], epochs: [], nowMs: 10, ...input });
  return (JSON.parse(text) as Trace).traceEvents;
}

describe("the Perfetto trace of a run", () => {
  it("names a process for each node and a thread for each task", () => {
    const named = traceOf({}).map(({ name, pid, tid, args }) => [name, pid, tid, (args as { name: string }).name]);
    expect(named).toEqual([
      ["process_name", 1, 0, "epochs"],
      ["process_name", 2, 0, "orders"],
      ["process_name", 3, 0, "join"],
      ["thread_name", 2, 0, "orders · 0"],
      ["thread_name", 3, 1, "join · 0"],
      ["thread_name", 3, 2, "join · 1"],
    ]);
  });

  it("has a slice for every stay in a state, the last one up to now, and none for a stay of no length", () => {
    const events = [
      state(1, 0, "Polling"),
      state(1, 1, "Receiving"),
      state(3.5, 0, "Barrier"),
      state(3.5, 0, "Polling"),
    ];
    const slices = traceOf({ events }).filter(({ ph }) => ph === "X");
    expect(slices.map(({ name, tid, ts, dur }) => [name, tid, ts, dur])).toEqual([
      ["Polling", 0, 1000, 2500],
      ["Polling", 0, 3500, 6500],
      ["Receiving", 1, 1000, 9000],
    ]);
  });

  it("joins the snapshots of an epoch by a flow in the order of their times", () => {
    const events = [snapshot(5, 2, 7), snapshot(2, 0, 7), snapshot(3, 1, 7), snapshot(9, 0, 8)];
    const flow = traceOf({ events }).filter(({ ph }) => ph === "s" || ph === "t" || ph === "f");
    expect(flow.map(({ ph, id, tid, ts }) => [ph, id, tid, ts])).toEqual([
      ["s", 7, 0, 2000],
      ["t", 7, 1, 3000],
      ["f", 7, 2, 5000],
    ]);
    const instants = traceOf({ events }).filter(({ ph }) => ph === "i");
    expect(instants.map(({ name }) => name)).toEqual(["barrier 7", "barrier 7", "barrier 7", "barrier 8"]);
  });

  it("draws an epoch from issued to committed, one that is under way up to now, and an aborted one without length", () => {
    const record = { completedMs: undefined, durableMs: undefined, committedMs: undefined, stateBytes: 5, reports: [] };
    const epochs = [
      { ...record, epoch: epoch(1), issuedMs: 1, completedMs: 2, durableMs: 2, committedMs: 2.5, failure: undefined },
      { ...record, epoch: epoch(2), issuedMs: 4, failure: undefined },
      { ...record, epoch: epoch(3), issuedMs: 6, failure: "it took too long" },
    ];
    const slices = traceOf({ epochs }).filter(({ cat }) => cat === "epoch");
    expect(slices.map(({ ph, id, ts }) => [ph, id, ts])).toEqual([
      ["b", 1, 1000],
      ["e", 1, 2500],
      ["b", 2, 4000],
      ["e", 2, 10_000],
      ["b", 3, 6000],
      ["e", 3, 6000],
    ]);
  });
});
