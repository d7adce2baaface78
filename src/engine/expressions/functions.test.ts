import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Batch } from "../data/batch.ts";
import { hashRows } from "../data/kernels/hash.ts";
import { Schema } from "../data/schema.ts";
import { arbitraryBatch } from "../testing/arbitrary-batches.ts";
import type { CellValue } from "../testing/batch-values.ts";
import { evaluateOver } from "../testing/evaluate.ts";
import { fuzz } from "../testing/fuzz.ts";
import { batch, schema } from "../testing/stage-kit.ts";
import { EXPRESSION_FUNCTIONS, FUNCTIONS, functionOf } from "./functions.ts";

const ONE = batch(schema("x int64"), [[null]]);
const one = (text: string): CellValue => evaluateOver(ONE, text).values[0] as CellValue;

describe("every function", () => {
  test.each(EXPRESSION_FUNCTIONS.map((help) => [help.name, help] as const))("%s: its example is true", (_, help) => {
    const [text, result] = help.example.split(" → ") as [string, string];
    const value = one(`cast(${text} as utf8)`);
    expect(value).toBe(result === "NULL" ? null : result.replace(/^'(.*)'$/, "$1").replace("TRUE", "true"));
    expect(help.help).toMatch(/\.$/);
    expect(help.signature.startsWith(help.name)).toBe(true);
  });

  test("those of graph-format.md are there", () => {
    const named =
      "abs round floor ceil sqrt power ln exp sign mod greatest least lower upper trim substring length replace concat split_part starts_with regexp_replace regexp_like extract date_trunc to_timestamp epoch_ms hash coalesce nullif cast try_cast";
    const known = EXPRESSION_FUNCTIONS.map(({ name }) => name);
    expect(named.split(" ").filter((name) => !known.includes(name))).toEqual([]);
    expect(known).toEqual([...known].sort());
  });

  test("other engines' names are known", () => {
    for (const name of ["ceiling", "pow", "substr", "char_length", "regexp_matches", "ifnull"]) {
      expect(functionOf(name), name).toBeDefined();
      expect(FUNCTIONS.has(name)).toBe(false);
    }
  });
});

describe("numbers", () => {
  test.each<[string, CellValue]>([
    ["round(2.5e0)", 3],
    ["round(-2.5e0)", -3],
    ["round(0.49999999999999994e0)", 0],
    ["round(1234.567e0, 2)", 1234.57],
    ["round(1234.567e0, -2)", 1200],
    ["round(1e300, 20)", 1e300],
    ["round(15, -1)", 20n],
    ["round(-15, -1)", -20n],
    ["floor(-0.5e0)", -1],
    ["ceil(-0.5e0)", -0],
    ["sqrt(2)", Math.SQRT2],
    ["sqrt(-1)", Number.NaN],
    ["ln(0)", Number.NEGATIVE_INFINITY],
    ["ln(-1)", Number.NaN],
    ["exp(1)", Math.E],
    ["exp(1000)", Number.POSITIVE_INFINITY],
    ["power(2, 0.5e0)", Math.SQRT2],
    ["power(0, -1)", Number.POSITIVE_INFINITY],
    ["power(-2, 3)", -8],
    ["mod(-7.5, 2)", -15n],
    ["mod(7, -3)", 1n],
    ["greatest(1, 2.5, NULL)", 25n],
    ["least('b', 'a', NULL)", "a"],
    ["greatest(DATE '2024-01-01', DATE '2023-01-01')", 19723],
    ["abs(-1.5)", 15n],
    ["abs(-1.5e0)", 1.5],
  ])("%s", (text, value) => {
    expect(one(text)).toEqual(value);
  });
});

describe("text", () => {
  test.each<[string, CellValue]>([
    ["lower('ÄÖÜ ŁΣ İ😀 ᾈᾼ')", "äöü łσ i😀 ᾀᾳ"],
    ["upper('straße ﬁ äł ᾀᾗᾳῃῳ ᾈ')", "STRAßE ﬁ ÄŁ ᾈᾟᾼῌῼ ᾈ"],
    ["trim('\t x ')", "\t x"],
    ["trim('xyax', 'yx')", "a"],
    ["trim('éaé', 'é')", "a"],
    ["trim('', 'x')", ""],
    ["length('é😀e\u0301')", 4n],
    ["length(CAST('é😀' AS binary))", 6n],
    ["substring('hello', 2)", "ello"],
    ["substring('hello', 0, 3)", "he"],
    ["substring('hello', -3, 2)", "ll"],
    ["substring('hello', 4, 100)", "lo"],
    ["substring('hello', 2, -1)", "h"],
    ["substring('hello', -10, 7)", "he"],
    ["substring('äö😀ü', 3, 1)", "😀"],
    ["substring('abc', 9223372036854775807)", ""],
    ["substring('abc', -9223372036854775807, 9223372036854775807)", ""],
    ["replace('aaa', 'a', 'bb')", "bbbbbb"],
    ["replace('abcabc', 'bc', '')", "aa"],
    ["replace('abc', '', 'x')", "abc"],
    ["replace('ää', 'ä', 'ö')", "öö"],
    ["concat('a', NULL, 1.50, TRUE)", "a1.50true"],
    ["concat(NULL, NULL)", ""],
    ["'a' || NULL", null],
    ["1 || 'a' || 2.5", "1a2.5"],
    ["split_part('a,b,c', ',', 1)", "a"],
    ["split_part('a,b,c', ',', -1)", "c"],
    ["split_part('a,b,c', ',', 4)", ""],
    ["split_part('a,b,c', ',', 0)", ""],
    ["split_part('a--b', '--', 2)", "b"],
    ["split_part('abc', '', 1)", "abc"],
    ["starts_with('abc', '')", true],
    ["starts_with('ab', 'abc')", false],
    ["'abc' LIKE '%'", true],
    ["'' LIKE '%'", true],
    ["'' LIKE '_'", false],
    ["'a😀c' LIKE 'a_c'", true],
    ["'abc' LIKE 'A%'", false],
    ["'ÄBC' ILIKE 'ä%'", true],
    ["'a%c' LIKE 'a!%c' ESCAPE '!'", true],
    ["'abc' LIKE 'a!%c' ESCAPE '!'", false],
    ["'aXbXc' LIKE 'a%X%X_'", true],
    ["'mississippi' LIKE '%iss%ip%'", true],
    ["'mississippi' LIKE '%iss%ib%'", false],
    ["'a\nb' LIKE 'a_b'", true],
    ["'x' IN ('y', 'x')", true],
    ["'ä' < 'z'", false],
    ["'Z' < 'a'", true],
    ["'😀' > '\uffff'", true],
  ])("%s", (text, value) => {
    expect(one(text)).toEqual(value);
  });

  test("a pattern may be a column", () => {
    const rows = batch(schema("s utf8, p utf8"), [
      ["abc", "a%"],
      ["abc", "b%"],
      [null, "%"],
      ["abc", null],
      ["abc", "a!"],
    ]);
    expect(evaluateOver(rows, "s LIKE p").values).toEqual([true, false, null, null, false]);
    const escaped = evaluateOver(rows, "s LIKE p ESCAPE '!'");
    expect(escaped).toMatchObject({ failed: [4], message: "the pattern ends with its escape character" });
  });
});

describe("times are UTC", () => {
  test.each<[string, CellValue]>([
    ["DATE '2024-01-31' + INTERVAL '1' MONTH = TIMESTAMP '2024-02-29 00:00:00'", true],
    ["TIMESTAMP '2024-03-31 12:00:00' - INTERVAL '1' MONTH = TIMESTAMP '2024-02-29 12:00:00'", true],
    ["DATE '2024-02-29' - INTERVAL '1 year' = DATE '2023-02-28'", true],
    ["DATE '2024-01-31' + INTERVAL '1 month 1 day' = DATE '2024-03-01'", true],
    ["INTERVAL '1' DAY + DATE '2024-01-31' = DATE '2024-02-01'", true],
    ["DATE '2024-02-01' - 1", 19753],
    ["1 + DATE '1969-12-31'", 0],
    ["DATE '2024-03-01' - DATE '2024-02-01'", 29n],
    ["TIMESTAMP '2024-01-02' - TIMESTAMP '2024-01-01' = INTERVAL '24 hours'", true],
    ["2 * INTERVAL '90' MINUTE - INTERVAL '1' HOUR > INTERVAL '119' MINUTE", true],
    ["-INTERVAL '1' HOUR < INTERVAL '0' SECOND", true],
    ["TIMESTAMP '2024-06-01 14:00:00+02:00' = '2024-06-01T12:00:00Z'", true],
    ["TIMESTAMP '1969-12-31 23:59:59.999999' < '1970-01-01'", true],
    ["'2024-06-01' < TIMESTAMP '2024-06-01 00:00:00.000001'", true],
    ["CAST('2024-06-01T00:00:00.0001' AS timestamp[us]) > CAST('2024-06-01' AS timestamp[ns])", true],
    // Far beyond what nanoseconds can say, and still compared exactly.
    ["CAST('-200000-01-01T00:00:00Z' AS timestamp[ms]) < CAST('1700-01-01' AS timestamp[ns])", true],
    ["CAST('+200000-01-01' AS date) IS DISTINCT FROM CAST('1700-01-01' AS timestamp[ns])", true],
    ["CAST('1970-01-01T00:00:01' AS timestamp[s]) = CAST('1970-01-01T00:00:01.000000001' AS timestamp[ns])", false],
    ["epoch_ms(CAST('1969-12-31T23:59:59.9995' AS timestamp[us]))", -1n],
    ["epoch_ms(CAST('1970-01-01T00:00:00.001999' AS timestamp[us]))", 1n],
    ["epoch_ms(DATE '1970-01-02')", 86_400_000n],
    ["epoch_ms(INTERVAL '1.5' SECOND)", 1500n],
    ["epoch_ms(-1) = TIMESTAMP '1969-12-31 23:59:59.999'", true],
    ["to_timestamp(-1) = TIMESTAMP '1969-12-31 23:59:59'", true],
    ["to_timestamp(1.5) = TIMESTAMP '1970-01-01 00:00:01.5'", true],
    ["to_timestamp(5, 'ns')", 5n],
    ["to_timestamp('2024-06-01') = DATE '2024-06-01'", true],
    ["date_trunc('week', TIMESTAMP '2024-06-02 23:00:00') = DATE '2024-05-27'", true],
    ["date_trunc('quarter', DATE '2024-06-02') = DATE '2024-04-01'", true],
    ["date_trunc('hours', TIMESTAMP '1969-12-31 23:59:59') = TIMESTAMP '1969-12-31 23:00:00'", true],
    ["date_trunc('millisecond', TIMESTAMP '1969-12-31 23:59:59.123456') = TIMESTAMP '1969-12-31 23:59:59.123'", true],
    ["date_trunc('year', TIMESTAMP '1969-12-31 23:59:59') = DATE '1969-01-01'", true],
    ["extract(year FROM DATE '-0001-06-01')", -1n],
    ["extract(quarter FROM DATE '2024-06-01')", 2n],
    ["extract(week FROM DATE '2021-01-03')", 53n],
    ["extract(isoyear FROM DATE '2021-01-03')", 2020n],
    ["extract(dow FROM DATE '2024-06-02')", 0n],
    ["extract(isodow FROM DATE '2024-06-02')", 7n],
    ["extract(doy FROM DATE '2024-12-31')", 366n],
    ["extract(hour FROM TIMESTAMP '1969-12-31 23:59:59.25')", 23n],
    ["extract(second FROM TIMESTAMP '1969-12-31 23:59:59.25')", 59n],
    ["extract(milliseconds FROM TIMESTAMP '1969-12-31 23:59:59.25')", 59_250n],
    ["extract(microsecond FROM TIMESTAMP '1969-12-31 23:59:59.25')", 59_250_000n],
    ["extract(nanosecond FROM TIMESTAMP '1969-12-31 23:59:59.25')", 59_250_000_000n],
    ["extract(epoch FROM TIMESTAMP '1969-12-31 23:59:59.5')", -0.5],
    ["extract(epoch FROM DATE '1970-01-02')", 86_400],
    ["extract(epoch FROM INTERVAL '90' MINUTE)", 5400],
    ["CAST(TIMESTAMP '1969-12-31 23:59:59.999999' AS date)", -1],
    ["CAST(TIMESTAMP '1969-12-31 23:59:59.999999' AS timestamp[s])", -1n],
    ["CAST(DATE '2024-06-01' AS utf8)", "2024-06-01"],
    ["CAST(TIMESTAMP '2024-06-01 12:00:00.5' AS utf8)", "2024-06-01T12:00:00.500000Z"],
  ])("%s", (text, value) => {
    expect(one(text)).toEqual(value);
  });

  test.each([
    ["CAST('2500-01-01' AS date)::timestamp[ns]", "2500-01-01 is beyond timestamp[ns]"],
    ["CAST('2500-01-01' AS timestamp[s])::timestamp[ns]", "2500-01-01T00:00:00Z is beyond timestamp[ns]"],
    ["CAST('2262-04-11' AS timestamp[ns]) + INTERVAL '1' DAY", "9223286400000000000 + 86400000000000 is beyond int64"],
    [
      "CAST('2262-01-11' AS timestamp[ns]) + INTERVAL '6' MONTH",
      "2262-01-11T00:00:00.000000000Z and 6 months is beyond timestamp[ns]",
    ],
    ["CAST('2024-06-01T00:00:00.1' AS timestamp[s])", '"2024-06-01T00:00:00.1" is more precise than timestamp[s]'],
    ["CAST('2024-13-01' AS date)", '"2024-13-01" is beyond date'],
    ["CAST('+5881580-07-11' AS date) + 9", "+5881580-07-11 and 9 days is beyond date"],
    ["to_timestamp(1e300)", "1e+300 seconds are beyond timestamp[us]"],
    [
      "date_trunc('week', CAST('1677-09-21T00:12:44' AS timestamp[ns]))",
      "the week of 1677-09-21T00:12:44.000000000Z begins beyond timestamp[ns]",
    ],
  ])("%s is a row error", (text, message) => {
    expect(evaluateOver(ONE, text)).toMatchObject({ values: [null], failed: [0], message });
  });
});

describe("casts from and to text", () => {
  test.each<[string, CellValue]>([
    ["CAST(' 12 ' AS int8)", 12],
    ["CAST('+9223372036854775807' AS int64)", 9223372036854775807n],
    ["CAST('18446744073709551615' AS uint64)", 18446744073709551615n],
    ["CAST('1.5e3' AS float64)", 1500],
    ["CAST('-inf' AS float64)", Number.NEGATIVE_INFINITY],
    ["CAST('NaN' AS float32)", Number.NaN],
    ["CAST('.5' AS float64)", 0.5],
    ["CAST('-1.235' AS decimal(5,2))", -124n],
    ["CAST('1e2' AS decimal(5,2))", 10_000n],
    ["CAST('Yes' AS boolean)", true],
    ["CAST('0' AS boolean)", false],
    ["CAST('2024-06-01' AS timestamp[s])", 1_717_200_000n],
    ["CAST('abc' AS binary)", "616263"],
    ["CAST(CAST('é' AS binary) AS utf8)", "é"],
    ["CAST(-5 AS utf8)", "-5"],
    ["CAST(-9223372036854775808 AS utf8)", "-9223372036854775808"],
    ["CAST(CAST('18446744073709551615' AS uint64) AS utf8)", "18446744073709551615"],
    ["CAST(CAST('9007199254740993' AS uint64) AS utf8)", "9007199254740993"],
    ["CAST(0.10 AS utf8)", "0.10"],
    ["CAST(1e21 AS utf8)", "1e+21"],
    ["CAST(-0e0 AS utf8)", "-0.0"],
    ["CAST(TRUE AS utf8)", "true"],
    ["TRY_CAST('1.5' AS int64)", null],
    ["TRY_CAST('' AS int64)", null],
    ["TRY_CAST('1 2' AS float64)", null],
    ["TRY_CAST('0x10' AS float64)", null],
    ["TRY_CAST('128' AS int8)", null],
    ["TRY_CAST('-1' AS uint64)", null],
    ["TRY_CAST('1e400' AS float64)", null],
    ["TRY_CAST('1000' AS decimal(5,2))", null],
    ["TRY_CAST('maybe' AS boolean)", null],
    ["TRY_CAST('2024-02-30' AS date)", null],
    ["TRY_CAST(300 AS int8)", null],
    ["TRY_CAST(1.115e0 AS decimal(5,2))", 112n],
  ])("%s", (text, value) => {
    expect(one(text)).toEqual(value);
  });
});

test("hash is the hash of shuffles over the same columns (D-45)", () => {
  const types = schema("a int64, b utf8, c float64, d decimal(5,2), e boolean, f timestamp[us], g int8").fields.map(
    ({ type }) => type,
  );
  fuzz(
    fc.property(arbitraryBatch(types, 12), ({ batch: { rowCount, columns } }) => {
      const named = new Batch(
        new Schema(types.map((type, i) => ({ name: "abcdefg"[i] as string, type, nullable: true }))),
        rowCount,
        columns,
      );
      const hashes = new Uint32Array(rowCount);
      hashRows(columns, rowCount, hashes);
      expect(evaluateOver(named, "hash(a, b, c, d, e, f, g)").values).toEqual([...hashes].map(BigInt));
    }),
    60,
  );
});
