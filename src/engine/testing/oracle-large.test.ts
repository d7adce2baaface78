import type { DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nodeId } from "../base/ids.ts";
import type { Batch } from "../data/batch.ts";
import { encodeKeys } from "../data/key-encoding.ts";
import { Lab } from "../execution/lab/lab.ts";
import { batchRows } from "./batch-values.ts";
import { openDuck } from "./duckdb.ts";
import { noFiles } from "./no-files.ts";
import { COLUMNS, type OracleColumn } from "./oracle/columns.ts";
import { expectAnswers } from "./oracle/families.ts";
import { documentOf, lastOf, type OperatorCase } from "./oracle/oracle-case.ts";
import type { GraphNode, Stream } from "./oracle/stream.ts";
import { placedIn, sessionsOf } from "./oracle/window-cases.ts";
import { planned } from "./planned.ts";

/**
 * Every operator over so many rows and keys that state is cut down, keys are forgotten, and work goes on in parts; the rows are captured on their way and
 * given to DuckDB.
 */
const ROWS = 8000;
const PATIENCE_MS = 300_000;

const number = (name: string): OracleColumn => ({
  ...(COLUMNS.find(({ is }) => is === "number") as OracleColumn),
  name,
});
const USER = { ...(COLUMNS.find(({ name }) => name === "s") as OracleColumn), name: "usr" };
const VISIT = number("visit");
const SHOWN = "n, ts, usr, amount, visit";

function streamOf(batchRows: number, parallelism: number): Stream {
  const feed: GraphNode = {
    id: "feed",
    kind: "source.generator",
    parallelism,
    config: {
      fields: [
        { kind: "sequence", name: "n" },
        { kind: "timestamp", name: "ts", startMs: -3000, stepMs: 1 },
        { kind: "zipf", name: "usr", values: 3000, prefix: "u", nullFraction: 0.02 },
        { kind: "uniform", name: "amount", type: "int64", min: -1000, max: 1000, nullFraction: 0.1 },
      ],
      rows: ROWS,
      batchRows,
      seed: 11,
      disorder: { maxMs: 60, fraction: 0.4 },
      time: { column: "ts", watermark: { kind: "bounded", delayMs: 60 } },
    },
  };
  const visits: GraphNode = {
    id: "visits",
    kind: "derive",
    parallelism,
    config: { columns: [{ name: "visit", expression: "n / 7" }] },
  };
  const capture: GraphNode = { id: "rows", kind: "sink.table", parallelism: 1, config: { limit: 1_000_000 } };
  return {
    name: "input",
    columns: [],
    nodes: [feed, visits, capture],
    edges: [
      { from: "feed", to: "visits", route: { kind: "forward" } },
      { from: "visits", to: "rows", route: { kind: "rebalance" } },
    ],
    last: visits,
    sql: "SELECT * FROM given",
  };
}

const grid = { kind: "sliding", sizeMs: 500, slideMs: 50, offsetMs: 30 } as const;
const AGGREGATES = [
  { name: "rows", fn: "count" },
  { name: "total", fn: "sum", column: "amount" },
  { name: "users", fn: "count_distinct", column: "usr" },
  { name: "first", fn: "first", column: "amount" },
];
const RESULTS =
  "count(*), sum(amount), count(DISTINCT usr), first(amount ORDER BY ts, bytes) FILTER (WHERE amount IS NOT NULL)";
const ordered = "row_number() OVER (PARTITION BY window_start, usr ORDER BY amount DESC NULLS LAST, ts, bytes) AS rank";

function operatorsOf(parallelism: number): OperatorCase[] {
  const window = (keys: OracleColumn, shape: object, placed: string): OperatorCase => ({
    kind: "window",
    parallelism,
    config: { groupBy: [keys.name], window: shape, aggregates: AGGREGATES },
    keys: { in: [keys] },
    answers: {
      out: {
        sql: `WITH ${placed} SELECT ${keys.name}, window_start, window_end, ${RESULTS} FROM placed GROUP BY ALL`,
      },
    },
  });
  const rank = (shape: object, placed: string): OperatorCase => ({
    kind: "rank",
    parallelism,
    config: { partitionBy: ["usr"], orderBy: [{ column: "amount", desc: true }], n: 2, window: shape },
    keys: { in: [USER] },
    answers: {
      out: {
        sql: `WITH ${placed} SELECT ${SHOWN}, window_start, window_end, rank FROM (SELECT *, ${ordered} FROM placed) WHERE rank <= 2`,
      },
    },
  });
  const sessions = { kind: "session", gapMs: 40 };
  const first = `SELECT ${SHOWN} FROM input QUALIFY row_number() OVER (PARTITION BY visit ORDER BY ts, bytes) = 1`;
  return [
    window(VISIT, grid, placedIn(grid, "true")),
    window(USER, sessions, sessionsOf([USER], 40)),
    rank(
      { kind: "tumbling", sizeMs: 500 },
      placedIn({ ...grid, kind: "tumbling", sizeMs: 500, slideMs: 500, offsetMs: 0 }, "true"),
    ),
    rank(sessions, sessionsOf([USER], 40)),
    {
      kind: "dedupe",
      parallelism,
      config: { keys: ["visit"], ttlMs: 1000 },
      keys: { in: [VISIT] },
      answers: { out: { sql: first } },
    },
    {
      kind: "aggregate",
      parallelism,
      config: { groupBy: ["usr"], aggregates: AGGREGATES },
      keys: { in: [USER] },
      answers: {
        out: {
          sql: `SELECT usr, ${RESULTS} FROM input GROUP BY usr`,
          final: lastOf((row) => row.slice(0, 1), "insert", "update"),
        },
      },
    },
    ...["inner", "full"].map(
      (type): OperatorCase => ({
        kind: "join.interval",
        parallelism,
        config: { leftKey: ["visit"], rightKey: ["visit"], lowerMs: -3, upperMs: -1, type },
        keys: { left: [VISIT], right: [VISIT] },
        answers: {
          out: {
            sql: `SELECT l.n, l.ts, l.usr, l.amount, l.visit, r.n, r.ts, r.usr, r.amount, r.visit FROM input l ${type} JOIN input r ON l.visit = r.visit AND r.ts BETWEEN l.ts - 3 AND l.ts - 1`,
          },
        },
      }),
    ),
  ];
}

let duck: DuckDBConnection;
beforeAll(async () => {
  duck = await openDuck();
});
afterAll(() => duck.closeSync());

/** The captured rows as the table `given`. */
async function give(batches: readonly Batch[]): Promise<void> {
  await duck.run(
    "CREATE OR REPLACE TEMP TABLE given(n BIGINT, ts BIGINT, usr VARCHAR, amount BIGINT, visit BIGINT, wm BIGINT, bytes VARCHAR)",
  );
  const appender = await duck.createAppender("given");
  for (const batch of batches) {
    const { offsets, bytes } = encodeKeys(batch.columns, batch.rowCount);
    batchRows(batch).forEach(([n, ts, usr, amount, visit], row) => {
      for (const value of [n, ts]) appender.appendBigInt(value as bigint);
      if (usr === null) appender.appendNull();
      else appender.appendVarchar(usr as string);
      if (amount === null) appender.appendNull();
      else appender.appendBigInt(amount as bigint);
      appender.appendBigInt(visit as bigint);
      appender.appendNull();
      appender.appendVarchar(Buffer.from(bytes.subarray(offsets[row], offsets[row + 1])).toString("hex"));
      appender.endRow();
    });
  }
  appender.closeSync();
}

describe("DuckDB agrees on 8,000 rows and thousands of keys", () => {
  test.each([
    [1, ROWS],
    [4, 1000],
  ])(
    "at parallelism %i, in batches of %i (D-20, D-24, D-27, D-28, D-30)",
    async (parallelism, rowsABatch) => {
      const of = {
        streams: [streamOf(rowsABatch, parallelism)],
        operators: operatorsOf(parallelism),
        settings: { barrierEveryMs: 5, chaining: false },
        seed: 3,
      };
      const run = await Lab.create(planned(documentOf(of)).plan, { seed: of.seed, files: noFiles });
      expect(await run.run()).toEqual({ kind: "finished" });
      await give(run.rows(nodeId("rows")));
      await expectAnswers(duck, of, (sink) => run.rows(nodeId(sink)));
    },
    PATIENCE_MS,
  );
});
