import fc from "fast-check";
import { expect, test } from "vitest";
import { ALL_TYPES, appendModel, arbitraryValue, type ModelCell } from "../testing/arbitrary-batches.ts";
import { cellValue } from "../testing/batch-values.ts";
import type { Column } from "./column.ts";
import { columnBuilder, nullColumn, TextBuilder } from "./column-builder.ts";
import { decodeUtf8, encodeUtf8 } from "./text.ts";
import { typeOf } from "./types.ts";

const valuesOf = (column: Column): ModelCell[] =>
  Array.from({ length: column.length }, (_, row) => cellValue(column, row));

test("a builder gives back what was appended, batch after batch, however small it began, minus what was truncated", () => {
  const runs = fc
    .constantFrom(...ALL_TYPES)
    .chain((type) =>
      fc.tuple(
        fc.constant(type),
        fc.array(fc.tuple(fc.array(fc.option(arbitraryValue(type)), { maxLength: 60 }), fc.nat(60)), { maxLength: 4 }),
      ),
    );
  fc.assert(
    fc.property(runs, ([type, batches]) => {
      const builder = columnBuilder(type, 1);
      const columns = batches.map(([values, keep]) => {
        for (const value of values) appendModel(builder, value);
        builder.truncate(keep);
        for (const value of values.slice(keep)) appendModel(builder, value);
        expect(builder.length).toBe(values.length);
        return builder.finish();
      });
      // Looked at only now: a later batch must not have changed an earlier one.
      columns.forEach((column, i) => {
        const values = batches[i]?.[0] ?? [];
        expect(valuesOf(column)).toEqual(values);
        expect(column.nullCount).toBe(values.filter((value) => value === null).length);
      });
    }),
  );
});

test("64-bit builders take words, numbers and bigints alike", () => {
  const builder = columnBuilder(typeOf("int64"));
  if (builder.kind !== "words") throw new Error("int64 is built of words");
  for (const value of [-1, 0, 2 ** 53 - 1, -(2 ** 53) + 1, -4294967297]) {
    builder.appendNumber(value);
    builder.appendBigInt(BigInt(value));
  }
  builder.append(-1, 0x7fffffff);
  const values = valuesOf(builder.finish());
  expect(values.slice(0, 10)).toEqual(
    [-1, 0, 2 ** 53 - 1, -(2 ** 53) + 1, -4294967297].flatMap((v) => [BigInt(v), BigInt(v)]),
  );
  expect(values[10]).toBe(2n ** 63n - 1n);
});

test("a text may come in parts, which a truncation forgets", () => {
  const builder = new TextBuilder(typeOf("utf8"), 1);
  const bytes = encodeUtf8('say "hi"');
  builder.part(bytes, 0, 4);
  builder.part(bytes, 4, 7);
  builder.appendBytes(bytes, 7, 8);
  builder.part(bytes, 0, 3);
  builder.truncate(1);
  builder.appendString("x");
  builder.appendBytes(bytes, 0, 0);
  expect(valuesOf(builder.finish())).toEqual(['say "hi"', "x", ""]);
});

test("a column of NULLs has every type", () => {
  for (const type of ALL_TYPES) expect(valuesOf(nullColumn(type, 3))).toEqual([null, null, null]);
});

test("a run of fields is taken up to the first of another kind, however small the builder began", () => {
  const source = encodeUtf8("abcdefghijklmnopqrstuvwxyz ".repeat(4));
  const count = 3000;
  const starts = Int32Array.from({ length: 2 * count }, (_, i) => i % 40);
  const ends = starts.map((start, i) => start + (i % 60));
  const kinds = new Uint8Array(2 * count).fill(5);
  kinds[2 * 2500] = 1;
  const builder = new TextBuilder(typeOf("utf8"), 1);
  expect(builder.appendRun(new DataView(source.buffer), { starts, ends, kinds }, 0, 2, count, 5)).toBe(2500);
  const expected = Array.from({ length: 2500 }, (_, i) =>
    decodeUtf8(source, starts[2 * i] as number, ends[2 * i] as number),
  );
  expect(valuesOf(builder.finish())).toEqual(expected);
});
