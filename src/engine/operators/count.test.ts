import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { Operator } from "../core/stages.ts";
import { Batch } from "../data/batch.ts";
import { splitByVnode } from "../data/kernels/split.ts";
import { Schema } from "../data/schema.ts";
import { typeOf } from "../data/types.ts";
import { decodeSnapshot, encodeSnapshot } from "../state/snapshot-codec.ts";
import { dictionaryColumn, textColumn } from "../testing/sample-batches.ts";
import { batch, context, RecordingOutput, schema } from "../testing/stage-kit.ts";
import { count } from "./count.ts";

function counter(input: Schema, groupBy: string[]): Operator<Batch> {
  const fields = groupBy.map((name) => input.field(name)).filter((field) => field !== undefined);
  const out = new Schema([...fields, { name: "count", type: typeOf("int64"), nullable: false }]);
  return count({ groupBy, as: "count" }, context({ inputs: { in: input }, outputs: { out } }));
}

function counts(input: Schema, groupBy: string[], batches: Batch[]): unknown[][] {
  const output = new RecordingOutput();
  const operator = counter(input, groupBy);
  for (const each of batches) operator.process(each, "in", output);
  expect(output.take()).toEqual([]);
  operator.onEnd?.(output);
  return output.rows;
}

const copied = (value: unknown): SnapshotValue => decodeSnapshot(encodeSnapshot(value as SnapshotValue));
const one = (type: string, values: unknown[]): [Schema, string[], Batch[]] => {
  const of = schema(`k ${type}`);
  return [
    of,
    ["k"],
    [
      batch(
        of,
        values.map((value) => [value]),
      ),
    ],
  ];
};

describe("count", () => {
  it("D-4: counts go out at END, sorted by key, each as int64", () => {
    expect(counts(...one("utf8", ["b", "a", "b", "ab"]))).toEqual([
      ["a", 1n],
      ["ab", 1n],
      ["b", 2n],
    ]);
  });

  it("D-4, P-48: a stopped run, which says no END, sends nothing and keeps its counts", () => {
    const of = schema("k int64");
    const operator = counter(of, ["k"]);
    const output = new RecordingOutput();
    operator.process(batch(of, [[1], [2], [1]]), "in", output);
    operator.onEos?.(output);
    expect(output.take()).toEqual([]);
    const restored = counter(of, ["k"]);
    restored.restore?.(copied(operator.snapshot?.(1 as never)));
    restored.process(batch(of, [[2], [3]]), "in", output);
    restored.onEnd?.(output);
    expect(output.rows).toEqual([
      [1n, 2n],
      [2n, 2n],
      [3n, 1n],
    ]);
  });

  it("a checkpoint behind END holds nothing that a restore would send again", () => {
    const of = schema("k int64");
    const operator = counter(of, ["k"]);
    const output = new RecordingOutput();
    operator.process(batch(of, [[1]]), "in", output);
    operator.onEnd?.(output);
    const restored = counter(of, ["k"]);
    restored.restore?.(copied(operator.snapshot?.(1 as never)));
    output.take();
    restored.onEnd?.(output);
    expect(output.take()).toEqual([]);
  });

  it("P-02: int64 keys beyond 2^53 that differ in their last digit are different keys", () => {
    expect(counts(...one("int64", ["9007199254740993", "9007199254740992", "9007199254740993", -1]))).toEqual([
      [-1n, 1n],
      [9007199254740992n, 1n],
      [9007199254740993n, 2n],
    ]);
  });

  it("P-10, D-23: NULL is one group of its own, beside '', 'null' and 0, and sorts first", () => {
    expect(counts(...one("utf8", [null, "", null, "a", "null", "undefined"]))).toEqual([
      [null, 2n],
      ["", 1n],
      ["a", 1n],
      ["null", 1n],
      ["undefined", 1n],
    ]);
    expect(counts(...one("int32", [null, 0, null]))).toEqual([
      [null, 2n],
      [0, 1n],
    ]);
  });

  it("P-09, D-26: 0 and −0 are one key, all NaN are one and sort last", () => {
    const of = schema("k float64");
    const keys = Float64Array.of(0, -0, Number.NaN, 0, 1, Number.NEGATIVE_INFINITY);
    // A NaN with another payload.
    new Uint32Array(keys.buffer).set([7, 0x7ff80001], 6);
    const common = { type: typeOf("float64"), length: 6, nullCount: 0, validity: null };
    const made = new Batch(of, 6, [{ encoding: "fixed", ...common, values: keys }]);
    expect(counts(of, ["k"], [made])).toEqual([
      [Number.NEGATIVE_INFINITY, 1n],
      [0, 2n],
      [1, 1n],
      [Number.NaN, 2n],
    ]);
  });

  it("P-42: words are counted by their text, whatever dictionary they come with", () => {
    const of = schema("k utf8");
    const words = (codes: number[], ...dictionary: (string | null)[]) =>
      new Batch(of, codes.length, [dictionaryColumn(codes, textColumn(dictionary))]);
    const batches = [
      words([0, 1], "x", "y"),
      words([0, 1], "z", "x"),
      words([2, 2, 0], null, "q", "w"),
      batch(of, [["x"]]),
    ];
    expect(counts(of, ["k"], batches)).toEqual([
      [null, 1n],
      ["w", 2n],
      ["x", 3n],
      ["y", 1n],
      ["z", 1n],
    ]);
  });

  it("composite keys are told apart by column, and sort by the first one first", () => {
    const of = schema("v int32, a utf8, b utf8");
    const rows = [
      [1, "x", "yz"],
      [2, "xy", "z"],
      [3, "x", null],
      [4, "x", "yz"],
      [5, null, "x"],
    ];
    expect(counts(of, ["a", "b"], [batch(of, rows)])).toEqual([
      [null, "x", 1n],
      ["x", null, 1n],
      ["x", "yz", 2n],
      ["xy", "z", 1n],
    ]);
  });

  it("without key columns all rows are one group, and no rows are none", () => {
    const of = schema("v int32");
    expect(counts(of, [], [batch(of, [[1], [2]]), batch(of, []), batch(of, [[null]])])).toEqual([[3n]]);
    expect(counts(of, [], [])).toEqual([]);
  });

  it("D-44: batches without columns are counted by their rows", () => {
    const nothing = new Schema([]);
    expect(counts(nothing, [], [new Batch(nothing, 5, [])])).toEqual([[5n]]);
  });

  it("many keys go out in several batches, in one order", () => {
    const of = schema("k int64");
    const keys = Array.from({ length: 20_000 }, (_, i) => [(i * 7919) % 20_000]);
    const rows = counts(of, ["k"], [batch(of, keys)]);
    expect(rows.map(([k]) => Number(k))).toEqual(Array.from({ length: 20_000 }, (_, i) => i));
  });

  it("D-7, P-05: a snapshot is a deep copy, and taking one after every batch changes nothing (property)", () => {
    const of = schema("k utf8, j int64");
    const row = fc.tuple(fc.option(fc.constantFrom("", "a", "b", "ü")), fc.option(fc.integer({ min: -1, max: 2 })));
    fc.assert(
      fc.property(fc.array(fc.array(row, { maxLength: 8 }), { maxLength: 8 }), (batches) => {
        const made = batches.map((rows) => batch(of, rows));
        const expected = counts(of, ["k", "j"], made);
        const output = new RecordingOutput();
        const straight = counter(of, ["k", "j"]);
        const snapshots = made.map((each) => {
          const taken = copied(straight.snapshot?.(1 as never));
          straight.process(each, "in", output);
          return taken;
        });
        straight.onEnd?.(output);
        expect(output.rows).toEqual(expected);
        snapshots.forEach((taken, done) => {
          const heard = new RecordingOutput();
          const restored = counter(of, ["k", "j"]);
          restored.restore?.(taken);
          for (const each of made.slice(done)) restored.process(each, "in", heard);
          restored.onEnd?.(heard);
          expect(heard.rows).toEqual(expected);
        });
      }),
      { seed: 99, numRuns: 100 },
    );
  });

  it("the same groups at every parallelism, when rows are shuffled on the key (P-09, P-10)", () => {
    const of = schema("k float64");
    const values = [0, -0, "NaN", 1.5, null, "Infinity", 3, 1.5, null, "NaN"];
    const all = batch(
      of,
      values.map((value) => [value]),
    );
    const expected = counts(of, ["k"], [all]);
    for (const n of [2, 3, 4]) {
      const ranges = Array.from(
        { length: n },
        (_, t) => [Math.floor((t * 128) / n), Math.floor(((t + 1) * 128) / n)] as const,
      );
      const parts = splitByVnode(all, ["k"], 128, ranges);
      const rows = parts.flatMap((part) => (part === null ? [] : counts(of, ["k"], [part])));
      const byKey = (a: unknown[], b: unknown[]) => String(a[0]).localeCompare(String(b[0]));
      expect(rows.sort(byKey)).toEqual([...expected].sort(byKey));
    }
  });
});
