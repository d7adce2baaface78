import { describe, expect, it } from "vitest";
import { type Batch, type Plan, type RunOutcome, ThreadsExecutor, type ThreadsRun } from "../../engine/index.ts";
import { modelRows } from "../../engine/testing/graph-model.ts";
import { planned } from "../../engine/testing/planned.ts";
import { randomGraph } from "../../engine/testing/random-graph.ts";
import { rowText } from "../../engine/testing/row-text.ts";
import { checkTrace } from "../../engine/trace/invariants.ts";
import { cores, spawnHost } from "./spawn-host.ts";

const GRAPHS = 20;
const RUNS = 50;
const DEADLINE_MS = 240_000;
const MIB = 2 ** 20;

const files = { folder: ".", attached: {} };

/** Two sources, two unions and a table of two subtasks each; rows enough that a stop or a cancel finds them at work. */
const eightTasks = {
  format: "weir.graph/v1",
  settings: { barrierEveryMs: 5, edgeCapacity: 4, chaining: false },
  nodes: [
    {
      id: "numbers",
      kind: "source.generator",
      parallelism: 2,
      config: { fields: [{ name: "n", kind: "sequence" }], rows: 4000, batchRows: 64, seed: 1 },
    },
    { id: "left", kind: "union", parallelism: 2, config: {} },
    { id: "right", kind: "union", parallelism: 2, config: {} },
    { id: "table", kind: "sink.table", parallelism: 2, config: { delivery: "exactly-once" } },
  ],
  edges: [
    { id: "a", from: "numbers", to: "left", route: { kind: "shuffle", columns: ["n"] } },
    { id: "b", from: "left", to: "right", route: { kind: "forward" } },
    { id: "c", from: "right", to: "table", route: { kind: "rebalance" } },
  ],
};

describe("runs on worker threads", () => {
  it(
    `break no law and give the rows of the model on ${GRAPHS} random graphs, seen from the tasks' own traces (D-2, D-13, F-5, F-6, F-40)`,
    async () => {
      const executor = new ThreadsExecutor({ cores: cores(), spawn: spawnHost });
      for (let seed = 1; seed <= GRAPHS; seed++) {
        const { document, plan } = planned(randomGraph(seed, { throttles: false, barriers: true }));
        const shown = new Map<string, Batch[]>();
        const run = executor.start(plan, {
          files,
          trace: "full",
          onRows: (node, batch) => {
            shown.set(node, [...(shown.get(node) ?? []), batch]);
          },
        });
        expect(await run.outcome, `seed ${seed}`).toEqual({ kind: "finished" });
        for (const [sink, rows] of modelRows(document)) {
          expect(rowText(shown.get(sink) ?? []), `seed ${seed}, ${sink}`).toEqual(rows);
        }
        expect(violations(plan, run), `seed ${seed}`).toEqual([]);
      }
    },
    DEADLINE_MS,
  );

  it(
    `fifty in one process leave no worker and no growing memory (P-58, D-9)`,
    async () => {
      const alive = new Set<number>();
      let spawned = 0;
      const executor = new ThreadsExecutor({
        cores: cores(),
        spawn: (host) => {
          const handle = spawnHost(host);
          const id = ++spawned;
          alive.add(id);
          return { ...handle, end: () => handle.end().then(() => void alive.delete(id)) };
        },
      });
      const { plan } = planned(eightTasks);
      const held: number[] = [];
      const outcomes: RunOutcome["kind"][] = [];
      for (let i = 0; i < RUNS; i++) {
        const run = executor.start(plan, { files, onRows: () => undefined });
        // Every third run is stopped, every fifth is cancelled while its tasks are parked or busy.
        if (i % 3 === 1) run.stop();
        if (i % 5 === 2) run.cancel();
        outcomes.push((await run.outcome).kind);
        expect(alive.size, `workers after run ${i}`).toBe(0);
        globalThis.gc?.();
        held.push(process.memoryUsage().arrayBuffers);
      }
      expect(new Set(outcomes)).toEqual(new Set(["finished", "stopped", "cancelled"]));
      // Rings are kept and used again: what the process holds after the third run, it holds after the last.
      expect((held.at(-1) as number) - (held[2] as number)).toBeLessThan(8 * MIB);
    },
    DEADLINE_MS,
  );
});

/** Each host tells its own tasks' events in order; between hosts there is no order. */
function violations(plan: Plan, run: ThreadsRun): string[] {
  const found = checkTrace(plan, run.traceByHost.flat(), { ordered: false });
  return found.map(({ law, message }) => `${law}: ${message}`);
}
