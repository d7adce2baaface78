import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Batch } from "../data/batch.ts";
import { columnOfModel } from "../testing/arbitrary-batches.ts";
import { evaluateOver } from "../testing/evaluate.ts";
import { fuzz } from "../testing/fuzz.ts";
import { batch, schema } from "../testing/stage-kit.ts";

const MAX = 2n ** 63n - 1n;
const MIN = -(2n ** 63n);

const INTS = batch(schema("i int64, j int32, u uint64, k uint32, b int8"), [
  ["9007199254740993", 7, "18446744073709551615", 4294967295, -128],
  ["9223372036854775807", -7, 0, 0, 127],
  ["-9223372036854775808", 2, 1, 1, 0],
  [null, null, null, null, null],
]);

describe("integers are exact in 64 bits (P-02)", () => {
  test.each([
    ["i + 1", [9007199254740994n, null, MIN + 1n, null], [1]],
    ["i - 1", [9007199254740992n, MAX - 1n, null, null], [2]],
    ["i / 2", [4503599627370496n, 4611686018427387903n, -4611686018427387904n, null], []],
    ["i % 10", [3n, 7n, -8n, null], []],
    ["i * 3", [27021597764222979n, null, null, null], [1, 2]],
    ["-i", [-9007199254740993n, -MAX, null, null], [2]],
    ["abs(i)", [9007199254740993n, MAX, null, null], [2]],
    ["i / -1", [-9007199254740993n, -MAX, null, null], [2]],
    ["i % -1", [0n, 0n, 0n, null], []],
    ["j / 2", [3n, -3n, 1n, null], []],
    ["j % 2", [1n, -1n, 0n, null], []],
    ["b * b", [16384n, 16129n, 0n, null], []],
    ["k + k", [8589934590n, 0n, 2n, null], []],
    ["k - u", [null, 0n, 0n, null], [0]],
    ["sign(i)", [1n, 1n, -1n, null], []],
    ["round(i, -2)", [9007199254741000n, 9223372036854775800n, -9223372036854775800n, null], []],
    ["round(i, -1)", [9007199254740990n, null, null, null], [1, 2]],
    ["+i - 0", [9007199254740993n, MAX, MIN, null], []],
  ])("%s", (text, values, failed) => {
    expect(evaluateOver(INTS, text)).toMatchObject({ type: "int64", values, failed });
  });

  test.each([
    ["i > 1.5", [true, true, false, null]],
    ["i = 9007199254740992", [false, false, false, null]],
    ["i = 9007199254740993.0", [true, false, false, null]],
    ["i < 9223372036854775806.9", [true, false, true, null]],
    ["i > 9223372036854775808", [false, false, false, null]],
    ["i > u", [false, true, false, null]],
    ["u > 9223372036854775807", [true, false, false, null]],
    ["u = 18446744073709551615", [true, false, false, null]],
    ["u > -1", [true, true, true, null]],
    ["j = k", [false, false, false, null]],
    ["b < j", [true, false, true, null]],
    ["i in (9007199254740993, 5)", [true, false, false, null]],
    ["u in (18446744073709551615, 0)", [true, true, false, null]],
    ["greatest(i, u) = u", [true, false, true, null]],
    // Beside a float an integer is the nearest float64.
    ["i = 9007199254740992e0", [true, false, false, null]],
  ])("%s", (text, values) => {
    expect(evaluateOver(INTS, text)).toMatchObject({ type: "boolean", values, failed: [] });
  });

  test("a message says what was computed", () => {
    expect(evaluateOver(INTS, "i + j").message).toBe(undefined);
    expect(evaluateOver(INTS, "i - j").message).toBe("9223372036854775807 - -7 is beyond int64");
    expect(evaluateOver(INTS, "u + 1").message).toBe("18446744073709551615 is beyond int64");
  });

  test("literals have every digit, and the smallest int64 is one", () => {
    const one = (text: string) => evaluateOver(INTS, text);
    expect(one("-9223372036854775808")).toMatchObject({ type: "int64", values: [MIN, MIN, MIN, MIN] });
    expect(one("9223372036854775808").type).toBe("decimal(19,0)");
    expect(one("- -9223372036854775807").values[0]).toBe(MAX);
    expect(one("12345678901234567890.123456789")).toMatchObject({ type: "decimal(29,9)" });
    expect(one("1.50")).toMatchObject({ type: "decimal(3,2)", values: [150n, 150n, 150n, 150n] });
    expect(one(".5").type).toBe("decimal(1,1)");
    expect(one("1e3")).toMatchObject({ type: "float64", values: [1000, 1000, 1000, 1000] });
  });

  test("a literal takes the type that stands beside it, where it is a value of it", () => {
    const types = [
      ["coalesce(j, 0)", "int32"],
      ["coalesce(j, 3000000000)", "int64"],
      ["coalesce(b, 128)", "int64"],
      ["coalesce(u, 1)", "uint64"],
      ["coalesce(u, -1)", "decimal(20,0)"],
      ["coalesce(i, u)", "decimal(20,0)"],
      ["coalesce(j, k)", "int64"],
      ["case when j > 0 then 1 else 2.5 end", "decimal(20,1)"],
    ];
    for (const [text = "", type] of types) expect([text, evaluateOver(INTS, text).type]).toEqual([text, type]);
  });
});

describe("every sum, product and quotient is the one of BigInt", () => {
  const edge = fc.constantFrom(
    0n,
    1n,
    -1n,
    2n,
    10n,
    2n ** 31n,
    -(2n ** 31n),
    2n ** 32n,
    2n ** 53n,
    -(2n ** 53n) - 1n,
    MAX,
    MIN,
  );
  const long = fc.oneof(
    edge,
    fc.bigInt({ min: MIN, max: MAX }),
    fc.bigInt({ min: -100_000n, max: 100_000n }),
    fc.bigInt({ min: -(2n ** 34n), max: 2n ** 34n }),
  );
  const PAIR = schema("a int64, b int64");
  const pairs = fc.array(fc.tuple(long, long), { minLength: 1, maxLength: 12 });
  const fits = (value: bigint): bigint | null => (BigInt.asIntN(64, value) === value ? value : null);
  const OPERATORS: Record<string, (a: bigint, b: bigint) => bigint | null> = {
    "+": (a, b) => fits(a + b),
    "-": (a, b) => fits(a - b),
    "*": (a, b) => fits(a * b),
    "/": (a, b) => (b === 0n ? null : fits(a / b)),
    "%": (a, b) => (b === 0n ? null : a % b),
  };
  const longs = (values: readonly bigint[]) => columnOfModel(PAIR.fields[0]?.type as never, values);

  test.each(Object.keys(OPERATORS))("a %s b", (operator) => {
    fuzz(
      fc.property(pairs, (rows) => {
        const [left, right] = [rows.map(([a]) => a), rows.map(([, b]) => b)];
        const input = new Batch(PAIR, rows.length, [longs(left), longs(right)]);
        const expected = rows.map(([a, b]) => (OPERATORS[operator] as (a: bigint, b: bigint) => bigint | null)(a, b));
        const columns = evaluateOver(input, `a ${operator} b`);
        expect(columns.values).toEqual(expected);
        expect(columns.failed).toEqual(expected.flatMap((value, row) => (value === null ? [row] : [])));
        const [first] = rows as [[bigint, bigint]];
        const constants = evaluateOver(input, `(${first[0]}) ${operator} (${first[1]})`);
        expect(constants.values[0]).toBe(expected[0]);
        const mixed = evaluateOver(input, `a ${operator} (${first[1]})`);
        expect(mixed.values[0]).toBe(expected[0]);
      }),
      150,
    );
  });
});

const DECIMALS = batch(schema("d decimal(10,2), e decimal(38,10), f float64"), [
  ["12.34", "1234567890123456789012345678.9876543210", 0.1],
  ["-0.05", "-0.0000000001", -2.5],
  ["99999999.99", "9999999999999999999999999999.9999999999", 1e300],
  [null, null, null],
]);

describe("decimals are exact", () => {
  test.each([
    ["d + 0.001", "decimal(12,3)", [12341n, -49n, 99999999991n, null], []],
    ["d - d", "decimal(11,2)", [0n, 0n, 0n, null], []],
    ["d * d", "decimal(20,4)", [1522756n, 25n, 99999999980000000001n, null], []],
    ["d * 2", "decimal(11,2)", [2468n, -10n, 19999999998n, null], []],
    ["d % 0.1", "decimal(10,2)", [4n, -5n, 9n, null], []],
    ["d % 5", "decimal(10,2)", [234n, -5n, 499n, null], []],
    ["-d", "decimal(10,2)", [-1234n, 5n, -9999999999n, null], []],
    ["abs(d)", "decimal(10,2)", [1234n, 5n, 9999999999n, null], []],
    ["abs(e)", "decimal(38,10)", [12345678901234567890123456789876543210n, 1n, 10n ** 38n - 1n, null], []],
    ["-e", "decimal(38,10)", [-12345678901234567890123456789876543210n, 1n, 1n - 10n ** 38n, null], []],
    ["e + e", "decimal(38,10)", [24691357802469135780246913579753086420n, -2n, null, null], [2]],
    ["round(d, 1)", "decimal(10,1)", [123n, -1n, 1000000000n, null], []],
    ["round(d)", "decimal(9,0)", [12n, 0n, 100000000n, null], []],
    ["round(d, -1)", "decimal(9,0)", [10n, 0n, 100000000n, null], []],
    ["round(d, 5)", "decimal(10,2)", [1234n, -5n, 9999999999n, null], []],
    ["floor(d)", "decimal(9,0)", [12n, -1n, 99999999n, null], []],
    ["ceil(d)", "decimal(9,0)", [13n, 0n, 100000000n, null], []],
    ["round(e, 2)", "decimal(31,2)", [123456789012345678901234567899n, 0n, 10n ** 30n, null], []],
    ["sign(e)", "int64", [1n, -1n, 1n, null], []],
    ["d / 3", "float64", [4.113333333333333, -0.016666666666666666, 33333333.33, null], []],
    ["d * f", "float64", [1.234, 0.125, 9.999999999e307, null], []],
    ["cast(d as decimal(6,1))", "decimal(6,1)", [123n, -1n, null, null], [2]],
    ["cast(e as decimal(38,9))", "decimal(38,9)", [1234567890123456789012345678987654321n, 0n, 10n ** 37n, null], []],
    ["cast(d as int8)", "int8", [12, 0, null, null], [2]],
    ["cast(e as int64)", "int64", [null, 0n, null, null], [0, 2]],
    ["cast(f as decimal(5,1))", "decimal(5,1)", [1n, -25n, null, null], [2]],
    ["cast(d as float64)", "float64", [12.34, -0.05, 99999999.99, null], []],
    ["cast(e as float64)", "float64", [Number("1234567890123456789012345678.9876543210"), -1e-10, 1e28, null], []],
    ["d in (12.34, 5)", "boolean", [true, false, false, null], []],
    ["d = 12.340", "boolean", [true, false, false, null], []],
    ["e > d", "boolean", [true, true, true, null], []],
    ["d between -1 and 12.34", "boolean", [true, true, false, null], []],
    ["d > f", "boolean", [true, true, false, null], []],
    ["greatest(d, 0)", "decimal(10,2)", [1234n, 0n, 9999999999n, 0n], []],
  ])("%s", (text, type, values, failed) => {
    expect(evaluateOver(DECIMALS, text)).toEqual({
      type,
      values,
      failed,
      message: failed.length > 0 ? expect.any(String) : undefined,
    });
  });

  test("a product with more than 38 digits behind the point is refused, of more digits a row error", () => {
    expect(() => evaluateOver(DECIMALS, "e * e * e * e")).toThrow("the result has 40 digits behind the point");
    expect(evaluateOver(DECIMALS, "e * e")).toMatchObject({ type: "decimal(38,20)", failed: [0, 2] });
  });

  test("sums and products of random decimals are those of BigInt", () => {
    const [P, Q] = [schema("a decimal(18,3), b decimal(20,5)"), 10n ** 18n - 1n];
    const value = (most: bigint) => fc.oneof(fc.bigInt({ min: -most, max: most }), fc.bigInt({ min: -50n, max: 50n }));
    fuzz(
      fc.property(fc.array(fc.tuple(value(Q), value(100n * Q)), { minLength: 1, maxLength: 8 }), (rows) => {
        const column = (index: 0 | 1) =>
          columnOfModel(
            P.fields[index]?.type as never,
            rows.map((row) => row[index]),
          );
        const input = new Batch(P, rows.length, [column(0), column(1)]);
        const over = (text: string) => evaluateOver(input, text).values;
        expect(over("a + b")).toEqual(rows.map(([a, b]) => a * 100n + b));
        expect(over("a - b")).toEqual(rows.map(([a, b]) => a * 100n - b));
        expect(over("a * b")).toEqual(rows.map(([a, b]) => a * b));
        expect(over("a % b")).toEqual(rows.map(([a, b]) => (b === 0n ? null : (a * 100n) % b)));
        expect(over("a < b")).toEqual(rows.map(([a, b]) => a * 100n < b));
        expect(over("floor(a)")).toEqual(rows.map(([a]) => (a - (((a % 1000n) + 1000n) % 1000n)) / 1000n));
      }),
      150,
    );
  });
});

describe("numbers into one another", () => {
  const FLOATS = batch(schema("f float64, s float32"), [
    [2.5, 0.1],
    [-2.5, -1.5],
    [3.5, "Infinity"],
    ["9223372036854775807", "NaN"],
    ["-9223372036854775808", 16777217],
    ["NaN", 0],
    ["-Infinity", 1],
  ]);
  test.each([
    ["cast(f as int64)", [2n, -2n, 4n, null, MIN, null, null], [3, 5, 6]],
    ["cast(f as int8)", [2, -2, 4, null, null, null, null], [3, 4, 5, 6]],
    ["cast(f as uint64)", [2n, null, 4n, 2n ** 63n, null, null, null], [1, 4, 5, 6]],
    ["cast(f as float32)", [2.5, -2.5, 3.5, 2 ** 63, -(2 ** 63), Number.NaN, Number.NEGATIVE_INFINITY], []],
    [
      "cast(f * 1e30 as float32)",
      [2.5e30, -2.5e30, 3.5e30, null, null, Number.NaN, Number.NEGATIVE_INFINITY].map((x) =>
        x === null ? null : Math.fround(x),
      ),
      [3, 4],
    ],
    ["s + 0", [0.1, -1.5, Number.POSITIVE_INFINITY, Number.NaN, 16777217, 0, 1].map(Math.fround), []],
    ["s = 0.1", [false, false, false, false, false, false, false], []],
    ["s = cast(0.1 as float32)", [true, false, false, false, false, false, false], []],
    ["round(f)", [3, -3, 4, 2 ** 63, -(2 ** 63), Number.NaN, Number.NEGATIVE_INFINITY], []],
    ["floor(f)", [2, -3, 3, 2 ** 63, -(2 ** 63), Number.NaN, Number.NEGATIVE_INFINITY], []],
    ["ceil(f)", [3, -2, 4, 2 ** 63, -(2 ** 63), Number.NaN, Number.NEGATIVE_INFINITY], []],
    ["sign(f)", [1, -1, 1, 1, -1, Number.NaN, -1], []],
  ])("%s", (text, values, failed) => {
    expect(evaluateOver(FLOATS, text)).toMatchObject({ values, failed });
  });
});
