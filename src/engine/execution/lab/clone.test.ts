import { expect, test } from "vitest";
import { Batch } from "../../data/batch.ts";
import { KeyIndex } from "../../data/key-index.ts";
import { typeOf } from "../../data/types.ts";
import { cellValue } from "../../testing/batch-values.ts";
import { dictionaryBatch, textColumn } from "../../testing/sample-batches.ts";
import { cloneGraph } from "./clone.ts";

test("a copy's keys are its own: a word of a dictionary that was met after it is new to it", () => {
  const dictionary = textColumn(["a", "b", "c"]);
  const idsOf = (keys: KeyIndex, codes: number[]) => {
    const out = new Int32Array(codes.length);
    keys.idsOf(dictionaryBatch(codes, dictionary).columns, codes.length, out);
    return [...out];
  };
  const live = { keys: new KeyIndex([typeOf("utf8")]), batch: dictionaryBatch([0], dictionary) };
  expect(idsOf(live.keys, [0])).toEqual([0]);
  const keyframe = cloneGraph(live, [Batch]);
  expect(idsOf(live.keys, [1, 2])).toEqual([1, 2]);
  expect(idsOf(keyframe.keys, [2, 1, 0])).toEqual([1, 2, 0]);
  const [words] = keyframe.keys.columns(Int32Array.of(0, 1, 2));
  expect([0, 1, 2].map((row) => words !== undefined && cellValue(words, row))).toEqual(["a", "c", "b"]);
});
