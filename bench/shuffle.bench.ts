import type { Keys } from "./batches.ts";
import type { Benchmark } from "./benchmark.ts";
import { type BenchWorker, type Environment, withWorkers } from "./environment.ts";
import { benchPlan, withRuns } from "./live-run.ts";
import { type Effort, inTurns, perCoreSecond, warm } from "./measure.ts";
import { type Aim, type Case, type Measurement, measurement, ratio } from "./results.ts";
import type { Splitting } from "./worker/kernels.ts";

const ALL_KEYS = ["int", "dictionary", "text"] as const;
const ROWS = 8192;
const TARGETS = 4;
const RING_BYTES = 1 << 20;
const AIMS: Readonly<Record<Splitting, Readonly<Record<Keys, Aim>> | undefined>> = {
  "in place": { int: { atLeast: 150e6 }, dictionary: { atLeast: 70e6 }, text: { atLeast: 25e6 } },
  private: undefined,
  twin: { int: { atLeast: 40e6 }, dictionary: { atLeast: 40e6 }, text: { atLeast: 12e6 } },
};
const NAMES: Readonly<Record<Splitting, string>> = {
  "in place": "where a ring left them",
  private: "from private memory",
  twin: "TypeScript",
};

/** Rows by the hash of their key: the kernel on one core, and a real run from one source into four tasks. */
export const shuffle: Benchmark = {
  name: "shuffle",
  summary: "hash shuffle into four tasks, by keys of integers, dictionary codes and plain text",
  async *run(env, effort) {
    yield await withWorkers(env, 1, (workers) => onOneCore(env, effort, workers[0] as BenchWorker));
    yield await throughTheRuntime(env, effort);
  },
};

async function onOneCore(env: Environment, effort: Effort, worker: BenchWorker): Promise<Case> {
  const { turns, windowMs, batches } = effort;
  const cpuMs = env.cpuMs?.bind(env);
  const target = new SharedArrayBuffer(RING_BYTES);
  const measurements: Measurement[] = [];
  const comparisons = [];
  for (const keys of ALL_KEYS) {
    const shape = { keys, rows: ROWS, batches };
    const split = (by: Splitting) =>
      perCoreSecond(cpuMs, (count) => worker.do("splitBatches", { ...shape, targets: TARGETS, by, count }), windowMs);
    for (const by of ["in place", "private", "twin"] as const)
      await warm(effort.warmUpMs / 4, () =>
        worker.do("splitBatches", { ...shape, targets: TARGETS, by, count: batches }),
      );
    const rates = await inTurns(
      {
        memcpy: perCoreSecond(cpuMs, (count) => worker.do("copyBatches", { ...shape, target, count }), windowMs),
        "in place": split("in place"),
        private: split("private"),
        twin: split("twin"),
      },
      turns,
    );
    const rowRate = (values: readonly number[]): number[] => values.map((value) => value * ROWS);
    for (const by of ["in place", "private", "twin"] as const) {
      measurements.push(measurement(`${keys} keys, ${NAMES[by]}`, "rows/s", rowRate(rates[by]), AIMS[by]?.[keys]));
    }
    comparisons.push(ratio(`${keys} keys, in place to memcpy`, rates["in place"], rates.memcpy));
    comparisons.push(ratio(`${keys} keys, in place to TypeScript`, rates["in place"], rates.twin));
  }
  return { name: `split into ${TARGETS}, one core, batches of ${ROWS} rows`, measurements, comparisons };
}

async function throughTheRuntime(env: Environment, effort: Effort): Promise<Case> {
  const { turns, windowMs, batches } = effort;
  const plans = {
    int: { plan: planFor("int", batches) },
    dictionary: { plan: planFor("dictionary", batches) },
    text: { plan: planFor("text", batches) },
  };
  const rates = await withRuns(env, effort, plans, (runs) => {
    const rowsOf = (keys: Keys) => async () => (await runs[keys].measure(windowMs)).rowsPerSecond;
    return inTurns({ int: rowsOf("int"), dictionary: rowsOf("dictionary"), text: rowsOf("text") }, turns);
  });
  return {
    name: `a run: source, shuffle, ${TARGETS} sinks; pooled hosts, batches of ${ROWS} rows`,
    measurements: ALL_KEYS.map((keys) => measurement(`${keys} keys`, "rows/s", rates[keys])),
    comparisons: [],
  };
}

function planFor(keys: Keys, batches: number) {
  return benchPlan({
    settings: { barrierEveryMs: 0 },
    nodes: [
      { id: "source", kind: "bench.source", config: { keys, rows: ROWS, batches } },
      { id: "sink", kind: "bench.sink", parallelism: TARGETS },
    ],
    edges: [{ id: "e", from: "source", to: "sink", route: { kind: "shuffle", columns: ["k"] } }],
  });
}
