import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Batch } from "../data/batch.ts";
import { sliceBatch } from "../data/kernels/slice.ts";
import { Schema } from "../data/schema.ts";
import { typeOf } from "../data/types.ts";
import { arbitraryBatch, columnOfModel, type ModelBatch, modelOf } from "../testing/arbitrary-batches.ts";
import type { CellValue } from "../testing/batch-values.ts";
import { evaluateOver } from "../testing/evaluate.ts";
import { fuzz } from "../testing/fuzz.ts";
import { checkExpression } from "./check-expression.ts";
import { createProgram } from "./program.ts";

/**
 * An expression is a function of the rows alone: of nothing in how they are stored (P-10, P-42, D-44) or cut into batches, and
 * of nothing that was computed before (E-3).
 */
const TYPES = {
  i: "int64",
  j: "int32",
  k: "uint32",
  u: "uint64",
  b: "int8",
  f: "float64",
  s: "float32",
  d: "decimal(10,2)",
  e: "decimal(38,4)",
  x: "utf8",
  y: "utf8",
  r: "binary",
  o: "boolean",
  p: "boolean",
  t: "timestamp[ms]",
  n: "timestamp[ns]",
  g: "date",
} as const;

const NAMES = Object.keys(TYPES);
const SCHEMA = new Schema(Object.entries(TYPES).map(([name, type]) => ({ name, type: typeOf(type), nullable: true })));

const EXPRESSIONS = [
  ...NAMES,
  "i + j * 2 - u",
  "i / j + k % 7",
  "-i",
  "abs(b) + sign(d)",
  "f * 2 + s / i",
  "d * e + i",
  "d / j",
  "e % 7",
  "round(e, 1) + floor(d)",
  "i < u OR j >= k AND NOT f = s",
  "d > f",
  "x < y",
  "x = 'a' OR y <> x",
  "x || y || i",
  "concat(x, o, t)",
  "upper(x) = lower(y)",
  "length(x) + length(r)",
  "substring(x, 2, j)",
  "trim(x)",
  "replace(x, 'a', y)",
  "split_part(x, 'l', j)",
  "starts_with(x, y)",
  "x LIKE 'a%' OR x ILIKE y",
  "regexp_like(x, '^.+l')",
  "regexp_replace(x, '[a-z]', '<\\0>', 'g')",
  "CAST(x AS int32)",
  "COALESCE(TRY_CAST(x AS float64), f)",
  "CAST(r AS utf8)",
  "CAST(i AS int8)",
  "CAST(f AS int64)",
  "CAST(e AS int32)",
  "CAST(f AS decimal(12,3))",
  "CAST(o AS int16) + CAST(j AS boolean)::int8",
  "CAST(t AS utf8) || g",
  "o AND p OR x IS NULL",
  "o IS DISTINCT FROM p",
  "f IS NOT DISTINCT FROM s",
  "x IS DISTINCT FROM y",
  "o IS TRUE AND p IS NOT FALSE",
  "CASE WHEN o THEN 'yes' WHEN p THEN x ELSE 'no' END",
  "CASE WHEN o THEN 'yes' WHEN p THEN 'perhaps' END",
  "CASE WHEN j <> 0 THEN i / j WHEN o THEN 1 / 0 ELSE -1 END",
  "CASE x WHEN 'a' THEN d WHEN y THEN e END",
  "COALESCE(x, y, 'z')",
  "COALESCE(i, j, 0)",
  "NULLIF(x, y)",
  "greatest(i, u, 5)",
  "least(x, y)",
  "greatest(f, s)",
  "x IN ('a', '', y)",
  "x IN ('a', 'é', NULL)",
  "i IN (0, 1, -1, 9223372036854775807)",
  "d NOT IN (1.5, 0, NULL)",
  "f IN (0, 1, 1e300)",
  "j BETWEEN b AND k",
  "t + INTERVAL '1' HOUR",
  "t - INTERVAL '1 month 2 days'",
  "epoch_ms(n - t)",
  "t < n OR g = t",
  "extract(hour FROM n) * 100 + extract(doy FROM t)",
  "extract(week FROM g)",
  "date_trunc('month', t)",
  "to_timestamp(i, 'us')",
  "epoch_ms(n)",
  "g + j",
  "hash(x, i, f, d, o)",
  "1 / 0",
  "'constant'",
  "CAST(NULL AS timestamp[s])",
].map((text) => [text] as const);

const types = SCHEMA.fields.map(({ type }) => type);
const models = arbitraryBatch(types, 12);

const named = ({ rowCount, columns, eventTimes }: Batch): Batch => new Batch(SCHEMA, rowCount, columns, eventTimes);

/** The same rows in columns that are stored plainly. */
function plain({ cells, batch }: ModelBatch): Batch {
  return new Batch(
    SCHEMA,
    batch.rowCount,
    cells.map((values, c) => columnOfModel(types[c] as (typeof types)[number], values)),
  );
}

function byRows(batch: Batch, text: string): { values: CellValue[]; failed: number[] } {
  const values: CellValue[] = [];
  const failed: number[] = [];
  for (let row = 0; row < batch.rowCount; row++) {
    const one = evaluateOver(sliceBatch(batch, row, row + 1), text);
    values.push(one.values[0] as CellValue);
    if (one.failed.length > 0) failed.push(row);
  }
  return { values, failed };
}

describe("the same values however rows are stored and cut", () => {
  test.each(EXPRESSIONS)("%s", (text) => {
    fuzz(
      fc.property(models, (model) => {
        const stored = evaluateOver(named(model.batch), text);
        const { values, failed } = stored;
        const straight = evaluateOver(plain(model), text);
        expect({ values, failed, message: stored.message }).toEqual({
          values: straight.values,
          failed: straight.failed,
          message: straight.message,
        });
        expect({ values, failed }).toEqual(byRows(named(model.batch), text));
      }),
      6,
    );
  });

  test("one program serves many batches, of which none sees another", () => {
    const nodes = EXPRESSIONS.map(([text]) => {
      const checked = checkExpression(text, SCHEMA);
      if (checked.kind === "faults") throw new Error(`${text}: ${checked.faults[0]?.message}`);
      return { text, ...checked };
    });
    const program = createProgram(nodes.map(({ node }) => node));
    fuzz(
      fc.property(fc.array(models, { minLength: 2, maxLength: 3 }), (batches) => {
        const results = batches.map((model) => {
          const batch = named(model.batch);
          program.evaluate(batch);
          const schema = new Schema(nodes.map(({ text, type }) => ({ name: text, type, nullable: true })));
          return new Batch(
            schema,
            batch.rowCount,
            nodes.map((_, i) => program.column(i)),
          );
        });
        // Read only now: a result is private memory, which no later batch may have touched.
        batches.forEach((model, b) => {
          const { cells } = modelOf(results[b] as Batch);
          nodes.forEach(({ text }, i) => {
            expect([text, cells[i]]).toEqual([text, evaluateOver(plain(model), text).values]);
          });
        });
      }),
      4,
    );
  });
});
