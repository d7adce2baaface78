import type { BenchmarkResult, Machine } from "../results.ts";

/** What the script that drives the page calls (scripts/bench-browser.mjs). */
export interface PageBench {
  readonly names: readonly string[];
  /** What was found, also as a table for a person. */
  run(name: string, host: Omit<Machine, "cores">, quick: boolean): Promise<{ result: BenchmarkResult; table: string }>;
}
