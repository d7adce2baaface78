import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryBatch, arbitraryTypes, modelOf, modelRows } from "../../testing/arbitrary-batches.ts";
import { everyTypeBatch } from "../../testing/sample-batches.ts";
import { Batch } from "../batch.ts";
import { copyBatch, retain } from "./copy.ts";
import { sliceBatch } from "./slice.ts";

const arbitraryModel = arbitraryTypes.chain((types) => arbitraryBatch(types));

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

test("a slice holds its rows and their count of NULLs, for every type, at every bit offset (D-44)", () => {
  fc.assert(
    fc.property(arbitraryModel, fc.nat(24), fc.nat(24), (model, a, b) => {
      const to = Math.min(Math.max(a, b), model.batch.rowCount);
      const from = Math.min(a, b, to);
      expect(modelOf(sliceBatch(model.batch, from, to))).toEqual(modelRows(model, range(from, to)));
    }),
  );
});

test("a slice copies nothing and stays borrowed; the whole range is the batch itself", () => {
  const batch = everyTypeBatch(20);
  const borrowed = new Batch(batch.schema, 20, batch.columns, batch.eventTimes, true);
  const slice = sliceBatch(borrowed, 3, 9);
  expect(slice.borrowed).toBe(true);
  expect(sliceBatch(borrowed, 0, 20)).toBe(borrowed);
  const [a, b] = [borrowed.column("c3"), slice.column("c3")];
  expect(a?.encoding === "fixed" && b?.encoding === "fixed" && a.values.buffer === b.values.buffer).toBe(true);
  expect(() => sliceBatch(batch, 5, 21)).toThrow();
});

test("a copy is private and holds its rows only, whatever they were a slice of", () => {
  fc.assert(
    fc.property(arbitraryModel, (model) => {
      const copy = copyBatch(model.batch);
      expect(modelOf(copy)).toEqual(modelRows(model, range(0, model.batch.rowCount)));
      for (const column of copy.columns) {
        if (column.encoding === "fixed") expect(column.values.byteLength).toBe(column.values.buffer.byteLength);
        if (column.encoding === "var") expect(column.offsets[0]).toBe(0);
        if (column.validity !== null) expect(column.validity.bitOffset).toBe(0);
      }
    }),
  );
});

test("retain copies a borrowed batch out of shared memory, and only that", () => {
  const batch = everyTypeBatch(30);
  expect(retain(batch)).toBe(batch);
  const shared = new Int32Array(new SharedArrayBuffer(4 * 30));
  const dictionary = batch.column("c12");
  if (dictionary?.encoding !== "var") throw new Error("c12 is utf8");
  const sharedBytes = new Uint8Array(new SharedArrayBuffer(dictionary.bytes.length));
  sharedBytes.set(dictionary.bytes);
  const common = { type: dictionary.type, length: 30, nullCount: 0, validity: null } as const;
  const column = {
    encoding: "dictionary",
    ...common,
    codes: shared,
    dictionary: { ...dictionary, bytes: sharedBytes },
  } as const;
  const schema = batch.schema;
  const columns = batch.columns.map((each) => (each === dictionary ? column : each));
  const kept = retain(new Batch(schema, 30, columns, batch.eventTimes, true));
  const before = modelOf(kept);
  expect(kept.borrowed).toBe(false);
  shared.fill(1);
  sharedBytes.fill(0);
  expect(modelOf(kept)).toEqual(before);
});
