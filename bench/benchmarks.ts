import type { Benchmark } from "./benchmark.ts";
import type { Environment } from "./environment.ts";
import { expression } from "./expression.bench.ts";
import { fanIn } from "./fan-in.bench.ts";
import { formats } from "./formats.bench.ts";
import type { Effort } from "./measure.ts";
import { nexmark } from "./nexmark.bench.ts";
import type { BenchmarkResult, Case } from "./results.ts";
import { runtime } from "./runtime.bench.ts";
import { shuffle } from "./shuffle.bench.ts";
import { start } from "./start.bench.ts";
import { transport } from "./transport.bench.ts";
import { wakeup } from "./wakeup.bench.ts";
import { window } from "./window.bench.ts";

export const BENCHMARKS: readonly Benchmark[] = [
  transport,
  fanIn,
  wakeup,
  shuffle,
  window,
  expression,
  nexmark,
  runtime,
  start,
  formats,
];

/** Runs one benchmark to its end. `onCase` hears of every case as soon as it is measured. */
export async function runBenchmark(
  benchmark: Benchmark,
  env: Environment,
  effort: Effort,
  onCase: (found: Case) => void = () => undefined,
): Promise<BenchmarkResult> {
  const cases: Case[] = [];
  for await (const found of benchmark.run(env, effort)) {
    cases.push(found);
    onCase(found);
  }
  return { benchmark: benchmark.name, machine: env.machine, cases };
}
