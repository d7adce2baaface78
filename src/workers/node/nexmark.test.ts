import { readdirSync, readFileSync } from "node:fs";
import {
  BIGINT,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
  VARCHAR,
} from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PollResult } from "../../engine/core/stages.ts";
import type { Batch } from "../../engine/data/batch.ts";
import { type GraphDocument, Lab, nodeId, type Plan, parseDocument, ThreadsExecutor } from "../../engine/index.ts";
import { CATALOG, NEXMARK_STREAMS, type NexmarkSourceConfig, nexmarkSchema } from "../../engine/operators/catalog.ts";
import { nexmarkSource } from "../../engine/sources/nexmark-source.ts";
import { batchRows, type CellValue } from "../../engine/testing/batch-values.ts";
import { openDuck } from "../../engine/testing/duckdb.ts";
import { noFiles } from "../../engine/testing/no-files.ts";
import { planned } from "../../engine/testing/planned.ts";
import { context, RecordingOutput } from "../../engine/testing/stage-kit.ts";
import { cores, spawnHost } from "./spawn-host.ts";

/**
 * The Nexmark queries of `examples/nexmark`, as they are, against DuckDB on the same 100,000 events. The queries in SQL are those of the
 * benchmark, without the bounds that the graphs give to their joins. Times are milliseconds there, dates are days.
 */
const FOLDER = new URL("../../../examples/nexmark/", import.meta.url);
const EVENTS = 100_000;
const SECONDS = 60_000;

/** How rows come out: one for one, as a changelog of which the last of each key counts, or summed over windows by the clock. */
type Result =
  | { readonly kind: "rows" }
  | { readonly kind: "changelog"; readonly key: readonly number[] }
  | { readonly kind: "by the clock" };

interface Query {
  readonly sql: string;
  readonly result?: Result;
  /** Whether it runs on threads, too. */
  readonly threads?: boolean;
}

const WINNING = "FROM auction A JOIN bid B ON A.id = B.auction WHERE B.dateTime BETWEEN A.dateTime AND A.expires";
const DAY = "dateTime // 86400000";
/** An average as JavaScript writes it. */
const avg = (of: string): string => `regexp_replace(CAST(avg(${of}) AS VARCHAR), '\\.0$', '')`;
const RANGES = ["price < 10000", "price >= 10000 AND price < 1000000", "price >= 1000000"];
const byRange = (aggregate: string): string => RANGES.map((range) => `${aggregate} FILTER (WHERE ${range})`).join(", ");
const HOPS = `SELECT auction, count(*) AS num, w AS starttime, w + 10000 AS endtime FROM (
    SELECT auction, unnest(generate_series(dateTime // 2000 * 2000 - 8000, dateTime // 2000 * 2000, 2000)) AS w FROM bid)
  GROUP BY auction, w`;

const QUERIES: Readonly<Record<string, Query>> = {
  q0: { sql: "SELECT auction, bidder, price, dateTime, extra FROM bid" },
  q1: { sql: "SELECT auction, bidder, CAST(0.908 * price * 1000 AS BIGINT), dateTime, extra FROM bid" },
  q2: { sql: "SELECT auction, price FROM bid WHERE auction % 123 = 0" },
  q3: {
    sql: `SELECT P.name, P.city, P.state, A.id FROM auction A JOIN person P ON A.seller = P.id
      WHERE A.category = 10 AND P.state IN ('OR', 'ID', 'CA')`,
  },
  q4: {
    sql: `SELECT category, ${avg("final")} FROM (SELECT max(B.price) AS final, A.category ${WINNING} GROUP BY A.id, A.category)
      GROUP BY category`,
    result: { kind: "changelog", key: [0] },
  },
  q5: {
    sql: `WITH hops AS (${HOPS}) SELECT auction, num, starttime, endtime FROM hops
      WHERE num >= (SELECT max(num) FROM hops AS other WHERE other.endtime = hops.endtime)`,
  },
  q7: {
    sql: `SELECT B.auction, B.bidder, B.price, B.dateTime, B.extra FROM bid B
      JOIN (SELECT max(price) AS maxprice, dateTime // 10000 * 10000 + 10000 AS endtime FROM bid GROUP BY 2) B1
      ON B.price = B1.maxprice WHERE B.dateTime BETWEEN endtime - 10000 AND endtime`,
    threads: true,
  },
  q8: {
    sql: `SELECT DISTINCT P.id, P.name, P.dateTime // 10000 * 10000 FROM person P
      JOIN auction A ON P.id = A.seller AND P.dateTime // 10000 = A.dateTime // 10000`,
  },
  q9: {
    sql: `SELECT * EXCLUDE (rownum) FROM (
      SELECT A.*, B.auction, B.bidder, B.price, B.dateTime, B.extra,
        row_number() OVER (PARTITION BY A.id ORDER BY B.price DESC, B.dateTime) AS rownum ${WINNING}) WHERE rownum <= 1`,
  },
  q11: {
    sql: `SELECT bidder, min(t), max(t) + 10000, count(*) FROM (
      SELECT bidder, t, sum(fresh) OVER (PARTITION BY bidder ORDER BY t) AS session FROM (
        SELECT bidder, dateTime AS t,
          CASE WHEN dateTime - lag(dateTime) OVER (PARTITION BY bidder ORDER BY dateTime) <= 10000 THEN 0 ELSE 1 END AS fresh
        FROM bid)) GROUP BY bidder, session`,
  },
  q12: { sql: "SELECT bidder, count(*) FROM bid GROUP BY bidder", result: { kind: "by the clock" } },
  q16: {
    sql: `SELECT channel, ${DAY}, max(strftime(make_timestamp(dateTime * 1000), '%H:%M')), count(*), ${byRange("count(*)")},
      count(DISTINCT bidder), ${byRange("count(DISTINCT bidder)")},
      count(DISTINCT auction), ${byRange("count(DISTINCT auction)")} FROM bid GROUP BY channel, ${DAY}`,
    result: { kind: "changelog", key: [0, 1] },
  },
  q17: {
    sql: `SELECT auction, ${DAY}, count(*), ${byRange("count(*)")}, min(price), max(price), ${avg("price")}, sum(price)
      FROM bid GROUP BY auction, ${DAY}`,
    result: { kind: "changelog", key: [0, 1] },
    threads: true,
  },
  q18: {
    sql: `SELECT * EXCLUDE (n) FROM (
      SELECT *, row_number() OVER (PARTITION BY bidder, auction ORDER BY dateTime DESC) AS n FROM bid) WHERE n <= 1`,
  },
  q19: {
    sql: `SELECT * FROM (
      SELECT *, row_number() OVER (PARTITION BY auction ORDER BY price DESC, dateTime) AS n FROM bid) WHERE n <= 10`,
    result: { kind: "changelog", key: [0, 7] },
  },
  q20: {
    sql: `SELECT B.*, A.* EXCLUDE (id) FROM bid B JOIN auction A ON B.auction = A.id WHERE A.category = 10`,
  },
  q22: {
    sql: `SELECT auction, bidder, price, channel, split_part(url, '/', 4), split_part(url, '/', 5), split_part(url, '/', 6)
      FROM bid`,
  },
};

const names = Object.keys(QUERIES);

function documentOf(name: string): GraphDocument {
  const parsed = parseDocument(readFileSync(new URL(`${name}.json`, FOLDER), "utf8"));
  if (parsed.kind === "problems") throw new Error(JSON.stringify(parsed.problems));
  return parsed.document;
}

/** The tables `person`, `auction` and `bid`, out of one source that makes all of them. */
async function load(connection: DuckDBConnection): Promise<void> {
  const of = { ...documentOf("q0").nodes[0]?.config, stream: "all" };
  const config = CATALOG.get("source.nexmark")?.config.parse(of) as NexmarkSourceConfig;
  const outputs = Object.fromEntries(NEXMARK_STREAMS.map((stream) => [stream, nexmarkSchema(stream)]));
  for (const stream of NEXMARK_STREAMS) {
    const columns = nexmarkSchema(stream).fields.map(
      ({ name, type }) => `${name} ${type.kind === "utf8" ? "VARCHAR" : "BIGINT"}`,
    );
    await connection.run(`CREATE TABLE ${stream} (${columns.join(", ")})`);
  }
  const appenders = Object.fromEntries(
    await Promise.all(
      NEXMARK_STREAMS.map(async (stream) => [stream, await connection.createAppender(stream)] as const),
    ),
  );
  const source = nexmarkSource({ ...config, batchRows: 2048 }, context({ outputs }));
  class Loading extends RecordingOutput {
    override emit(batch: Batch, port = ""): void {
      const types = batch.schema.fields.map(({ type }): DuckDBType => (type.kind === "utf8" ? VARCHAR : BIGINT));
      appenders[port]?.appendDataChunk(chunkOf(batch, types));
    }
  }
  const output = new Loading();
  for (let result: PollResult = { kind: "again" }; result.kind !== "done"; ) result = source.poll(output);
  for (const appender of Object.values(appenders)) appender.closeSync();
}

function chunkOf(batch: Batch, types: DuckDBType[]): DuckDBDataChunk {
  const chunk = DuckDBDataChunk.create(types, batch.rowCount);
  chunk.setRows(batchRows(batch) as DuckDBValue[][]);
  return chunk;
}

const line = (row: readonly CellValue[]): string => row.join("|");

/** What counts of the rows that a graph sent, sorted. */
function outcome(rows: readonly CellValue[][], result: Result): string[] {
  switch (result.kind) {
    case "rows":
      return rows.map(line).sort();
    case "changelog": {
      const last = new Map(rows.map((row) => [line(result.key.map((at) => row[at] as CellValue)), row.slice(0, -1)]));
      return [...last.values()].map(line).sort();
    }
    case "by the clock": {
      const counts = new Map<CellValue, bigint>();
      for (const [key = null, , , count] of rows) counts.set(key, (counts.get(key) ?? 0n) + (count as bigint));
      return [...counts].map(line).sort();
    }
  }
}

/** In the lab without barriers, in large batches: snapshots of all this would be most of the work, and threads take them. */
function forLab({ settings, nodes, ...document }: GraphDocument): Plan {
  const larger = nodes.map((node) =>
    node.kind === "source.nexmark" ? { ...node, config: { ...node.config, batchRows: 16_384 } } : node,
  );
  return planned({ ...document, settings: { ...settings, barrierEveryMs: 0 }, nodes: larger }).plan;
}

async function inLab(plan: Plan): Promise<CellValue[][]> {
  const lab = await Lab.create(plan, { seed: 1, files: noFiles });
  expect(await lab.run()).toEqual({ kind: "finished" });
  return lab.rows(nodeId("result")).flatMap(batchRows);
}

async function onThreads(plan: Plan): Promise<CellValue[][]> {
  const executor = new ThreadsExecutor({ cores: cores(), spawn: spawnHost });
  const batches: Batch[] = [];
  const run = executor.start(plan, {
    files: { folder: ".", attached: {} },
    onRows: (_, batch) => void batches.push(batch),
  });
  expect(await run.outcome).toEqual({ kind: "finished" });
  return batches.flatMap(batchRows);
}

describe("Nexmark queries", () => {
  let connection: DuckDBConnection;
  const answers = new Map<string, string[]>();
  beforeAll(async () => {
    connection = await openDuck();
    await load(connection);
  }, SECONDS);
  afterAll(() => connection.closeSync());

  async function expected(name: string): Promise<string[]> {
    const known = answers.get(name);
    if (known !== undefined) return known;
    const sql = `SELECT concat_ws('|', *COLUMNS(*)) FROM (${QUERIES[name]?.sql})`;
    const [lines = []] = await (await connection.runAndReadAll(sql)).getColumns();
    const sorted = lines.map(String).sort();
    answers.set(name, sorted);
    return sorted;
  }

  /** The first difference, so that a failure is a line and not a hundred thousand. */
  async function compare(name: string, rows: readonly CellValue[][]): Promise<void> {
    const found = outcome(rows, QUERIES[name]?.result ?? { kind: "rows" });
    const wanted = await expected(name);
    const at = wanted.findIndex((row, i) => row !== found[i]);
    expect([found.length, found[at]]).toEqual([wanted.length, wanted[at]]);
    expect(wanted.length).toBeGreaterThan(0);
  }

  it("are all here, over 100,000 events at parallelism 2", () => {
    expect(
      readdirSync(FOLDER)
        .filter((file) => file.endsWith(".json"))
        .sort(),
    ).toEqual(names.map((name) => `${name}.json`).sort());
    for (const name of names) {
      for (const { kind, parallelism, config } of documentOf(name).nodes) {
        if (kind === "source.nexmark") expect([parallelism, config["events"]], name).toEqual([2, EVENTS]);
      }
    }
  });

  for (const name of names) {
    it(`${name} equals DuckDB row for row, in the lab`, { timeout: SECONDS }, async () => {
      await compare(name, await inLab(forLab(documentOf(name))));
    });
  }

  for (const name of names.filter((each) => QUERIES[each]?.threads)) {
    it(`${name} equals DuckDB row for row, on threads`, { timeout: SECONDS }, async () => {
      await compare(name, await onThreads(planned(documentOf(name)).plan));
    });
  }
});
