import { parse as csvParse } from "csv-parse/sync";
import fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { bytesOfText, type Decoded, type DecodeOptions, decodeCsv, reasons } from "../testing/decode.ts";
import { schema } from "../testing/stage-kit.ts";
import { CSV_DEFAULTS, CsvRecordReader, distinctNames, headerNames, slotsByName } from "./csv.ts";

const texts = (count: number) => schema(Array.from({ length: count }, (_, i) => `c${i} utf8`).join(", "));

/** Decodes the bytes whole, split at every position, and byte by byte, and expects one result. */
function decodeEveryWay(
  of: ReturnType<typeof schema>,
  text: string | Uint8Array,
  options: DecodeOptions = {},
): Decoded {
  const bytes = bytesOfText(text);
  const whole = decodeCsv(of, bytes, options);
  for (let cut = 0; cut <= bytes.length; cut++) {
    expect(decodeCsv(of, bytes, { ...options, cuts: [cut] }), `cut at ${cut}`).toEqual(whole);
  }
  const cuts = Array.from({ length: bytes.length }, (_, i) => i);
  expect(decodeCsv(of, bytes, { ...options, cuts }), "byte by byte").toEqual(whole);
  return whole;
}

describe("csv records (D-40, P-50)", () => {
  it("tracks quotes before line ends, in any mix of line ends, cut at every byte", () => {
    const decoded = decodeEveryWay(texts(2), '"1\n2","say ""hi"""\r\n3\r\n4,5,6\r\n\r\nä,"€\r\n😀"\ra,b\n');
    expect(decoded.rows).toEqual([
      ["1\n2", 'say "hi"'],
      ["ä", "€\r\n😀"],
      ["a", "b"],
    ]);
    expect(reasons(decoded)).toEqual(["3 : 1 field where 2 are expected", "4 : 3 fields where 2 are expected"]);
    expect(decoded.bad.map(({ row, text }) => [row, text])).toEqual([
      [2, "3"],
      [3, "4,5,6"],
    ]);
  });

  it("tells an unquoted empty field, which is NULL, from a quoted one, which is ''", () => {
    const decoded = decodeEveryWay(texts(3), ',"",x\n"",,\n');
    expect(decoded.rows).toEqual([
      [null, "", "x"],
      ["", null, null],
    ]);
  });

  it("has no ghost row behind the last line end, and loses no last row without one", () => {
    for (const end of ["", "\n", "\r\n", "\r"]) {
      expect(decodeEveryWay(texts(2), `a,b${end}`).rows).toEqual([["a", "b"]]);
      expect(decodeEveryWay(texts(2), `a,${end}`).rows).toEqual([["a", null]]);
      expect(decodeEveryWay(texts(1), `a${end}`).rows).toEqual([["a"]]);
    }
    expect(decodeCsv(texts(2), "").rows).toEqual([]);
  });

  it("passes over lines without a byte, except in files of one column, where they are NULL", () => {
    const decoded = decodeEveryWay(texts(2), "\n\na,b\r\n\r\n\rc,d\n\n");
    expect(decoded.rows).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
    expect(decoded.batches).toEqual([{ rows: 2, next: { records: 2, offset: 15, line: 8 } }]);
    expect(decodeEveryWay(texts(1), "a\n\nb\n").rows).toEqual([["a"], [null], ["b"]]);
  });

  it("refuses text behind a closing quote, and goes on with the next record", () => {
    const decoded = decodeEveryWay(texts(2), '"a"b,c\nd,e\n"f" ,g\n');
    expect(decoded.rows).toEqual([["d", "e"]]);
    expect(reasons(decoded)).toEqual(["1 : text behind a closing quote", "3 : text behind a closing quote"]);
  });

  it("takes a quote inside an unquoted field as it stands", () => {
    expect(decodeEveryWay(texts(2), 'a"b,c""d\n').rows).toEqual([['a"b', 'c""d']]);
  });

  it("names the line on which an unclosed quote opens", () => {
    const decoded = decodeEveryWay(texts(2), 'a,b\n"c\nd","e\nf\n');
    expect(decoded.rows).toEqual([["a", "b"]]);
    expect(reasons(decoded)).toEqual(["2 : the quote that opens on line 3 is not closed before the end of the file"]);
    expect(decoded.bad[0]?.text).toBe('"c\nd","e\nf\n');
  });

  it("follows the delimiter, the quote and the text for NULL that it is told", () => {
    const csv = { delimiter: ";", quote: "'", nullText: "NA" };
    const decoded = decodeEveryWay(texts(3), "a,b;NA;'NA'\n'it''s; \"x\"';;NAN\n", { csv });
    expect(decoded.rows).toEqual([
      ["a,b", null, "NA"],
      ['it\'s; "x"', null, "NAN"],
    ]);
    expect(decodeEveryWay(texts(2), "a\tb\n", { csv: { delimiter: "\t" } }).rows).toEqual([["a", "b"]]);
  });

  it("counts lines inside quotes as lines and records as rows", () => {
    const decoded = decodeEveryWay(schema("n int64, t utf8"), '1,"a\r\nb\rc\nd"\nx,y\n\n2,z\nq,"\n"\n');
    expect(decoded.bad.map(({ row, line, fields }) => ({ row, line, fields }))).toEqual([
      { row: 2, line: 5, fields: ["n"] },
      { row: 4, line: 8, fields: ["n"] },
    ]);
  });
});

describe("csv values", () => {
  it("reports every column at fault, and the reason of the first (D-41)", () => {
    const decoded = decodeCsv(schema("n int64 not null, t utf8, f float64"), "1,a,0.5\n,b,x\n2,,1e999\n");
    expect(decoded.rows).toEqual([[1n, "a", 0.5]]);
    expect(reasons(decoded)).toEqual([
      "2 n+f: NULL in a column that is not null",
      '3 f: "1e999" is out of range for float64',
    ]);
  });

  it("keeps a bad row among the others as NULLs with its text, where it is rescued (E-10)", () => {
    const decoded = decodeEveryWay(schema("n int64 not null, b boolean"), '1,true\nx,"a ""b"""\n3\n4,false\n', {
      rescueColumn: "_rescued",
    });
    expect(decoded.rows).toEqual([
      [1n, true, null],
      [null, null, 'x,"a ""b"""'],
      [null, null, "3"],
      [4n, false, null],
    ]);
    expect(decoded.bad).toHaveLength(2);
  });

  it("a bad row late in a batch leaves no trace in any column", () => {
    const of = schema("a int64, b utf8, c decimal(4) not null".replace("decimal(4)", "float64"));
    const lines = Array.from(
      { length: 100 },
      (_, i) => `${i % 3 === 0 ? "" : i},${i % 4 === 0 ? "" : `t${i}`},${i % 10 === 9 ? "?" : i}`,
    );
    const decoded = decodeCsv(of, lines.join("\n"));
    const expected = Array.from({ length: 100 }, (_, i) => [
      i % 3 === 0 ? null : BigInt(i),
      i % 4 === 0 ? null : `t${i}`,
      i,
    ]);
    expect(decoded.rows).toEqual(expected.filter((_, i) => i % 10 !== 9));
    expect(decoded.bad.map(({ row }) => row)).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
  });

  it("takes ASCII and other text alike, short and long, escaped or not", () => {
    const values = ["a", "ä".repeat(100), "x".repeat(1000), "€", "", '"', '"ü"'];
    const text = values.map((value) => `"${value.replaceAll('"', '""')}"\n`).join("");
    expect(decodeEveryWay(texts(1), text).rows).toEqual(values.map((value) => [value]));
  });
});

describe("csv batches and places (P-18, P-27)", () => {
  it.each([
    [7, [3, 3, 1]],
    [6, [3, 3]],
    [1, [1]],
    [0, []],
  ])("%i records in batches of 3 lose none", (records, sizes) => {
    const text = Array.from({ length: records }, (_, i) => `${i}\n`).join("");
    const decoded = decodeEveryWay(schema("n int64"), text, { batchRows: 3 });
    expect(decoded.batches.map(({ rows }) => rows)).toEqual(sizes);
    expect(decoded.rows).toEqual(Array.from({ length: records }, (_, i) => [BigInt(i)]));
  });

  it("goes on at the place of any batch as if it had read everything before", () => {
    const of = schema("n int64, t utf8");
    const text = Array.from({ length: 21 }, (_, i) => (i % 5 === 4 ? `bad\r\n` : `${i},"line\n${i}, ""ü"""\r\n`)).join(
      "\n",
    );
    const bytes = bytesOfText(text);
    const whole = decodeCsv(of, bytes, { batchRows: 4 });
    expect(whole.batches.map(({ next }) => next.records)).toEqual([4, 8, 12, 16, 20, 21]);
    let rows = 0;
    for (const { rows: count, next } of whole.batches) {
      rows += count;
      const rest = decodeCsv(of, bytes.slice(next.offset), { batchRows: 4, start: next });
      expect(rest.rows).toEqual(whole.rows.slice(rows));
      expect(rest.bad).toEqual(whole.bad.filter(({ row }) => row > next.records));
    }
  });

  it("a batch of wide records is cut so that its fields stay within bounds", () => {
    const width = 3000;
    const line = `${",".repeat(width - 1)}\n`;
    const decoded = decodeCsv(texts(width), line.repeat(400), { batchRows: 100_000 });
    expect(decoded.batches.map(({ rows }) => rows)).toEqual([349, 51]);
  });

  it("a batch ends with the record that brings it to 4 MiB", () => {
    const line = `${"x".repeat((1 << 20) - 1)}\n`;
    const decoded = decodeCsv(texts(1), line.repeat(9), { cuts: [1000, 5_000_000] });
    expect(decoded.batches.map(({ rows }) => rows)).toEqual([4, 4, 1]);
  });

  it("an unclosed quote in a large file is an error with its line, not all the memory there is", () => {
    const bytes = bytesOfText(`a\n"${"x".repeat(1 << 20)}`.concat("y".repeat(68 << 20)));
    const cuts = Array.from({ length: 68 }, (_, i) => (i + 1) << 20);
    expect(() => decodeCsv(texts(1), bytes, { cuts })).toThrow(
      expect.objectContaining({ data: expect.objectContaining({ code: "record-too-large", line: 2 }) }),
    );
  });
});

describe("csv headers (D-43)", () => {
  const header = (text: string, csv = CSV_DEFAULTS) => {
    const record = new CsvRecordReader(bytesOfText(text), csv, true).next();
    if (record === undefined) throw new Error("no record");
    return headerNames(record, csv, "orders.csv");
  };

  it("are read with the rules of records", () => {
    expect(header('"a,x",b\r\n1,2')).toEqual(["a,x", "b"]);
    expect(header("\n\n__proto__,constructor\n")).toEqual(["__proto__", "constructor"]);
  });

  it("are refused when a name is empty or comes twice, with names offered", () => {
    expect(() => header("id,,id,b,b\n")).toThrow(
      expect.objectContaining({
        data: {
          code: "duplicate-columns",
          domain: "data",
          file: "orders.csv",
          line: 1,
          message: "column names must be distinct and not empty: (empty), id, b",
          hint: 'rename them in the file, or let them be read as column_2, id_2, b_2 with "duplicateNames": "rename"',
        },
      }),
    );
    expect(header("id,,id,b,b\n", { ...CSV_DEFAULTS, duplicateNames: "rename" })).toEqual([
      "id",
      "column_2",
      "id_2",
      "b",
      "b_2",
    ]);
  });

  it("new names never meet names that are there", () => {
    expect(distinctNames(["id", "id", "id_2", "id"])).toEqual(["id", "id_3", "id_2", "id_4"]);
    expect(distinctNames(["", "column_1", ""])).toEqual(["column_1_2", "column_1", "column_3"]);
  });

  it("find the columns of a schema by name, and say which are missing or unknown", () => {
    const of = schema("b utf8, a int64");
    expect([...slotsByName(["a", "b"], of, "refuse", "f")]).toEqual([1, 0]);
    expect([...slotsByName(["x", "b", "a"], of, "ignore", "f")]).toEqual([-1, 0, 1]);
    expect(() => slotsByName(["x", "b", "a"], of, "refuse", "f")).toThrow(
      'the schema does not name the file\'s column "x"',
    );
    expect(() => slotsByName(["b"], of, "refuse", "f")).toThrow('the file has no column "a"');
  });
});

const field = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom('"', "\n", "\r\n", ",", "", "ä€😀", "a,b", 'say "hi"', " x ", "\u2028"),
);
const table = fc
  .integer({ min: 2, max: 4 })
  .chain((width) => fc.array(fc.array(field, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }));
/** Lone halves of surrogate pairs cannot be written as UTF-8. */
const wellFormed = (rows: string[][]) => rows.map((row) => row.map((cell) => cell.toWellFormed()));

describe("csv against other parsers", () => {
  it("reads what papaparse and csv-parse read, from what papaparse writes", () => {
    fc.assert(
      fc.property(table, fc.constantFrom("\n", "\r\n"), fc.boolean(), (cells, newline, quotes) => {
        const rows = wellFormed(cells);
        const text = Papa.unparse(rows, { newline, quotes });
        const ours = decodeCsv(texts(rows[0]?.length ?? 0), text);
        // Neither of them can tell an empty field from '', and csv-parse wants one kind of line end.
        const plain = ours.rows.map((row) => row.map((cell) => cell ?? ""));
        const theirs = Papa.parse<string[]>(text, { newline, skipEmptyLines: true });
        expect(theirs.errors).toEqual([]);
        expect(plain).toEqual(theirs.data.filter((row) => row.length > 1));
        expect(plain).toEqual(csvParse(text, { record_delimiter: newline, skip_empty_lines: true }));
        expect(ours.bad).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("gives one result for any bytes, however they are cut, and accounts for every record", () => {
    const piece = fc.constantFrom(...'ab,"\n\r1'.split(""), "é", "\r\n", '""');
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.array(fc.nat(60)),
        fc.integer({ min: 1, max: 4 }),
        (pieces, at, batchRows) => {
          const bytes = bytesOfText(pieces.join(""));
          const of = schema("a utf8, b int64");
          const cuts = at.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b);
          const whole = decodeCsv(of, bytes, { batchRows });
          expect(decodeCsv(of, bytes, { batchRows, cuts })).toEqual(whole);
          expect(whole.rows.length + whole.bad.length).toBe(whole.batches.at(-1)?.next.records ?? 0);
        },
      ),
      { numRuns: 500 },
    );
  });
});
