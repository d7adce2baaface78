import type { DuckDBConnection } from "@duckdb/node-api";
import fc from "fast-check";
import { afterAll, beforeAll, describe, test } from "vitest";
import { Prng } from "../base/prng.ts";
import { runThroughCrashes } from "./crashes.ts";
import { openDuck } from "./duckdb.ts";
import { fuzzAsync, patience } from "./fuzz.ts";
import { expectAnswers, FAMILIES } from "./oracle/families.ts";
import { documentOf, type OperatorCase, type OracleCase } from "./oracle/oracle-case.ts";

/** One in so many of the cases that the oracle has without crashes. */
const ONE_IN = 12;
const PATIENCE_MS = patience(120_000);

let duck: DuckDBConnection;
beforeAll(async () => {
  duck = await openDuck();
});
afterAll(() => duck.closeSync());

/** The same case with its operators at other parallelisms, where rows come in no order. */
function rescaled(of: OracleCase, prng: Prng): OracleCase {
  const operators = of.operators.map((each): OperatorCase => {
    const answers = Object.entries(each.answers).map(([port, answer]) => [port, { ...answer, ordered: false }]);
    return { ...each, parallelism: prng.int(1, 4), answers: Object.fromEntries(answers) };
  });
  return { ...of, operators };
}

async function compare(of: OracleCase): Promise<void> {
  const prng = Prng.fromSeed(of.seed).fork("parallelism");
  // Half of them go on as they were.
  const runs = [of, of, of].map((each) => (of.seed % 2 === 0 ? each : rescaled(each, prng)));
  const documents = (run: number) => documentOf(runs[run] as OracleCase);
  const rows = await runThroughCrashes(documents, { seed: of.seed, crashes: runs.length - 1 });
  await expectAnswers(duck, runs[0] as OracleCase, rows);
}

describe("a run that dies twice and goes on from its checkpoints, perhaps at other parallelisms, writes what DuckDB answers, exactly once", () => {
  test.each(FAMILIES)(
    "%s (D-7, D-10, D-14, P-04, P-06, P-19)",
    async (_, cases, runs) => {
      await fuzzAsync(fc.asyncProperty(cases, compare), Math.ceil(runs / ONE_IN), 0.8 * PATIENCE_MS);
    },
    PATIENCE_MS,
  );
});
