import { describe, expect, it } from "vitest";
import type { WeirError } from "../base/errors.ts";
import type { ReadableFile } from "../base/files.ts";
import { bytesOfText } from "../testing/decode.ts";
import { readAll } from "../testing/read-all.ts";
import { batch, schema } from "../testing/stage-kit.ts";
import { ArrowEncoder } from "./arrow-writer.ts";
import { CSV_DEFAULTS, type CsvOptions } from "./csv.ts";
import { guessSchema } from "./guess.ts";
import { readableBytes } from "./memory-files.ts";
import { openReader } from "./open-reader.ts";

const guess = async (format: "csv" | "ndjson" | "arrow", text: string | Uint8Array, csv: Partial<CsvOptions> = {}) =>
  guessSchema(format, readableBytes("t", bytesOfText(text)), { csv: { ...CSV_DEFAULTS, ...csv }, timestampUnit: "ms" });

/** The type guessed for one csv column. */
const typeFor = async (...values: string[]): Promise<string> => {
  const of = await guess("csv", `v,end\n${values.map((value) => `${value},x\n`).join("")}`);
  return of.toString().replace(/^v (.*), end utf8$/, "$1");
};

const jsonType = async (...values: string[]): Promise<string> => {
  const of = await guess("ndjson", values.map((value) => `{"v":${value}}\n`).join(""));
  return of.toString().replace(/^v /, "");
};

describe("guessed csv columns (D-42)", () => {
  it.each([
    [["1", "-5", "0"], "int64"],
    [["9223372036854775807"], "int64"],
    [["9223372036854775808", "0"], "uint64"],
    [["-1", "9223372036854775808"], "decimal(38,0)"],
    [["1".repeat(39)], "utf8"],
    [["007", "8"], "utf8"],
    [["+49", "5"], "utf8"],
    [["-0", "1"], "float64"],
    [["1", ""], "int64"],
    [['""', "1"], "utf8"],
    [[" 1", "2"], "utf8"],
    [["1.5", "2", "-3e5"], "float64"],
    [["12.50", "3.99"], "float64"],
    [["0.30000000000000004"], "float64"],
    [["0.1000000000000000055511151231257827"], "decimal(38,34)"],
    [["1.5", "9007199254740993"], "decimal(38,1)"],
    [["1e400", "1"], "utf8"],
    [["NaN", "1.5", "-Infinity"], "float64"],
    [["NaN"], "utf8"],
    [["true", "FALSE", ""], "boolean"],
    [["true", "yes"], "utf8"],
    [["2024-01-31", "1969-12-31"], "date"],
    [["2024-02-30"], "utf8"],
    [["2024-01-31", "2024-01-31T10:00"], "timestamp[ms]"],
    [["2024-01-31 10:00:00.123456"], "timestamp[us]"],
    [["2024-01-31T10:00:00.123456789Z"], "timestamp[ns]"],
    [["2300-01-31T10:00:00.123456789Z"], "utf8"],
    [["2024-01-31T10:00:00.1234567891Z"], "utf8"],
    [["2024", "2025"], "int64"],
    [["", ""], "utf8"],
  ])("%j is %s", async (values, type) => {
    expect(await typeFor(...values)).toBe(type);
  });

  it("names come from the header, or are numbered without one", async () => {
    expect((await guess("csv", "\ufeffid,name\r\n1,a\r\n")).toString()).toBe("id int64, name utf8");
    expect((await guess("csv", "1,a\n2,b", { header: false })).toString()).toBe("column_1 int64, column_2 utf8");
    expect((await guess("csv", "a;b\n1;NA\n2;3\n", { delimiter: ";", nullText: "NA" })).toString()).toBe(
      "a int64, b int64",
    );
    expect((await guess("csv", "a,b")).toString()).toBe("a utf8, b utf8");
    await expect(guess("csv", "id,id\n1,2\n")).rejects.toMatchObject({ data: { code: "duplicate-columns" } });
    expect((await guess("csv", "id,id\n1,b\n", { duplicateNames: "rename" })).names).toEqual(["id", "id_2"]);
  });

  it("rows of another width, and a record that the sample cuts off, have no say", async () => {
    expect((await guess("csv", "a,b\n1,2\nx\ny,z,q\n3,4")).toString()).toBe("a int64, b int64");
    const cut = `a,b\n${"1,22222222\n".repeat(50_000)}`;
    expect((await guess("csv", cut)).toString()).toBe("a int64, b int64");
  });

  it("what does not fit behind the sample is a bad row with its place, not a lost digit", async () => {
    const text = `id,n\n${Array.from({ length: 1500 }, (_, i) => `${i},${i === 1400 ? "007x" : i}\n`).join("")}`;
    const of = await guess("csv", text);
    const reader = await openReader("csv", readableBytes("t", bytesOfText(text)), {
      schema: of,
      csv: CSV_DEFAULTS,
      extraFields: "refuse",
      timestampUnit: "ms",
      batchRows: 1000,
    });
    const all = await readAll(reader);
    expect(all.rows).toHaveLength(1499);
    expect(all.bad).toMatchObject([{ row: 1401, line: 1402, fields: ["n"], reason: '"007x" is no int64' }]);
  });
});

describe("guessed NDJSON columns (D-42)", () => {
  it.each([
    [["1", "null", "-5"], "int64"],
    [["9007199254740993"], "int64"],
    [["18446744073709551615"], "uint64"],
    [["123456789012345678901234567890"], "decimal(38,0)"],
    [["1.5", "2"], "float64"],
    [["1.5", "9007199254740993"], "decimal(38,1)"],
    [["1.5", '"NaN"'], "float64"],
    [["5", '"12345678901234567"'], "int64"],
    [["true", "false"], "boolean"],
    [['"1"', '"2"'], "utf8"],
    [['"2024-01-31"'], "date"],
    [['"2024-01-31T00:00:00Z"'], "timestamp[ms]"],
    [["null"], "utf8"],
  ])("%j is %s", async (values, type) => {
    expect(await jsonType(...values)).toBe(type);
  });

  it("takes fields as they come up, whatever their names, and passes over broken lines", async () => {
    const text = '{"b":1}\nnonsense\n\n[1]\n{"a":"x","__proto__":2,"b":3}\n{"constructor":true}';
    const of = await guess("ndjson", text);
    expect(of.toString()).toBe("b int64, a utf8, __proto__ int64, constructor boolean");
  });

  it.each([
    [["5", '"x"'], "numbers and text"],
    [["true", "1"], "true or false and numbers"],
    [["false", '"x"', "null"], "true or false and text"],
  ])("%j is refused, for any guess would lose one of them (D-42)", async (values, kinds) => {
    await expect(jsonType(...values)).rejects.toMatchObject({
      data: { code: "schema-needed", message: `the column "v" holds ${kinds}, of which no column type keeps all` },
    });
  });

  it("says what no column can hold", async () => {
    await expect(guess("ndjson", '{"a":{"b":1}}\n')).rejects.toMatchObject({
      data: {
        code: "nested-column",
        file: "t",
        message: 'the column "a" holds objects or arrays, which are no column type',
      },
    });
    await expect(guess("ndjson", `{"a":${"1".repeat(50)}}\n`)).rejects.toMatchObject({
      data: { code: "schema-needed" },
    });
  });
});

describe("files that tell no columns", () => {
  it.each([
    ["csv", "", "file-empty"],
    ["ndjson", "", "file-empty"],
    ["ndjson", "nonsense\n", "schema-needed"],
    ["arrow", "", "file-empty"],
    ["arrow", "a,b\n1,2\n", "wrong-format"],
    ["csv", "\x1f\x8b\x08\x00", "wrong-format"],
  ] as const)("%s %j is an error that names the file", async (format, text, code) => {
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    await expect(guess(format, bytes)).rejects.toMatchObject({ data: { code, file: "t" } });
  });

  it("a stream is not used up for guessing", async () => {
    const stream: ReadableFile = { ...readableBytes("standard input", bytesOfText("a\n1\n")), size: undefined };
    await expect(guessSchema("csv", stream, { csv: CSV_DEFAULTS, timestampUnit: "ms" })).rejects.toMatchObject({
      data: { code: "schema-needed", hint: "give a schema" },
    });
  });

  it("JSON that is not one object a line is told by what it is", async () => {
    const hintOf = (text: string) => guess("ndjson", text).catch((error: unknown) => (error as WeirError).data.hint);
    expect(await hintOf('[{"a":1},\n{"a":2}]')).toBe("it is a list: write its objects one a line");
    expect(await hintOf('{\n "a": 1\n}')).toBe("write each object on one line");
    await expect(guess("ndjson", `{"a":"${"x".repeat(4 << 20)}"}\n`)).rejects.toMatchObject({
      data: { code: "schema-needed", message: "the first line does not end within 4 MiB" },
    });
  });

  it("an Arrow file tells its columns itself", async () => {
    const of = schema("id int64 not null, name utf8");
    const encoder = new ArrowEncoder(of, "file");
    const bytes = Buffer.concat([encoder.start(), encoder.encode(batch(of, [[1, "a"]])), encoder.end()]);
    expect((await guess("arrow", new Uint8Array(bytes))).toString()).toBe(of.toString());
  });
});
