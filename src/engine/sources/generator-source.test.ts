import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { PollResult, Source } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";
import { generatorSource as spec } from "../operators/catalog/source-generator.ts";
import { type GeneratorSourceConfig, generatorSchema } from "../operators/catalog.ts";
import { context, RecordingOutput } from "../testing/stage-kit.ts";
import { generatorSource } from "./generator-source.ts";

const FIELDS = [
  { kind: "sequence", name: "id" },
  { kind: "uniform", name: "u", nullFraction: 0.1 },
  { kind: "normal", name: "n" },
  { kind: "zipf", name: "user", values: 20, prefix: "user-" },
  { kind: "uuid", name: "uuid" },
  { kind: "timestamp", name: "ts", startMs: 0, stepMs: 3 },
];
const config = (more: object): GeneratorSourceConfig =>
  spec.config.parse({ fields: FIELDS, ...more }) as GeneratorSourceConfig;

function source(of: GeneratorSourceConfig, subtask = 0, parallelism = 1, position?: SnapshotValue): Source<Batch> {
  return generatorSource(of, context({ subtask, parallelism, outputs: { out: generatorSchema(of.fields) }, position }));
}

function drain(of: Source<Batch>, output = new RecordingOutput()): RecordingOutput {
  of.open?.(output);
  for (let result: PollResult = { kind: "again" }; result.kind !== "done"; ) {
    result = of.poll(output);
    if (result.kind === "idle") output.nowMs = result.wakeAtMs ?? Number.NaN;
  }
  return output;
}

const byId = (rows: unknown[][]): unknown[][] => [...rows].sort(([a], [b]) => Number(a) - Number(b));
const ids = (output: RecordingOutput): number[] => output.rows.map(([id]) => Number(id));

describe("source.generator", () => {
  it("E-4: the same rows for the same seed at any parallelism and batch size (property)", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 0, max: 2 ** 31 }),
        (rows, batchRows, seed) => {
          const disorder = { maxMs: 40, fraction: 0.3 };
          const whole = byId(drain(source(config({ rows, seed, disorder }))).rows);
          expect(whole).toHaveLength(rows);
          for (const n of [1, 2, 3, 4]) {
            const of = config({ rows, seed, disorder, batchRows });
            const parts = Array.from({ length: n }, (_, t) => drain(source(of, t, n)).rows).flat();
            expect(byId(parts)).toEqual(whole);
          }
        },
      ),
      { seed: 7, numRuns: 25 },
    );
  });

  it("subtask t of n makes the rows i with i mod n = t, in order", () => {
    expect(ids(drain(source(config({ rows: 10 }), 1, 3)))).toEqual([1, 4, 7]);
    expect(ids(drain(source(config({ rows: 2 }), 2, 3)))).toEqual([]);
  });

  it("rows 0 is endless", () => {
    const output = new RecordingOutput();
    const endless = source(config({ rows: 0, batchRows: 10 }));
    for (let i = 0; i < 5; i++) expect(endless.poll(output).kind).toBe("again");
    expect(output.rows).toHaveLength(50);
  });

  it("P-18: restoring at every batch boundary loses and repeats nothing, at any parallelism", () => {
    const of = config({ rows: 50, batchRows: 7, time: { column: "ts", watermark: { kind: "bounded", delayMs: 5 } } });
    for (const n of [1, 3]) {
      for (let t = 0; t < n; t++) {
        const straight = drain(source(of, t, n)).rows;
        const first = source(of, t, n);
        const output = new RecordingOutput();
        for (let polls = 0; polls < 10; polls++) {
          const rest = drain(source(of, t, n, structuredClone(first.position())));
          expect([...output.rows, ...rest.rows]).toEqual(straight);
          first.poll(output);
        }
      }
    }
  });

  it("a position of another parallelism is refused, not guessed at", () => {
    const position = source(config({}), 0, 2).position();
    expect(() => source(config({}), 0, 3, position)).toThrow(/2 subtasks.*there are 3/);
  });

  it("rowsPerSecond: row i is due i / rate after the start on the run's clock, over all subtasks", () => {
    const of = config({ rows: 6, rowsPerSecond: 10 });
    for (const [t, n, expected] of [
      [0, 1, { 0: 1000, 1: 1100, 2: 1200, 3: 1300, 4: 1400, 5: 1500 }],
      [1, 2, { 1: 1100, 3: 1300, 5: 1500 }],
    ] as const) {
      const output = new RecordingOutput();
      output.nowMs = 1000;
      const sent: Record<number, number> = {};
      const generator = source(of, t, n);
      for (let result: PollResult = { kind: "again" }; result.kind !== "done"; ) {
        result = generator.poll(output);
        for (const act of output.take()) if ("rows" in act) sent[Number(act.rows[0]?.[0])] = output.nowMs;
        if (result.kind === "idle") output.nowMs = result.wakeAtMs ?? Number.NaN;
      }
      expect(sent).toEqual(expected);
    }
  });

  it("a high rate sends portions of about ten milliseconds, and catches up after it was held up", () => {
    const output = new RecordingOutput();
    const generator = source(config({ rows: 100_000, rowsPerSecond: 10_000, batchRows: 1000 }));
    expect(generator.poll(output)).toEqual({ kind: "idle", wakeAtMs: 9.9 });
    output.nowMs = 10;
    expect(generator.poll(output).kind).toBe("again");
    expect(output.batches.at(-1)?.rowCount).toBe(101);
    output.nowMs = 150;
    for (let i = 0; i < 3; i++) generator.poll(output);
    expect(output.batches.map((batch) => batch.rowCount)).toEqual([101, 1000, 400]);
    expect(generator.poll(output).kind).toBe("idle");
  });

  it("D-6, P-11: is idle while no row is due, not while it could not write", () => {
    const of = config({
      rows: 3,
      rowsPerSecond: 0.1,
      time: { column: "ts", watermark: { kind: "ascending" }, idleTimeoutMs: 1000 },
    });
    const output = new RecordingOutput();
    const generator = source(of);
    generator.open?.(output);
    generator.poll(output);
    // Sending the first row took four seconds: they do not count.
    output.nowMs = 4000;
    expect(generator.poll(output)).toEqual({ kind: "idle", wakeAtMs: 5000 });
    output.nowMs = 5000;
    expect(generator.poll(output)).toEqual({ kind: "idle", wakeAtMs: 10_000 });
    output.nowMs = 10_000;
    generator.poll(output);
    const said = output.take().map((act) => ("mark" in act ? act.mark : "rows"));
    expect(said).toEqual(["rows", 0, "idle", "rows", 3]);
  });

  it("D-20: with disorder inside the watermark's delay, no row comes behind its watermark", () => {
    const of = config({
      rows: 2000,
      batchRows: 16,
      disorder: { maxMs: 100, fraction: 0.5 },
      time: { column: "ts", watermark: { kind: "bounded", delayMs: 100 } },
    });
    const output = drain(source(of));
    let watermark = Number.NEGATIVE_INFINITY;
    let marks = 0;
    for (const act of output.take()) {
      if ("mark" in act && typeof act.mark === "number") {
        expect(act.mark).toBeGreaterThan(watermark);
        watermark = act.mark;
        marks++;
      } else if ("rows" in act) for (const row of act.rows) expect(Number(row[5])).toBeGreaterThanOrEqual(watermark);
    }
    expect(marks).toBeGreaterThan(100);
  });
});
