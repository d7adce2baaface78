import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { Operator } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";
import { decodeSnapshot, encodeSnapshot } from "../state/snapshot-codec.ts";
import { batch, context, type RecordingContext, RecordingOutput, schema } from "../testing/stage-kit.ts";
import { CATALOG, type DedupeConfig } from "./catalog.ts";
import { dedupe } from "./dedupe.ts";

const OF = schema("k utf8, v int64");
type Row = readonly [key: string | null, value: number, ts: number];

function deduping(config: object): { operator: Operator<Batch>; heard: RecordingContext } {
  const parsed = CATALOG.get("dedupe")?.config.parse({ keys: ["k"], ...config }) as DedupeConfig;
  const heard = context({ inputs: { in: OF }, outputs: { out: OF } });
  return { operator: dedupe(parsed, heard), heard };
}

const rows = (...of: readonly Row[]): Batch =>
  batch(
    OF,
    of.map(([k, v]) => [k, v]),
    of.map(([, , ts]) => ts),
  );
const told = (output: RecordingOutput): unknown[][] => output.take().flatMap((act) => ("rows" in act ? act.rows : []));

describe("dedupe", () => {
  it("D-27: keeps the first by event time, whatever order rows come in, once the watermark has passed it", () => {
    const { operator, heard } = deduping({});
    const output = new RecordingOutput();
    operator.process(rows(["a", 2, 7], ["b", 9, 6], [null, 5, 5]), "in", output);
    operator.process(rows(["a", 1, 4], [null, 6, 8]), "in", output);
    operator.onTime?.(4, output);
    expect(told(output)).toEqual([]);
    operator.onTime?.(7, output);
    expect(told(output)).toEqual([
      ["a", 1n],
      [null, 5n],
      ["b", 9n],
    ]);
    operator.process(rows(["b", 1, 6]), "in", output);
    expect(heard.counts.get("late")).toBe(1);
    operator.onEnd?.(output);
    expect(told(output)).toEqual([]);
  });

  it("keep last: tells at the end, or when the time to forget has passed, and holds time back until then", () => {
    const forever = deduping({ keep: "last" }).operator;
    const output = new RecordingOutput();
    forever.process(rows(["a", 1, 1], ["a", 2, 9], ["b", 3, 4]), "in", output);
    forever.onTime?.(20, output);
    expect(output.take()).toEqual([{ mark: 1 }]);
    forever.onEnd?.(output);
    expect(told(output)).toEqual([
      ["b", 3n],
      ["a", 2n],
    ]);
    const forgetting = deduping({ keep: "last", ttlMs: 5 }).operator;
    forgetting.process(rows(["a", 1, 1], ["a", 2, 6], ["a", 3, 12]), "in", output);
    forgetting.onTime?.(13, output);
    expect(output.take()).toEqual([{ rows: [["a", 2n]] }, { mark: 8 }]);
    forgetting.onTime?.(17, output);
    expect(told(output)).toEqual([]);
    forgetting.onTime?.(18, output);
    expect(told(output)).toEqual([["a", 3n]]);
  });

  it("without event time rows are taken as they come, and the time to forget runs by the clock", () => {
    const { operator } = deduping({ ttlMs: 1000 });
    const output = new RecordingOutput();
    const plain = batch(OF, [
      ["a", 1],
      ["a", 2],
      ["b", 3],
    ]);
    operator.process(plain, "in", output);
    expect(told(output)).toEqual([
      ["a", 1n],
      ["b", 3n],
    ]);
    output.nowMs = 1000;
    operator.process(plain, "in", output);
    expect(told(output)).toEqual([]);
    output.nowMs = 1001;
    operator.process(plain, "in", output);
    expect(told(output)).toEqual([
      ["a", 1n],
      ["b", 3n],
    ]);
  });

  it("by the clock, what others say about event time ends no time to forget", () => {
    for (const keep of ["first", "last"] as const) {
      const { operator } = deduping({ ttlMs: 1000, keep });
      const output = new RecordingOutput();
      const plain = batch(OF, [["a", 1]]);
      operator.process(plain, "in", output);
      operator.onTime?.(1_700_000_000_000, output);
      operator.process(plain, "in", output);
      expect(told(output)).toEqual(keep === "first" ? [["a", 1n]] : []);
      operator.onEnd?.(output);
      expect(told(output)).toEqual(keep === "first" ? [] : [["a", 1n]]);
    }
  });

  it("keys that are forgotten take no memory", () => {
    const { operator } = deduping({ ttlMs: 10 });
    const output = new RecordingOutput();
    const size = (): number => encodeSnapshot(operator.snapshot?.(1 as never) as SnapshotValue).length;
    const empty = size();
    for (let at = 0; at < 20_000; at += 500) {
      operator.process(rows(...Array.from({ length: 500 }, (_, i): Row => [`key-${at + i}`, i, at])), "in", output);
      operator.onTime?.(at + 11, output);
    }
    expect(output.rows).toHaveLength(20_000);
    expect(size()).toBe(empty);
  });

  it("D-27: the same rows in every order within the promise, at every batch size, restored after every step (property)", () => {
    const row = fc.tuple(
      fc.option(fc.constantFrom("a", "b", "")),
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 0, max: 30 }),
    );
    const config = fc.record({
      keep: fc.constantFrom("first", "last"),
      ttlMs: fc.option(fc.integer({ min: 1, max: 9 })),
      size: fc.constantFrom(1, 3, 1000),
      restores: fc.boolean(),
    });
    fc.assert(
      fc.property(
        config,
        fc.array(fc.array(row, { maxLength: 6 }), { maxLength: 6 }),
        ({ size, restores, ...of }, steps) => {
          let { operator } = deduping(of);
          const output = new RecordingOutput();
          steps.forEach((all, s) => {
            for (let from = 0; from < all.length; from += size) {
              operator.process(rows(...all.slice(from, from + size)), "in", output);
            }
            const to = Math.min(...steps.slice(s + 1).flatMap((later) => later.map(([, , ts]) => ts)));
            if (Number.isFinite(to)) operator.onTime?.(to, output);
            if (!restores) return;
            const taken = decodeSnapshot(encodeSnapshot(operator.snapshot?.(1 as never) as SnapshotValue));
            operator = deduping(of).operator;
            operator.restore?.(taken);
          });
          operator.onEnd?.(output);
          const found = output.rows.map(([k, v]) => `${k} ${v}`).sort();
          expect(found).toEqual(model(steps.flat(), of.keep === "last", of.ttlMs ?? Number.POSITIVE_INFINITY));
        },
      ),
      { seed: 31, numRuns: 200 },
    );
  });
});

/** Values at one time and key sort by their bytes as they do by size. */
function model(all: readonly Row[], last: boolean, ttlMs: number): string[] {
  const found: string[] = [];
  for (const key of new Set(all.map(([k]) => k))) {
    let counts: Row | undefined;
    for (const row of all.filter(([k]) => k === key).sort((a, b) => a[2] - b[2] || a[1] - b[1])) {
      const anew = counts === undefined || row[2] > counts[2] + ttlMs;
      if (last && anew && counts !== undefined) found.push(`${key} ${counts[1]}`);
      if (!last && anew) found.push(`${key} ${row[1]}`);
      if (anew || (last && row[2] > (counts?.[2] ?? 0))) counts = row;
    }
    if (last && counts !== undefined) found.push(`${key} ${counts[1]}`);
  }
  return found.sort();
}
