import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryBatch, arbitraryTypes, modelOf, modelRows } from "../../testing/arbitrary-batches.ts";
import { everyTypeBatch } from "../../testing/sample-batches.ts";
import { Batch } from "../batch.ts";
import { Schema } from "../schema.ts";
import { takeBatch } from "./take.ts";

const batchAndRows = arbitraryTypes
  .chain((types) => arbitraryBatch(types))
  .chain((model) =>
    fc.tuple(
      fc.constant(model),
      model.batch.rowCount === 0
        ? fc.constant<number[]>([])
        : fc.array(fc.nat(model.batch.rowCount - 1), { maxLength: 40 }),
      fc.nat(5),
    ),
  );

test("take gives the rows in the order asked for, repeated ones too, for every type (D-44)", () => {
  fc.assert(
    fc.property(batchAndRows, ([model, rows, skip]) => {
      expect(modelOf(takeBatch(model.batch, Int32Array.from(rows)))).toEqual(modelRows(model, rows));
      const from = Math.min(skip, rows.length);
      expect(modelOf(takeBatch(model.batch, Int32Array.from(rows), from))).toEqual(modelRows(model, rows.slice(from)));
    }),
  );
});

test("what is taken is private: the source may be overwritten afterwards", () => {
  const { batch } = { batch: everyTypeBatch(50) };
  const taken = takeBatch(new Batch(batch.schema, 50, batch.columns, batch.eventTimes, true), Int32Array.of(3, 1, 4));
  const before = modelOf(taken);
  expect(taken.borrowed).toBe(false);
  for (const column of batch.columns) {
    if (column.encoding === "fixed") column.values.fill(0);
    if (column.encoding === "var") column.bytes.fill(0);
    column.validity?.bits.fill(0);
  }
  expect(modelOf(taken)).toEqual(before);
});

test("text is copied exactly at every length, to the last byte of its buffer and past the limit for long rows", () => {
  const lengths = [0, 1, 2, 3, 4, 5, 7, 8, 255, 256, 257, 1000, 3];
  const text = lengths.map((length, i) => String.fromCharCode(97 + i).repeat(length));
  const bytes = new TextEncoder().encode(text.join(""));
  const offsets = Int32Array.from([0, ...lengths.map((_, i) => lengths.slice(0, i + 1).reduce((a, b) => a + b))]);
  const schema = new Schema([{ name: "t", type: { kind: "utf8" }, nullable: false }]);
  const column = {
    encoding: "var",
    type: { kind: "utf8" },
    length: 13,
    nullCount: 0,
    validity: null,
    offsets,
    bytes,
  } as const;
  const rows = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 12, 12];
  const taken = takeBatch(new Batch(schema, 13, [column]), Int32Array.from(rows));
  expect(modelOf(taken).cells[0]).toEqual(rows.map((row) => text[row]));
});

test("64-bit integers whose bits look like a NaN keep every bit", () => {
  const values = Int32Array.of(1, 0x7ff00000, -1, -1, 0x12345678, 0x7ff80000);
  const schema = new Schema([{ name: "i", type: { kind: "int", bits: 64, signed: true }, nullable: false }]);
  const type = schema.fields[0]?.type as { kind: "utf8" };
  const column = { encoding: "fixed", type, length: 3, nullCount: 0, validity: null, values } as const;
  const taken = takeBatch(new Batch(schema, 3, [column]), Int32Array.of(2, 1, 0));
  expect(modelOf(taken).cells[0]).toEqual([0x7ff8000012345678n, -1n, 0x7ff0000000000001n]);
});

test("a batch without columns keeps its number of rows (D-44)", () => {
  expect(takeBatch(new Batch(new Schema([]), 5, []), Int32Array.of(0, 4)).rowCount).toBe(2);
});
