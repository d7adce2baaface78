import { describe, expect, test } from "vitest";
import { evaluateOver } from "../testing/evaluate.ts";
import { batch, schema } from "../testing/stage-kit.ts";

const T = true;
const F = false;
const N = null;

/** Every pair of truth values, and every single one in the first three rows. */
const PAIRS = batch(
  schema("a boolean, b boolean"),
  [T, F, N].flatMap((a) => [T, F, N].map((b) => [a, b])),
);

const values = (text: string) => evaluateOver(PAIRS, text).values;

describe("three-valued logic", () => {
  test.each<[string, (boolean | null)[]]>([
    // a:      T  T  T  F  F  F  N  N  N
    // b:      T  F  N  T  F  N  T  F  N
    ["a AND b", [T, F, N, F, F, F, N, F, N]],
    ["a OR b", [T, T, T, T, F, N, T, N, N]],
    ["NOT a", [F, F, F, T, T, T, N, N, N]],
    ["a = b", [T, F, N, F, T, N, N, N, N]],
    ["a <> b", [F, T, N, T, F, N, N, N, N]],
    ["a < b", [F, F, N, T, F, N, N, N, N]],
    ["a >= b", [T, T, N, F, T, N, N, N, N]],
    ["a IS DISTINCT FROM b", [F, T, T, T, F, T, T, T, F]],
    ["a IS NOT DISTINCT FROM b", [T, F, F, F, T, F, F, F, T]],
    ["a IS NULL", [F, F, F, F, F, F, T, T, T]],
    ["a IS NOT NULL", [T, T, T, T, T, T, F, F, F]],
    ["a IS TRUE", [T, T, T, F, F, F, F, F, F]],
    ["a IS NOT TRUE", [F, F, F, T, T, T, T, T, T]],
    ["a IS FALSE", [F, F, F, T, T, T, F, F, F]],
    ["a IS NOT FALSE", [T, T, T, F, F, F, T, T, T]],
    ["a AND NULL", [N, N, N, F, F, F, N, N, N]],
    ["NULL OR a", [T, T, T, N, N, N, N, N, N]],
    ["a AND b AND TRUE", [T, F, N, F, F, F, N, F, N]],
    ["FALSE OR a OR b OR NULL", [T, T, T, T, N, N, T, N, N]],
    ["NOT (a AND b) = (NOT a OR NOT b)", [T, T, N, T, T, T, N, T, N]],
    ["a IN (b, TRUE)", [T, T, T, F, T, N, N, N, N]],
    ["a IN (TRUE, NULL)", [T, T, T, N, N, N, N, N, N]],
    ["a NOT IN (TRUE, NULL)", [F, F, F, N, N, N, N, N, N]],
    ["a NOT IN (TRUE)", [F, F, F, T, T, T, N, N, N]],
    ["a BETWEEN b AND TRUE", [T, T, N, F, T, N, N, N, N]],
    ["a NOT BETWEEN TRUE AND b", [F, T, N, T, T, T, N, N, N]],
    ["CASE WHEN a THEN b ELSE NOT b END", [T, F, N, F, T, N, F, T, N]],
    ["CASE a WHEN b THEN TRUE END", [T, N, N, N, T, N, N, N, N]],
    ["COALESCE(a, b)", [T, T, T, F, F, F, T, F, N]],
    ["NULLIF(a, b)", [N, T, T, F, N, F, N, N, N]],
    ["CAST(a AS int8) = 1", [T, T, T, F, F, F, N, N, N]],
    ["a AND b IS NULL", [F, F, T, F, F, F, F, F, N]],
    ["GREATEST(a, b)", [T, T, T, T, F, F, T, F, N]],
    ["LEAST(a, b)", [T, F, T, F, F, F, T, F, N]],
  ])("%s", (text, expected) => {
    expect(values(text)).toEqual(expected);
  });

  test("constants are as three-valued as columns", () => {
    const words = ["TRUE", "FALSE", "CAST(NULL AS boolean)"];
    for (const operator of ["AND", "OR", "=", "<>", "<", "IS DISTINCT FROM"]) {
      const byColumns = values(`a ${operator} b`);
      const byConstants = words.flatMap((a) => words.map((b) => values(`${a} ${operator} ${b}`)[0]));
      expect(byConstants, operator).toEqual(byColumns);
      const byOne = words.flatMap((b, j) => [0, 1, 2].map((i) => values(`a ${operator} ${b}`)[3 * i + j]));
      expect(byOne, operator).toEqual([0, 1, 2].flatMap((j) => [0, 1, 2].map((i) => byColumns[3 * i + j])));
    }
  });

  test("bare NULL fits everywhere", () => {
    const texts = [
      "NULL IS NULL",
      "NULL = NULL",
      "NULL IN (NULL)",
      "NULL IS DISTINCT FROM NULL",
      "NOT NULL",
      "NULL AND NULL",
    ];
    expect(texts.map((text) => values(text)[0])).toEqual([T, N, N, F, N, N]);
    const single = batch(schema("i int32, s utf8, t timestamp[ms], f float64"), [[1, "a", 0, 0.5]]);
    const types = [
      ["i + NULL", "int64"],
      ["NULL + NULL", "int64"],
      ["f * NULL", "float64"],
      ["-NULL", "int64"],
      ["NULL || s", "utf8"],
      ["NULL || NULL", "utf8"],
      ["t + NULL", "timestamp[ms]"],
      ["COALESCE(NULL, i)", "int32"],
      ["CASE WHEN NULL THEN i END", "int32"],
      ["lower(NULL)", "utf8"],
      ["substring(s, NULL)", "utf8"],
      ["abs(NULL)", "int64"],
      ["round(NULL)", "int64"],
      ["NULLIF(NULL, i)", "int32"],
      ["extract(year FROM NULL)", "int64"],
      ["epoch_ms(NULL)", "int64"],
      ["GREATEST(NULL, f)", "float64"],
      ["i BETWEEN NULL AND 2", "boolean"],
      ["s LIKE NULL", "boolean"],
      ["CAST(NULL AS decimal(5,2))", "decimal(5,2)"],
    ];
    for (const [text = "", type] of types) expect([text, evaluateOver(single, text).type]).toEqual([text, type]);
  });
});

describe("NaN in conditions (D-26)", () => {
  const FLOATS = batch(schema("x float64, y float64"), [
    ["NaN", "NaN"],
    ["NaN", 1],
    [1, "NaN"],
    [-0, 0],
    ["Infinity", "NaN"],
  ]);
  test.each([
    ["x = y", [F, F, F, T, F]],
    ["x <> y", [T, T, T, F, T]],
    ["x < y", [F, F, F, F, F]],
    ["x <= y", [F, F, F, T, F]],
    ["x > y", [F, F, F, F, F]],
    ["x >= y", [F, F, F, T, F]],
    ["x BETWEEN y AND y", [F, F, F, T, F]],
    ["x IN (y, y)", [F, F, F, T, F]],
    ["x IN (CAST('NaN' AS float64), 5)", [F, F, F, F, F]],
    ["x IN (1, 0)", [F, F, T, T, F]],
    // Whether two values are of one group: all NaN are, and so are 0 and −0.
    ["x IS NOT DISTINCT FROM y", [T, F, F, T, F]],
    ["x IS DISTINCT FROM y", [F, T, T, F, T]],
  ])("%s", (text, expected) => {
    expect(evaluateOver(FLOATS, text).values).toEqual(expected);
  });

  test("greatest and least take the order of sorting, in which NaN is greatest", () => {
    expect(evaluateOver(FLOATS, "greatest(x, y)").values).toEqual([Number.NaN, Number.NaN, Number.NaN, -0, Number.NaN]);
    expect(evaluateOver(FLOATS, "least(x, y)").values).toEqual([Number.NaN, 1, 1, -0, Number.POSITIVE_INFINITY]);
  });
});
