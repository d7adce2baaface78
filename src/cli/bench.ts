import { BENCHMARKS, runBenchmark } from "../../bench/benchmarks.ts";
import { FULL, SMOKE } from "../../bench/measure.ts";
import { nodeEnvironment } from "../../bench/node/environment.ts";
import type { BenchmarkResult } from "../../bench/results.ts";
import { tableOf } from "../../bench/table.ts";
import { closest } from "../engine/index.ts";
import { type Arguments, Refusal, usageError } from "./arguments.ts";
import type { ExitStatus } from "./exit-status.ts";
import { version } from "./version.ts";

/** `weir bench [NAME]`: all benchmarks or one, as tables or as one JSON document; what is measured goes to a terminal's standard error. */
export async function bench({ operand, options }: Arguments): Promise<ExitStatus> {
  const chosen = operand === undefined ? BENCHMARKS : [named(operand)];
  const usual = options.has("quick") ? SMOKE : FULL;
  const bids = options.get("bids");
  const effort = bids === undefined ? usual : { ...usual, bids: bidsOf(bids) };
  const asJson = options.has("json");
  const env = nodeEnvironment();
  const results: BenchmarkResult[] = [];
  for (const benchmark of chosen) {
    const result = await runBenchmark(benchmark, env, effort, ({ name }) => {
      if (process.stderr.isTTY === true) process.stderr.write(`${benchmark.name}: ${name}\n`);
    });
    results.push(result);
    if (!asJson) process.stdout.write(`${results.length > 1 ? "\n" : ""}${tableOf(result)}`);
  }
  if (asJson) process.stdout.write(`${JSON.stringify({ weir: await version(), results }, null, 2)}\n`);
  return 0;
}

const MOST_BIDS = 100_000_000;

function bidsOf(text: string): number {
  const bids = Number(text);
  if (/^\d+$/.test(text) && bids >= 1 && bids <= MOST_BIDS) return bids;
  const hint = `give a whole number from 1 to ${MOST_BIDS}`;
  throw new Refusal([usageError(`--bids ${JSON.stringify(text)} is no number of bids`, hint)]);
}

function named(name: string): (typeof BENCHMARKS)[number] {
  const found = BENCHMARKS.find((benchmark) => benchmark.name === name);
  if (found !== undefined) return found;
  const names = BENCHMARKS.map((benchmark) => benchmark.name);
  const near = closest(name, names);
  const hint = near === undefined ? `the benchmarks are ${names.join(", ")}` : `did you mean ${near}?`;
  throw new Refusal([usageError(`there is no benchmark ${JSON.stringify(name)}`, hint)]);
}
