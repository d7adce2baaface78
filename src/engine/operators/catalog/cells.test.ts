import { describe, expect, test } from "vitest";
import { typeOf } from "../../data/types.ts";
import { cellOf, Misfit } from "./cells.ts";

const cell = (type: string, value: unknown, nullable = false): unknown => {
  const result = cellOf(value, { name: "c", type: typeOf(type), nullable });
  return result instanceof Misfit ? `misfit: ${result.reason}` : result;
};

describe("an inline value becomes the cell that its column stores", () => {
  test.each<[string, unknown, unknown]>([
    ["boolean", true, true],
    ["int8", -128, -128],
    ["uint8", "255", 255],
    ["int32", 5n, 5],
    ["int64", 7, 7n],
    ["int64", "9007199254740993", 9007199254740993n],
    ["int64", -9223372036854775808n, -9223372036854775808n],
    ["uint64", "18446744073709551615", 18446744073709551615n],
    ["float64", 0.1, 0.1],
    ["float64", "1e3", 1000],
    ["float64", "-Infinity", Number.NEGATIVE_INFINITY],
    ["float64", "NaN", Number.NaN],
    ["decimal(10,2)", 1.5, 150n],
    ["decimal(10,2)", "-0.05", -5n],
    ["decimal(10,2)", "1.500", 150n],
    ["decimal(10,2)", 1e3, 100000n],
    ["decimal(38,20)", "123456789012345678.12345678901234567890", 12345678901234567812345678901234567890n],
    ["decimal(5,0)", "0e9999", 0n],
    ["utf8", "", ""],
    ["utf8", "😀", "😀"],
    ["binary", "AQID/w==", Uint8Array.of(1, 2, 3, 255)],
    ["date", "1969-12-31", -1],
    ["date", 3, 3],
    ["timestamp[ms]", "2024-02-29T12:00:00.5Z", 1709208000500n],
    ["timestamp[s]", "1969-12-31T23:59:59Z", -1n],
    ["timestamp[us]", "2024-01-01 00:00", 1704067200000000n],
    ["timestamp[ns]", "1970-01-01T02:00:00.000000001+02:00", 1n],
    ["timestamp[ms]", "1970-01-01T00:00:00-00:30", 1800000n],
    ["timestamp[us]", 12, 12n],
  ])("%s from %o", (type, value, expected) => {
    expect(cell(type, value)).toEqual(expected);
  });
});

describe("a value that says no value of the type exactly is a misfit, never a silent 0 (D-41)", () => {
  test.each<[string, unknown, string]>([
    ["boolean", "true", 'is boolean, and "true" is none'],
    ["int8", 128, "out of range"],
    ["uint32", -1, "out of range"],
    ["int64", 1.5, "is int64, and 1.5 is none"],
    ["int64", "9223372036854775808", "out of range"],
    ["int64", "", 'and "" is none'],
    ["float64", "1,5", 'and "1,5" is none'],
    ["float64", ".", 'and "." is none'],
    ["decimal(4,2)", "100", "too many digits"],
    ["decimal(4,2)", 0.125, "more than 2 decimal places"],
    ["utf8", 5, "is utf8, and 5 is none"],
    ["utf8", "a\ud800", "half of a surrogate pair is no character"],
    ["binary", "%", "give base64"],
    ["date", "2023-02-29", "is none"],
    ["timestamp[ms]", "2024-01-01T24:00:00Z", "is none"],
    ["timestamp[ms]", "2024-01-01T00:00:00.0001Z", "is none"],
    ["timestamp[ns]", "2300-01-01T00:00:00Z", "out of range"],
    ["utf8", null, "must not be NULL"],
  ])("%s from %o", (type, value, reason) => {
    expect(cell(type, value)).toEqual(expect.stringContaining(reason));
  });
});

test("NULL is a cell where the column may be NULL, and a field that is not there is NULL (D-41)", () => {
  expect(cell("int64", null, true)).toBeNull();
  expect(cell("int64", undefined, true)).toBeNull();
});
