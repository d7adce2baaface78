import fc from "fast-check";
import { type OracleAggregate, someAggregates } from "./aggregates.ts";
import { duckKey, type OracleColumn, someColumns, someOf } from "./columns.ts";
import { type Answer, casesOf, lastOf, type OperatorCase, parallelism } from "./oracle-case.ts";
import { type Stream, streamOf } from "./stream.ts";

export interface Grid {
  readonly kind: "tumbling" | "sliding";
  readonly sizeMs: number;
  readonly slideMs: number;
  readonly offsetMs: number;
}

/** Tumbling and sliding windows, some with a slide that does not divide the size, at most eight a row. */
export const grids: fc.Arbitrary<Grid> = fc
  .record({
    sliding: fc.boolean(),
    a: fc.integer({ min: 1, max: 40 }),
    b: fc.integer({ min: 1, max: 40 }),
    offsetMs: fc.integer({ min: -20, max: 20 }),
  })
  .map(({ sliding, a, b, offsetMs }) => {
    const sizeMs = Math.max(a, b);
    if (!sliding) return { kind: "tumbling", sizeMs, slideMs: sizeMs, offsetMs };
    return { kind: "sliding", sizeMs, slideMs: Math.max(Math.min(a, b), Math.ceil(sizeMs / 8)), offsetMs };
  });

export const shapeOf = ({ kind, sizeMs, slideMs, offsetMs }: Grid): object =>
  kind === "tumbling" ? { kind, sizeMs, offsetMs } : { kind, sizeMs, slideMs, offsetMs };

/** Start of the last window that a row is in. */
export const lastStart = ({ slideMs, offsetMs }: Grid): string =>
  `(CAST(floor((ts - (${offsetMs})) / ${slideMs}) AS BIGINT) * ${slideMs} + (${offsetMs}))`;

/** `placed AS (…)`: a row of `input` for each of its windows that took it. */
export function placedIn(grid: Grid, open: string): string {
  const { sizeMs, slideMs } = grid;
  const starts = `SELECT input.*, ${lastStart(grid)} - k * ${slideMs} AS window_start FROM input, range(${Math.ceil(sizeMs / slideMs)}) steps(k)`;
  const ends = `SELECT *, window_start + ${sizeMs} AS window_end FROM (${starts})`;
  return `placed AS (SELECT * FROM (${ends}) WHERE window_end > ts AND (wm IS NULL OR ${open}))`;
}

/** `placed AS (…)`: rows with the session that they are in, of one key; sessions that touch are one (A-23, D-28). */
export function sessionsOf(keys: readonly OracleColumn[], gapMs: number): string {
  const by = keys.map(duckKey);
  const within = by.length === 0 ? "" : `PARTITION BY ${by.join(", ")}`;
  const begins = `CASE WHEN ts - lag(ts) OVER (${within} ORDER BY ts, n) <= ${gapMs} THEN 0 ELSE 1 END`;
  const given = `SELECT *, ${begins} AS begins FROM input WHERE ts IS NOT NULL`;
  const numbered = `SELECT *, sum(begins) OVER (${within} ORDER BY ts, n) AS session FROM (${given})`;
  const session = `PARTITION BY ${[...by, "session"].join(", ")}`;
  const bounds = `min(ts) OVER (${session}) AS window_start, max(ts) OVER (${session}) + ${gapMs} AS window_end`;
  return `placed AS (SELECT *, ${bounds} FROM (${numbered}))`;
}

interface Plan {
  readonly keys: readonly OracleColumn[];
  readonly aggregates: readonly OracleAggregate[];
  readonly parallelism: number;
}

const planOf = ({ columns }: Stream): fc.Arbitrary<Plan> =>
  fc.record({ keys: someOf(columns, 2), aggregates: someAggregates(columns), parallelism });

/** Results of the rows in `placed`, by (window_start, key) (D-29). */
function results(placed: string, { keys, aggregates }: Plan): string {
  const names = keys.map(duckKey);
  const by = [...names, "window_start", "window_end"];
  const order = ["window_start", ...names.map((name) => `${name} NULLS FIRST`)];
  const values = [...by, ...aggregates.map(({ sql }) => sql)].join(", ");
  return `WITH ${placed} SELECT ${values} FROM placed GROUP BY ${by.join(", ")} ORDER BY ${order.join(", ")}`;
}

/** Results of windows have the event time end − 1 (D-29). */
export const timesOf = (sql: string): string => `SELECT window_end - 1 AS happened FROM (${sql})`;

const windowCase = (plan: Plan, config: object, answers: OperatorCase["answers"]): OperatorCase => ({
  kind: "window",
  parallelism: plan.parallelism,
  config: {
    groupBy: plan.keys.map(({ name }) => name),
    aggregates: plan.aggregates.map((each) => each.config),
    ...config,
  },
  keys: { in: plan.keys },
  answers,
  times: timesOf(answers["out"]?.sql ?? ""),
});

/** What becomes of late rows; −1: they are dropped or routed. */
const lateness = fc.oneof(
  fc.constantFrom({ late: "drop", allowedLatenessMs: 0 }, { late: "route", allowedLatenessMs: 0 }),
  fc.record({ late: fc.constant("update"), allowedLatenessMs: fc.nat(30) }),
);

/** Columns of an input row as the engine has them. */
export const inputColumns = ({ columns }: Stream): string[] => ["moment", ...columns.map(({ name }) => name)];

export function gridWindow(stream: Stream): fc.Arbitrary<OperatorCase> {
  return fc.tuple(planOf(stream), grids, lateness).map(([plan, grid, { late, allowedLatenessMs }]) => {
    const config = { window: shapeOf(grid), late, allowedLatenessMs };
    if (late === "update") {
      const width = plan.keys.length + 1;
      const sql = results(placedIn(grid, `wm <= window_end + ${allowedLatenessMs}`), plan);
      return windowCase(plan, config, { out: { sql, final: lastOf((row) => row.slice(0, width), false, true) } });
    }
    const out: Answer = { sql: results(placedIn(grid, "wm < window_end"), plan), ordered: plan.parallelism === 1 };
    if (late === "drop") return windowCase(plan, config, { out });
    const behind = `ts IS NULL OR wm >= ${lastStart(grid)} + ${grid.sizeMs}`;
    const lateRows = { sql: `SELECT ${inputColumns(stream).join(", ")} FROM input WHERE ${behind}` };
    return windowCase(plan, config, { out, late: lateRows });
  });
}

export const sessionWindow = (stream: Stream): fc.Arbitrary<OperatorCase> =>
  fc.tuple(planOf(stream), fc.integer({ min: 1, max: 30 })).map(([plan, gapMs]) => {
    const sql = results(sessionsOf(plan.keys, gapMs), plan);
    return windowCase(plan, { window: { kind: "session", gapMs } }, { out: { sql } });
  });

/**
 * One stream of some columns. Where rows may come behind the watermark, half of the streams have such. A stream that is never idle is for what has a window behind it: tasks come
 * back from idleness one after the other, and what one has held may then be late behind another (F-21).
 */
export const oneStream = (kind: "late" | "in time" | "never idle"): fc.Arbitrary<readonly Stream[]> =>
  fc
    .tuple(someColumns, fc.boolean())
    .chain(([columns, some]) =>
      streamOf({ columns, late: some && kind === "late", alone: kind !== "never idle" }).map((stream) => [stream]),
    );

/** Tumbling and sliding windows, with rows behind the watermark and what becomes of them (D-20). */
export const gridWindows = casesOf(oneStream("late"), ([stream]) => gridWindow(stream as Stream));
export const sessionWindows = casesOf(oneStream("in time"), ([stream]) => sessionWindow(stream as Stream));
