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

const OF = schema("k utf8, v int64");
type Row = readonly [key: string | null, value: number, ts: number];

function bySession(gapMs: number, n = 2): { operator: Operator<Batch>; heard: RecordingContext } {
  const spec = CATALOG.get("rank");
  const window = { kind: "session", gapMs };
  const orderBy = [{ column: "v", desc: true }];
  const parsed = spec?.config.parse({ partitionBy: ["k"], orderBy, n, window }) as RankConfig;
  const flow = spec?.schemaFlow(parsed, { in: OF });
  if (flow?.kind !== "ok") throw new Error(JSON.stringify(flow));
  const heard = context({ inputs: { in: OF }, outputs: flow.outputs });
  return { operator: rank(parsed, heard), heard };
}

const rows = (...of: readonly Row[]): Batch =>
  batch(
    OF,
    of.map(([k, v]) => [k, v]),
    of.map(([, , ts]) => ts),
  );
const told = (output: RecordingOutput): CellValue[][] =>
  output.take().flatMap((act) => ("rows" in act ? act.rows : []));

describe("rank by session", () => {
  it("D-28: a row that bridges two sessions of a partition ranks all their rows together", () => {
    const { operator } = bySession(10);
    const output = new RecordingOutput();
    operator.process(rows(["a", 1, 0], ["b", 9, 3], ["a", 5, 20]), "in", output);
    operator.process(rows(["a", 3, 10]), "in", output);
    operator.onTime?.(30, output);
    expect(told(output)).toEqual([["b", 9n, 3n, 13n, 1n]]);
    operator.onTime?.(31, output);
    expect(told(output)).toEqual([
      ["a", 5n, 0n, 30n, 1n],
      ["a", 3n, 0n, 30n, 2n],
    ]);
    expect(output.batches.map(({ eventTimes }) => [...(eventTimes ?? [])])).toEqual([[12], [29, 29]]);
  });

  it("D-28: it forwards W − 1, because a session is told one later than its event time allows", () => {
    const output = new RecordingOutput();
    bySession(10).operator.onTime?.(31, output);
    expect(output.take()).toEqual([{ mark: 30 }]);
  });

  it("D-23: late rows and rows without a time are dropped and counted; NULL keys are one partition", () => {
    const { operator, heard } = bySession(10);
    const output = new RecordingOutput();
    operator.onTime?.(20, output);
    output.take();
    operator.process(rows(["a", 1, 9], ["a", 2, Number.NaN], [null, 1, 12], [null, 2, 13]), "in", output);
    operator.onEnd?.(output);
    expect(told(output)).toEqual([
      [null, 2n, 12n, 23n, 1n],
      [null, 1n, 12n, 23n, 2n],
    ]);
    expect(heard.counts.get("late")).toBe(2);
  });

  it("a session keeps no more rows than its ranking needs, and one that fired leaves nothing behind", () => {
    const { operator } = bySession(10, 3);
    const output = new RecordingOutput();
    const size = (): number => encodeSnapshot(operator.snapshot?.(1 as never) as SnapshotValue).length;
    const empty = size();
    for (let at = 0; at < 50_000; at += 1000) {
      operator.process(rows(...Array.from({ length: 1000 }, (_, i): Row => ["a", at + i, at + i])), "in", output);
    }
    expect(size()).toBeLessThan(200_000);
    operator.onTime?.(1_000_000, output);
    expect(told(output).map(([, v]) => v)).toEqual([49_999n, 49_998n, 49_997n]);
    expect(size()).toBe(empty);
  });

  it("D-7: a restore after every step tells the same (property)", () => {
    const row = fc.tuple(
      fc.option(fc.constantFrom("a", "b")),
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: -12, max: 60 }),
    );
    const step = fc.record({ all: fc.array(row, { maxLength: 6 }), watermark: fc.integer({ min: 0, max: 15 }) });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.array(step, { maxLength: 8 }), (gapMs, steps) => {
        const run = (restores: boolean): CellValue[][] => {
          let { operator } = bySession(gapMs);
          const output = new RecordingOutput();
          let time = -12;
          for (const { all, watermark } of steps) {
            operator.process(rows(...all), "in", output);
            time += watermark;
            operator.onTime?.(time, output);
            if (!restores) continue;
            const taken = decodeSnapshot(encodeSnapshot(operator.snapshot?.(1 as never) as SnapshotValue));
            operator = bySession(gapMs).operator;
            operator.restore?.(taken);
          }
          operator.onEnd?.(output);
          return output.rows;
        };
        expect(run(true)).toEqual(run(false));
      }),
      { seed: 28, numRuns: 100 },
    );
  });
});
