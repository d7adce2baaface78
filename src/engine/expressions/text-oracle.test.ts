import type { DuckDBConnection } from "@duckdb/node-api";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerOf, openDuck } from "../testing/duckdb.ts";
import { evaluateOver } from "../testing/evaluate.ts";
import { fuzzAsync } from "../testing/fuzz.ts";
import { batch, schema } from "../testing/stage-kit.ts";
import { mapCase } from "./kernels/case-mapping.ts";

/** DuckDB on texts that are no plain letters: characters beyond 16 bits, combining ones, joined ones, letters whose case is their own. */

let duck: DuckDBConnection;
beforeAll(async () => {
  duck = await openDuck();
});
afterAll(() => duck.closeSync());

/** DuckDB knows an older Unicode, and a capital ß. */
const YOUNGER = /^[\u{1c89}\u{1c8a}\u{19b}\u{264}\u{a7cb}-\u{a7dc}\u{10d50}-\u{10d85}\u{16ea0}-\u{16ed3}ß]$/u;

const UNITS = [
  "a",
  "b",
  "A",
  "e",
  "\u0301",
  "é",
  "ä",
  "Σ",
  "σ",
  "ς",
  "İ",
  "ı",
  "ǆ",
  "Ǆ",
  "ﬁ",
  "日",
  "😀",
  "🏽",
  "👩\u200d👧",
  "𝒳",
  "𐐀",
  "𐐨",
  " ",
  "\u00a0",
  "%",
  "_",
  "\\",
  "'",
];
const text = fc.array(fc.constantFrom(...UNITS), { maxLength: 6 }).map((units) => units.join(""));

/** Ours, and DuckDB's where it is another one. */
const EXPRESSIONS: readonly (readonly [ours: string, duck?: string])[] = [
  ["length(x)"],
  ["upper(x)"],
  ["lower(x)"],
  // DuckDB takes other spaces for spaces as well.
  ["trim(x)", "trim(x, ' ')"],
  ["trim(x, y)"],
  ["trim(x, 'a😀\u0301')"],
  ["substring(x, 2, 2)"],
  ["substring(x, -2)"],
  ["substring(x, 0, 3)"],
  ["substring(x, 3, -2)"],
  ["substring(x, n, m)"],
  ["replace(x, y, '😀')"],
  ["replace(x, 'e', y)"],
  ["split_part(x, y, 2)", "CASE WHEN y = '' THEN split_part(x, '\u0001', 2) ELSE split_part(x, y, 2) END"],
  ["starts_with(x, y)"],
  ["x LIKE y"],
  ["x LIKE '%_' || y"],
  ["x LIKE y || '_%' ESCAPE 'b'", "TRY(x LIKE y || '_%' ESCAPE 'b')"],
  ["x LIKE '_😀%'"],
  ["x LIKE '__'"],
  ["x || y < y || x"],
  ["x = y"],
];

const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`;

describe("DuckDB agrees on text", () => {
  it("D-50: about the case of every character, but for those that are younger than it", async () => {
    const characters = Array.from({ length: 0x20000 }, (_, code) => code).filter(
      (code) => code < 0xd800 || code > 0xdfff,
    );
    const all = characters.map((code) => String.fromCodePoint(code));
    const cased = (lower: string, upper: string, of: string): boolean => lower !== of || upper !== of;
    const ours = all.flatMap((of) => {
      const [lower, upper] = [mapCase(of, "lower"), mapCase(of, "upper")];
      return cased(lower, upper, of) ? [`${of} ${lower} ${upper}`] : [];
    });
    const theirs = await answerOf(
      duck,
      "SELECT c || ' ' || lower(c) || ' ' || upper(c) FROM (SELECT chr(i::INTEGER) AS c FROM (FROM range(1, 55296) UNION ALL FROM range(57344, 131072)) t(i)) WHERE lower(c) <> c OR upper(c) <> c",
    );
    const known = new Set(theirs.map(([line]) => String(line)));
    const others = [
      ...ours.filter((line) => !known.has(line)),
      ...[...known].filter((line) => !ours.includes(line)),
    ].filter((line) => !YOUNGER.test([...line][0] as string));
    expect(ours.length).toBeGreaterThan(2900);
    expect(others).toEqual([]);
  });

  it("D-26: about functions, patterns and order, character for character", async () => {
    const rows = fc.array(fc.tuple(text, text, fc.integer({ min: -4, max: 7 }), fc.integer({ min: -4, max: 7 })), {
      minLength: 30,
      maxLength: 30,
    });
    await fuzzAsync(
      fc.asyncProperty(rows, async (given) => {
        const input = batch(schema("x utf8, y utf8, n int64, m int64"), given);
        const values = given.map(([x, y, n, m], i) => `(${i}, ${literal(x)}, ${literal(y)}, ${n}, ${m})`);
        const columns = EXPRESSIONS.map(([ours, theirs = ours]) => theirs).join(", ");
        const from = `(VALUES ${values.join(", ")}) t(i, x, y, n, m)`;
        const answers = await answerOf(duck, `SELECT ${columns} FROM ${from} ORDER BY i`);
        EXPRESSIONS.forEach(([ours], c) => {
          const { type, values: found } = evaluateOver(input, ours);
          const plain = found.map((value) => (type === "int64" ? BigInt(value as bigint) : value));
          expect([ours, given, plain]).toEqual([ours, given, answers.map((row) => row[c])]);
        });
      }),
      12,
    );
  });
});
