import fc from "fast-check";
import { COLUMNS, duckKey, type OracleColumn, someColumns } from "./columns.ts";
import { casesOf, type OperatorCase, parallelism } from "./oracle-case.ts";
import { BASES, type Stream, streamOf } from "./stream.ts";
import { inputColumns } from "./window-cases.ts";

/** Greatest time to live: streams may be late by it where the join says so. */
const TTL_MS = 10;

const named = (name: string): OracleColumn => COLUMNS.find((column) => column.name === name) as OracleColumn;

/** Columns whose values can be equal: of one type, or of two (P-29). */
const PAIRS: readonly (readonly [OracleColumn, OracleColumn])[] = [
  ...COLUMNS.map((column) => [column, column] as const),
  [named("i"), named("j")],
  [named("y"), named("i")],
  [named("u"), named("i")],
  [named("f"), named("r")],
  [named("d"), named("e")],
];

interface Sides {
  readonly streams: readonly Stream[];
  readonly pairs: readonly (readonly [OracleColumn, OracleColumn])[];
}

const unique = (columns: readonly OracleColumn[]): OracleColumn[] => [...new Set(columns)];

const TYPES = ["inner", "left", "right", "full"];
/** Those that send rows without a partner, and say no more of time than these allow. */
const OUTER = TYPES.slice(1);

/** Streams whose rows come up to so much behind the watermark. */
const sidesOf = (slack: fc.Arbitrary<number>): fc.Arbitrary<Sides> =>
  fc
    .tuple(
      fc.shuffledSubarray([...PAIRS], { minLength: 1, maxLength: 2 }),
      someColumns,
      someColumns,
      slack,
      fc.constantFrom(...BASES),
    )
    .chain(([drawn, left, right, slackMs, baseMs]) => {
      // A column is part of a key once.
      const pairs = drawn.filter(([a, b], p) => p === 0 || (a !== drawn[0]?.[0] && b !== drawn[0]?.[1]));
      const of = (name: string, side: 0 | 1, others: readonly OracleColumn[]): fc.Arbitrary<Stream> => {
        const columns = unique([...pairs.map((pair) => pair[side]), ...others.slice(0, 2)]);
        return streamOf({ name, columns, slackMs, baseMs, alone: false, maxRows: 11 });
      };
      return fc.tuple(of("l", 0, left), of("r", 1, right)).map((streams) => ({ streams, pairs }));
    });

function joinOf({ streams, pairs }: Sides, types: readonly string[]): fc.Arbitrary<OperatorCase> {
  const [left, right] = streams as [Stream, Stream];
  return fc
    .record({
      type: fc.constantFrom(...types),
      lowerMs: fc.integer({ min: -40, max: 15 }),
      spanMs: fc.integer({ min: 0, max: 50 }),
      tasks: parallelism,
    })
    .map(({ type, lowerMs, spanMs, tasks }): OperatorCase => {
      const upperMs = lowerMs + spanMs;
      const equal = pairs.map(([a, b]) => `${qualified("l", a)} = ${qualified("r", b)}`);
      const near = `r.ts >= l.ts + (${lowerMs}) AND r.ts <= l.ts + (${upperMs})`;
      const [key, ...more] = pairs;
      const text = key !== undefined && more.length === 0 && key[0].type === "utf8" && key[1].type === "utf8";
      const shown = [
        ...inputColumns(left).map((name) => `l.${name}`),
        ...inputColumns(right).map((name) => `r.${name}`),
        ...(text ? ["coalesce(l.s, r.s)"] : []),
      ];
      const timed = (name: string): string => `(SELECT * FROM ${name} WHERE ts IS NOT NULL) ${name}`;
      const pairsFound = `FROM ${timed("l")} ${type} JOIN ${timed("r")} ON ${[...equal, near].join(" AND ")}`;
      return {
        kind: "join.interval",
        parallelism: tasks,
        config: {
          leftKey: pairs.map(([a]) => a.name),
          rightKey: pairs.map(([, b]) => b.name),
          lowerMs,
          upperMs,
          type,
          ttlMs: TTL_MS,
        },
        keys: { left: pairs.map(([a]) => a), right: pairs.map(([, b]) => b) },
        answers: { out: { sql: `SELECT ${shown.join(", ")} ${pairsFound}` } },
        // The later of the two, or its own (D-29).
        times: `SELECT greatest(l.ts, r.ts) AS happened ${pairsFound}`,
      };
    });
}

const qualified = (table: string, column: OracleColumn): string =>
  duckKey({ ...column, name: `${table}.${column.name}` });

/** Joins of two streams, which have their own clocks; rows may come behind the watermark by the time to live. */
export const intervalJoins = sidesOf(fc.nat(TTL_MS)).chain((given) =>
  casesOf(fc.constant(given.streams), () => joinOf(given, TYPES)),
);

/**
 * Joins for what has a window behind it: an inner join forwards the time that it hears (D-29), so a late row of it is late for the window too; outer ones hold
 * time back.
 */
export const joinsWith = (behind: (join: OperatorCase) => fc.Arbitrary<OperatorCase>): ReturnType<typeof casesOf> =>
  fc
    .boolean()
    .chain((late) =>
      sidesOf(late ? fc.nat(TTL_MS) : fc.constant(0)).chain((given) =>
        casesOf(fc.constant(given.streams), () => joinOf(given, late ? OUTER : TYPES).chain(behind)),
      ),
    );
