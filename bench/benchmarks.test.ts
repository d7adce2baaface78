import { describe, expect, it } from "vitest";
import { BENCHMARKS, runBenchmark } from "./benchmarks.ts";
import { SMOKE } from "./measure.ts";
import { nodeEnvironment } from "./node/environment.ts";
import { tableOf } from "./table.ts";

/** Each starts workers again and again; what they measure is no matter here. */
const PATIENCE_MS = 180_000;

describe("the benchmarks in Node, as small as they can be", () => {
  const env = nodeEnvironment();

  for (const benchmark of BENCHMARKS) {
    it(`${benchmark.name} measures every case and shows it`, { timeout: PATIENCE_MS }, async () => {
      const result = await runBenchmark(benchmark, env, SMOKE);
      expect(result.cases.length).toBeGreaterThan(0);
      const table = tableOf(result);
      for (const { name, measurements, comparisons } of result.cases) {
        expect(table).toContain(name);
        for (const each of [...measurements, ...comparisons]) {
          expect(Number.isFinite(each.spread.median), `${name}: ${each.name}`).toBe(true);
          expect(table).toContain(each.name);
        }
      }
    });
  }
});
