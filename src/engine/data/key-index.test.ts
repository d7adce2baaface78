import fc from "fast-check";
import { expect, test } from "vitest";
import {
  arbitraryBatch,
  arbitraryTypes,
  columnOfModel,
  type ModelBatch,
  type ModelCell,
  modelOf,
} from "../testing/arbitrary-batches.ts";
import { dictionaryColumn, textColumn } from "../testing/sample-batches.ts";
import { Batch } from "./batch.ts";
import type { Column } from "./column.ts";
import { encodeKeys } from "./key-encoding.ts";
import { comparableKeys, KeyIndex } from "./key-index.ts";
import { Schema } from "./schema.ts";
import { type LogicalType, typeOf } from "./types.ts";

const typesOf = (...names: string[]): LogicalType[] => names.map(typeOf);

function ids(index: KeyIndex, columns: readonly Column[], find = false): number[] {
  const rowCount = columns[0]?.length ?? 0;
  const out = new Int32Array(rowCount);
  if (find) index.find(columns, rowCount, out);
  else index.idsOf(columns, rowCount, out);
  return [...out];
}

const column = (type: string, ...values: ModelCell[]): Column => columnOfModel(typeOf(type), values);

/** A key as text, equal for keys that are equal: −0 is 0, NaN is NaN. */
const keyText = (cells: readonly ModelCell[]): string =>
  JSON.stringify(cells.map((cell) => (typeof cell === "string" || cell === null ? cell : [typeof cell, String(cell)])));

const keysOf = ({ batch, cells }: ModelBatch): string[] =>
  Array.from({ length: batch.rowCount }, (_, row) => keyText(cells.map((values) => values[row] ?? null)));

const keyed = fc
  .oneof(
    arbitraryTypes,
    fc.constantFrom("utf8", "int64", "int8", "uint64", "timestamp[us]").map((name) => [typeOf(name)]),
  )
  .chain((types) => fc.tuple(fc.constant(types), fc.array(arbitraryBatch(types, 15), { maxLength: 4 })));

/** Numbers by key as a Map gives them. */
function numbered(known: Map<string, number>, keys: readonly string[]): number[] {
  return keys.map((key) => {
    const id = known.get(key) ?? known.size;
    known.set(key, id);
    return id;
  });
}

test("keys are numbered by value in order of appearance, over batches, types and encodings (P-09, P-10, P-42)", () => {
  fc.assert(
    fc.property(keyed, ([types, models]) => {
      const index = new KeyIndex(types);
      const known = new Map<string, number>();
      for (const model of models) {
        const out = new Int32Array(model.batch.rowCount);
        index.idsOf(model.batch.columns, model.batch.rowCount, out);
        expect([...out]).toEqual(numbered(known, keysOf(model)));
      }
      expect(index.size).toBe(known.size);
    }),
  );
});

test("the keys come back as columns that hold one of the equal values, also from a snapshot (D-7)", () => {
  fc.assert(
    fc.property(keyed, ([types, models]) => {
      const index = new KeyIndex(types);
      const known = new Map<string, number>();
      for (const { batch, ...model } of models) {
        index.idsOf(batch.columns, batch.rowCount, new Int32Array(batch.rowCount));
        numbered(known, keysOf({ batch, ...model }));
      }
      const restored = new KeyIndex(types);
      restored.restore(index.snapshot());
      const all = Int32Array.from(known.values()).reverse();
      const schema = schemaOf(types);
      for (const each of [index, restored]) {
        expect(each.size).toBe(known.size);
        const batch = new Batch(schema, all.length, each.columns(all));
        expect(keysOf({ batch, ...modelOf(batch) })).toEqual([...known.keys()].reverse());
        for (const { batch: again } of models) {
          const found = new Int32Array(again.rowCount);
          each.find(again.columns, again.rowCount, found);
          expect(found.every((id) => id >= 0)).toBe(true);
        }
      }
    }),
  );
});

test("all keys get other numbers, in whatever order is asked for", () => {
  fc.assert(
    fc.property(keyed, ([types, models]) => {
      const index = new KeyIndex(types);
      for (const { batch } of models) index.idsOf(batch.columns, batch.rowCount, new Int32Array(batch.rowCount));
      const { size } = index;
      const before = models.map(({ batch }) => idsBy(index, batch));
      index.compact(Int32Array.from({ length: size }, (_, i) => size - 1 - i));
      const after = models.map(({ batch }) => idsBy(index, batch));
      expect(after).toEqual(before.map((ids) => ids.map((id) => size - 1 - id)));
      expect(index.size).toBe(size);
    }),
  );
});

function idsBy(index: KeyIndex, { columns, rowCount }: Batch): number[] {
  const found = new Int32Array(rowCount);
  index.find(columns, rowCount, found);
  return [...found];
}

test.each([
  ["utf8", ["a", null, "b", "c"]],
  ["int32", [5, null, 6, 7]],
  ["float64", [1.5, null, 2, Number.NaN]],
] as const)("compact keeps the live keys of %s under new numbers, and forgets the others", (name, values) => {
  const index = new KeyIndex([typeOf(name)]);
  const key = column(name, ...values);
  expect(ids(index, [key])).toEqual([0, 1, 2, 3]);
  index.compact(Int32Array.of(3, 1));
  expect(ids(index, [key], true)).toEqual([-1, 1, -1, 0]);
  expect(ids(index, [key])).toEqual([2, 1, 3, 0]);
  index.compact(Int32Array.of(2));
  expect([index.size, ids(index, [key], true)]).toEqual([1, [0, -1, -1, -1]]);
});

test("find takes in nothing", () => {
  for (const name of ["utf8", "int64", "float32"]) {
    const index = new KeyIndex([typeOf(name)]);
    expect(ids(index, [column(name, null, null)], true)).toEqual([-1, -1]);
    expect(index.size).toBe(0);
  }
  const index = new KeyIndex(typesOf("utf8"));
  const words = dictionaryColumn([0, 1, 0], textColumn(["x", null]));
  expect(ids(index, [words], true)).toEqual([-1, -1, -1]);
  expect(ids(index, [words])).toEqual([0, 1, 0]);
  expect(ids(index, [words], true)).toEqual([0, 1, 0]);
});

test("NULL, '' and the words null and undefined are four keys; NULL and 0 are two (P-10)", () => {
  expect(ids(new KeyIndex(typesOf("utf8")), [textColumn([null, "", null, "a", "null", "undefined"])])).toEqual([
    0, 1, 0, 2, 3, 4,
  ]);
  expect(ids(new KeyIndex(typesOf("int32")), [column("int32", null, 0, null)])).toEqual([0, 1, 0]);
});

test("0 is −0 and every NaN one, in one column and in many (P-09)", () => {
  const values = column("float64", 0, -0, Number.NaN, Number.NaN, 1);
  expect(ids(new KeyIndex(typesOf("float64")), [values])).toEqual([0, 0, 1, 1, 2]);
  expect(ids(new KeyIndex(typesOf("float64", "float64")), [values, values])).toEqual([0, 0, 1, 1, 2]);
});

test("words are one key whatever dictionary they stand in, and in plain text (P-42)", () => {
  const index = new KeyIndex(typesOf("utf8"));
  expect(ids(index, [dictionaryColumn([0, 1], textColumn(["x", "y"]))])).toEqual([0, 1]);
  expect(ids(index, [dictionaryColumn([0, 1], textColumn(["z", "x"]))])).toEqual([2, 0]);
  expect(ids(index, [dictionaryColumn([3, 2], textColumn(["z", "x", "w", null]))])).toEqual([3, 4]);
  expect(ids(index, [textColumn(["x", "y", "z", "w", null])])).toEqual([0, 1, 2, 4, 3]);
});

test("int32 5 is int64 5, an instant is one in every unit, a decimal in every scale; accents stay apart (P-29)", () => {
  const ints = new KeyIndex(typesOf("int64"), typesOf("int32"), typesOf("uint64"));
  expect(ids(ints, [column("int32", 5, -1)])).toEqual([0, 1]);
  expect(ids(ints, [column("int64", 5n, -1n)])).toEqual([0, 1]);
  expect(ids(ints, [column("uint64", 5n, 2n ** 64n - 1n)])).toEqual([0, 2]);
  const narrow = new KeyIndex(typesOf("int64"), typesOf("int8"));
  expect([ids(narrow, [column("int64", 5n)]), ids(narrow, [column("int8", 5)])]).toEqual([[0], [0]]);
  const instants = new KeyIndex(typesOf("timestamp[ms]"), typesOf("timestamp[us]"));
  expect(ids(instants, [column("timestamp[ms]", 1500n, -1n)])).toEqual([0, 1]);
  expect(ids(instants, [column("timestamp[us]", 1500000n, 1500001n, -1000n)])).toEqual([0, 2, 1]);
  const decimals = new KeyIndex(typesOf("decimal(10,2)"), typesOf("decimal(38,20)"));
  expect(ids(decimals, [column("decimal(10,2)", 150n, 0n)])).toEqual([0, 1]);
  expect(ids(decimals, [column("decimal(38,20)", 15n * 10n ** 19n, 0n, 1n)])).toEqual([0, 1, 2]);
  expect(ids(new KeyIndex(typesOf("utf8")), [textColumn(["e\u0301", "é"])])).toEqual([0, 1]);
});

test.each([["int64"], ["int64", "timestamp[ms]"], ["utf8", "int64"], ["boolean"]])(
  "an index of %s %s that forgets all keys numbers those that come from 0 on, NULL among them",
  (...names) => {
    const types = typesOf(...names);
    const cells: Readonly<Record<string, readonly ModelCell[]>> = {
      boolean: [null, true, null, false],
      utf8: [null, "b", null, "a"],
    };
    const columns = types.map((type, c) => columnOfModel(type, cells[names[c] as string] ?? [null, 2n, null, 1n]));
    const index = new KeyIndex(types);
    for (let round = 0; round < 3; round++) {
      expect(ids(index, columns)).toEqual([0, 1, 0, 2]);
      expect(modelOf(new Batch(schemaOf(types), 2, index.columns(Int32Array.of(2, 0)))).cells).toEqual(
        names.map((name) => [cells[name]?.[3] ?? 1n, null]),
      );
      index.compact(new Int32Array(0));
      expect([index.size, ...ids(index, columns, true)]).toEqual([0, -1, -1, -1, -1]);
    }
  },
);

test("an index of both sides of a join is compacted without leaving its finer keys behind", () => {
  const index = new KeyIndex(typesOf("timestamp[ms]"), typesOf("timestamp[us]"));
  ids(index, [column("timestamp[us]", 7n, 1500001n)]);
  index.compact(Int32Array.of(1));
  expect(ids(index, [column("timestamp[us]", 1500001n, 7n)], true)).toEqual([0, -1]);
  expect(() => index.columns(Int32Array.of(0))).toThrow(/no finer than the unit/);
});

test("composite keys are injective: where one value ends is part of the key", () => {
  const index = new KeyIndex(typesOf("utf8", "utf8"));
  expect(ids(index, [textColumn(["ab", "a", "", "ab", null]), textColumn(["c", "bc", "abc", "c", "abc"])])).toEqual([
    0, 1, 2, 0, 3,
  ]);
  const mixed = new KeyIndex(typesOf("binary", "int64"));
  expect(ids(mixed, [column("binary", "02", ""), column("int64", 0n, 2n)])).toEqual([0, 1]);
});

test("encoded keys are equal just when the keys are", () => {
  fc.assert(
    fc.property(keyed, ([, models]) => {
      for (const model of models) {
        const { offsets, bytes } = encodeKeys(model.batch.columns, model.batch.rowCount);
        const encoded = keysOf(model).map((_, row) => bytes.slice(offsets[row], offsets[row + 1]).join());
        const keys = keysOf(model);
        const same = (list: readonly string[]) => list.map((each) => list.indexOf(each));
        expect(same(encoded)).toEqual(same(keys));
      }
    }),
  );
});

test("types whose values never meet are refused", () => {
  expect(comparableKeys(typeOf("int32"), typeOf("float64"))).toBe(false);
  expect(() => new KeyIndex(typesOf("int32"), typesOf("utf8"))).toThrow(/never meet/);
  expect(() => new KeyIndex(typesOf("int32"), typesOf("int32", "int32"))).toThrow(/as many columns/);
});

test("thousands of keys, with colliding slots, stay apart", () => {
  const values = Array.from({ length: 20_000 }, (_, i) => BigInt(i % 10_000) * 4294967296n + 7n);
  const index = new KeyIndex(typesOf("int64"));
  expect(ids(index, [column("int64", ...values)])).toEqual(values.map((_, i) => i % 10_000));
  const words = new KeyIndex(typesOf("utf8"));
  expect(ids(words, [textColumn(values.map(String))])).toEqual(values.map((_, i) => i % 10_000));
});

function schemaOf(types: readonly LogicalType[]): Schema {
  return new Schema(types.map((type, c) => ({ name: `c${c}`, type, nullable: true })));
}
