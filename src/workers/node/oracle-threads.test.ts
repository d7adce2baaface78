import type { DuckDBConnection } from "@duckdb/node-api";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Batch, ThreadsExecutor } from "../../engine/index.ts";
import { openDuck } from "../../engine/testing/duckdb.ts";
import { fuzzAsync, patience } from "../../engine/testing/fuzz.ts";
import { expectAnswers, FAMILIES } from "../../engine/testing/oracle/families.ts";
import { documentOf, type OracleCase } from "../../engine/testing/oracle/oracle-case.ts";
import { planned } from "../../engine/testing/planned.ts";
import { spawnHost } from "./spawn-host.ts";

/** The cases of the engine's oracle on worker threads, a few of each family; WEIR_RUNS multiplies their number. */
const RUNS = 2;
const HOSTS = 2;
const PATIENCE_MS = patience(120_000);

const executor = new ThreadsExecutor({ cores: HOSTS, spawn: spawnHost });
let duck: DuckDBConnection;
beforeAll(async () => {
  duck = await openDuck();
});
afterAll(() => {
  duck.closeSync();
  executor.release();
});

async function compare(of: OracleCase): Promise<void> {
  const shown = new Map<string, Batch[]>();
  const run = executor.start(planned(documentOf(of)).plan, {
    files: { folder: ".", attached: {} },
    onRows: (node, batch) => {
      shown.set(node, [...(shown.get(node) ?? []), batch]);
    },
    onNote: () => {},
  });
  expect(await run.outcome).toMatchObject({ kind: "finished" });
  await expectAnswers(duck, of, (sink) => shown.get(sink) ?? []);
}

describe("DuckDB agrees with worker threads", () => {
  test.each(FAMILIES)(
    "on %s",
    async (_, cases) => {
      await fuzzAsync(fc.asyncProperty(cases, compare), RUNS, 0.8 * PATIENCE_MS);
    },
    PATIENCE_MS,
  );
});
