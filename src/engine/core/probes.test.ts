import { describe, expect, it } from "vitest";
import { END, IDLE, timeMark } from "../base/event-time.ts";
import { COUNTERS, EdgeProbe, ProbeReader, type ProbeShape, probeBytes, TASK_STATES, TaskProbe } from "./probes.ts";

const SHAPE: ProbeShape = { tasks: 2, edges: 2, stages: 3 };

function run() {
  const cells = new Float64Array(probeBytes(SHAPE) / 8).fill(Number.NaN);
  const tasks = [0, 1].map((task) => new TaskProbe(cells, task, 100));
  const edges = [0, 1].map((edge) => new EdgeProbe(cells, SHAPE, edge));
  const stages = [0, 1, 2].map((stage) => (tasks[0] as TaskProbe).stage(SHAPE, stage));
  const [task, other] = tasks as [TaskProbe, TaskProbe];
  const [edge, otherEdge] = edges as [EdgeProbe, EdgeProbe];
  return { cells, task, other, edge, otherEdge, stages, reader: new ProbeReader(cells, SHAPE) };
}

describe("probes", () => {
  it("F-81: a task begins in Starting, with nothing counted, whatever an older attempt left in the memory (D-9)", () => {
    const { cells, reader } = run();
    expect(cells.some(Number.isNaN)).toBe(false);
    expect(reader.task(1, 100)).toEqual({
      state: "Starting",
      target: undefined,
      forMs: 0,
      batchesIn: 0,
      rowsIn: 0,
      batchesOut: 0,
      rowsOut: 0,
      mark: undefined,
      pendingEpoch: undefined,
      completedEpoch: 0,
      committedEpoch: 0,
      cpuMs: 0,
      turns: 0,
      counters: { late: 0, bad: 0, routed: 0, evicted: 0, errors: 0 },
      spentMs: Object.fromEntries(TASK_STATES.map((state) => [state, 0])),
    });
    expect(reader.edge(1)).toEqual({
      mark: undefined,
      delivered: undefined,
      held: false,
      batches: 0,
      rows: 0,
      ended: false,
    });
    expect(reader.stage(2)).toEqual({
      rowsIn: 0,
      rowsOut: 0,
      counters: { late: 0, bad: 0, routed: 0, evicted: 0, errors: 0 },
    });
  });

  it("F-81: every state can be told, with the target only while Sending", () => {
    const { task, reader } = run();
    for (const state of TASK_STATES) {
      task.enter(state, 100, state === "Sending" ? 7 : undefined);
      expect([reader.task(0, 100).state, reader.task(0, 100).target]).toEqual([
        state,
        state === "Sending" ? 7 : undefined,
      ]);
      expect(task.current).toBe(state);
    }
  });

  it("F-81: milliseconds in a state count from its beginning, also when it is entered again, and are never negative", () => {
    const { task, reader } = run();
    task.enter("Working", 110);
    task.enter("Working", 130);
    expect(reader.task(0, 150).forMs).toBe(40);
    expect(reader.task(0, 90).forMs).toBe(0);
    task.enter("Sending", 160, 3);
    task.enter("Sending", 170, 4);
    expect([reader.task(0, 175).forMs, reader.task(0, 175).target]).toEqual([5, 4]);
  });

  it("F-81: the time spent in each state adds up to the time of the run", () => {
    const { task, reader } = run();
    task.enter("Working", 110);
    task.enter("Sending", 115, 1);
    task.enter("Working", 145);
    task.enter("Working", 150);
    task.spend(155);
    task.enter("Done", 160);
    const { spentMs } = reader.task(0, 160);
    expect(spentMs).toMatchObject({ Starting: 10, Working: 20, Sending: 30, Done: 0 });
    expect(Object.values(spentMs).reduce((sum, ms) => sum + ms, 0)).toBe(60);
  });

  it("F-81: a clock that went back takes nothing away", () => {
    const { task, reader } = run();
    task.enter("Working", 90);
    task.enter("Done", 95);
    expect(reader.task(0, 95).spentMs).toMatchObject({ Starting: 0, Working: 5 });
  });

  it("counts batches and rows of a task, of an edge and of each stage", () => {
    const { task, edge, stages, reader } = run();
    task.received(3);
    task.received(4);
    task.sent(5);
    task.turn();
    edge.received(3);
    edge.received(4);
    stages[1]?.received(7);
    stages[1]?.sent(2);
    expect(reader.task(0, 100)).toMatchObject({ batchesIn: 2, rowsIn: 7, batchesOut: 1, rowsOut: 5, turns: 1 });
    expect(reader.edge(0)).toMatchObject({ batches: 2, rows: 7 });
    expect([0, 1, 2].map((stage) => [reader.stage(stage).rowsIn, reader.stage(stage).rowsOut])).toEqual([
      [0, 0],
      [7, 2],
      [0, 0],
    ]);
  });

  it("D-32: late, bad, routed, evicted and error counts are told apart, for a task and for a stage", () => {
    const { task, stages, reader } = run();
    COUNTERS.forEach((counter, i) => {
      task.count(counter, i + 1);
      stages[2]?.count(counter, 10 * (i + 1));
    });
    expect(reader.task(0, 100).counters).toEqual({ late: 1, bad: 2, routed: 3, evicted: 4, errors: 5 });
    expect(reader.stage(2).counters).toEqual({ late: 10, bad: 20, routed: 30, evicted: 40, errors: 50 });
  });

  it("D-3: unknown, a time, idle and END are told apart, for a task and for an edge", () => {
    const { task, edge, reader } = run();
    for (const mark of [timeMark(-5), IDLE, timeMark(0), END, undefined]) {
      task.time(mark);
      edge.time(mark);
      expect([reader.task(0, 100).mark, reader.edge(0).mark]).toEqual([mark, mark]);
    }
  });

  it("shows what is aligned: the pending epoch, what was completed and committed, and which inputs are held behind it", () => {
    const { task, edge, otherEdge, reader } = run();
    task.epochs(5, 4, 3);
    edge.alignment(5, true);
    otherEdge.end();
    expect(reader.task(0, 100)).toMatchObject({ pendingEpoch: 5, completedEpoch: 4, committedEpoch: 3 });
    expect([reader.edge(0), reader.edge(1)]).toMatchObject([
      { delivered: 5, held: true, ended: false },
      { delivered: undefined, held: false, ended: true },
    ]);
    task.epochs(0, 5, 4);
    edge.alignment(0, false);
    expect([reader.task(0, 100).pendingEpoch, reader.edge(0).held]).toEqual([undefined, false]);
  });

  it("F-82: CPU of a task, 0 where nobody keeps the ledger", () => {
    const { task, reader } = run();
    task.cpu(12.5);
    expect([reader.task(0, 100).cpuMs, reader.task(1, 100).cpuMs]).toEqual([12.5, 0]);
  });

  it("keeps tasks, edges and stages apart: nobody writes into the block of another", () => {
    const { other, otherEdge, stages, reader } = run();
    const before = JSON.stringify([reader.task(0, 100), reader.edge(0), reader.stage(1)]);
    other.enter("Sending", 200, 9);
    other.received(1);
    other.sent(1);
    other.time(timeMark(1));
    other.epochs(1, 1, 1);
    other.count("errors", 1);
    other.cpu(1);
    other.spend(300);
    otherEdge.received(1);
    otherEdge.alignment(1, true);
    otherEdge.end();
    stages[0]?.received(1);
    stages[2]?.count("late", 1);
    expect(JSON.stringify([reader.task(0, 100), reader.edge(0), reader.stage(1)])).toBe(before);
  });
});
