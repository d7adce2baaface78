import { expect, test } from "vitest";
import { cellText, literalOf, literalText, valueOfText } from "./cell-values.ts";

test.each([
  ["12", "int64", 12],
  ["9007199254740993", "int64", 9007199254740993n],
  ["-9223372036854775808", "int64", -9223372036854775808n],
  ["007", "int64", "007"],
  ["1.5", "float64", 1.5],
  ["1.50", "decimal(5,2)", "1.50"],
  ["2024-01-01T00:00:00Z", "timestamp[ms]", "2024-01-01T00:00:00Z"],
  ["12", "utf8", "12"],
  ["true", "boolean", true],
  ["", "utf8", null],
  ["''", "utf8", ""],
])("%s typed into a cell of %s keeps every digit (P-02)", (text, type, value) => {
  expect(valueOfText(text, type)).toEqual(value);
});

test("a value is shown as it is typed", () => {
  expect([null, "", 9007199254740993n, 1.5, true, "a"].map(cellText)).toEqual([
    "",
    "''",
    "9007199254740993",
    "1.5",
    "true",
    "a",
  ]);
});

test.each([
  ["5", 5],
  ["-1.5e3", -1500],
  ["true", true],
  ["view", "view"],
  ['"5"', "5"],
  ['"true"', "true"],
  ["", ""],
  ["1a", "1a"],
])("a literal written as %s is what it looks like, and is shown as it is written", (text, value) => {
  expect(literalOf(text)).toBe(value);
  expect(literalOf(literalText(value))).toBe(value);
});
