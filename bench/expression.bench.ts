import type { Benchmark } from "./benchmark.ts";
import { type BenchWorker, type Environment, withWorkers } from "./environment.ts";
import { type Effort, inTurns, perCoreSecond, warm } from "./measure.ts";
import { type Case, measurement, ratio } from "./results.ts";

const ROWS = 8192;

/** Expressions from SQL text, compiled to loops over columns, next to the loop that a person would write for them. */
export const expression: Benchmark = {
  name: "expression",
  summary: "filter, computed column and projection from SQL text on one core, beside a hand-written loop",
  async *run(env, effort) {
    for (const nulls of [false, true])
      yield await withWorkers(env, 1, (workers) => measure(env, effort, workers[0] as BenchWorker, nulls));
  },
};

async function measure(env: Environment, effort: Effort, worker: BenchWorker, nulls: boolean): Promise<Case> {
  const { turns, windowMs, batches } = effort;
  const shape = { rows: ROWS, batches, nulls };
  const cpuMs = env.cpuMs?.bind(env);
  const rowsBy = (job: "expressionRows" | "expressionByHand") => {
    const batchRate = perCoreSecond(cpuMs, (count) => worker.do(job, { ...shape, count }), windowMs);
    return async () => (await batchRate()) * ROWS;
  };
  for (const job of ["expressionRows", "expressionByHand"] as const)
    await warm(effort.warmUpMs, () => worker.do(job, { ...shape, count: batches }));
  const rates = await inTurns({ sql: rowsBy("expressionRows"), hand: rowsBy("expressionByHand") }, turns);
  return {
    name: `v > 0.3 AND k <> 7, v * 2 + k, batches of ${ROWS} rows, ${nulls ? "one in 10 of k and of v NULL, 57 of 100 pass" : "7 of 10 pass"}`,
    measurements: [
      measurement("filter, derive, select", "rows/s", rates.sql, nulls ? undefined : { atLeast: 60e6 }),
      measurement("one loop, memory used again", "rows/s", rates.hand),
    ],
    comparisons: [ratio("SQL text to the loop", rates.sql, rates.hand, { atLeast: 0.6 })],
  };
}
