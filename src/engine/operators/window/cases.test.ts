import { describe, expect, it, test } from "vitest";
import assignmentCases from "../../testing/cases/window-assignment.json" with { type: "json" };
import windowCases from "../../testing/cases/windows.json" with { type: "json" };
import { batch, RecordingOutput, schema } from "../../testing/stage-kit.ts";
import { windowOver } from "../../testing/window-kit.ts";
import { stretchAt } from "./assigner.ts";

interface Row {
  readonly ts: number;
  readonly key: string;
  readonly value: number;
}
interface Step {
  readonly op?: string;
  readonly rows?: readonly Row[];
  readonly watermark?: number;
  readonly ts?: number;
}
interface Expected {
  readonly window_start: number;
  readonly window_end: number;
  readonly key: string;
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly update: boolean;
}

const ORDERS = schema("ts timestamp[ms] not null, key utf8, value int64");

const shapeOf = (window: { kind: string; size_ms?: number; slide_ms?: number; gap_ms?: number }): object => {
  if (window.kind === "session") return { kind: "session", gapMs: window.gap_ms };
  if (window.kind === "sliding") return { kind: "sliding", sizeMs: window.size_ms, slideMs: window.slide_ms };
  return { kind: "tumbling", sizeMs: window.size_ms };
};

const AGGREGATES = [
  { name: "count", fn: "count" },
  { name: "sum", fn: "sum", column: "value" },
  { name: "min", fn: "min", column: "value" },
  { name: "max", fn: "max", column: "value" },
];

const rowsOf = (output: RecordingOutput, port?: string): unknown[][] =>
  output.take().flatMap((act) => ("rows" in act && act.port === port ? act.rows : []));

const asRow = (result: Expected, counted: boolean): unknown[] => {
  const bounds = [result.window_start, result.window_end].map(BigInt);
  if (counted) return [result.key, ...bounds, BigInt(result.count)];
  return [result.key, ...bounds, ...[result.count, result.sum, result.min, result.max].map(BigInt)];
};

const WINDOWS = windowCases.filter(({ id }) => !id.startsWith("OPS"));

describe("windows.json", () => {
  for (const each of WINDOWS) {
    const { config, input, expected } = each as unknown as {
      config: {
        window: never;
        value_field: string | null;
        late_policy: string;
        allowed_lateness_ms: number;
        max_buffered_keys: number;
      };
      input: { steps: Step[] };
      expected: { outputs_per_step: Expected[][]; late_rows_counted?: number; routed_rows?: Row[] };
    };
    const counted = config.value_field === null;
    const node = {
      groupBy: ["key"],
      window: shapeOf(config.window),
      aggregates: counted ? AGGREGATES.slice(0, 1) : AGGREGATES,
      late: config.late_policy,
      allowedLatenessMs: config.allowed_lateness_ms,
      maxBufferedKeys: config.max_buffered_keys,
    };
    // What is evicted depends on the batches (TUM-18, TUM-20).
    const sizes = each.feature.includes("key-cap") ? [1000] : [1, 3, 1000];
    test.each(sizes)(`${each.id} ${each.feature}, batches of %d`, (size) => {
      const { operator, heard } = windowOver(ORDERS, node);
      const output = new RecordingOutput();
      const late: unknown[][] = [];
      input.steps.forEach((step, s) => {
        const time = step.op === "watermark" ? step.ts : step.watermark;
        if (time !== undefined) operator.onTime?.(time, output);
        const rows = step.rows ?? [];
        for (let from = 0; from < rows.length; from += size) {
          const part = rows.slice(from, from + size);
          const cells = part.map(({ ts, key, value }) => [ts, key, value]);
          operator.process(
            batch(
              ORDERS,
              cells,
              part.map(({ ts }) => ts),
            ),
            "in",
            output,
          );
        }
        if (step.op === "finish") operator.onEnd?.(output);
        const acts = output.take();
        const out = acts.flatMap((act) => ("rows" in act && act.port === undefined ? act.rows : []));
        late.push(...acts.flatMap((act) => ("rows" in act && act.port === "late" ? act.rows : [])));
        expect(out, `step ${s}`).toEqual((expected.outputs_per_step[s] ?? []).map((row) => asRow(row, counted)));
      });
      if (expected.late_rows_counted !== undefined) {
        expect(heard.counts.get("late")).toBe(expected.late_rows_counted);
      }
      const routed = (expected.routed_rows ?? []).map(({ ts, key, value }) => [BigInt(ts), key, BigInt(value)]);
      expect(late).toEqual(routed);
    });
  }

  it("TUM-18: what was evicted is counted and announced, and the rest fires", () => {
    const { operator, heard } = windowOver(ORDERS, {
      groupBy: ["key"],
      window: { kind: "tumbling", sizeMs: 1000 },
      maxBufferedKeys: 2,
    });
    const output = new RecordingOutput();
    operator.process(
      batch(
        ORDERS,
        [
          [100, "a", 1],
          [1100, "b", 2],
        ],
        [100, 1100],
      ),
      "in",
      output,
    );
    operator.process(
      batch(
        ORDERS,
        [
          [2100, "c", 3],
          [3100, "d", 4],
        ],
        [2100, 3100],
      ),
      "in",
      output,
    );
    operator.onEnd?.(output);
    expect(rowsOf(output).map(([key]) => key)).toEqual(["c", "d"]);
    expect(heard.counts.get("evicted")).toBe(2);
    expect(heard.notes.map(({ code }) => code)).toEqual(["windows-evicted"]);
  });

  it("TUM-20: one batch may go over the limit, and the next one brings it back", () => {
    const { operator, heard } = windowOver(ORDERS, {
      groupBy: ["key"],
      window: { kind: "tumbling", sizeMs: 1000 },
      maxBufferedKeys: 2,
    });
    const output = new RecordingOutput();
    const rows = [
      [100, "a", 1],
      [1100, "b", 2],
      [2100, "c", 3],
    ];
    operator.process(batch(ORDERS, rows, [100, 1100, 2100]), "in", output);
    expect(heard.counts.get("evicted")).toBe(undefined);
    operator.process(batch(ORDERS, [[3100, "d", 4]], [3100]), "in", output);
    operator.onEnd?.(output);
    expect(rowsOf(output).map(([key]) => key)).toEqual(["c", "d"]);
    expect(heard.counts.get("evicted")).toBe(2);
  });
});

/** Starts of all windows that a time is in, oldest first. */
function windowsAt(grid: { size: number; slide: number; offset: number }, time: number): number[][] {
  const { first, last, from, to } = stretchAt(grid, time);
  expect(from <= time && time < to).toBe(true);
  const windows: number[][] = [];
  for (let start = first; start <= last; start += grid.slide) windows.push([start, start + grid.size]);
  return windows;
}

describe("window-assignment.json", () => {
  for (const { id, config, expected } of assignmentCases) {
    const slide = "slide_ms" in config ? config.slide_ms : config.size_ms;
    test.each(expected)(`${id} $ts`, ({ ts, windows }) => {
      expect(windowsAt({ size: config.size_ms, slide: slide as number, offset: 0 }, ts)).toEqual(windows);
    });
  }

  it("A-22: a slide that does not divide the size, and negative times", () => {
    const grid = { size: 5, slide: 2, offset: 0 };
    const starts = (time: number) => windowsAt(grid, time).map(([start]) => start);
    expect(starts(4)).toEqual([0, 2, 4]);
    expect(starts(5)).toEqual([2, 4]);
    expect(starts(0)).toEqual([-4, -2, 0]);
    expect(starts(-1)).toEqual([-4, -2]);
    expect(starts(9)).toEqual([6, 8]);
    expect(windowsAt({ size: 10, slide: 4, offset: 0 }, 0)).toHaveLength(3);
    expect(windowsAt({ size: 10, slide: 4, offset: 0 }, 3)).toHaveLength(2);
  });

  it("an offset moves the bounds", () => {
    expect(windowsAt({ size: 10, slide: 10, offset: 3 }, 2)).toEqual([[-7, 3]]);
    expect(windowsAt({ size: 10, slide: 10, offset: -4 }, 6)).toEqual([[6, 16]]);
  });
});
