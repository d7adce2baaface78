import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Operator } from "../../core/stages.ts";
import type { Batch } from "../../data/batch.ts";
import { decodeSnapshot, encodeSnapshot } from "../../state/snapshot-codec.ts";
import type { CellValue } from "../../testing/batch-values.ts";
import { batch, context, type RecordingContext, RecordingOutput, schema } from "../../testing/stage-kit.ts";
import { CATALOG, type RankConfig } from "../catalog.ts";
import { rank } from "./rank.ts";

const OF = schema("k utf8, v int64, id int32");
type Row = readonly [key: string | null, value: number | null, id: number, ts: number];

function ranking(config: object): { operator: Operator<Batch>; heard: RecordingContext } {
  const spec = CATALOG.get("rank");
  const parsed = spec?.config.parse({
    partitionBy: ["k"],
    orderBy: [{ column: "v", desc: true }],
    n: 2,
    ...config,
  }) as RankConfig;
  const flow = spec?.schemaFlow(parsed, { in: OF });
  if (flow?.kind !== "ok") throw new Error(JSON.stringify(flow));
  const heard = context({ inputs: { in: OF }, outputs: flow.outputs });
  return { operator: rank(parsed, heard), heard };
}

const rows = (...of: readonly Row[]): Batch =>
  batch(
    OF,
    of.map(([k, v, id]) => [k, v, id]),
    of.map(([, , , ts]) => ts),
  );
const told = (output: RecordingOutput): CellValue[][] =>
  output.take().flatMap((act) => ("rows" in act ? act.rows : []));
const TEN = { kind: "tumbling", sizeMs: 10 };

describe("rank by window", () => {
  it("sends the first n of each partition when the window has passed, by partition and rank, at end − 1", () => {
    const { operator } = ranking({ window: TEN });
    const output = new RecordingOutput();
    operator.process(
      rows(["b", 1, 1, 1], ["a", 5, 2, 2], ["a", 7, 3, 3], ["a", 6, 4, 4], ["a", 9, 5, 12]),
      "in",
      output,
    );
    operator.onTime?.(10, output);
    expect(told(output)).toEqual([
      ["a", 7n, 3, 0n, 10n, 1n],
      ["a", 6n, 4, 0n, 10n, 2n],
      ["b", 1n, 1, 0n, 10n, 1n],
    ]);
    expect([...(output.batches[0]?.eventTimes ?? [])]).toEqual([9, 9, 9]);
    operator.onEos?.(output);
    expect(told(output)).toEqual([]);
    operator.onEnd?.(output);
    expect(told(output)).toEqual([["a", 9n, 5, 10n, 20n, 1n]]);
  });

  it("D-27: equal ranks go to the earlier event time, then to the smaller row", () => {
    const { operator } = ranking({ window: TEN, n: 3 });
    const output = new RecordingOutput();
    operator.process(rows(["a", 1, 7, 5], ["a", 1, 9, 4], ["a", 1, 3, 5]), "in", output);
    operator.onEnd?.(output);
    expect(told(output).map(([, , id]) => id)).toEqual([9, 3, 7]);
  });

  it("D-27: with ties kept, equal rows have one rank and all of them stay, in the order of ties", () => {
    const { operator } = ranking({ window: TEN, ties: "keep" });
    const output = new RecordingOutput();
    operator.process(
      rows(["a", 5, 1, 4], ["a", 7, 2, 3], ["b", 1, 3, 1], ["a", 7, 4, 2], ["a", 4, 5, 1]),
      "in",
      output,
    );
    operator.process(rows(["a", 7, 6, 9], ["b", 2, 7, 2], ["b", 1, 8, 0]), "in", output);
    operator.onEnd?.(output);
    expect(told(output).map(([k, , id, , , rank]) => [k, id, rank])).toEqual([
      ["a", 4, 1n],
      ["a", 2, 1n],
      ["a", 6, 1n],
      ["b", 7, 1n],
      ["b", 8, 2n],
      ["b", 3, 2n],
    ]);
  });

  it("a ranking of all rows so far refuses to keep ties, and says what to do", () => {
    const spec = CATALOG.get("rank");
    const config = (more: object): unknown => spec?.config.parse({ orderBy: [{ column: "v" }], ...more });
    expect(spec?.check?.(config({ ties: "keep" }))).toMatchObject([
      { code: "conflicting-fields", field: "ties", fix: { patch: [{ path: "/ties", value: "break" }] } },
    ]);
    expect(spec?.check?.(config({ ties: "keep", window: TEN }))).toEqual([]);
    expect(spec?.check?.(config({}))).toEqual([]);
  });

  it("D-27: rows behind the bar of their partition are turned away, no others, when rows were cut down and partitions forgotten", () => {
    for (const n of [1, 2]) {
      const { operator } = ranking({ window: { kind: "tumbling", sizeMs: 10_000 }, n });
      const output = new RecordingOutput();
      const all = Array.from({ length: 12_000 }, (_, i): Row => {
        const of = (i * 7919) % 12_000;
        return [of % 3 === 0 ? null : `k${of % 1500}`, (of * 31) % 977, i, i];
      });
      all.sort((a, b) => a[3] - b[3]);
      for (let from = 0; from < all.length; from += 2000) {
        operator.process(rows(...all.slice(from, from + 2000)), "in", output);
        operator.onTime?.(all[from + 1999]?.[3] as number, output);
      }
      operator.onEnd?.(output);
      expect(final(output.rows, true)).toEqual(model(all, n, 10_000, 10_000));
    }
  });

  it("D-20, D-23: late rows and rows without a time are dropped and counted; NULL keys are one partition", () => {
    const { operator, heard } = ranking({ window: TEN });
    const output = new RecordingOutput();
    operator.onTime?.(10, output);
    operator.process(rows(["a", 1, 1, 9], ["a", 1, 2, Number.NaN], [null, 1, 3, 11], [null, 2, 4, 12]), "in", output);
    operator.onEnd?.(output);
    expect(told(output).map(([, , id]) => id)).toEqual([4, 3]);
    expect(heard.counts.get("late")).toBe(2);
  });

  it("a window keeps no more rows than its ranking needs", () => {
    const { operator } = ranking({ window: { kind: "tumbling", sizeMs: 1_000_000 } });
    const output = new RecordingOutput();
    const part = (at: number): Batch => rows(...Array.from({ length: 1000 }, (_, i): Row => ["a", at + i, i, at + i]));
    for (let at = 0; at < 100_000; at += 1000) operator.process(part(at), "in", output);
    expect(encodeSnapshot(operator.snapshot?.(1 as never) as SnapshotValue).length).toBeLessThan(200_000);
    operator.onEnd?.(output);
    expect(told(output).map(([, v]) => v)).toEqual([99_999n, 99_998n]);
  });
});

describe("rank over everything so far", () => {
  it("keeps no more rows than may be ranked, however long time stands still, and forgets none that was told", () => {
    const { operator } = ranking({ partitionBy: ["k"], n: 2 });
    const output = new RecordingOutput();
    operator.process(rows(["a", 7, 1, 1], ["a", 5, 2, 1], ["b", 9, 3, 1]), "in", output);
    operator.onTime?.(1, output);
    output.take();
    for (let at = 0; at < 60_000; at += 2000) {
      operator.process(rows(...Array.from({ length: 2000 }, (_, i): Row => ["a", at + i, i, 2])), "in", output);
    }
    expect(encodeSnapshot(operator.snapshot?.(1 as never) as SnapshotValue).length).toBeLessThan(1_000_000);
    operator.process(rows(["b", 9, 3, 2]), "in", output);
    operator.onEnd?.(output);
    expect(told(output)).toEqual([
      ["a", 59_999n, 1999, 1n, "update"],
      ["a", 59_998n, 1998, 2n, "update"],
      ["b", 9n, 3, 2n, "insert"],
    ]);
  });

  it("tells what changed: insert for a new rank, update for one that another row has now", () => {
    const { operator } = ranking({});
    const output = new RecordingOutput();
    operator.process(rows(["a", 1, 1, 1]), "in", output);
    operator.onTime?.(1, output);
    expect(told(output)).toEqual([["a", 1n, 1, 1n, "insert"]]);
    operator.process(rows(["a", 5, 2, 2], ["a", 0, 3, 2], ["b", 1, 4, 2]), "in", output);
    operator.onTime?.(2, output);
    expect(told(output)).toEqual([
      ["a", 5n, 2, 1n, "update"],
      ["a", 1n, 1, 2n, "insert"],
      ["b", 1n, 4, 1n, "insert"],
    ]);
    operator.process(rows(["a", 0, 9, 3]), "in", output);
    operator.onEnd?.(output);
    expect(told(output)).toEqual([]);
  });
});

const byRank = (a: Row, b: Row): number =>
  Number(a[1] === null) - Number(b[1] === null) || (b[1] ?? 0) - (a[1] ?? 0) || a[3] - b[3] || a[2] - b[2];

/** `key start: ids in order of rank`, by sorting all rows of a group. */
function model(all: readonly Row[], n: number, size: number, slide: number): string[] {
  const groups = new Map<string, Row[]>();
  for (const row of all) {
    for (let start = Math.floor(row[3] / slide) * slide; start > row[3] - size; start -= slide) {
      const name = `${row[0]} ${start}`;
      groups.set(name, [...(groups.get(name) ?? []), row]);
    }
  }
  return [...groups]
    .map(
      ([name, of]) =>
        `${name}: ${of
          .sort(byRank)
          .slice(0, n)
          .map(([, , id]) => id)}`,
    )
    .sort();
}

/** The last row of each key and rank. */
function final(of: readonly CellValue[][], windowed: boolean): string[] {
  const groups = new Map<string, Map<string, CellValue>>();
  for (const cells of of) {
    const name = `${cells[0]} ${windowed ? cells[3] : 0}`;
    const group = groups.get(name) ?? new Map<string, CellValue>();
    groups.set(name, group.set(String(cells[windowed ? 5 : 3]).padStart(3, "0"), cells[2] as CellValue));
  }
  return [...groups].map(([name, ids]) => `${name}: ${[...ids].sort().map(([, id]) => id)}`).sort();
}

describe("rank by a model (property)", () => {
  it("D-27: windows and changelogs by their final state, at every batch size, restored after every step", () => {
    const row = fc.tuple(
      fc.option(fc.constantFrom("a", "b")),
      fc.option(fc.integer({ min: 0, max: 3 })),
      fc.integer({ min: 0, max: 5 }),
      fc.integer({ min: -12, max: 30 }),
    );
    const config = fc.record({
      n: fc.integer({ min: 1, max: 3 }),
      grid: fc.option(fc.constantFrom([10, 10], [10, 4], [5, 2])),
      size: fc.constantFrom(1, 3, 1000),
      restores: fc.boolean(),
    });
    fc.assert(
      fc.property(config, fc.array(fc.array(row, { maxLength: 6 }), { maxLength: 6 }), (of, steps) => {
        const [sizeMs = 100, slideMs = 100] = of.grid ?? [];
        const window = of.grid === null ? {} : { window: { kind: "sliding", sizeMs, slideMs } };
        let { operator } = ranking({ n: of.n, ...window });
        const output = new RecordingOutput();
        steps.forEach((all, s) => {
          for (let from = 0; from < all.length; from += of.size) {
            operator.process(rows(...all.slice(from, from + of.size)), "in", output);
          }
          const to = Math.min(...steps.slice(s + 1).flatMap((later) => later.map(([, , , ts]) => ts)));
          if (Number.isFinite(to)) operator.onTime?.(to, output);
          if (!of.restores) return;
          const taken = decodeSnapshot(encodeSnapshot(operator.snapshot?.(1 as never) as SnapshotValue));
          operator = ranking({ n: of.n, ...window }).operator;
          operator.restore?.(taken);
        });
        operator.onEnd?.(output);
        const all = steps.flat();
        const expected = of.grid === null ? modelOfAll(all, of.n) : model(all, of.n, sizeMs, slideMs);
        expect(final(output.rows, of.grid !== null)).toEqual(expected);
      }),
      { seed: 12, numRuns: 200 },
    );
  });
});

function modelOfAll(all: readonly Row[], n: number): string[] {
  const keys = [...new Set(all.map(([k]) => k))];
  const top = (key: string | null): Row[] =>
    all
      .filter(([k]) => k === key)
      .sort(byRank)
      .slice(0, n);
  return keys.map((key) => `${key} 0: ${top(key).map(([, , id]) => id)}`).sort();
}
