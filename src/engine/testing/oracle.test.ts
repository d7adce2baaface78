import type { DuckDBConnection } from "@duckdb/node-api";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nodeId } from "../base/ids.ts";
import { Lab } from "../execution/lab/lab.ts";
import { openDuck } from "./duckdb.ts";
import { fuzzAsync, patience } from "./fuzz.ts";
import { noFiles } from "./no-files.ts";
import { expectAnswers, FAMILIES } from "./oracle/families.ts";
import { documentOf, type OracleCase } from "./oracle/oracle-case.ts";
import { planned } from "./planned.ts";

/**
 * Operators in the lab against DuckDB, row for row: random rows, configs, parallelism, batches and watermarks. A failure prints its seed and path:
 * WEIR_SEED and WEIR_PATH run that one alone, WEIR_RUNS multiplies their number.
 */
const LEAST_CASES = 2000;
/** A family takes seconds; a machine with other work to do takes longer. */
const PATIENCE_MS = patience(300_000);

let duck: DuckDBConnection;
let compared = 0;
let families = 0;
beforeAll(async () => {
  duck = await openDuck();
});
afterAll(() => duck.closeSync());

async function compare(of: OracleCase): Promise<void> {
  const run = await Lab.create(planned(documentOf(of)).plan, { seed: of.seed, files: noFiles });
  expect(await run.run()).toEqual({ kind: "finished" });
  await expectAnswers(duck, of, (sink) => run.rows(nodeId(sink)));
  compared += of.operators.length;
}

describe("DuckDB agrees with the lab", () => {
  test.each(FAMILIES)(
    "on %s",
    async (_, cases, runs) => {
      families++;
      await fuzzAsync(fc.asyncProperty(cases, compare), runs, 0.8 * PATIENCE_MS);
    },
    PATIENCE_MS,
  );

  test("on at least 2,000 random cases", ({ skip }) => {
    skip(families < FAMILIES.length, "not all families were run");
    expect(compared).toBeGreaterThanOrEqual(LEAST_CASES);
  });
});
