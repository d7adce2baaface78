import type { Keys } from "./batches.ts";
import type { Benchmark } from "./benchmark.ts";
import { type BenchWorker, type Environment, withWorkers } from "./environment.ts";
import { benchPlan, withRuns } from "./live-run.ts";
import { type Effort, inTurns, perSecond } from "./measure.ts";
import { type Aim, type Case, type Measurement, measurement, ratio } from "./results.ts";

const ALL_KEYS = ["int", "dictionary", "text"] as const;
const ROWS = 8192;
const TARGETS = 4;
const RING_BYTES = 1 << 20;
const AIMS: Readonly<Record<Keys, Aim>> = {
  int: { atLeast: 40e6 },
  dictionary: { atLeast: 40e6 },
  text: { atLeast: 12e6 },
};

/** Rows by the hash of their key: the kernel on one core, and a real run from one source into four tasks. */
export const shuffle: Benchmark = {
  name: "shuffle",
  summary: "hash shuffle into four tasks, by keys of integers, dictionary codes and plain text",
  async *run(env, effort) {
    yield await withWorkers(env, 1, (workers) => onOneCore(effort, workers[0] as BenchWorker));
    yield await throughTheRuntime(env, effort);
  },
};

async function onOneCore({ turns, windowMs, batches }: Effort, worker: BenchWorker): Promise<Case> {
  const target = new SharedArrayBuffer(RING_BYTES);
  const measurements: Measurement[] = [];
  const comparisons = [];
  for (const keys of ALL_KEYS) {
    const shape = { keys, rows: ROWS, batches };
    const rates = await inTurns(
      {
        memcpy: perSecond((count) => worker.do("copyBatches", { ...shape, target, count }), windowMs),
        split: perSecond((count) => worker.do("splitBatches", { ...shape, targets: TARGETS, count }), windowMs),
      },
      turns,
    );
    const rowRate = (values: readonly number[]): number[] => values.map((value) => value * ROWS);
    measurements.push(measurement(`${keys} keys`, "rows/s", rowRate(rates.split), AIMS[keys]));
    comparisons.push(ratio(`${keys} keys to memcpy`, rates.split, rates.memcpy));
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
