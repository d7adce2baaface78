import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import type { BenchmarkResult } from "../bench/results.ts";

const run = promisify(execFile);

/** It builds the benchmarks' page, and starts a browser of its own. */
const PATIENCE_MS = 400_000;

/** One of rings between workers, one of kernels, one of whole runs: Node's tests run all of them. */
const NAMES = ["wakeup", "shuffle", "runtime"];

test("benchmarks run in Chromium", async () => {
  test.setTimeout(PATIENCE_MS);
  const { stdout } = await run(process.execPath, ["scripts/bench-browser.mjs", ...NAMES, "--quick", "--json"]);
  const { results } = JSON.parse(stdout) as { results: BenchmarkResult[] };
  expect(results.map(({ benchmark }) => benchmark)).toEqual(NAMES);
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
