import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { BENCHMARKS } from "../bench/benchmarks.ts";
import type { BenchmarkResult } from "../bench/results.ts";

const run = promisify(execFile);

/** It builds the benchmarks' page, and starts a browser of its own. */
const PATIENCE_MS = 400_000;

test("the benchmarks run in Chromium, each with every case that it has in Node", async () => {
  test.setTimeout(PATIENCE_MS);
  const { stdout } = await run(process.execPath, ["scripts/bench-browser.mjs", "--quick", "--json"]);
  const { results } = JSON.parse(stdout) as { results: BenchmarkResult[] };
  expect(results.map(({ benchmark }) => benchmark)).toEqual(BENCHMARKS.map(({ name }) => name));
  for (const { benchmark, machine, cases } of results) {
    expect(machine.runtime).toMatch(/^Chromium \d+/);
    expect(cases.length, benchmark).toBeGreaterThan(0);
    for (const { name, measurements } of cases) {
      for (const each of measurements) {
        expect(Number.isFinite(each.spread.median), `${benchmark}, ${name}: ${each.name}`).toBe(true);
      }
    }
  }
});
