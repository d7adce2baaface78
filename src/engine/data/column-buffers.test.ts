import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryBatch, arbitraryTypes, type ModelBatch, modelOf } from "../testing/arbitrary-batches.ts";
import { Batch } from "./batch.ts";
import type { Column } from "./column.ts";
import { BufferMemory, bufferCount, bufferSizes, bufferSkews, columnOver, writeBuffers } from "./column-buffers.ts";

const models = arbitraryTypes.chain((types) => arbitraryBatch(types));

/** Through shared memory and back, buffers placed as `skewed` says. */
function moved({ batch }: ModelBatch, skewed: boolean): Batch {
  const sizes: number[] = [];
  const skews: number[] = [];
  let count = 0;
  for (const column of batch.columns) {
    bufferSkews(column, skews, count);
    count = bufferSizes(column, sizes, count);
  }
  expect(count).toBe(batch.columns.reduce((sum, { encoding }) => sum + bufferCount(encoding), 0));
  const starts: number[] = [];
  let end = 8;
  for (let i = 0; i < count; i++) {
    const start = ((end + 7) & ~7) + (skewed ? (skews[i] as number) : 0);
    starts.push(start);
    end = start + (sizes[i] as number);
  }
  const memory = new Uint8Array(new SharedArrayBuffer(end + 64), 8);
  memory.fill(0x5a);
  const target = new BufferMemory(memory);
  let at = 0;
  for (const column of batch.columns) at = writeBuffers(column, target, starts, at);
  expect(
    memory.subarray(end).every((byte) => byte === 0x5a),
    "nothing is written behind the last buffer",
  ).toBe(true);
  at = 0;
  const columns = batch.columns.map((column): Column => {
    const { type, encoding, length, nullCount } = column;
    const dictionary = column.encoding === "dictionary" ? column.dictionary : undefined;
    const read = columnOver({ type, encoding, length, nullCount, dictionary }, memory, starts, sizes, at);
    at += bufferCount(encoding);
    return read;
  });
  return new Batch(batch.schema, batch.rowCount, columns, batch.eventTimes);
}

test("a batch goes through its buffers unchanged, for every type, slice and bit offset (D-44, P-54)", () => {
  fc.assert(
    fc.property(models, fc.boolean(), (model, skewed) => {
      expect(modelOf(moved(model, skewed))).toEqual({ cells: model.cells, times: model.times });
    }),
  );
});

test("buffers are normalised: offsets from 0, bitmaps from bit 0, no validity without a NULL", () => {
  fc.assert(
    fc.property(models, (model) => {
      for (const column of moved(model, false).columns) {
        if (column.encoding === "var") expect(column.offsets[0]).toBe(0);
        if (column.encoding === "bits") expect(column.values.bitOffset).toBe(0);
        expect(column.validity === null).toBe(column.nullCount === 0);
      }
    }),
  );
});
