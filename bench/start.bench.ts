import { type Plan, ThreadsExecutor, type ThreadsRun } from "../src/engine/index.ts";
import type { Benchmark } from "./benchmark.ts";
import type { Environment } from "./environment.ts";
import { benchPlan } from "./live-run.ts";
import { type Effort, inTurns, pause, within } from "./measure.ts";
import { type Case, measurement, ratio } from "./results.ts";

const MIB = 1 << 20;
/** The memory of a process settles a moment after its workers started. */
const SETTLE_MS = 100;
/** Whole starts take long and vary little. */
const MOST_TURNS = 5;

/** From the start of a run, with a worker a task and the engine's own entry, to its first row. */
export const start: Benchmark = {
  name: "start",
  summary: "start to first row for 4, 16 and 64 tasks, a worker each; again with kept memory; memory a worker",
  async *run(env, effort) {
    for (const tasks of within(effort.largest.tasks, [4, 16, 64])) yield await measureStart(env, effort, tasks);
  },
};

function planOfTasks(tasks: number): Plan {
  const parallelism = tasks / 4;
  const step = { kind: "select", parallelism, config: { columns: ["n"] } };
  return benchPlan({
    settings: { barrierEveryMs: 0, chaining: false, hosts: "per-task" },
    nodes: [
      {
        id: "source",
        kind: "source.generator",
        parallelism,
        config: { fields: [{ name: "n", kind: "sequence" }], rows: 0, rowsPerSecond: 1000 },
      },
      { id: "first", ...step },
      { id: "second", ...step },
      { id: "sink", kind: "sink.table", parallelism, config: { delivery: "at-least-once" } },
    ],
    edges: [
      { id: "a", from: "source", to: "first" },
      { id: "b", from: "first", to: "second" },
      { id: "c", from: "second", to: "sink" },
    ],
  });
}

async function measureStart(env: Environment, { turns }: Effort, tasks: number): Promise<Case> {
  const plan = planOfTasks(tasks);
  const memory: number[] = [];
  const kept = newExecutor(env);
  const times = await inTurns(
    {
      fresh: async () => {
        const before = await env.memoryBytes();
        const started = await startToFirstRow(env, newExecutor(env), plan);
        await pause(SETTLE_MS);
        const rings = started.run.shared.layout.totalBytes;
        memory.push(((await env.memoryBytes()) - before - rings) / tasks / MIB);
        await end(started.run);
        return started.ms;
      },
      again: async () => {
        const started = await startToFirstRow(env, kept, plan);
        await end(started.run);
        return started.ms;
      },
    },
    Math.min(turns, MOST_TURNS),
  );
  return {
    name: `${tasks} tasks, a worker each`,
    measurements: [
      measurement("start to first row", "ms", times.fresh),
      measurement("the same again, rings kept", "ms", times.again),
      measurement("memory a worker, without rings", "MiB", memory.slice(1)),
    ],
    comparisons: [ratio("again to first", times.again, times.fresh)],
  };
}

const newExecutor = (env: Environment): ThreadsExecutor =>
  new ThreadsExecutor({ cores: env.machine.cores, spawn: (host) => env.startHost(host) });

interface Started {
  readonly run: ThreadsRun;
  readonly ms: number;
}

function startToFirstRow(env: Environment, executor: ThreadsExecutor, plan: Plan): Promise<Started> {
  return new Promise((resolve, reject) => {
    const from = performance.now();
    let arrived = false;
    const run = executor.start(plan, {
      files: env.hostFiles,
      onRows: () => {
        if (arrived) return;
        arrived = true;
        resolve({ run, ms: performance.now() - from });
      },
    });
    void run.outcome.then(({ kind, error }) => reject(new Error(error?.message ?? kind)));
  });
}

async function end(run: ThreadsRun): Promise<void> {
  run.cancel();
  await run.outcome;
}
