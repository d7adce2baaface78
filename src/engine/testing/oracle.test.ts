import type { DuckDBConnection } from "@duckdb/node-api";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nodeId } from "../base/ids.ts";
import { Lab } from "../execution/lab/lab.ts";
import { batchRows } from "./batch-values.ts";
import { answerOf, openDuck } from "./duckdb.ts";
import { fuzzAsync } from "./fuzz.ts";
import { noFiles } from "./no-files.ts";
import { intervalJoins } from "./oracle/join-cases.ts";
import { dedupes, runningAggregates } from "./oracle/keyed-cases.ts";
import { documentOf, linesOf, type OracleCase, sinkOf } from "./oracle/oracle-case.ts";
import { gridRanks, runningRanks, sessionRanks } from "./oracle/rank-cases.ts";
import { steps } from "./oracle/step-cases.ts";
import { gridWindows, sessionWindows } from "./oracle/window-cases.ts";
import { planned } from "./planned.ts";

/**
 * Operators in the lab against DuckDB, row for row: random rows, configs, parallelism, batches and watermarks. A run of a property holds one to six
 * operators over the same streams. A failure prints its seed and path: WEIR_SEED and WEIR_PATH run that one alone, WEIR_RUNS multiplies their number.
 */
const FAMILIES: readonly (readonly [name: string, cases: fc.Arbitrary<OracleCase>, runs: number])[] = [
  ["tumbling and sliding windows, late rows dropped, routed and corrected (D-20, D-24)", gridWindows, 150],
  ["session windows (D-28)", sessionWindows, 80],
  ["interval joins: inner, left, right, full (D-30, P-29)", intervalJoins, 100],
  ["rankings by window (D-27)", gridRanks, 60],
  ["rankings by session (D-27, D-28)", sessionRanks, 40],
  ["running rankings, by the final state of their changelog (D-27, D-32)", runningRanks, 40],
  ["running aggregates, by the final state of their changelog (D-24, D-32)", runningAggregates, 60],
  ["the first and the last row of each key (D-27)", dedupes, 60],
  ["filters and derived columns (D-25, D-26)", steps, 40],
];

/** Of all families together, with as many runs as above. */
const LEAST_CASES = 2000;
/** A family takes seconds; a machine with other work to do takes longer. */
const PATIENCE_MS = 300_000;

let duck: DuckDBConnection;
let compared = 0;
let families = 0;
beforeAll(async () => {
  duck = await openDuck();
});
afterAll(() => duck.closeSync());

async function compare(of: OracleCase): Promise<void> {
  const run = await Lab.create(planned(documentOf(of)).plan, { seed: 1, files: noFiles });
  expect(await run.run()).toEqual({ kind: "finished" });
  for (const { name, sql } of of.streams) await duck.run(`CREATE OR REPLACE TEMP TABLE ${name} AS ${sql}`);
  for (const [o, { answers }] of of.operators.entries()) {
    for (const [port, answer] of Object.entries(answers)) {
      const rows = run.rows(nodeId(sinkOf(o, port))).flatMap(batchRows);
      const shown = linesOf(answer.final?.(rows) ?? rows, answer);
      expect({ o, port, rows: shown }).toEqual({ o, port, rows: linesOf(await answerOf(duck, answer.sql), answer) });
    }
    compared++;
  }
}

describe("DuckDB agrees", () => {
  test.each(FAMILIES)(
    "on %s",
    async (_, cases, runs) => {
      families++;
      await fuzzAsync(fc.asyncProperty(cases, compare), runs);
    },
    PATIENCE_MS,
  );

  test("on at least 2,000 random cases", ({ skip }) => {
    skip(families < FAMILIES.length, "not all families were run");
    expect(compared).toBeGreaterThanOrEqual(LEAST_CASES);
  });
});
