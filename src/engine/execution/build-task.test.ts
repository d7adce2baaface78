import { describe, expect, it } from "vitest";
import { WeirError } from "../base/errors.ts";
import { epoch, taskId } from "../base/ids.ts";
import { ProbeReader, probeBytes, TaskProbe } from "../core/probes.ts";
import type { SinkContext, SourceContext, StageContext } from "../operators/context.ts";
import { noFiles } from "../testing/no-files.ts";
import { planned } from "../testing/planned.ts";
import { buildTask, type StageBuilders } from "./build-task.ts";
import { probeShape } from "./probe-shape.ts";
import type { StageHome } from "./stage-context.ts";

const rows = (id: string) => ({
  id,
  kind: "source.rows",
  config: { schema: [{ name: "n", type: "int32" }], rows: [[1], [2]] },
});

/** Two sources → union at parallelism 2 → sink. */
const { plan } = planned({
  format: "weir.graph/v1",
  settings: { chaining: false },
  nodes: [
    rows("a"),
    rows("b"),
    { id: "u", kind: "union", parallelism: 2, config: {} },
    { id: "t", kind: "sink.table", config: {} },
  ],
  edges: [
    { id: "e1", from: "a", to: "u", route: { kind: "rebalance" } },
    { id: "e2", from: "b", to: "u", route: { kind: "rebalance" } },
    { id: "e3", from: "u", to: "t" },
  ],
});

function rig() {
  const asked: { readonly kind: string; readonly context: SourceContext & SinkContext }[] = [];
  const notes: unknown[] = [];
  const woken: number[] = [];
  const delivered: unknown[] = [];
  const home: StageHome = {
    time: { wallMs: 0, runMs: 0, refresh: () => undefined },
    clock: { now: () => 0 },
    files: noFiles,
    deliver: (node) => delivered.push(node),
    note: (error) => notes.push(error),
    wake: (task) => woken.push(task),
  };
  const builder =
    <S>(stage: S) =>
    async (kind: string) =>
    (_config: never, context: StageContext): S => {
      // One context serves every role.
      asked.push({ kind, context: context as SourceContext & SinkContext });
      return stage;
    };
  const builders: StageBuilders = {
    source: builder({ poll: () => ({ kind: "done" as const }), position: () => 0 }),
    operator: builder({ process: () => undefined }),
    sink: builder({
      write: () => undefined,
      flush: () => ({ kind: "later" as const }),
      holdsRows: () => false,
      commit: () => undefined,
      close: () => undefined,
    }),
  };
  const shape = probeShape(plan);
  const cells = new Float64Array(probeBytes(shape) / 8);
  const build = (task: number, use: StageBuilders = builders) =>
    buildTask(
      plan,
      plan.tasks[task] as never,
      home,
      new TaskProbe(cells, task, 0),
      { epoch: epoch(7), tasks: new Map() },
      use,
    );
  return { asked, notes, woken, delivered, build, builders, probes: new ProbeReader(cells, shape) };
}

describe("buildTask", () => {
  it("F-9: an operator is built from its task and its inputs: the edges, who writes them, and the ports", async () => {
    const { asked, build } = rig();
    await build(3);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.context).toMatchObject({ node: "u", task: 3, subtask: 1, parallelism: 2 });
    expect(asked[0]?.context.inEdges).toEqual([
      { edge: 1, from: 0, port: "in" },
      { edge: 3, from: 1, port: "in" },
    ]);
  });

  it("F-9: a sink is built from its task, and learns which epoch its run issues first (F-8)", async () => {
    const { asked, build } = rig();
    await build(4);
    expect(asked.map(({ kind }) => kind)).toEqual(["sink.table"]);
    expect(asked[0]?.context).toMatchObject({ node: "t", task: 4, firstEpoch: 8 });
  });

  it("F-9: only the task that is asked for is built", async () => {
    const { asked, build } = rig();
    await build(0);
    expect(asked.map(({ kind, context }) => [kind, context.node])).toEqual([["source.rows", "a"]]);
    expect(asked[0]?.context.position).toBeUndefined();
  });

  it("F-10, F-66: a builder that refuses fails the build with its text and its place", async () => {
    const { build, builders } = rig();
    const refusing: StageBuilders = {
      ...builders,
      operator: async () => () => {
        throw new Error("no such table");
      },
    };
    const error = await build(2, refusing).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WeirError);
    expect((error as WeirError).data).toEqual({
      code: "build-failed",
      domain: "task",
      node: "u",
      task: 2,
      message: "no such table",
    });
  });

  it("F-45: an acknowledgement reaches the machine and wakes the task, whenever it comes", async () => {
    const { asked, woken, build } = rig();
    const machine = await build(4);
    machine.offer(0, { kind: "barrier", epoch: epoch(8) }, 0);
    machine.offer(1, { kind: "barrier", epoch: epoch(8) }, 0);
    asked[0]?.context.acker.ack(epoch(8), "part");
    expect([machine.hasEffects, woken]).toEqual([true, [taskId(4)]]);
    expect(machine.takeEffects()).toMatchObject([{ event: { kind: "ack", task: 4, epoch: 8 } }]);
  });

  it("D-32: what a stage counts and notes stands with its task and its node", async () => {
    const { asked, notes, delivered, build, probes } = rig();
    await build(4);
    const context = asked[0]?.context;
    context?.count("bad", 3);
    context?.count("late");
    context?.note({ code: "bad-row", domain: "data", message: "row 3" });
    expect(probes.task(4, 0).counters).toMatchObject({ bad: 3, late: 1 });
    expect(probes.task(3, 0).counters).toMatchObject({ bad: 0, late: 0 });
    expect(notes).toEqual([{ code: "bad-row", domain: "data", message: "row 3", node: "t", task: 4 }]);
    expect(delivered).toEqual([]);
  });
});
