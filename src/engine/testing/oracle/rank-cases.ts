import fc from "fast-check";
import type { CellValue } from "../batch-values.ts";
import { duckKey, type OracleColumn, someOf } from "./columns.ts";
import { casesOf, lastOf, type OperatorCase, parallelism } from "./oracle-case.ts";
import type { Stream } from "./stream.ts";
import { grids, inputColumns, oneStream, placedIn, sessionsOf, shapeOf, timesOf } from "./window-cases.ts";

interface Plan {
  readonly keys: readonly OracleColumn[];
  readonly orderBy: readonly { readonly column: string; readonly desc: boolean; readonly nulls?: string }[];
  readonly n: number;
  readonly ties: "break" | "keep";
  readonly parallelism: number;
}

function planOf({ columns }: Stream): fc.Arbitrary<Plan> {
  const order = fc.record(
    {
      column: fc.constantFrom(...columns.map(({ name }) => name)),
      desc: fc.boolean(),
      nulls: fc.constantFrom("first", "last"),
    },
    { requiredKeys: ["column", "desc"] },
  );
  return fc.record({
    keys: someOf(columns, 2),
    orderBy: fc.array(order, { minLength: 1, maxLength: 2 }),
    n: fc.integer({ min: 1, max: 5 }),
    ties: fc.constantFrom("break", "keep"),
    parallelism,
  });
}

const BREAK_TIES = ["ts ASC NULLS LAST", "bytes"];

/** Text by bytes, NaN greatest; NULL is less than every value unless it says otherwise (D-26, D-27). */
function rankOver({ keys, orderBy, ties }: Plan, columns: readonly OracleColumn[], further: readonly string[]): string {
  const order = orderBy.map(({ column, desc, nulls }) => {
    const of = columns.find(({ name }) => name === column) as OracleColumn;
    return `${duckKey(of)} ${desc ? "DESC" : "ASC"} NULLS ${nulls ?? (desc ? "last" : "first")}`;
  });
  const by = [...further, ...keys.map(duckKey)];
  const partition = by.length === 0 ? "" : `PARTITION BY ${by.join(", ")}`;
  if (ties === "keep") return `rank() OVER (${partition} ORDER BY ${order.join(", ")})`;
  return `row_number() OVER (${partition} ORDER BY ${[...order, ...BREAK_TIES].join(", ")})`;
}

const rankCase = (
  { keys, orderBy, n, ties, parallelism: tasks }: Plan,
  config: object,
  out: OperatorCase["answers"][string],
) => ({
  kind: "rank",
  parallelism: tasks,
  config: { partitionBy: keys.map(({ name }) => name), orderBy, n, ties, ...config },
  keys: { in: keys },
  answers: { out },
  times: timesOf(out?.sql ?? ""),
});

/** The ranking of each window, by (window start, key, rank) where they fire in order, and of one rank as ties are broken. */
function windowed(stream: Stream, plan: Plan, placed: string): string {
  const { columns } = stream;
  const rank = `${rankOver(plan, columns, ["window_start"])} AS rank`;
  const shown = [...inputColumns(stream), "window_start", "window_end", "rank"].join(", ");
  const order = ["window_start", ...plan.keys.map((key) => `${duckKey(key)} NULLS FIRST`), "rank", ...BREAK_TIES];
  return `WITH ${placed} SELECT ${shown} FROM (SELECT *, ${rank} FROM placed) WHERE rank <= ${plan.n} ORDER BY ${order.join(", ")}`;
}

export const gridRank = (stream: Stream): fc.Arbitrary<OperatorCase> =>
  fc.tuple(planOf(stream), grids).map(([plan, grid]) => {
    const sql = windowed(stream, plan, placedIn(grid, "wm < window_end"));
    return rankCase(plan, { window: shapeOf(grid) }, { sql, ordered: plan.parallelism === 1 });
  });

export const sessionRank = (stream: Stream): fc.Arbitrary<OperatorCase> =>
  fc.tuple(planOf(stream), fc.integer({ min: 1, max: 30 })).map(([plan, gapMs]) => {
    const sql = windowed(stream, plan, sessionsOf(plan.keys, gapMs));
    return rankCase(plan, { window: { kind: "session", gapMs } }, { sql });
  });

/** Where each row of a changelog stands: its partition and its rank. */
const placeOf =
  ({ keys }: Plan, stream: Stream) =>
  (row: CellValue[]): CellValue[] => {
    const columns = inputColumns(stream);
    return [...keys.map(({ name }) => row[columns.indexOf(name)] as CellValue), row.at(-2) as CellValue];
  };

const runningRank = (stream: Stream): fc.Arbitrary<OperatorCase> =>
  planOf(stream).map((any) => {
    const plan: Plan = { ...any, ties: "break" };
    const rank = `${rankOver(plan, stream.columns, [])} AS rank`;
    const shown = [...inputColumns(stream), "rank"].join(", ");
    const sql = `SELECT ${shown} FROM (SELECT *, ${rank} FROM input) WHERE rank <= ${plan.n}`;
    return rankCase(plan, {}, { sql, final: lastOf(placeOf(plan, stream), "insert", "update") });
  });

export const gridRanks = casesOf(oneStream("late"), ([stream]) => gridRank(stream as Stream));
export const sessionRanks = casesOf(oneStream("in time"), ([stream]) => sessionRank(stream as Stream));
export const runningRanks = casesOf(oneStream("late"), ([stream]) => runningRank(stream as Stream));
