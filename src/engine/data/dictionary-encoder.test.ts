import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellValue } from "../testing/batch-values.ts";
import { textColumn } from "../testing/sample-batches.ts";
import type { DictionaryColumn } from "./column.ts";
import { DictionaryEncoder } from "./dictionary-encoder.ts";
import { continues } from "./dictionary-growth.ts";
import { wordAccess } from "./storage.ts";
import { typeOf } from "./types.ts";

const UTF8 = typeOf("utf8");

function encode(encoder: DictionaryEncoder, texts: readonly (string | null)[]): DictionaryColumn | undefined {
  if (!encoder.begin(texts.length)) return undefined;
  const { offsets, bytes } = textColumn(texts);
  const kinds = Uint8Array.from(texts, (text) => (text === null ? 0 : 1));
  const places = { starts: offsets, ends: offsets.subarray(1), kinds };
  for (let row = 0; row < texts.length; ) {
    row += encoder.appendRun(wordAccess(bytes), places, row, 1, texts.length - row, 1);
    if (row === texts.length) break;
    encoder.appendNull();
    row++;
  }
  return encoder.finish();
}

const valuesOf = (column: DictionaryColumn) =>
  Array.from({ length: column.length }, (_, row) => cellValue(column, row));
const cycle = (rows: number, word: (row: number) => string | null) => Array.from({ length: rows }, (_, i) => word(i));

describe("text as dictionary columns at its source", () => {
  it("has the words and NULLs that came in, whatever came before (P-42)", () => {
    const text = fc.constantFrom("", "a", "ab", "\0", "a\0", "1234", "12345", "12345678", "é".repeat(9), null);
    fc.assert(
      fc.property(fc.array(fc.array(text, { maxLength: 30 }), { maxLength: 6 }), (columns) => {
        const encoder = new DictionaryEncoder(UTF8);
        for (const texts of columns) {
          const column = encode(encoder, texts);
          if (column === undefined) continue;
          expect(valuesOf(column)).toEqual(texts);
          expect(column.nullCount).toBe(texts.filter((each) => each === null).length);
        }
      }),
    );
  });

  it("shares one dictionary: the same object while no word is new, then one that continues it", () => {
    const encoder = new DictionaryEncoder(UTF8);
    const first = encode(
      encoder,
      cycle(100, (i) => `w${i % 5}`),
    ) as DictionaryColumn;
    const second = encode(
      encoder,
      cycle(100, (i) => `w${(i + 3) % 5}`),
    ) as DictionaryColumn;
    expect(second.dictionary).toBe(first.dictionary);
    const third = encode(
      encoder,
      cycle(100, (i) => `w${i % 7}`),
    ) as DictionaryColumn;
    expect(continues(third.dictionary, first.dictionary)).toBe(true);
    expect(valuesOf(first)).toEqual(cycle(100, (i) => `w${i % 5}`));
  });

  it("is plain until four rows stand for a word", () => {
    const encoder = new DictionaryEncoder(UTF8);
    expect(encode(encoder, ["a", "b"])).toBeUndefined();
    expect(encode(encoder, ["a", "b", "a"])).toBeUndefined();
    expect(encode(encoder, ["b", null, null])).toBeUndefined();
    expect(encode(encoder, ["b", "b", null])?.codes).toEqual(Int32Array.of(1, 1, 0));
  });

  it("is plain for good where text repeats too little for long", () => {
    const encoder = new DictionaryEncoder(UTF8);
    for (let i = 0; i < 8; i++)
      expect(
        encode(
          encoder,
          cycle(4096, (row) => `${(row * 8 + i) >> 1}`),
        ),
      ).toBeUndefined();
    expect(encoder.begin(1)).toBe(false);
  });

  it("is plain for good where words have too many bytes, even if that is one word", () => {
    const encoder = new DictionaryEncoder(UTF8);
    expect(encode(encoder, ["x".repeat(200_000), "a", "a"])).toBeUndefined();
    expect(encoder.begin(1)).toBe(false);
  });

  it("begins another dictionary when one is full that stood for many rows: words that change slowly", () => {
    const encoder = new DictionaryEncoder(UTF8);
    const word = (batch: number, row: number) => `${batch * 384 + (row % 384)}`;
    let plain = 0;
    const dictionaries = new Set<ArrayBufferLike>();
    for (let batch = 0; batch < 50; batch++) {
      const texts = cycle(8192, (row) => word(batch, row));
      const column = encode(encoder, texts);
      if (column === undefined) plain++;
      else {
        expect(cellValue(column, 8191)).toBe(texts.at(-1));
        dictionaries.add(column.dictionary.bytes.buffer);
        expect(column.dictionary.length).toBeLessThanOrEqual(16_384);
      }
    }
    expect(plain).toBe(1);
    expect(dictionaries.size).toBeGreaterThan(1);
  });
});
