import { describe, expect, it } from "vitest";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { PollResult, Source } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";
import { schemaOf } from "../operators/catalog/shared-config.ts";
import { scriptSource as spec } from "../operators/catalog/source-script.ts";
import type { ScriptSourceConfig } from "../operators/catalog.ts";
import { context, RecordingOutput } from "../testing/stage-kit.ts";
import { scriptSource } from "./script-source.ts";

const config = (more: object): ScriptSourceConfig =>
  spec.config.parse({ schema: [{ name: "n", type: "int64" }], ...more }) as ScriptSourceConfig;

function source(of: ScriptSourceConfig, subtask = 0, parallelism = 1, position?: SnapshotValue): Source<Batch> {
  return scriptSource(of, context({ subtask, parallelism, outputs: { out: schemaOf(of.schema) }, position }));
}

function polls(of: Source<Batch>, output: RecordingOutput, count: number): [PollResult["kind"], unknown[]][] {
  return Array.from({ length: count }, () => [of.poll(output).kind, output.take()]);
}

describe("source.script (D-52)", () => {
  it("sends exactly what it says, one step a poll, also a watermark that goes back", () => {
    const steps = [
      { watermark: 10 },
      { rows: [[1], [2]] },
      { watermark: 4 },
      { idle: true },
      { rows: [] },
      { rows: [[3]] },
    ];
    const output = new RecordingOutput();
    const script = source(config({ steps }));
    script.open?.(output);
    expect(output.take()).toEqual([]);
    expect(polls(script, output, 7)).toEqual([
      ["again", [{ mark: 10 }]],
      ["again", [{ rows: [[1n], [2n]] }]],
      ["again", [{ mark: 4 }]],
      ["again", [{ mark: "idle" }]],
      ["again", [{ rows: [] }]],
      ["again", [{ rows: [[3n]] }]],
      ["done", []],
    ]);
  });

  it("a wait counts on the run's clock, names its timer, and is not idleness", () => {
    const output = new RecordingOutput();
    const script = source(config({ steps: [{ wait: 50 }, { rows: [[1]] }] }));
    output.nowMs = 1000;
    expect(script.poll(output)).toEqual({ kind: "idle", wakeAtMs: 1050 });
    output.nowMs = 1049;
    expect(script.poll(output)).toEqual({ kind: "idle", wakeAtMs: 1050 });
    expect(output.take()).toEqual([]);
    output.nowMs = 1050;
    expect(polls(script, output, 3)).toEqual([
      ["again", []],
      ["again", [{ rows: [[1n]] }]],
      ["done", []],
    ]);
  });

  it("F-63: fails with exactly its text", () => {
    const output = new RecordingOutput();
    const result = source(config({ steps: [{ fail: "boom" }] })).poll(output);
    expect(result.kind === "failed" && result.error.message).toBe("boom");
  });

  it("with hold it stays open after its last step", () => {
    const output = new RecordingOutput();
    const script = source(config({ steps: [{ rows: [[1]] }], hold: true }));
    output.nowMs = 7;
    script.poll(output);
    expect(script.poll(output)).toEqual({ kind: "idle", wakeAtMs: 107 });
    expect(script.poll(output).kind).toBe("idle");
  });

  it("with parallelism, steps run on subtask 0 and the others say idle and end, also with hold", () => {
    const of = config({ steps: [{ rows: [[1]] }], hold: true });
    const output = new RecordingOutput();
    const other = source(of, 1, 2);
    other.open?.(output);
    expect(output.take()).toEqual([{ mark: "idle" }]);
    expect(polls(other, output, 1)).toEqual([["done", []]]);
  });

  it("scripts gives one list to each subtask", () => {
    const of = config({ scripts: [[{ rows: [[1]] }], [{ watermark: 5 }]] });
    const output = new RecordingOutput();
    expect(polls(source(of, 0, 3), output, 2).map(([, acts]) => acts)).toEqual([[{ rows: [[1n]] }], []]);
    expect(polls(source(of, 1, 3), output, 2).map(([, acts]) => acts)).toEqual([[{ mark: 5 }], []]);
    const third = source(of, 2, 3);
    third.open?.(output);
    expect(output.take()).toEqual([{ mark: "idle" }]);
  });

  it("D-29: rows get their event time from the column of `time`", () => {
    const output = new RecordingOutput();
    source(config({ steps: [{ rows: [[1], [null]] }], time: { column: "n", unit: "s" } })).poll(output);
    expect(output.batches[0]?.eventTimes).toEqual(Float64Array.of(1000, Number.NaN));
    expect(output.take()).toHaveLength(1);
  });

  it("P-18: goes on at the step where the position was taken, and new edges hear what was said before", () => {
    const steps = [{ watermark: 10 }, { rows: [[1]] }, { idle: true }, { wait: 5 }, { rows: [[2]] }, { rows: [[3]] }];
    const opened = [[], [10], [10], [10, "idle"], [10, "idle"], [10], [10]];
    const of = config({ steps });
    const script = source(of);
    const output = new RecordingOutput();
    for (let done = 0; done <= steps.length; done++) {
      expect(script.position()).toEqual({ next: done });
      const restored = source(of, 0, 1, structuredClone(script.position()));
      const heard = new RecordingOutput();
      restored.open?.(heard);
      expect(heard.take()).toEqual((opened[done] ?? []).map((mark) => ({ mark })));
      while (restored.poll(heard).kind !== "done") heard.nowMs += 5;
      const rest = steps.slice(done).flatMap((step) => (step.rows === undefined ? [] : step.rows));
      expect(heard.rows.map(([n]) => Number(n))).toEqual(rest.flat());
      while (script.position() !== undefined && (script.position() as { next: number }).next === done) {
        output.nowMs += 5;
        if (script.poll(output).kind === "done") break;
      }
    }
  });
});
