import type { DuckDBConnection } from "@duckdb/node-api";
import fc from "fast-check";
import { afterAll, beforeAll, describe, test } from "vitest";
import { runThroughCrashes } from "./crashes.ts";
import { openDuck } from "./duckdb.ts";
import { fuzzAsync, patience } from "./fuzz.ts";
import { expectAnswers, FAMILIES } from "./oracle/families.ts";
import { documentOf, type OracleCase } from "./oracle/oracle-case.ts";

/** One in so many of the cases that the oracle has without crashes. */
const ONE_IN = 8;
const PATIENCE_MS = patience(120_000);

let duck: DuckDBConnection;
beforeAll(async () => {
  duck = await openDuck();
});
afterAll(() => duck.closeSync());

async function compare(of: OracleCase): Promise<void> {
  const rows = await runThroughCrashes(documentOf(of), { seed: of.seed, crashes: 2 });
  await expectAnswers(duck, of, rows);
}

describe("a run that dies twice and goes on from its checkpoints writes what DuckDB answers, exactly once", () => {
  test.each(FAMILIES)(
    "%s (D-7, D-14, P-04, P-06)",
    async (_, cases, runs) => {
      await fuzzAsync(fc.asyncProperty(cases, compare), Math.ceil(runs / ONE_IN), 0.8 * PATIENCE_MS);
    },
    PATIENCE_MS,
  );
});
