import { BENCHMARKS, runBenchmark } from "../benchmarks.ts";
import { FULL, SMOKE } from "../measure.ts";
import { tableOf } from "../table.ts";
import { pageEnvironment } from "./environment.ts";
import type { PageBench } from "./page-bench.ts";

/** What the script that drives the page offers. */
interface PageHelpers {
  /** Bytes of the process that this page runs in. */
  weirMemoryBytes(): Promise<number>;
  /** Told of every case as soon as it is measured. */
  weirProgress(text: string): Promise<void>;
}

const helpers = globalThis as unknown as PageHelpers;

const pageBench: PageBench = {
  names: BENCHMARKS.map((benchmark) => benchmark.name),
  run: async (name, host, quick) => {
    const benchmark = BENCHMARKS.find((each) => each.name === name);
    if (benchmark === undefined) throw new Error(`there is no benchmark ${name}`);
    const machine = { ...host, cores: navigator.hardwareConcurrency };
    const env = pageEnvironment(machine, () => helpers.weirMemoryBytes());
    const result = await runBenchmark(benchmark, env, quick ? SMOKE : FULL, (found) => {
      void helpers.weirProgress(`${name}: ${found.name}`);
    });
    return { result, table: tableOf(result) };
  },
};

Object.assign(globalThis, { weirBench: pageBench });
