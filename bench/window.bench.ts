import type { Keys } from "./batches.ts";
import type { Benchmark } from "./benchmark.ts";
import { type BenchWorker, type Environment, withWorkers } from "./environment.ts";
import { type Effort, inTurns, perCoreSecond, warm } from "./measure.ts";
import { type Case, measurement, ratio } from "./results.ts";

const ROWS = 8192;
const FEW_KEYS = 1000;
const MANY_KEYS = 1_000_000;
/** Rows of a window for each of many keys. */
const ROWS_PER_KEY = 4;

/** Of many keys: the first of them still gives a million keys their order, as it is once in a run. */
const RATED_WINDOWS = 5;

const NAMES: Readonly<Record<Keys, string>> = { dictionary: "dictionary", text: "plain text", int: "integers" };

/** The window operator alone on one core: a keyed tumbling count and sum. */
export const window: Benchmark = {
  name: "window",
  summary: "tumbling count and sum on one core, by a thousand and by a million keys",
  async *run(env, effort) {
    yield await withWorkers(env, 1, (workers) => fewKeys(env, effort, workers[0] as BenchWorker));
    if (effort.largest.rows > ROWS) yield await manyKeys(env, effort);
  },
};

async function fewKeys(env: Environment, effort: Effort, worker: BenchWorker): Promise<Case> {
  const { turns, windowMs, batches } = effort;
  const shape = { distinct: FEW_KEYS, rows: ROWS, batches, rowsPerMs: 100, sizeMs: 1000 };
  const cpuMs = env.cpuMs?.bind(env);
  const rowsBy = async (job: "windowRows" | "windowByHand", keys: Keys) => {
    await warm(effort.warmUpMs, () => worker.do(job, { ...shape, keys, count: batches }));
    const batchRate = perCoreSecond(cpuMs, (count) => worker.do(job, { ...shape, keys, count }), windowMs);
    return async () => (await batchRate()) * ROWS;
  };
  const operator = await rowsBy("windowRows", "dictionary");
  const hand = await rowsBy("windowByHand", "dictionary");
  const dictionary = await inTurns({ operator, hand }, turns);
  // One kind of keys after another: a worker has the batches of one.
  const text = await inTurns({ operator: await rowsBy("windowRows", "text") }, turns);
  const int = await inTurns({ operator: await rowsBy("windowRows", "int") }, turns);
  return {
    name: `${FEW_KEYS} keys, windows of 100,000 rows, batches of ${ROWS} rows`,
    measurements: [
      measurement(`${NAMES.dictionary} keys`, "rows/s", dictionary.operator, { atLeast: 40e6 }),
      measurement(`${NAMES.text} keys`, "rows/s", text.operator),
      measurement(`${NAMES.int} as keys`, "rows/s", int.operator),
      measurement("a loop of its own, dictionary codes", "rows/s", dictionary.hand),
    ],
    comparisons: [ratio("the operator to the loop", dictionary.operator, dictionary.hand)],
  };
}

/** Each kind of keys in a worker of its own, so that the memory that it takes can be told. */
async function manyKeys(env: Environment, effort: Effort): Promise<Case> {
  const measurements = [];
  for (const keys of ["text", "int"] as const) {
    const found = await withWorkers(env, 1, (workers) => oneKind(env, effort, keys, workers[0] as BenchWorker));
    measurements.push(
      measurement(`${NAMES[keys]} as keys`, "rows/s", found.rates, { atLeast: 5e6 }),
      measurement(`${NAMES[keys]} as keys, memory a key`, "bytes", found.bytesPerKey),
    );
  }
  return {
    name: `${MANY_KEYS} keys, windows of ${ROWS_PER_KEY} rows a key, batches of ${ROWS} rows`,
    measurements,
    comparisons: [],
  };
}

async function oneKind(env: Environment, { turns }: Effort, keys: Keys, worker: BenchWorker) {
  const cpuMs = env.cpuMs?.bind(env);
  const perWindow = Math.ceil((MANY_KEYS * ROWS_PER_KEY) / ROWS);
  const shape = { keys, distinct: MANY_KEYS, rows: ROWS, batches: perWindow, rowsPerMs: 1000 };
  // A turn is one window: filled, fired and let go.
  const job = { ...shape, sizeMs: perWindow * Math.ceil(ROWS / 1000), count: perWindow };
  // The batches are there, the keys are not.
  await worker.do("batchBytes", { ...shape });
  const before = await env.memoryBytes();
  const rates: number[] = [];
  let bytesPerKey = Number.NaN;
  for (let turn = 0; turn <= Math.min(turns, RATED_WINDOWS); turn++) {
    const cpuBefore = cpuMs?.();
    const ms = await worker.do("windowRows", job);
    const took = cpuBefore === undefined || cpuMs === undefined ? ms : cpuMs() - cpuBefore;
    if (turn > 0) rates.push((perWindow * ROWS * 1000) / took);
    else bytesPerKey = ((await env.memoryBytes()) - before) / MANY_KEYS;
  }
  return { rates, bytesPerKey: [bytesPerKey] };
}
