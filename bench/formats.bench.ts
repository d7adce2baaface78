import type { Benchmark } from "./benchmark.ts";
import { type BenchWorker, type Environment, withWorkers } from "./environment.ts";
import { type Effort, inTurns, perCoreSecond } from "./measure.ts";
import { type Aim, type Case, measurement, ratio } from "./results.ts";
import type { Format, Reader } from "./worker/formats.ts";

/** Rows of a file; for the smallest effort fewer. */
const ROWS = 100_000;
const MEGABYTE = 1e6;

const OTHERS: Readonly<Record<Format, { readonly name: string; readonly aim: Aim }>> = {
  csv: { name: "papaparse, to objects of text", aim: { atLeast: 1.5 } },
  ndjson: { name: "JSON.parse by line, to objects", aim: { atLeast: 1.5 } },
  arrow: { name: "apache-arrow alone", aim: { atLeast: 1 / 1.3 } },
  parquet: { name: "hyparquet alone, to arrays by column", aim: { atLeast: 1 / 1.3 } },
};

/** Files in memory to typed batches, beside what reads them otherwise, by CPU time where the runtime tells it. */
export const formats: Benchmark = {
  name: "formats",
  summary: "csv, NDJSON, Arrow and Parquet into columns, beside papaparse, JSON.parse, apache-arrow and hyparquet",
  async *run(env, effort) {
    for (const format of ["csv", "ndjson", "arrow", "parquet"] as const) {
      yield await withWorkers(env, 1, (workers) => measureFormat(env, effort, format, workers[0] as BenchWorker));
    }
  },
};

async function measureFormat(env: Environment, effort: Effort, format: Format, worker: BenchWorker): Promise<Case> {
  const rows = Math.min(ROWS, 2 * effort.largest.rows);
  const bytes = await worker.do("fileBytes", { format, rows });
  const reading = (by: Reader) =>
    perCoreSecond(
      env.cpuMs?.bind(env),
      async (count) => (await worker.do("decodeFile", { format, by, rows, count })).ms,
      effort.windowMs,
      1,
    );
  const rates = await inTurns({ weir: reading("weir"), other: reading("other") }, effort.turns);
  const speed = (values: readonly number[]): number[] => values.map((value) => (value * bytes) / MEGABYTE);
  const { name, aim } = OTHERS[format];
  return {
    name: `${format}: ${rows} rows, ${(bytes / MEGABYTE).toFixed(1)} MB`,
    measurements: [
      measurement("into batches of 8192 rows", "MB/s", speed(rates.weir)),
      measurement(name, "MB/s", speed(rates.other)),
    ],
    comparisons: [ratio(`ours to ${name}`, rates.weir, rates.other, aim)],
  };
}
