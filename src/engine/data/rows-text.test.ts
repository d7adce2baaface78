import { parse as parseCsv } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryBatch, arbitraryTypes } from "../testing/arbitrary-batches.ts";
import { dictionaryColumn, textColumn } from "../testing/sample-batches.ts";
import { Batch } from "./batch.ts";
import { csvHeader, csvOf } from "./csv-rows.ts";
import { type NdjsonOptions, ndjsonOf } from "./json-rows.ts";
import { batchFromRows, rowsOf } from "./row-codec.ts";
import { Schema } from "./schema.ts";
import { decodeUtf8 } from "./text.ts";
import { typeOf } from "./types.ts";

const batchOf = (type: string, ...values: unknown[]): Batch =>
  batchFromRows(
    new Schema([{ name: "v", type: typeOf(type), nullable: true }]),
    values.map((value) => [value]),
  );

const ndjson = (batch: Batch, options?: NdjsonOptions): string => decodeUtf8(ndjsonOf(batch, options));
const csv = (batch: Batch): string => decodeUtf8(csvOf(batch));

/** The text of the value in each line `{"v":…}`. */
const json = (type: string, ...values: unknown[]): string[] =>
  ndjson(batchOf(type, ...values))
    .split("\n")
    .slice(0, -1)
    .map((line) => line.slice('{"v":'.length, -1));

test.each([
  ["boolean", [true, false, null], ["true", "false", "null"]],
  ["int8", [-128, 0], ["-128", "0"]],
  [
    "int64",
    ["9007199254740993", "-9223372036854775808", "-1", "0"],
    ["9007199254740993", "-9223372036854775808", "-1", "0"],
  ],
  ["uint64", ["18446744073709551615", "9007199254740993"], ["18446744073709551615", "9007199254740993"]],
  ["uint32", [4294967295], ["4294967295"]],
  [
    "float64",
    [0.1, 5, -0, 1e21, 5e-324, "NaN", "Infinity", "-Infinity"],
    ["0.1", "5", "-0.0", "1e+21", "5e-324", '"NaN"', '"Infinity"', '"-Infinity"'],
  ],
  ["decimal(10,2)", ["1.5", "-0.01"], ['"1.50"', '"-0.01"']],
  ["date", ["2024-02-29", "-000001-01-01"], ['"2024-02-29"', '"-000001-01-01"']],
  ["timestamp[s]", [0], ['"1970-01-01T00:00:00Z"']],
  ["timestamp[us]", [-1], ['"1969-12-31T23:59:59.999999Z"']],
  ["binary", [Uint8Array.of(0, 255), ""], ['"AP8="', '""']],
  [
    "utf8",
    ["", "é😀", 'a "quote" \\ and \u0001\n\t\u007f', null],
    ['""', '"é😀"', '"a \\"quote\\" \\\\ and \\u0001\\n\\t\u007f"', "null"],
  ],
] as const)("NDJSON of %s says every digit (P-02)", (type, values, expected) => {
  expect(json(type, ...values)).toEqual(expected);
});

test("a line of NDJSON has the columns in schema order, whatever their names", () => {
  const names = ["b", "a", "1", "__proto__", 'quo"te', "ü"];
  const schema = new Schema(names.map((name) => ({ name, type: typeOf("int8"), nullable: true })));
  expect(ndjson(batchFromRows(schema, [[1, 2, 3, 4, 5, null]]))).toBe(
    '{"b":1,"a":2,"1":3,"__proto__":4,"quo\\"te":5,"ü":null}\n',
  );
});

test("columns named as bounds of windows are integers of milliseconds, floored, and no others", () => {
  const schema = new Schema(
    ["window_start", "at"].map((name) => ({ name, type: typeOf("timestamp[us]"), nullable: true })),
  );
  const batch = batchFromRows(schema, [
    [-1, 1500],
    [null, 0],
  ]);
  expect(ndjson(batch, { integerMs: new Set(["window_start"]) })).toBe(
    '{"window_start":-1,"at":"1970-01-01T00:00:00.001500Z"}\n{"window_start":null,"at":"1970-01-01T00:00:00.000000Z"}\n',
  );
});

test("every line is JSON and says what the row says, for every type, slice and encoding (D-44)", () => {
  fc.assert(
    fc.property(
      arbitraryTypes.chain((types) => arbitraryBatch(types)),
      ({ batch }) => {
        const lines = ndjson(batch).split("\n").slice(0, -1);
        const said = lines.map((line) => Object.values(JSON.parse(line) as Record<string, unknown>));
        const rows = rowsOf(batch).map((row) =>
          row.map((cell) => {
            if (typeof cell === "bigint") return Number(cell);
            if (typeof cell === "number" && !Number.isFinite(cell)) return String(cell);
            return cell instanceof Uint8Array ? Buffer.from(cell).toString("base64") : cell;
          }),
        );
        expect(said).toEqual(rows);
      },
    ),
  );
});

test("CSV tells NULL from empty text, and quotes only what must be quoted (D-40)", () => {
  expect(
    csv(batchOf("utf8", null, "", "plain", "a,b", 'say "hi"', "two\nlines", "two\r\nlines", "\ufeffmark", " x ")),
  ).toBe('\n""\nplain\n"a,b"\n"say ""hi"""\n"two\nlines"\n"two\r\nlines"\n"\ufeffmark"\n x \n');
  expect(csv(batchOf("float64", "NaN", null, -0))).toBe("NaN\n\n-0.0\n");
  expect(csv(batchOf("timestamp[ms]", 0))).toBe("1970-01-01T00:00:00.000Z\n");
  expect(decodeUtf8(csvOf(batchOf("utf8", "a;b", "a,b"), { delimiter: ";" }))).toBe('"a;b"\na,b\n');
});

test("the header of CSV is quoted like its text", () => {
  const schema = new Schema(["id", "a,x", 'quo"te'].map((name) => ({ name, type: typeOf("int8"), nullable: true })));
  expect(decodeUtf8(csvHeader(schema))).toBe('id,"a,x","quo""te"\n');
  expect(decodeUtf8(csvHeader(schema, { delimiter: "\t" }))).toBe('id\ta,x\t"quo""te"\n');
});

test("another reader of CSV reads the same text", () => {
  const texts = fc.array(fc.array(fc.string({ unit: "binary" }), { minLength: 2, maxLength: 2 }), { minLength: 1 });
  fc.assert(
    fc.property(texts, (rows) => {
      const schema = new Schema(["a", "b"].map((name) => ({ name, type: typeOf("utf8"), nullable: true })));
      const text = decodeUtf8(csvOf(batchFromRows(schema, rows)));
      const wellFormed = rows.map((row) => row.map((cell) => cell.toWellFormed()));
      expect(parseCsv(text, { relax_column_count: false, record_delimiter: "\n" })).toEqual(wellFormed);
    }),
  );
});

test("dictionary text is written as its words, NULL entries as NULL", () => {
  const batch = batchOf("utf8", null, null, null);
  const column = dictionaryColumn([2, 1, 0], textColumn(["a,b", null, "c"]));
  const coded = new Batch(batch.schema, 3, [column]);
  expect(ndjson(coded)).toBe('{"v":"c"}\n{"v":null}\n{"v":"a,b"}\n');
  expect(csv(coded)).toBe('c\n\n"a,b"\n');
});

test("batches without columns or rows", () => {
  expect(ndjson(batchFromRows(new Schema([]), [[], []]))).toBe("{}\n{}\n");
  expect(ndjson(batchOf("int8"))).toBe("");
  expect(csv(batchOf("int8"))).toBe("");
});
