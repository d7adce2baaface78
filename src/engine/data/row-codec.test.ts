import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryBatch, arbitraryTypes } from "../testing/arbitrary-batches.ts";
import { batchFromRows, type RowValue, rowsOf } from "./row-codec.ts";
import { Schema } from "./schema.ts";
import { typeOf } from "./types.ts";

const schemaOf = (fields: Record<string, string>, nullable = true): Schema =>
  new Schema(Object.entries(fields).map(([name, type]) => ({ name, type: typeOf(type), nullable })));

const column = (type: string, ...values: unknown[]): unknown[] =>
  rowsOf(
    batchFromRows(
      schemaOf({ c: type }),
      values.map((value) => [value]),
    ),
  ).map(([cell]) => cell);

test("rows come out and go in again without any loss, for every type, slice and encoding (P-02)", () => {
  fc.assert(
    fc.property(
      arbitraryTypes.chain((types) => arbitraryBatch(types)),
      ({ batch }) => {
        const rows = rowsOf(batch);
        expect(rowsOf(batchFromRows(batch.schema, rows))).toEqual(rows);
        const objects = rows.map((row) => Object.fromEntries(row.map((cell, c) => [`c${c}`, cell])));
        expect(rowsOf(batchFromRows(batch.schema, objects))).toEqual(rows);
      },
    ),
  );
});

test("64-bit integers stay exact as number, bigint or text (P-02)", () => {
  expect(column("int64", "9007199254740993", 9007199254740992n, 5, "-9223372036854775808", null)).toEqual([
    9007199254740993n,
    9007199254740992n,
    5n,
    -9223372036854775808n,
    null,
  ]);
  expect(column("uint64", "18446744073709551615")).toEqual([18446744073709551615n]);
});

test("timestamps and dates may be ISO text or integers, and come out as ISO text of their precision", () => {
  expect(column("timestamp[ms]", "1969-12-31T23:59:59.999Z", -1, "-1", 0n)).toEqual([
    "1969-12-31T23:59:59.999Z",
    "1969-12-31T23:59:59.999Z",
    "1969-12-31T23:59:59.999Z",
    "1970-01-01T00:00:00.000Z",
  ]);
  expect(column("timestamp[ns]", "2023-03-01T18:44:27.000000001+01:00")).toEqual(["2023-03-01T17:44:27.000000001Z"]);
  expect(column("date", "2024-02-29", -1)).toEqual(["2024-02-29", "1969-12-31"]);
});

test("decimals are text with all digits of their scale", () => {
  expect(column("decimal(5,2)", "1.5", "-0.05", 3, 12n, 1.25, "1e2", "-999.99", ".5")).toEqual([
    "1.50",
    "-0.05",
    "3.00",
    "12.00",
    "1.25",
    "100.00",
    "-999.99",
    "0.50",
  ]);
  const long = "-12345678901234567890123456789012.345678";
  expect(column("decimal(38,6)", long, "99999999999999999999999999999999.999999")).toEqual([
    long,
    "99999999999999999999999999999999.999999",
  ]);
});

test("floats take NaN, the infinities and −0; binary takes bytes and base64", () => {
  expect(column("float64", Number.NaN, "NaN", "-Infinity", -0, "1e3")).toEqual([
    Number.NaN,
    Number.NaN,
    Number.NEGATIVE_INFINITY,
    -0,
    1000,
  ]);
  expect(column("binary", Uint8Array.of(0, 255), "AP8=", "")).toEqual([
    Uint8Array.of(0, 255),
    Uint8Array.of(0, 255),
    new Uint8Array(0),
  ]);
});

test.each([
  ["int8", 128],
  ["int8", 1.5],
  ["uint8", -1],
  ["int64", 2 ** 53],
  ["int64", "9223372036854775808"],
  ["int64", "1.0"],
  ["uint64", "-1"],
  ["int32", true],
  ["int32", ""],
  ["boolean", 1],
  ["boolean", "true"],
  ["float64", "abc"],
  ["float64", true],
  ["utf8", 5],
  ["binary", "no base64!"],
  ["date", "2023-02-29"],
  ["date", 1.5],
  ["timestamp[s]", "2023-03-01T00:00:00.5Z"],
  ["timestamp[ms]", 1.5],
  ["timestamp[ns]", "2300-01-01"],
  ["decimal(5,2)", "1.234"],
  ["decimal(5,2)", "1000"],
  ["decimal(5,2)", "1,5"],
  ["decimal(5,2)", true],
  ["utf8", { a: 1 }],
  ["utf8", [1]],
])("%s refuses %j, naming row and column, and rounds nothing (D-41)", (type, value) => {
  expect(() => batchFromRows(schemaOf({ good: "int8", bad: type }), [{}, { bad: value }])).toThrow(
    expect.objectContaining({
      data: expect.objectContaining({ code: "bad-row", row: 2, field: "bad", message: expect.stringContaining(type) }),
    }),
  );
});

test("a NULL in a not-null column, a column that does not exist and a row of another length are refused", () => {
  const schema = schemaOf({ id: "int32" }, false);
  const refusal = (rows: readonly RowValue[]) => {
    try {
      batchFromRows(schema, rows);
      return "accepted";
    } catch (error) {
      return (error as { data: unknown }).data;
    }
  };
  expect(refusal([{ id: 1 }, {}])).toMatchObject({ row: 2, field: "id", message: "NULL in a column that is not null" });
  expect(refusal([{ id: 1, idd: 2 }])).toMatchObject({ row: 1, field: "idd", message: "there is no such column" });
  expect(refusal([[1], [1, 2]])).toMatchObject({ row: 2, message: "the row has 2 values for 1 columns" });
});

test("a column named __proto__ or toString holds what its own rows say, and nothing inherited", () => {
  const schema = new Schema(["__proto__", "toString"].map((name) => ({ name, type: typeOf("int32"), nullable: true })));
  const rows = [JSON.parse('{"__proto__": 7}') as RowValue, JSON.parse('{"toString": 8}') as RowValue];
  expect(rowsOf(batchFromRows(schema, rows))).toEqual([
    [7, null],
    [null, 8],
  ]);
});

test("rows without columns are counted (D-44)", () => {
  expect(batchFromRows(new Schema([]), [[], {}, []]).rowCount).toBe(3);
});
