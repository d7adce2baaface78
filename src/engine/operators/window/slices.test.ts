import { describe, expect, it } from "vitest";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Operator } from "../../core/stages.ts";
import type { Batch } from "../../data/batch.ts";
import { decodeSnapshot, encodeSnapshot } from "../../state/snapshot-codec.ts";
import { batch, RecordingOutput, schema } from "../../testing/stage-kit.ts";
import { windowOver } from "../../testing/window-kit.ts";

const KEYED = schema("key utf8, ts timestamp[ms]");
const SLIDING = { kind: "sliding", sizeMs: 10, slideMs: 5 };

const rows = (...of: readonly (readonly [string, number])[]): Batch =>
  batch(
    KEYED,
    of,
    of.map(([, ts]) => ts),
  );

const sliding = (maxBufferedKeys: number) => windowOver(KEYED, { groupBy: ["key"], window: SLIDING, maxBufferedKeys });

const saved = (operator: Operator<Batch>): { readonly [key: string]: SnapshotValue } =>
  decodeSnapshot(encodeSnapshot(operator.snapshot?.(1 as never) as SnapshotValue)) as never;

const told = (output: RecordingOutput): unknown[][] => output.take().flatMap((act) => ("rows" in act ? act.rows : []));

describe("sliding windows by slices", () => {
  it("A-46: over maxBufferedKeys the oldest pair of window and key goes alone, also behind a restore", () => {
    const { operator, heard } = sliding(3);
    const output = new RecordingOutput();
    operator.process(rows(["a", 7]), "in", output);
    expect(heard.counts.get("evicted")).toBeUndefined();
    operator.process(rows(["b", 12]), "in", output);
    expect(heard.counts.get("evicted")).toBe(1);
    const next = sliding(3);
    next.operator.restore?.(saved(operator));
    operator.onEnd?.(output);
    expect(told(output)).toEqual([
      ["a", 5n, 15n, 1n],
      ["b", 5n, 15n, 1n],
      ["b", 10n, 20n, 1n],
    ]);
    next.operator.process(rows(["a", 13]), "in", output);
    next.operator.onEnd?.(output);
    expect(next.heard.counts.get("evicted")).toBe(1);
    expect(told(output)).toEqual([
      ["a", 5n, 15n, 2n],
      ["a", 10n, 20n, 1n],
      ["b", 10n, 20n, 1n],
    ]);
  });

  it("A-46: nothing goes where there are as many pairs as may be, though slices alone cannot tell", () => {
    const { operator, heard } = sliding(4);
    const output = new RecordingOutput();
    operator.process(rows(["a", 1], ["a", 6]), "in", output);
    operator.process(rows(["a", 11]), "in", output);
    operator.onTime?.(10, output);
    operator.process(rows(["a", 14], ["a", 4]), "in", output);
    operator.onEnd?.(output);
    expect(heard.counts.get("evicted")).toBeUndefined();
    expect(heard.counts.get("late")).toBe(1);
    expect(told(output)).toEqual([
      ["a", -5n, 5n, 1n],
      ["a", 0n, 10n, 2n],
      ["a", 5n, 15n, 3n],
      ["a", 10n, 20n, 2n],
    ]);
  });

  it("D-20: a row that is late for some of its windows counts in the others, and what fired leaves nothing behind", () => {
    const { operator, heard } = sliding(1000);
    const output = new RecordingOutput();
    operator.process(rows(["a", 1], ["b", 8]), "in", output);
    operator.onTime?.(10, output);
    operator.process(rows(["a", 9], ["c", 3]), "in", output);
    expect(heard.counts.get("late")).toBe(1);
    operator.onTime?.(15, output);
    expect(told(output)).toEqual([
      ["a", -5n, 5n, 1n],
      ["a", 0n, 10n, 1n],
      ["b", 0n, 10n, 1n],
      ["a", 5n, 15n, 1n],
      ["b", 5n, 15n, 1n],
    ]);
    expect(saved(operator)["key"]).toHaveLength(0);
  });
});
