import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { Source } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";
import { schemaOf } from "../operators/catalog/shared-config.ts";
import { rowsSource as spec } from "../operators/catalog/source-rows.ts";
import type { RowsSourceConfig } from "../operators/catalog.ts";
import { type Act, context, RecordingOutput } from "../testing/stage-kit.ts";
import { rowsSource } from "./rows-source.ts";

const SCHEMA = [
  { name: "id", type: "int64" },
  { name: "ts", type: "int64" },
];
const config = (more: object): RowsSourceConfig => spec.config.parse({ schema: SCHEMA, ...more }) as RowsSourceConfig;

function source(of: RowsSourceConfig, subtask = 0, parallelism = 1, position?: SnapshotValue): Source<Batch> {
  const outputs = { out: schemaOf(of.schema) };
  return rowsSource(of, context({ subtask, parallelism, outputs, position }));
}

/** Polls to the end; the acts of every poll, those of `open` first. */
function drain(of: Source<Batch>, afterPoll: () => void = () => undefined): { polls: Act[][]; rows: unknown[][] } {
  const output = new RecordingOutput();
  of.open?.(output);
  const polls = [output.take()];
  for (let result = "again"; result === "again"; ) {
    result = of.poll(output).kind;
    polls.push(output.take());
    afterPoll();
    expect(["again", "done"]).toContain(result);
  }
  return { polls, rows: output.rows };
}

const count = (n: number): number[][] => Array.from({ length: n }, (_, i) => [i, i * 10]);
const ids = (rows: unknown[][]): unknown[] => rows.map(([id]) => Number(id));

/** Sizes of batches, and what was said. */
const order = (polls: Act[][]): unknown[] =>
  polls.flat().map((act) => ("rows" in act ? act.rows.length : "mark" in act ? act.mark : act));

describe("source.rows", () => {
  it("sends its rows in order, batchRows a poll, and is done with the last of them (F-30, P-27)", () => {
    for (const [n, sizes] of [
      [7, [3, 3, 1]],
      [6, [3, 3]],
      [1, [1]],
      [0, []],
    ] as const) {
      const { polls, rows } = drain(source(config({ rows: count(n), batchRows: 3 })));
      expect(ids(rows)).toEqual(count(n).map(([id]) => id));
      expect(polls.flat().flatMap((act) => ("rows" in act ? [act.rows.length] : []))).toEqual(sizes);
    }
  });

  it("P-02: int64 beyond 2^53 stays exact, from text and from objects", () => {
    const rows = [{ id: "9007199254740993" }, { id: "9223372036854775807", ts: null }, ["-9223372036854775808", "1"]];
    expect(drain(source(config({ rows }))).rows).toEqual([
      [9007199254740993n, null],
      [9223372036854775807n, null],
      [-9223372036854775808n, 1n],
    ]);
  });

  it("E-4: subtask t of n owns the partitions p with p mod n = t, and any n gives the same rows", () => {
    const of = config({ rows: count(20), partitions: 5, batchRows: 4 });
    expect(ids(drain(source(of, 1, 3)).rows)).toEqual([1, 4, 6, 9, 11, 14, 16, 19]);
    for (const n of [1, 2, 3, 4, 5, 7]) {
      const all = Array.from({ length: n }, (_, t) => ids(drain(source(of, t, n)).rows)).flat();
      expect(all.sort((a, b) => Number(a) - Number(b))).toEqual(count(20).map(([id]) => id));
    }
  });

  it("D-6: a subtask that owns no partition says idle at once and ends", () => {
    const of = config({ rows: count(3), time: { column: "ts" } });
    expect(drain(source(of, 1, 2)).polls).toEqual([[{ mark: "idle" }], []]);
  });

  it("A-16: the watermark is the least of the partitions, and partitions without rows do not hold it", () => {
    const of = config({ rows: count(7), batchRows: 2, partitions: 3, time: { column: "ts" } });
    // Partition 2 is seen with row 2; partition 1 has its last row, of time 40, in the third batch.
    expect(order(drain(source(of)).polls)).toEqual([2, 2, 10, 2, 30, 1, 60]);
    const wide = config({ rows: count(2), batchRows: 1, partitions: 9, time: { column: "ts" } });
    expect(drain(source(wide)).polls.slice(1)).toEqual([[{ rows: [[0n, 0n]] }], [{ rows: [[1n, 10n]] }, { mark: 10 }]]);
  });

  it("P-18: the position counts the rows that were sent, and a restore at every batch boundary goes on exactly there", () => {
    const of = config({ rows: count(21), batchRows: 4, partitions: 2, time: { column: "ts" } });
    const straight = drain(source(of)).polls.slice(1);
    const first = source(of);
    const output = new RecordingOutput();
    first.open?.(output);
    for (let done = 0; done <= straight.length; done++) {
      const restored = source(of, 0, 1, structuredClone(first.position()));
      const rest = drain(restored).polls.slice(1);
      const rows = (polls: Act[][]) => polls.flat().filter((act) => "rows" in act);
      expect(rows(rest)).toEqual(rows(straight.slice(done)));
      const marks = (polls: Act[][]) => polls.flat().filter((act) => "mark" in act);
      expect(marks(rest)).toEqual(marks(straight.slice(done)));
      first.poll(output);
    }
  });

  it("P-18, D-7: restoring anywhere, at any parallelism and batch size, loses and repeats nothing (property)", () => {
    fc.assert(
      fc.property(
        fc.record({
          n: fc.integer({ min: 0, max: 40 }),
          batchRows: fc.integer({ min: 1, max: 12 }),
          partitions: fc.integer({ min: 1, max: 6 }),
          parallelism: fc.integer({ min: 1, max: 4 }),
          restores: fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 4 }),
        }),
        ({ n, batchRows, partitions, parallelism, restores }) => {
          const of = config({ rows: count(n), batchRows, partitions, time: { column: "ts" } });
          const all: unknown[] = [];
          for (let t = 0; t < parallelism; t++) {
            let current = source(of, t, parallelism);
            for (const polls of restores) {
              const output = new RecordingOutput();
              for (let i = 0; i < polls; i++) current.poll(output);
              all.push(...ids(output.rows));
              current = source(of, t, parallelism, structuredClone(current.position()));
            }
            all.push(...ids(drain(current, () => current.position()).rows));
          }
          expect(all.sort((a, b) => Number(a) - Number(b))).toEqual(count(n).map(([id]) => id));
        },
      ),
      { seed: 20240518, numRuns: 200 },
    );
  });
});
