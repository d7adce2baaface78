import { describe, expect, it } from "vitest";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Operator } from "../../core/stages.ts";
import type { Batch } from "../../data/batch.ts";
import { KeyIndex } from "../../data/key-index.ts";
import { decodeSnapshot, encodeSnapshot } from "../../state/snapshot-codec.ts";
import { batch, RecordingOutput, schema } from "../../testing/stage-kit.ts";
import { windowOver } from "../../testing/window-kit.ts";

const KEYED = schema("key utf8, ts timestamp[ms]");
const TEN = { kind: "tumbling", sizeMs: 10 };

const rows = (...of: readonly (readonly [string | null, number | null])[]): Batch =>
  batch(
    KEYED,
    of,
    of.map(([, ts]) => ts ?? Number.NaN),
  );

const counting = (config: object) => windowOver(KEYED, { groupBy: ["key"], ...config });

/** Rows that went out since the last call, without the port `late`. */
const told = (output: RecordingOutput): unknown[][] =>
  output.take().flatMap((act) => ("rows" in act && act.port === undefined ? act.rows : []));

const restored = (from: Operator<Batch>, config: object): Operator<Batch> => {
  const { operator } = counting(config);
  operator.restore?.(decodeSnapshot(encodeSnapshot(from.snapshot?.(1 as never) as SnapshotValue)));
  return operator;
};

describe("late rows (D-20)", () => {
  it("update: an allowed late row sends the corrected result at the end of its batch, with is_update", () => {
    const { operator, heard } = counting({ window: TEN, late: "update", allowedLatenessMs: 5 });
    const output = new RecordingOutput();
    operator.process(rows(["a", 1], ["b", 2]), "in", output);
    operator.onTime?.(10, output);
    expect(told(output)).toEqual([
      ["a", 0n, 10n, 1n, false],
      ["b", 0n, 10n, 1n, false],
    ]);
    operator.process(rows(["a", 3], ["a", 4], ["c", 5]), "in", output);
    expect(told(output)).toEqual([
      ["a", 0n, 10n, 3n, true],
      ["c", 0n, 10n, 1n, false],
    ]);
    operator.onTime?.(15, output);
    operator.process(rows(["b", 9]), "in", output);
    expect(told(output)).toEqual([["b", 0n, 10n, 2n, true]]);
    operator.onTime?.(16, output);
    operator.process(rows(["a", 9]), "in", output);
    expect(told(output)).toEqual([]);
    expect(heard.counts.get("late")).toBe(1);
  });

  it("D-29: corrections of one row in several windows go out by window start, then key", () => {
    const window = { kind: "sliding", sizeMs: 10, slideMs: 5 };
    const { operator } = counting({ window, late: "update", allowedLatenessMs: 50 });
    const output = new RecordingOutput();
    operator.onTime?.(40, output);
    operator.process(rows(["b", 7], ["a", 7], ["b", 1]), "in", output);
    expect(told(output)).toEqual([
      ["b", -5n, 5n, 1n, false],
      ["a", 0n, 10n, 1n, false],
      ["b", 0n, 10n, 2n, false],
      ["a", 5n, 15n, 1n, false],
      ["b", 5n, 15n, 1n, false],
    ]);
  });

  it("update: an allowed late row may open a window that never had a row, and that is no update", () => {
    const { operator } = counting({ window: TEN, late: "update", allowedLatenessMs: 5 });
    const output = new RecordingOutput();
    operator.onTime?.(12, output);
    operator.process(rows(["a", 3]), "in", output);
    expect(told(output)).toEqual([["a", 0n, 10n, 1n, false]]);
    operator.onEnd?.(output);
    expect(told(output)).toEqual([]);
  });

  it("a row late for some of its windows counts in the open ones and is not late", () => {
    const { operator, heard } = counting({ window: { kind: "sliding", sizeMs: 10, slideMs: 5 } });
    const output = new RecordingOutput();
    operator.onTime?.(12, output);
    operator.process(rows(["a", 6], ["a", 1]), "in", output);
    operator.onEnd?.(output);
    expect(told(output)).toEqual([["a", 5n, 15n, 1n]]);
    expect(heard.counts.get("late")).toBe(1);
  });

  it("D-23: a NULL event time is never on time: dropped and counted, or routed", () => {
    const dropped = counting({ window: TEN });
    const output = new RecordingOutput();
    dropped.operator.process(rows(["a", null], ["a", 1]), "in", output);
    dropped.operator.onEnd?.(output);
    expect(told(output)).toEqual([["a", 0n, 10n, 1n]]);
    expect(dropped.heard.counts.get("late")).toBe(1);
    const routing = counting({ window: TEN, late: "route" });
    routing.operator.process(rows(["a", null]), "in", output);
    expect(output.take()).toEqual([{ rows: [["a", null]], port: "late" }]);
    expect(routing.heard.counts.get("routed")).toBe(1);
  });

  it("D-23: NULL keys are one group, first in order", () => {
    const { operator } = counting({ window: TEN });
    const output = new RecordingOutput();
    operator.process(rows(["b", 1], [null, 2], ["", 3], [null, 4]), "in", output);
    operator.onEnd?.(output);
    expect(told(output)).toEqual([
      [null, 0n, 10n, 2n],
      ["", 0n, 10n, 1n],
      ["b", 0n, 10n, 1n],
    ]);
  });
});

it("D-29: results of keys of several columns go by the first, then the second, then the third, few equal ones as well as many", () => {
  const of = schema("n int64, key utf8, m int32, ts timestamp[ms]");
  const { operator } = windowOver(of, { groupBy: ["n", "key", "m"], window: TEN });
  // Of n = 0 there are many keys, of which again many begin alike; of the others one or three.
  const keys = Array.from({ length: 200 }, (_, i) => {
    const place = (i * 83) % 200;
    return place < 120
      ? [0, `k${place % 3}`, 60 - place]
      : [place < 140 ? place : 140 + Math.floor(place / 3), "é", -place];
  });
  const output = new RecordingOutput();
  operator.process(
    batch(
      of,
      keys.map((key) => [...key, 1]),
      keys.map(() => 1),
    ),
    "in",
    output,
  );
  operator.onEnd?.(output);
  const sorted = [...keys].sort(
    ([a, b, c], [x, y, z]) =>
      Number(a) - Number(x) || (String(b) < String(y) ? -1 : String(b) > String(y) ? 1 : 0) || Number(c) - Number(z),
  );
  expect(told(output).map((row) => row.slice(0, 3))).toEqual(
    sorted.map(([n, key, m]) => [BigInt(n as number), key, m]),
  );
});

describe("sessions (D-28)", () => {
  const session = { window: { kind: "session", gapMs: 10 } };

  it("a row that bridges several makes one of them, also within one batch", () => {
    for (const size of [1, 2, 5]) {
      const { operator } = counting(session);
      const output = new RecordingOutput();
      const all = [
        ["a", 0],
        ["a", 20],
        ["a", 40],
        ["a", 30],
        ["a", 10],
      ] as const;
      for (let from = 0; from < all.length; from += size) {
        operator.process(rows(...all.slice(from, from + size)), "in", output);
      }
      operator.onEnd?.(output);
      expect(told(output)).toEqual([["a", 0n, 50n, 5n]]);
    }
  });

  it("takes rows while W ≤ end, fires when end < W, and forwards W − 1", () => {
    const { operator } = counting(session);
    const output = new RecordingOutput();
    operator.process(rows(["a", 0]), "in", output);
    operator.onTime?.(10, output);
    expect(output.take()).toEqual([{ mark: 9 }]);
    operator.process(rows(["a", 10]), "in", output);
    operator.onTime?.(20, output);
    expect(output.take()).toEqual([{ mark: 19 }]);
    operator.onTime?.(21, output);
    expect(output.take()).toEqual([{ rows: [["a", 0n, 20n, 2n]] }, { mark: 20 }]);
    operator.onEnd?.(output);
    expect(output.take()).toEqual([]);
  });

  it("A-36: an allowed late row bridges sessions that were told: the result is an update", () => {
    const { operator } = counting({ ...session, late: "update", allowedLatenessMs: 100 });
    const output = new RecordingOutput();
    operator.process(rows(["a", 0], ["a", 15]), "in", output);
    operator.onTime?.(50, output);
    expect(told(output)).toEqual([
      ["a", 0n, 10n, 1n, false],
      ["a", 15n, 25n, 1n, false],
    ]);
    operator.process(rows(["a", 8]), "in", output);
    expect(told(output)).toEqual([["a", 0n, 25n, 3n, true]]);
    operator.process(rows(["a", 25], ["a", 35], ["a", 45]), "in", output);
    expect(told(output)).toEqual([]);
    operator.onTime?.(56, output);
    expect(told(output)).toEqual([["a", 0n, 55n, 6n, true]]);
    operator.onTime?.(200, output);
    operator.process(rows(["a", 50]), "in", output);
    operator.onEnd?.(output);
    expect(told(output)).toEqual([]);
  });
});

describe("by the clock (A-31)", () => {
  const clock = { window: TEN, trigger: { kind: "processing", everyMs: 1000 } };

  it("all that came goes out once everyMs after the first row, whatever its time, and is forgotten", () => {
    const { operator } = counting(clock);
    const output = new RecordingOutput();
    output.nowMs = 400;
    operator.process(rows(["a", 3], ["a", 25]), "in", output);
    operator.onTick?.(1300, output);
    expect(told(output)).toEqual([]);
    operator.onTick?.(1400, output);
    expect(told(output)).toEqual([
      ["a", 0n, 10n, 1n],
      ["a", 20n, 30n, 1n],
    ]);
    operator.onTick?.(9000, output);
    expect(told(output)).toEqual([]);
    operator.process(rows(["a", 4]), "in", output);
    operator.onEnd?.(output);
    expect(told(output)).toEqual([["a", 0n, 10n, 1n]]);
  });

  it("a row without event time happens when it comes", () => {
    const { operator } = counting(clock);
    const output = new RecordingOutput();
    output.nowMs = 57.5;
    operator.process(rows(["a", null]), "in", output);
    operator.onEnd?.(output);
    expect(told(output)).toEqual([["a", 50n, 60n, 1n]]);
  });

  it("D-29: it holds time back while results wait, so they are not late downstream", () => {
    const { operator } = counting(clock);
    const output = new RecordingOutput();
    operator.process(rows(["a", 3]), "in", output);
    operator.onTime?.(50, output);
    expect(output.take()).toEqual([{ mark: 9 }]);
    operator.onTick?.(1000, output);
    expect(output.take()).toEqual([{ rows: [["a", 0n, 10n, 1n]] }, { mark: 50 }]);
  });
});

describe("snapshots", () => {
  it("P-05: a distinct count survives its own snapshot, and a restore continues from it", () => {
    const of = schema("key int64, v utf8");
    const config = {
      groupBy: ["key"],
      window: { kind: "tumbling", sizeMs: 1000 },
      aggregates: [{ name: "n", fn: "count_distinct", column: "v" }],
    };
    const { operator } = windowOver(of, config);
    const output = new RecordingOutput();
    operator.process(
      batch(
        of,
        [
          [7, "a"],
          [7, "b"],
        ],
        [500, 500],
      ),
      "in",
      output,
    );
    const taken = encodeSnapshot(operator.snapshot?.(1 as never) as SnapshotValue);
    operator.process(batch(of, [[7, "c"]], [600]), "in", output);
    operator.onEnd?.(output);
    expect(told(output)).toEqual([[7n, 0n, 1000n, 3n]]);
    const second = windowOver(of, config).operator;
    second.restore?.(decodeSnapshot(taken));
    second.process(batch(of, [[7, "b"]], [600]), "in", output);
    second.onEnd?.(output);
    expect(told(output)).toEqual([[7n, 0n, 1000n, 2n]]);
  });

  it("P-06: windows that were open fire after a restore without a new row of their key", () => {
    const { operator } = counting({ window: TEN });
    const output = new RecordingOutput();
    operator.process(rows(["a", 0], ["a", 4]), "in", output);
    operator.onTime?.(4, output);
    const second = restored(operator, { window: TEN });
    second.process(rows(["b", 25]), "in", output);
    second.onTime?.(25, output);
    expect(told(output)).toEqual([["a", 0n, 10n, 2n]]);
  });

  it("P-06: what was told before is not told again, and late rows stay late", () => {
    const config = { window: { kind: "sliding", sizeMs: 3000, slideMs: 1000 } };
    const { operator } = counting(config);
    const output = new RecordingOutput();
    operator.process(rows(["a", 4500]), "in", output);
    operator.onTime?.(5000, output);
    expect(told(output)).toEqual([["a", 2000n, 5000n, 1n]]);
    const second = restored(operator, config);
    second.process(rows(["a", 1500]), "in", output);
    second.onTime?.(7000, output);
    expect(told(output)).toEqual([
      ["a", 3000n, 6000n, 1n],
      ["a", 4000n, 7000n, 1n],
    ]);
  });

  it("P-48 (D-4): Eos fires nothing and the windows stay in the snapshot; a natural end fires", () => {
    const { operator } = counting({ window: TEN });
    const output = new RecordingOutput();
    operator.process(rows(["a", 1], ["a", 2]), "in", output);
    operator.onEos?.(output);
    expect(told(output)).toEqual([]);
    const second = restored(operator, { window: TEN });
    second.process(rows(["a", 3], ["a", 11]), "in", output);
    second.onTime?.(11, output);
    expect(told(output)).toEqual([["a", 0n, 10n, 3n]]);
    operator.onEnd?.(output);
    expect(told(output)).toEqual([["a", 0n, 10n, 2n]]);
  });

  it("a window that fired leaves nothing behind, and keys that have no window are forgotten", () => {
    const { operator } = counting({ window: TEN });
    const output = new RecordingOutput();
    const size = (): number => encodeSnapshot(operator.snapshot?.(1 as never) as SnapshotValue).length;
    operator.onTime?.(0, output);
    const empty = size();
    for (let at = 0; at < 50_000; at += 1000) {
      operator.process(
        rows(...Array.from({ length: 1000 }, (_, i) => [`key-${at + i}`, at + (i % 10)] as const)),
        "in",
        output,
      );
      operator.onTime?.(at + 10, output);
    }
    expect(output.rows).toHaveLength(50_000);
    expect(size()).toBe(empty);
  });

  it("A-46: windows that are given up while time stands still leave their keys behind no more than those that fire", () => {
    for (const window of [TEN, { kind: "session", gapMs: 5 }, { kind: "sliding", sizeMs: 20, slideMs: 10 }]) {
      const { operator, heard } = counting({ window, maxBufferedKeys: 1000 });
      const output = new RecordingOutput();
      for (let at = 0; at < 10_000; at += 500) {
        operator.process(rows(...Array.from({ length: 500 }, (_, i) => [`key-${at + i}`, at] as const)), "in", output);
      }
      const keys: unknown = "keys" in operator ? operator.keys : undefined;
      expect(keys).toBeInstanceOf(KeyIndex);
      expect((keys as KeyIndex).size).toBeLessThan(4000);
      operator.onEnd?.(output);
      expect(output.rows.length + (heard.counts.get("evicted") ?? 0)).toBe(window.kind === "sliding" ? 20_000 : 10_000);
      expect(told(output).at(-1)?.[0]).toMatch(/^key-9/);
    }
  });
});

describe("overflow (D-25)", () => {
  it("a sum that leaves int64 ends the run, naming column and key; one that comes back does not", () => {
    const of = schema("key utf8, v int64");
    const config = { groupBy: ["key"], window: TEN, aggregates: [{ name: "total", fn: "sum", column: "v" }] };
    const most = 9223372036854775807n;
    const output = new RecordingOutput();
    const fine = windowOver(of, config).operator;
    fine.process(
      batch(
        of,
        [
          ["a", most],
          ["a", most],
          ["a", -most],
        ],
        [1, 2, 3],
      ),
      "in",
      output,
    );
    fine.onEnd?.(output);
    expect(told(output)).toEqual([["a", 0n, 10n, most]]);
    const over = windowOver(of, config).operator;
    over.process(
      batch(
        of,
        [
          ["a", most],
          ["a", 1],
        ],
        [1, 2],
      ),
      "in",
      output,
    );
    expect(() => over.onEnd?.(output)).toThrow('"total" of "a" needs more than 64 bits');
  });
});
