import type { DuckDBConnection } from "@duckdb/node-api";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Batch } from "../data/batch.ts";
import { TurnMemory } from "../data/turn-memory.ts";
import { enableKernels } from "../data/wasm/kernel-heap.ts";
import type { CellValue } from "../testing/batch-values.ts";
import { answerOf, openDuck } from "../testing/duckdb.ts";
import { evaluateOver } from "../testing/evaluate.ts";
import { fuzzAsync } from "../testing/fuzz.ts";
import { KINDS, randomExpression, type Sql } from "../testing/random-expressions.ts";
import { batch, schema } from "../testing/stage-kit.ts";

/**
 * DuckDB gives the same answer to the same SQL over the same rows. With WEIR_RUNS more cases, with WEIR_SEED others are tried.
 */
const COLUMNS =
  "i int64, j int32, f float64, h float64, d decimal(14,2), s utf8, w utf8, o boolean, p boolean, t timestamp[us], g date";
const DUCK_COLUMNS =
  "i BIGINT, j INTEGER, f DOUBLE, h DOUBLE, d DECIMAL(14,2), s VARCHAR, w VARCHAR, o BOOLEAN, p BOOLEAN, t TIMESTAMP, g DATE";

const nullable = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { freq: 5 });

const ints = fc.oneof(
  fc.constantFrom("0", "1", "-1", "7", "100", "9007199254740993", "9223372036854775807", "-9223372036854775808"),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  fc.integer({ min: -200, max: 200 }).map(String),
);
const floats = fc.oneof(
  fc.constantFrom("NaN", "Infinity", "-Infinity", "-0.0", "0", "1.5", "-2.5", "1e300", "5e-324", "0.1"),
  fc.double({ noNaN: true }).map(String),
  fc.integer({ min: -8, max: 8 }).map((n) => String(n / 2)),
);
const decimals = fc.oneof(
  fc.constantFrom("0.00", "1.50", "-0.05", "999999999999.99", "-999999999999.99"),
  fc.integer({ min: -5000, max: 5000 }).map((n) => (n / 100).toFixed(2)),
);
const texts = fc.oneof(
  fc.constantFrom("", "a", "ä", "abc", "aäa", "Aä", " a ", "%", "_", "12", "-7", "日本", "😀a", "a\nb", "it's"),
  fc.string({ unit: fc.constantFrom("a", "b", "c", "A", "ä", "Ä", "😀", " ", "1"), maxLength: 6 }),
);
const times = fc.oneof(
  fc.constantFrom(
    "1970-01-01T00:00:00Z",
    "1969-12-31T23:59:59.999999Z",
    "2024-02-29T12:34:56.789012Z",
    "0001-01-01T00:00:00Z",
  ),
  fc
    .integer({ min: -3_000_000_000, max: 8_000_000_000 })
    .chain((second) =>
      fc
        .constantFrom("", ".5", ".000001")
        .map((rest) => new Date(second * 1000).toISOString().replace(".000Z", `${rest}Z`)),
    ),
);
const dates = fc.oneof(
  fc.constantFrom("1970-01-01", "1969-12-31", "2024-02-29", "2023-12-31", "0001-01-01"),
  fc.integer({ min: -100_000, max: 100_000 }).map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10)),
);

type Row = readonly (string | boolean | null)[];

const rows: fc.Arbitrary<Row[]> = fc.array(
  fc.tuple(
    nullable(ints),
    nullable(fc.oneof(fc.integer({ min: -50, max: 50 }), fc.constantFrom(2147483647, -2147483648)).map(String)),
    nullable(floats),
    nullable(floats),
    nullable(decimals),
    nullable(texts),
    nullable(fc.constantFrom("a", "abc", "ä", "")),
    nullable(fc.boolean()),
    nullable(fc.boolean()),
    nullable(times),
    nullable(dates),
  ),
  { minLength: 1, maxLength: 12 },
);

const inputOf = (given: readonly Row[]): Batch =>
  batch(
    schema(COLUMNS),
    given.map((row) =>
      row.map((value, c) => (c === 1 && value !== null ? Number(value) : value === "-0.0" ? -0 : value)),
    ),
  );

/** A literal of DuckDB; the columns give it its type. */
const literal = (value: string | boolean | null): string =>
  value === null
    ? "NULL"
    : typeof value === "boolean"
      ? String(value)
      : `'${value.replaceAll("'", "''").replace(/Z$/, "")}'`;

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await openDuck();
  // It takes TRY_CAST out of comparisons with constants.
  await connection.run("PRAGMA disable_optimizer");
  await connection.run(`CREATE TABLE input(n INTEGER, ${DUCK_COLUMNS})`);
});
afterEach(() => enableKernels(Number.POSITIVE_INFINITY));
afterAll(() => connection.closeSync());

/** The same by loops and by kernels. */
function valuesByBoth(input: Batch, text: string): { readonly by: string; readonly values: CellValue[] }[] {
  enableKernels(Number.POSITIVE_INFINITY);
  const byLoops = valuesOf(input, text);
  enableKernels(1);
  return [
    { by: "loops", values: byLoops },
    { by: "kernels", values: valuesOf(input, text, new TurnMemory()) },
  ];
}

/** Integers of any width as DuckDB computes them. */
function valuesOf(input: Batch, text: string, memory?: TurnMemory): CellValue[] {
  const { type, values } = evaluateOver(input, text, memory);
  return values.map((value) => (typeof value !== "number" ? value : /^u?int/.test(type) ? BigInt(value) : value + 0));
}

async function answersOf(given: readonly Row[], expressions: readonly Sql[]): Promise<CellValue[][]> {
  const values = given.map((row, n) => `(${[n, ...row.map(literal)].join(", ")})`);
  await connection.run("DELETE FROM input");
  await connection.run(`INSERT INTO input VALUES ${values.join(", ")}`);
  const query = `SELECT ${expressions.map(({ duck }) => duck).join(", ")} FROM input ORDER BY n`;
  return answerOf(connection, query);
}

async function compare(given: readonly Row[], expressions: readonly Sql[]): Promise<void> {
  const answers = await answersOf(given, expressions);
  const input = inputOf(given);
  expressions.forEach((expression, c) => {
    const expected = answers.map((row) => row[c] as CellValue);
    for (const { by, values } of valuesByBoth(input, expression.ours))
      expect([by, expression.ours, expression.duck, values]).toEqual([by, expression.ours, expression.duck, expected]);
  });
}

describe("DuckDB agrees, with loops and with kernels", () => {
  test.each(KINDS)("on random expressions of kind %s", async (kind) => {
    const expressions = fc.array(
      fc.integer({ min: 1, max: 3 }).chain((depth) => randomExpression(kind, depth)),
      {
        minLength: 8,
        maxLength: 8,
      },
    );
    await fuzzAsync(fc.asyncProperty(rows, expressions, compare), 12);
  });

  test("on exp, ln and power, but for the last place", async () => {
    const given = ["-3.5", "-1", "0", "0.5", "1", "2", "10.25", "100", null].map(
      (f): Row => [...[null, null, f, f === null ? null : "1.75"], ...[null, null, null, null, null, null, null]],
    );
    const expressions = ["exp(f)", "ln(abs(f) + 0.25e0)", "power(abs(f), h)", "power(f, 3)", "sqrt(abs(f))"];
    const answers = await answersOf(
      given,
      expressions.map((text) => ({ ours: text, duck: text.replace("0.25e0", "0.25::DOUBLE") })),
    );
    expressions.forEach((text, c) => {
      const values = evaluateOver(inputOf(given), text).values as (number | null)[];
      values.forEach((value, row) => {
        const expected = answers[row]?.[c] as number | null;
        if (value === null || expected === null) expect(value).toBe(expected);
        else
          expect(Math.abs(value - expected), `${text} ${value} ${expected}`).toBeLessThanOrEqual(
            4e-16 * Math.abs(expected),
          );
      });
    });
  });
});

/** What is decided otherwise here, each with what DuckDB says. */
const DIFFERENCES: readonly (readonly [why: string, ours: string, our: CellValue, duck: string, theirs: CellValue])[] =
  [
    ["`/` of integers stays among integers", "7 / 2", 3n, "7 / 2", 3.5],
    ["division by zero is a row error, not NULL in silence", "1 / 0", null, "1 // 0", null],
    [
      "the smallest integer has a remainder by -1",
      "-9223372036854775808 % -1",
      0n,
      "TRY((-9223372036854775808) % (-1)::BIGINT)",
      null,
    ],
    [
      "integers are computed in 64 bits, whatever their columns",
      "CAST(127 AS int8) + CAST(1 AS int8)",
      128n,
      "TRY(127::TINYINT + 1::TINYINT)",
      null,
    ],
    [
      "NaN equals nothing (D-26)",
      "CAST('NaN' AS float64) = CAST('NaN' AS float64)",
      false,
      "'NaN'::DOUBLE = 'NaN'::DOUBLE",
      true,
    ],
    ["NaN is not greater than anything (D-26)", "CAST('NaN' AS float64) > 1", false, "'NaN'::DOUBLE > 1", true],
    ["floats are IEEE: the root of a negative number is NaN", "sqrt(-1)", Number.NaN, "TRY(sqrt(-1))", null],
    ["floats are IEEE: ln(0) is -Infinity", "ln(0)", Number.NEGATIVE_INFINITY, "TRY(ln(0))", null],
    ["the sign of NaN is NaN", "sign(CAST('NaN' AS float64))", Number.NaN, "sign('NaN'::DOUBLE)::DOUBLE", 0],
    ["a text with a fraction is no integer", "TRY_CAST('1.5' AS int64)", null, "TRY_CAST('1.5' AS BIGINT)", 2n],
    ["nor is one of another notation", "TRY_CAST('0x10' AS int64)", null, "TRY_CAST('0x10' AS BIGINT)", 16n],
    [
      "a day has no 24:00",
      "TRY_CAST('2024-02-29 24:00:00' AS timestamp[us]) IS NULL",
      true,
      "TRY_CAST('2024-02-29 24:00:00' AS TIMESTAMP) IS NULL",
      false,
    ],
    [
      "milliseconds are rounded down",
      "epoch_ms(TIMESTAMP '1969-12-31 23:59:59.9999')",
      -1n,
      "epoch_ms(TIMESTAMP '1969-12-31 23:59:59.9999')",
      0n,
    ],
    [
      "a float becomes the decimal that its digits say",
      "CAST(1.005e0 AS decimal(5,2))",
      101n,
      "CAST(1.005::DOUBLE AS DECIMAL(5,2))",
      100n,
    ],
    ["floats are written with the fewest digits", "CAST(1e0 AS utf8)", "1", "CAST(1::DOUBLE AS VARCHAR)", "1.0"],
    [
      "times are written as ISO 8601",
      "CAST(TIMESTAMP '2024-06-01 12:00:00' AS utf8)",
      "2024-06-01T12:00:00.000000Z",
      "CAST(TIMESTAMP '2024-06-01 12:00:00' AS VARCHAR)",
      "2024-06-01 12:00:00",
    ],
    [
      "date_trunc of a date is a date",
      "date_trunc('month', DATE '2024-06-02')",
      19_875,
      "date_trunc('month', DATE '2024-06-02')",
      1_717_200_000_000_000n,
    ],
    ["an empty separator separates nothing", "split_part('abc', '', 1)", "abc", "split_part('abc', '', 1)", "a"],
    ["what has no simple capital stays", "upper('ß')", "ß", "upper('ß')", "ẞ"],
  ];

describe("where DuckDB differs, it is on purpose", () => {
  test.each(DIFFERENCES)("%s: %s", async (_, text, our, duck, theirs) => {
    const one: Row = [null, null, null, null, null, null, null, null, null, null, null];
    expect(evaluateOver(inputOf([one]), text).values[0]).toEqual(our);
    expect((await answersOf([one], [{ ours: text, duck }]))[0]?.[0]).toEqual(theirs);
  });
});
