import { describe, expect, test } from "vitest";
import { nodeId } from "../../base/ids.ts";
import type { CellValue } from "../../testing/batch-values.ts";
import { batchRows } from "../../testing/batch-values.ts";
import joinCases from "../../testing/cases/joins.json" with { type: "json" };
import watermarkCases from "../../testing/cases/watermarks.json" with { type: "json" };
import windowCases from "../../testing/cases/windows.json" with { type: "json" };
import { noFiles } from "../../testing/no-files.ts";
import { planned } from "../../testing/planned.ts";
import { Lab } from "./lab.ts";
import { RoundRobinScheduler } from "./scheduler.ts";

/**
 * The worked cases through sources, shuffles and tasks, at parallelism 1 and 4 and batches of 1, 3 and 1,000. A step is a second on the run's clock, so
 * that the steps of two sources keep their order; at the end the run is stopped, and what no watermark fired stays where it is (D-4).
 */
const STEP_MS = 1000;

type Step = { readonly rows?: readonly unknown[][]; readonly watermark?: number };

/** A script of such steps; those without anything for this source are waited for. */
function stepsOf(steps: readonly Step[], size: number): object[] {
  return steps.flatMap(({ rows = [], watermark }) => {
    const batches = Array.from({ length: Math.ceil(rows.length / size) }, (_, b) => ({
      rows: rows.slice(b * size, (b + 1) * size),
    }));
    return [...(watermark === undefined ? [] : [{ watermark }]), ...batches, { wait: STEP_MS }];
  });
}

const script = (id: string, schema: object[], steps: object[], hold: boolean): object => ({
  id,
  kind: "source.script",
  config: { schema, steps: [...steps, { watermark: -1e12 }], hold, time: { column: "ts" } },
});

const sink = (id: string): object => ({ id, kind: "sink.table", config: {} });

/** Rows of a sink, and how many rows were late. */
async function shown(nodes: object[], edges: object[], stopsAt: number | undefined): Promise<Lab> {
  const document = { format: "weir.graph/v1", settings: { barrierEveryMs: 0, edgeCapacity: 2 }, nodes, edges };
  const scheduler = new RoundRobinScheduler();
  const run = await Lab.create(planned(document).plan, { seed: 1, files: noFiles, scheduler });
  if (stopsAt !== undefined) {
    await run.run(() => run.nowMs > stopsAt);
    run.apply({ by: "person", kind: "stop" });
  }
  expect(await run.run()).toEqual({ kind: stopsAt === undefined ? "finished" : "stopped" });
  return run;
}

const rowsOf = (run: Lab, id: string): string[] =>
  run
    .rows(nodeId(id))
    .flatMap(batchRows)
    .map((row) => row.map((cell) => String(cell)).join("|"))
    .sort();

const GRIDS = [1, 4].flatMap((parallelism) => [1, 3, 1000].map((size) => ({ parallelism, size })));

const windowOf = (window: { kind: string; size_ms?: number; slide_ms?: number; gap_ms?: number }): object => {
  if (window.kind === "session") return { kind: "session", gapMs: window.gap_ms };
  if (window.kind === "sliding") return { kind: "sliding", sizeMs: window.size_ms, slideMs: window.slide_ms };
  return { kind: "tumbling", sizeMs: window.size_ms };
};

interface WindowInput {
  readonly op?: string;
  readonly ts?: number;
  readonly watermark?: number;
  readonly rows?: readonly { readonly ts: number; readonly key: string; readonly value: number }[];
}

interface WindowResult {
  readonly window_start: number;
  readonly window_end: number;
  readonly key: string;
  readonly count: number;
  readonly sum: number;
}

// How many windows are open in a task, and when, depends on batches and tasks (TUM-18, TUM-20).
const WINDOWS = windowCases.filter(({ id, feature }) => !id.startsWith("OPS") && !feature.includes("key-cap"));

describe("windows.json in the lab", () => {
  const schema = [
    { name: "ts", type: "timestamp[ms]" },
    { name: "key", type: "utf8" },
    { name: "value", type: "int64" },
  ];
  const cases = WINDOWS.flatMap((each) => GRIDS.map((grid) => ({ ...each, ...grid })));

  test.each(cases)("$id $feature, $parallelism tasks, batches of $size", async (each) => {
    const { config, input, expected, parallelism, size } = each;
    const steps = (input as { steps: WindowInput[] }).steps;
    const given = steps.map(({ op, ts, watermark, rows = [] }): Step => {
      const time = op === "watermark" ? ts : watermark;
      const cells = rows.map((row) => [row.ts, row.key, row.value]);
      return time === undefined ? { rows: cells } : { rows: cells, watermark: time };
    });
    const finishes = steps.some(({ op }) => op === "finish");
    const routes = config.late_policy === "route";
    // Where a case has no value column, the count is what is compared.
    const counted = "value_field" in config && config.value_field === null;
    const count = { name: "count", fn: "count" };
    const window = {
      id: "window",
      kind: "window",
      parallelism,
      config: {
        groupBy: ["key"],
        window: windowOf(config.window as never),
        aggregates: counted ? [count] : [count, { name: "sum", fn: "sum", column: "value" }],
        late: config.late_policy,
        allowedLatenessMs: config.allowed_lateness_ms,
      },
    };
    const route = { kind: "shuffle", columns: ["key"] };
    const run = await shown(
      [script("rows", schema, stepsOf(given, size), !finishes), window, sink("out"), ...(routes ? [sink("late")] : [])],
      [
        { id: "r", from: "rows", to: "window", route },
        { id: "o", from: { node: "window", port: "out" }, to: "out" },
        ...(routes ? [{ id: "l", from: { node: "window", port: "late" }, to: "late" }] : []),
      ],
      finishes ? undefined : STEP_MS * steps.length,
    );
    const results = (expected.outputs_per_step as WindowResult[][]).flat().map((row): CellValue[] => {
      const cells = [row.key, row.window_start, row.window_end, row.count];
      return counted ? cells : [...cells, row.sum];
    });
    expect(rowsOf(run, "out")).toEqual(results.map((row) => row.join("|")).sort());
    if (!routes) return;
    const late = (expected as { routed_rows?: { ts: number; key: string; value: number }[] }).routed_rows ?? [];
    expect(rowsOf(run, "late")).toEqual(late.map(({ ts, key, value }) => `${ts}|${key}|${value}`));
  });
});

interface JoinInput {
  readonly left?: readonly unknown[][];
  readonly right?: readonly unknown[][];
  readonly watermark?: number;
}

describe("joins.json in the lab", () => {
  const TYPES: Record<string, string> = {
    inner: "inner",
    left_outer: "left",
    right_outer: "right",
    full_outer: "full",
  };
  const schema = [
    { name: "key", type: "utf8" },
    { name: "ts", type: "int64" },
  ];
  const cases = joinCases.flatMap((each) => GRIDS.map((grid) => ({ ...each, ...grid })));

  test.each(cases)(
    "$id, $parallelism tasks, batches of $size",
    async ({ config, input, expected, parallelism, size }) => {
      const steps = input.steps as JoinInput[];
      const side = (name: "left" | "right"): object => {
        const given = steps.map((step): Step => {
          const rows = step[name] ?? [];
          return step.watermark === undefined ? { rows } : { rows, watermark: step.watermark };
        });
        return script(name, schema, stepsOf(given as Step[], size), true);
      };
      const join = {
        id: "join",
        kind: "join.interval",
        parallelism,
        config: {
          leftKey: ["key"],
          rightKey: ["key"],
          lowerMs: -config.window_ms,
          upperMs: config.window_ms,
          type: TYPES[config.join_type],
          ttlMs: config.ttl_ms,
          maxPerKey: config.max_per_key,
        },
      };
      const route = { kind: "shuffle", columns: ["key"] };
      const run = await shown(
        [side("left"), side("right"), join, sink("out")],
        [
          { id: "l", from: "left", to: { node: "join", port: "left" }, route },
          { id: "r", from: "right", to: { node: "join", port: "right" }, route },
          { id: "o", from: "join", to: "out" },
        ],
        STEP_MS * steps.length,
      );
      const results = expected.batches_per_step.flat(2).map((row) => {
        return [row.l_key, row.l_ts, row.r_key, row.r_ts, row.join_key].map(String).join("|");
      });
      expect(rowsOf(run, "out")).toEqual(results.sort());
    },
  );
});

describe("watermarks.json in the lab", () => {
  test("WMK-04: what a source says is the greatest time minus the delay, said once, and never goes back", async () => {
    const of = watermarkCases.find(({ id }) => id === "WMK-04") as (typeof watermarkCases)[0];
    const observed = (of.input as { steps: { observe: { ts: number } }[] }).steps.map(({ observe }) => [observe.ts]);
    const watermark = { kind: "bounded", delayMs: of.config.out_of_orderness_ms };
    const rows = {
      id: "rows",
      kind: "source.rows",
      config: {
        schema: [{ name: "n", type: "int64" }],
        rows: observed,
        batchRows: 1,
        time: { column: "n", watermark },
      },
    };
    const run = await shown(
      [rows, sink("out")],
      [{ id: "r", from: "rows", to: "out", route: { kind: "rebalance" } }],
      undefined,
    );
    const said = run.trace.flatMap((event) =>
      event.kind === "sent" && "mark" in event && event.mark.kind === "time" ? [event.mark.ms] : [],
    );
    expect(said).toEqual([...new Set(of.expected as number[])]);
  });
});
