import { describe, expect, it } from "vitest";
import { Batch } from "../data/batch.ts";
import type { Column } from "../data/column.ts";
import { plainText } from "../data/kernels/plain.ts";
import type { Schema } from "../data/schema.ts";
import { encodeUtf8 } from "../data/text.ts";
import { batchRows } from "../testing/batch-values.ts";
import { bytesOfText, decodeCsv, decodeNdjson } from "../testing/decode.ts";
import { schema } from "../testing/stage-kit.ts";
import { CSV_DEFAULTS, csvDecoder, slotsByPosition } from "./csv.ts";
import { ndjsonDecoder } from "./ndjson.ts";
import { type DecodedRows, type RecordDecoder, START } from "./record-decoder.ts";

const common = { timestampUnit: "ms", batchRows: 100, start: START, file: "test" } as const;
const csvOf = (of: Schema, rescueColumn?: string) =>
  csvDecoder({ ...common, rescueColumn, schema: of, csv: CSV_DEFAULTS, slots: slotsByPosition(of) });
const ndjsonOf = (of: Schema) => ndjsonDecoder({ ...common, schema: of, extraFields: "refuse" });

function decoded(decoder: RecordDecoder, text: string | Uint8Array): DecodedRows[] {
  decoder.push(bytesOfText(text));
  decoder.end();
  const all: DecodedRows[] = [];
  for (let next = decoder.next(); next !== undefined; next = decoder.next()) all.push(next);
  return all;
}

const encodings = (batches: readonly DecodedRows[], column = 0) =>
  batches.map(({ batch }) => (batch.columns[column] as Column).encoding);
const rowsOf = (batches: readonly DecodedRows[]) => batches.flatMap(({ batch }) => batchRows(batch));
const dictionaryOf = ({ batch }: DecodedRows) => {
  const [column] = batch.columns;
  return column?.encoding === "dictionary" ? column.dictionary : undefined;
};

/** Words that repeat: short, with escapes, empty, beyond ASCII, NULL. */
const WORDS = ["Wien", 'say "hi"', "", "Zürich 😀", null, "a,b"] as const;
const word = (row: number) => WORDS[row % WORDS.length] as string | null;
const csvLine = (row: number) => `${row},${word(row) === null ? "" : `"${word(row)?.replaceAll('"', '""')}"`}\n`;
const jsonLine = (row: number) => `${JSON.stringify({ n: row, t: word(row) })}\n`;
const lines = (count: number, line: (row: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join("");

describe("text that repeats in csv and NDJSON", () => {
  const of = schema("n int64, t utf8");
  const expected = Array.from({ length: 300 }, (_, row) => [BigInt(row), word(row)]);

  it.each([
    ["csv", csvOf(of), csvLine],
    ["NDJSON", ndjsonOf(of), jsonLine],
  ] as const)(
    "comes dictionary-encoded from %s, with one dictionary, under the same type and with the same rows",
    (_, decoder, line) => {
      const batches = decoded(decoder, lines(300, line));
      expect(encodings(batches, 1)).toEqual(["dictionary", "dictionary", "dictionary"]);
      expect(new Set(batches.map(({ batch }) => (batch.columns[1] as { dictionary?: unknown }).dictionary)).size).toBe(
        1,
      );
      expect(batches[0]?.batch.schema.toString()).toBe("n int64, t utf8");
      expect(rowsOf(batches)).toEqual(expected);
      const plain = batches.map(({ batch }) => {
        const [n, t] = batch.columns as [Column, Column];
        return new Batch(batch.schema, batch.rowCount, [n, t.encoding === "dictionary" ? plainText(t) : t]);
      });
      expect(plain.flatMap(batchRows)).toEqual(expected);
    },
  );

  it("gives the same rows and places in batches of every size, cut at every byte, wherever a batch begins (P-18)", () => {
    for (const [decode, line] of [[decodeCsv, csvLine] as const, [decodeNdjson, jsonLine] as const]) {
      const bytes = encodeUtf8(lines(16, line));
      for (const batchRows of [3, 16]) {
        const whole = decode(of, bytes, { batchRows });
        expect(whole.rows).toEqual(expected.slice(0, 16));
        for (let cut = 1; cut < bytes.length; cut += 1) {
          expect(decode(of, bytes, { batchRows, cuts: [cut] })).toEqual(whole);
        }
        let rows = 0;
        for (const { rows: count, next } of whole.batches) {
          rows += count;
          expect(decode(of, bytes.slice(next.offset), { batchRows, start: next }).rows).toEqual(whole.rows.slice(rows));
        }
      }
    }
  });

  it("stays so beside bad rows, which leave nothing behind, or their text where they are rescued (D-41, E-10)", () => {
    const text = lines(200, (row) => (row % 10 === 3 ? `x${row},bad\n` : `${row},t${row % 3}\n`));
    const good = Array.from({ length: 200 }, (_, row) => [BigInt(row), `t${row % 3}`]).filter(
      (_, row) => row % 10 !== 3,
    );
    const dropped = decoded(csvOf(of), text);
    expect(encodings(dropped, 1)).toEqual(["dictionary", "dictionary"]);
    expect(rowsOf(dropped)).toEqual(good);
    const rescued = decoded(csvOf(of, "_rescued"), text);
    expect(encodings(rescued, 1)).toEqual(["dictionary", "dictionary"]);
    expect(rowsOf(rescued).filter(([n]) => n === null)).toEqual(
      Array.from({ length: 20 }, (_, i) => [null, null, `x${10 * i + 3},bad`]),
    );
  });

  it("a block that is not UTF-8 is plain, with its bad row, and what follows is encoded again", () => {
    const bytes = encodeUtf8(lines(300, (row) => `w${row % 3}\n`));
    bytes[3 * 150] = 0xff;
    const batches = decoded(csvOf(schema("t utf8")), bytes);
    expect(encodings(batches)).toEqual(["dictionary", "var", "dictionary"]);
    expect(batches.map(({ bad }) => bad.map(({ row, reason }) => [row, reason]))).toEqual([
      [],
      [[151, '"\ufffd0" is not UTF-8']],
      [],
    ]);
    expect(rowsOf(batches)).toEqual(
      Array.from({ length: 300 }, (_, row) => [`w${row % 3}`]).filter((_, row) => row !== 150),
    );
    expect(dictionaryOf(batches[2] as DecodedRows)).toBe(dictionaryOf(batches[0] as DecodedRows));
  });

  it("text that does not repeat is plain", () => {
    expect(
      encodings(
        decoded(
          csvOf(schema("t utf8")),
          lines(300, (row) => `word ${row}\n`),
        ),
      ),
    ).toEqual(["var", "var", "var"]);
  });
});
