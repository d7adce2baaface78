import { describe, expect, it } from "vitest";
import { WeirError } from "../../base/errors.ts";
import { taskId } from "../../base/ids.ts";
import { modelRows } from "../../testing/graph-model.ts";
import { noFiles } from "../../testing/no-files.ts";
import { planned } from "../../testing/planned.ts";
import { randomGraph } from "../../testing/random-graph.ts";
import { rowText } from "../../testing/row-text.ts";
import { lawViolations } from "../../testing/trace-laws.ts";
import { Lab, type LabOptions } from "./lab.ts";
import { RoundRobinScheduler } from "./scheduler.ts";

const GRAPHS = 200;
const PROPERTY_DEADLINE_MS = 300_000;

async function labOf(document: unknown, options: Partial<LabOptions> = {}): Promise<Lab> {
  return Lab.create(planned(document).plan, { seed: 1, files: noFiles, ...options });
}

const pipeline = (settings: Record<string, unknown> = {}) => ({
  format: "weir.graph/v1",
  settings,
  nodes: [
    {
      id: "numbers",
      kind: "source.rows",
      config: {
        schema: [{ name: "n", type: "int32" }],
        rows: [[1], [2], [3], [4], [5], [6], [7]],
        batchRows: 3,
      },
    },
    { id: "table", kind: "sink.table", config: { delivery: "exactly-once" } },
  ],
  edges: [{ id: "e", from: "numbers", to: "table", route: { kind: "rebalance" } }],
});

describe("the lab", () => {
  it(
    `gives the rows that a model without an engine gives, and breaks no law, on ${GRAPHS} random graphs (D-2, D-13, F-5, F-6, F-40)`,
    async () => {
      for (let seed = 1; seed <= GRAPHS; seed++) {
        const { document, plan } = planned(randomGraph(seed, { throttles: true, barriers: true }));
        const lab = await Lab.create(plan, { seed, files: noFiles, maxMoves: 2_000_000 });
        const outcome = await lab.run();
        expect(outcome, `seed ${seed}`).toEqual({ kind: "finished" });
        for (const [sink, rows] of modelRows(document)) {
          expect(rowText(lab.rows(sink as never)), `seed ${seed}, ${sink}`).toEqual(rows);
        }
        expect(lawViolations(plan, lab.trace), `seed ${seed}`).toEqual([]);
      }
    },
    PROPERTY_DEADLINE_MS,
  );

  it("makes the same moves and the same trace for the same seed, and others for another one (D-50)", async () => {
    const runs = [];
    for (const seed of [7, 7, 8]) {
      const lab = await labOf(randomGraph(3, { throttles: true, barriers: true }), { seed });
      await lab.run();
      runs.push({ moves: lab.moves.moves.join(" "), trace: JSON.stringify(lab.trace) });
    }
    expect(runs[1]).toEqual(runs[0]);
    expect(runs[2]?.moves).not.toEqual(runs[0]?.moves);
  });

  it("replays a list of moves to the same trace and rows, and refuses one of another plan with what differs (D-51)", async () => {
    const first = await labOf(pipeline());
    await first.run();
    const again = await labOf(pipeline(), { seed: 99 });
    await again.replay(first.moves);
    expect(again.outcome).toEqual({ kind: "finished" });
    expect(again.trace).toEqual(first.trace);
    const other = await labOf(pipeline({ edgeCapacity: 3 }));
    await expect(other.replay(first.moves)).rejects.toThrow(/another plan/);
  });

  it("refuses a move that is not enabled and changes nothing", async () => {
    const lab = await labOf(pipeline());
    expect(() => lab.apply({ by: "coordinator", kind: "durable" })).toThrow(WeirError);
    expect(lab.moveCount).toBe(0);
  });

  it(
    "goes back to any step from a keyframe, to the very state that the moves make from the start",
    async () => {
      for (const seed of [2, 5, 11]) {
        const document = randomGraph(seed, { throttles: true, barriers: true });
        const whole = await labOf(document, { seed });
        await whole.run();
        const total = whole.moveCount;
        const lab = await labOf(document, { seed, keyframeEvery: 400 });
        await lab.run();
        for (const step of [Math.floor(total * 0.8), Math.floor(total * 0.3), 0]) {
          await lab.goTo(step);
          expect(lab.moveCount).toBe(step);
          expect(lab.trace).toEqual(whole.trace.slice(0, lab.trace.length));
        }
        // The seeded scheduler went back too: it makes the same choices again.
        await lab.run();
        expect(lab.moves).toEqual(whole.moves);
        expect(lab.trace).toEqual(whole.trace);
      }
    },
    PROPERTY_DEADLINE_MS,
  );

  it("moves time only by advancing to the next timer, and names a barrier's beat as one (D-50)", async () => {
    const lab = await labOf(pipeline({ barrierEveryMs: 20 }), { scheduler: new RoundRobinScheduler() });
    expect(lab.nowMs).toBe(0);
    while (lab.choices().some((move) => move.by !== "clock")) {
      const move = lab.choices().find((m) => m.by !== "clock");
      lab.apply(move as never);
    }
    expect(lab.nowMs).toBe(0);
  });

  it("fails the run when a task's worker is gone, with its cause and not the inputs that were lost over it (D-16, F-67, F-80)", async () => {
    const lab = await labOf(pipeline({ chaining: false }));
    lab.apply({ by: "person", kind: "kill", task: taskId(0) });
    const outcome = await lab.run();
    expect(outcome?.kind).toBe("failed");
    expect(outcome?.error).toMatchObject({ code: "host-died", node: "numbers" });
    expect(lab.rows("table" as never)).toEqual([]);
  });

  it("ends a run that a person cancels without committing what was staged (D-16)", async () => {
    const lab = await labOf(pipeline());
    for (let i = 0; i < 6; i++) lab.step();
    lab.apply({ by: "person", kind: "cancel" });
    expect(await lab.run()).toEqual({ kind: "cancelled" });
    expect(lab.rows("table" as never)).toEqual([]);
  });
});
