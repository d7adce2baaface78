import { describe, expect, test } from "vitest";
import { evaluateOver } from "../testing/evaluate.ts";
import { batch, schema } from "../testing/stage-kit.ts";

const N = null;

describe("row errors belong to the innermost call (D-25, P-40)", () => {
  const TEXTS = batch(schema("v utf8"), [["123"], ["foo"], [null], [""]]);

  test("coalesce(cast(v), -1) is 123, -1, -1, -1, and the two that failed are told", () => {
    const made = evaluateOver(TEXTS, "coalesce(cast(v AS int64), -1)");
    expect(made).toMatchObject({ values: [123n, -1n, -1n, -1n], failed: [1, 3], message: '"foo" is no int64' });
  });

  test("TRY_CAST is the same without an error", () => {
    expect(evaluateOver(TEXTS, "coalesce(try_cast(v AS int64), -1)")).toMatchObject({
      values: [123n, -1n, -1n, -1n],
      failed: [],
    });
  });

  test("a row in which two calls fail is one row error, told by the first", () => {
    const made = evaluateOver(TEXTS, "cast(v AS int64) / 0 + cast(v AS date)::utf8::int64");
    expect(made).toMatchObject({ values: [N, N, N, N], failed: [0, 1, 3], message: "123 / 0: division by zero" });
  });

  const DIVISIONS = batch(schema("a int64, b int64, x float64, y float64, d decimal(5,2), e decimal(5,2)"), [
    [1, 0, 1, 0, "1", "0"],
    [0, 0, 0, 0, "0", "0"],
    [N, 0, N, 0, N, "0"],
    [1, N, 1, N, "1", N],
    [7, 2, 7, 2, "7", "2"],
  ]);

  test.each([
    ["a / b", [N, N, N, N, 3n], [0, 1]],
    ["a % b", [N, N, N, N, 1n], [0, 1]],
    ["mod(a, b)", [N, N, N, N, 1n], [0, 1]],
    ["a / 0", [N, N, N, N, N], [0, 1, 3, 4]],
    ["1 / b", [N, N, N, N, 0n], [0, 1, 2]],
    ["1 / 0", [N, N, N, N, N], [0, 1, 2, 3, 4]],
    ["d / e", [N, N, N, N, 3.5], [0, 1]],
    ["d % e", [N, N, N, N, 100n], [0, 1]],
    ["d / 0", [N, N, N, N, N], [0, 1, 3, 4]],
    ["x / y", [Number.POSITIVE_INFINITY, Number.NaN, N, N, 3.5], []],
    ["x / 0", [Number.POSITIVE_INFINITY, Number.NaN, N, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY], []],
    ["-x / 0", [Number.NEGATIVE_INFINITY, Number.NaN, N, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY], []],
    ["x % y", [Number.NaN, Number.NaN, N, N, 1], []],
  ])("%s has one outcome whatever its operands are; a NULL operand wins", (text, values, failed) => {
    expect(evaluateOver(DIVISIONS, text)).toMatchObject({ values, failed });
  });

  test.each([
    "case when b = 0 or b is null then 0 else a / b end",
    "case b when 0 then 0 else coalesce(a / nullif(b, 0), 0) end",
    "case when b <> 0 and a / b > 0 then a / b else 0 end",
    "case when not (b = 0 or a / b = 0) then a / b else 0 end",
    "coalesce(case when b = 0 then 0 end, a / b, 0)",
    "case when b = 0 then 0 when a / b > 0 then a / b else 0 end",
    "case when false then 1 / 0 when b > 0 then a / b else 0 end",
    "coalesce(0, 1 / 0) + coalesce(a / nullif(b, 0), 0)",
    "case when b is null or b = 0 then 0 else case when a > 100 then 1 / 0 else a / b end end",
  ])("%s never fails: branches that are not taken are not asked", (text) => {
    expect(evaluateOver(DIVISIONS, text)).toMatchObject({ values: [0n, 0n, 0n, 0n, 3n], failed: [] });
  });

  test("AND and OR go from left to right: what is decided is not asked for", () => {
    expect(evaluateOver(DIVISIONS, "b <> 0 and a / b = 3").failed).toEqual([]);
    expect(evaluateOver(DIVISIONS, "a / b = 3 and b <> 0").failed).toEqual([0, 1]);
    expect(evaluateOver(DIVISIONS, "b = 0 or a / b = 3").failed).toEqual([]);
    // NULL decides nothing.
    expect(evaluateOver(DIVISIONS, "b is null and null and 1 / 0 = 1").failed).toEqual([3]);
    expect(evaluateOver(DIVISIONS, "b in (0, a / b, 3)").failed).toEqual([]);
  });

  test("an error in a branch that is taken counts, and gives NULL", () => {
    expect(evaluateOver(DIVISIONS, "case when a = 1 then a / b else 9 end")).toMatchObject({
      values: [N, 9n, 9n, N, 9n],
      failed: [0],
    });
  });

  test("errors are the same for dictionary-encoded text, once a word", () => {
    const many = batch(
      schema("v utf8"),
      Array.from({ length: 12 }, (_, i) => [["7", "x", null][i % 3]]),
    );
    const made = evaluateOver(many, "cast(v AS int32) + 1");
    expect(made.failed).toEqual([1, 4, 7, 10]);
    expect(made.values).toEqual(Array.from({ length: 12 }, (_, i) => (i % 3 === 0 ? 8n : null)));
  });
});
