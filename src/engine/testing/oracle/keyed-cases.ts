import fc from "fast-check";
import { someAggregates } from "./aggregates.ts";
import { duckKey, type OracleColumn, someColumns, someOf } from "./columns.ts";
import { casesOf, lastOf, type OperatorCase, parallelism } from "./oracle-case.ts";
import { type Stream, streamOf } from "./stream.ts";
import { inputColumns, oneStream } from "./window-cases.ts";

/** A running aggregate counts every row, whatever its time; its changelog comes to the result of a batch. */
const runningAggregate = (stream: Stream): fc.Arbitrary<OperatorCase> =>
  fc
    .record({ keys: someOf(stream.columns, 2), aggregates: someAggregates(stream.columns), tasks: parallelism })
    .map(({ keys, aggregates, tasks }) => {
      const by = keys.map(duckKey);
      const values = [...by, ...aggregates.map(({ sql }) => sql)].join(", ");
      // Without rows there is no group, not even that of all rows.
      const sql = `SELECT ${values} FROM input ${by.length === 0 ? "HAVING count(*) > 0" : `GROUP BY ${by.join(", ")}`}`;
      return {
        kind: "aggregate",
        parallelism: tasks,
        config: { groupBy: keys.map(({ name }) => name), aggregates: aggregates.map(({ config }) => config) },
        keys: { in: keys },
        answers: { out: { sql, final: lastOf((row) => row.slice(0, by.length), "insert", "update") } },
      };
    });

/** A key's rows begin anew with one that is so much later than the row that counts: the one before for the last, the first of the run for the first. */
function dedupeSql(
  stream: Stream,
  keys: readonly OracleColumn[],
  keep: "first" | "last",
  ttlMs: number | null,
  shown = inputColumns(stream).join(", "),
): string {
  const by = keys.map(duckKey).join(", ");
  const rows = "SELECT * FROM input WHERE ts IS NOT NULL AND (wm IS NULL OR ts >= wm)";
  const order = keep === "first" ? "ts, bytes" : "ts DESC, bytes";
  if (ttlMs === null)
    return `SELECT ${shown} FROM (${rows}) QUALIFY row_number() OVER (PARTITION BY ${by} ORDER BY ${order}) = 1`;
  if (keep === "last") {
    const next = `lead(ts) OVER (PARTITION BY ${by} ORDER BY ts)`;
    const ends = `SELECT * FROM (${rows}) QUALIFY row_number() OVER (PARTITION BY ${by}, ts ORDER BY bytes) = 1`;
    return `SELECT ${shown} FROM (${ends}) QUALIFY ${next} IS NULL OR ${next} > ts + ${ttlMs}`;
  }
  const placed = `SELECT *, dense_rank() OVER (ORDER BY ${by}) AS key_number, row_number() OVER (PARTITION BY ${by} ORDER BY ts, bytes) AS place FROM (${rows})`;
  const next = `SELECT o.key_number, min(o.place) FROM kept k JOIN ordered s ON s.key_number = k.key_number AND s.place = k.place JOIN ordered o ON o.key_number = k.key_number AND o.ts > s.ts + ${ttlMs} GROUP BY o.key_number`;
  const kept = `kept(key_number, place) AS (SELECT key_number, place FROM ordered WHERE place = 1 UNION ALL ${next})`;
  return `WITH RECURSIVE ordered AS (${placed}), ${kept} SELECT ${shown} FROM ordered JOIN kept USING (key_number, place)`;
}

export const dedupe = (stream: Stream): fc.Arbitrary<OperatorCase> =>
  fc
    .record({
      keys: fc.shuffledSubarray([...stream.columns], { minLength: 1, maxLength: 2 }),
      keep: fc.constantFrom("first" as const, "last" as const),
      ttlMs: fc.option(fc.integer({ min: 1, max: 40 })),
      tasks: parallelism,
    })
    .map(({ keys, keep, ttlMs, tasks }) => ({
      kind: "dedupe",
      parallelism: tasks,
      config: { keys: keys.map(({ name }) => name), keep, ttlMs },
      keys: { in: keys },
      answers: { out: { sql: dedupeSql(stream, keys, keep, ttlMs) } },
      times: dedupeSql(stream, keys, keep, ttlMs, "ts AS happened"),
    }));

/** Some streams have no event time at all. */
const anyStream: fc.Arbitrary<readonly Stream[]> = fc.oneof(
  { arbitrary: oneStream("late"), weight: 3 },
  {
    arbitrary: someColumns.chain((columns) => streamOf({ columns, timed: false }).map((stream) => [stream])),
    weight: 1,
  },
);

export const runningAggregates = casesOf(anyStream, ([stream]) => runningAggregate(stream as Stream));
export const dedupes = casesOf(oneStream("late"), ([stream]) => dedupe(stream as Stream));
