import fc from "fast-check";
import { expect, test } from "vitest";
import { vnodeRanges } from "../../core/vnodes.ts";
import { arbitraryBatch, arbitraryTypes, columnOfModel, modelOf, modelRows } from "../../testing/arbitrary-batches.ts";
import { dictionaryBatch, everyTypeBatch, textBatch, textColumn } from "../../testing/sample-batches.ts";
import { Batch } from "../batch.ts";
import cases from "../cases.json" with { type: "json" };
import { Schema } from "../schema.ts";
import { typeOf } from "../types.ts";
import { hashRows, vnodeOf } from "./hash.ts";
import { rowsByRange, splitByVnode } from "./split.ts";

function hashesOf(batch: Batch, columns: readonly string[]): number[] {
  const out = new Uint32Array(batch.rowCount);
  hashRows(
    columns.map((name) => batch.column(name)),
    batch.rowCount,
    out,
  );
  return [...out];
}

test("rows of hashes 0 1 2 7 8 13 go where their vnode belongs, in order (F-74, F-76, FV-02)", () => {
  const { config, input, expected } = cases["FV-02"];
  const ranges = config.targets.map(([from, to]) => [from, to] as [number, number]);
  expect(rowsByRange(Uint32Array.from(input.row_hashes), config.vnodes, ranges)).toEqual(expected.rows_per_target);
});

test("each target gets the rows of its vnodes in their order, and together all rows (F-74, F-76)", () => {
  const setup = arbitraryTypes.chain((types) =>
    fc.record({
      model: arbitraryBatch(types, 60),
      keys: fc.subarray(types.map((_, c) => `c${c}`)),
      vnodes: fc.integer({ min: 1, max: 20 }),
      tasks: fc.integer({ min: 1, max: 6 }),
    }),
  );
  fc.assert(
    fc.property(setup, ({ model, keys, vnodes, tasks }) => {
      const ranges = vnodeRanges(vnodes, tasks);
      const hashes = hashesOf(model.batch, keys);
      const parts = splitByVnode(model.batch, keys, vnodes, ranges);
      expect(parts.length).toBe(ranges.length);
      ranges.forEach(([from, to], t) => {
        const rows = hashes.flatMap((hash, row) => {
          const vnode = vnodeOf(hash, vnodes);
          return from <= vnode && vnode < to ? [row] : [];
        });
        const part = parts[t] ?? null;
        if (rows.length === 0) expect(part).toBeNull();
        else expect(part === null ? null : modelOf(part)).toEqual(modelRows(model, rows));
      });
    }),
  );
});

test("a batch whose rows all go to one target is passed on whole, uncopied (F-76)", () => {
  const batch = everyTypeBatch(9);
  expect(splitByVnode(batch, ["c0"], 8, [[0, 8]])).toEqual([batch]);
  const one = textBatch(["k", "k", "k"]);
  expect(splitByVnode(one, ["text"], 128, vnodeRanges(128, 4)).filter((part) => part !== null)).toEqual([one]);
});

test("without columns every row is vnode 0; a missing column is NULL in every row (F-75)", () => {
  const batch = textBatch(["a", "b", "c"]);
  const ranges = vnodeRanges(128, 3);
  expect(splitByVnode(batch, [], 128, ranges)).toEqual([batch, null, null]);
  const nulls = splitByVnode(textBatch([null, null]), ["text"], 128, ranges).map((part) => part === null);
  expect(splitByVnode(batch, ["no such column"], 128, ranges).map((part) => part === null)).toEqual(nulls);
});

test("an empty batch goes to nobody; a batch without columns keeps its rows (D-44)", () => {
  expect(splitByVnode(textBatch([]), ["text"], 4, vnodeRanges(4, 2))).toEqual([null, null]);
  const bare = new Batch(new Schema([]), 5, []);
  expect(splitByVnode(bare, [], 4, vnodeRanges(4, 2))).toEqual([bare, null]);
});

test("rows of vnodes that nobody owns are left out", () => {
  expect(
    rowsByRange(Uint32Array.of(0, 1, 2, 3, 4), 5, [
      [1, 2],
      [3, 4],
    ]),
  ).toEqual([[1], [3]]);
});

test("hashes with the top bit find a vnode at every number of vnodes, and all rows arrive (P-14)", () => {
  const hashes = Uint32Array.from({ length: 999 }, (_, i) => Math.imul(i, 0x9e3779b1)).fill(2147483648, 0, 3);
  for (const vnodes of [1, 3, 100, 128]) {
    const parts = rowsByRange(hashes, vnodes, vnodeRanges(vnodes, 3));
    expect(parts.flat().sort((a, b) => a - b)).toEqual([...hashes.keys()]);
    for (const rows of parts) expect(rows).toEqual([...rows].sort((a, b) => a - b));
  }
});

test("the same key goes to the same target from every encoding and width (P-09, P-10, P-29, P-42)", () => {
  const ranges = vnodeRanges(128, 4);
  const targetOf = (batch: Batch) =>
    splitByVnode(batch, [batch.schema.names[0] as string], 128, ranges).findIndex((p) => p !== null);
  const single = (type: string, value: number | bigint) =>
    new Batch(new Schema([{ name: "k", type: typeOf(type), nullable: true }]), 1, [
      columnOfModel(typeOf(type), [value]),
    ]);
  for (let i = 0; i < 50; i++) {
    expect(targetOf(single("int32", i))).toBe(targetOf(single("int64", BigInt(i))));
    expect(targetOf(single("float64", i === 0 ? -0 : i))).toBe(targetOf(single("float32", i)));
    const word = `w${i}`;
    expect(targetOf(dictionaryBatch([1], textColumn(["other", word])))).toBe(targetOf(textBatch([word])));
  }
  expect(targetOf(dictionaryBatch([0], textColumn([null])))).toBe(targetOf(textBatch([null])));
});

test("what was split stays as it is when the scratch memory is used again", () => {
  const first = splitByVnode(everyTypeBatch(100, 1), ["c3", "c12"], 16, vnodeRanges(16, 3));
  const before = first.map((part) => (part === null ? null : modelOf(part)));
  splitByVnode(everyTypeBatch(300, 2), ["c4"], 16, vnodeRanges(16, 3));
  expect(first.map((part) => (part === null ? null : modelOf(part)))).toEqual(before);
});
