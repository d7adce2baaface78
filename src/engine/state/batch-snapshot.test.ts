import { describe, expect, it } from "vitest";
import { sliceBatch } from "../data/kernels/slice.ts";
import { Schema } from "../data/schema.ts";
import { batchRows, eventTimesOf } from "../testing/batch-values.ts";
import { dictionaryBatch, EVERY_TYPE, everyTypeBatch, TEXT_ONLY, textColumn } from "../testing/sample-batches.ts";
import { batch } from "../testing/stage-kit.ts";
import { loadBatch, saveBatch } from "./batch-snapshot.ts";

describe("a batch in a snapshot", () => {
  it("D-14: comes back with every bit, for every type, at every slice (P-54)", () => {
    const whole = everyTypeBatch(37, 5);
    for (const [from, to] of [
      [0, 37],
      [1, 36],
      [7, 8],
      [13, 13],
    ] as const) {
      const part = sliceBatch(whole, from, to);
      const back = loadBatch(saveBatch(part), EVERY_TYPE);
      expect(batchRows(back)).toEqual(batchRows(part));
      expect(eventTimesOf(back)).toEqual(eventTimesOf(part));
    }
  });

  it("P-54: the bytes may lie at an odd place after decoding", () => {
    const part = everyTypeBatch(9, 1);
    const saved = saveBatch(part) as { bytes: Uint8Array };
    const shifted = new Uint8Array(saved.bytes.length + 3).subarray(3);
    shifted.set(saved.bytes);
    expect(batchRows(loadBatch({ ...saved, bytes: shifted }, EVERY_TYPE))).toEqual(batchRows(part));
  });

  it("P-42: dictionary words come back as the words they were, NULL entries as NULL", () => {
    const words = dictionaryBatch([2, 0, 1, 2], textColumn(["x", null, "naïve"]));
    expect(batchRows(loadBatch(saveBatch(words), TEXT_ONLY))).toEqual([["naïve"], ["x"], [null], ["naïve"]]);
  });

  it("D-44: rows without columns are still rows", () => {
    const nothing = new Schema([]);
    expect(loadBatch(saveBatch(batch(nothing, [[], [], []])), nothing).rowCount).toBe(3);
  });

  it("D-7: the picture does not change when the batch does", () => {
    const part = everyTypeBatch(5, 2);
    const before = batchRows(part);
    const saved = saveBatch(part);
    for (const column of part.columns) if (column.encoding === "fixed") column.values.fill(7);
    expect(batchRows(loadBatch(saved, EVERY_TYPE))).toEqual(before);
  });
});
