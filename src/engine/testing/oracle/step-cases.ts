import fc from "fast-check";
import { KINDS, randomExpression } from "../random-expressions.ts";
import { COLUMNS, type OracleColumn } from "./columns.ts";
import { casesOf, type OperatorCase } from "./oracle-case.ts";
import { type Stream, streamOf } from "./stream.ts";
import { inputColumns } from "./window-cases.ts";

const named = (name: string, as = name): OracleColumn => ({
  ...(COLUMNS.find((column) => column.name === name) as OracleColumn),
  name: as,
});

/** Those that random expressions are of. */
const EXPRESSION_COLUMNS: readonly OracleColumn[] = [
  ...["i", "j", "f", "d", "s", "o", "t", "g"].map((name) => named(name)),
  named("f", "h"),
  named("s", "w"),
  named("o", "p"),
];

/** A row of which an expression fails has NULL there, as with TRY in DuckDB (D-25). */
const filterCase = (stream: Stream): fc.Arbitrary<OperatorCase> =>
  randomExpression("bool", 2).map(({ ours, duck }) => ({
    kind: "filter",
    parallelism: 1,
    config: { expression: ours, onError: "null" },
    keys: { in: [] },
    answers: { out: { sql: `SELECT ${inputColumns(stream).join(", ")} FROM input WHERE (${duck}) IS TRUE` } },
  }));

const deriveCase = (stream: Stream): fc.Arbitrary<OperatorCase> =>
  fc
    .array(
      fc.constantFrom(...KINDS).chain((kind) => randomExpression(kind, 2)),
      { minLength: 1, maxLength: 3 },
    )
    .map((expressions) => {
      const columns = expressions.map(({ ours }, c) => ({ name: `x${c}`, expression: ours }));
      const shown = [...inputColumns(stream), ...expressions.map(({ duck }) => duck)].join(", ");
      return {
        kind: "derive",
        parallelism: 1,
        config: { columns, onError: "null" },
        keys: { in: [] },
        answers: { out: { sql: `SELECT ${shown} FROM input` } },
      };
    });

const stream = streamOf({ columns: EXPRESSION_COLUMNS, late: true, maxRows: 12 }).map((each) => [each]);

/** Filters and derived columns by random expressions, over edges and in batches of any size. */
export const steps = casesOf(stream, ([of]) => fc.oneof(filterCase(of as Stream), deriveCase(of as Stream)));
