import { describe, expect, it } from "vitest";
import { nodeId } from "../../base/ids.ts";
import { ndjsonOf } from "../../data/json-rows.ts";
import { noFiles } from "../../testing/no-files.ts";
import { planned } from "../../testing/planned.ts";
import { rowLines, rowText } from "../../testing/row-text.ts";
import { Lab } from "./lab.ts";
import type { Move } from "./moves.ts";

/** Windows on the real machinery: watermarks of several sources, idle ones, ends, shuffles, windows behind windows. */

const COLUMNS = [
  { name: "key", type: "utf8" },
  { name: "ts", type: "timestamp[ms]" },
];
const TABLE = { id: "table", kind: "sink.table", config: {} };
const TEN = { kind: "tumbling", sizeMs: 10 };
const SEEDS = [1, 2, 3];

const document = (nodes: object[], edges: object[]): object => ({
  format: "weir.graph/v1",
  settings: { barrierEveryMs: 0, chaining: false, edgeCapacity: 2 },
  nodes: [...nodes, TABLE],
  edges,
});

async function finished(of: object, seed: number): Promise<Lab> {
  const run = await Lab.create(planned(of).plan, { seed, files: noFiles });
  expect(await run.run()).toEqual({ kind: "finished" });
  return run;
}

const lines = (run: Lab): string[] => rowLines(run.rows(nodeId("table")));
const source = (id: string, rows: unknown[][], config: object = {}): object => ({
  id,
  kind: "source.rows",
  config: { schema: COLUMNS, rows, time: { column: "ts" }, ...config },
});
const window = (id: string, config: object, parallelism = 1): object => ({
  id,
  kind: "window",
  parallelism,
  config: { groupBy: ["key"], window: TEN, ...config },
});

describe("windows in the lab", () => {
  it("P-15: a window behind a union fires although one branch brings no rows", async () => {
    const nodes = [
      source("full", [
        ["a", 1],
        ["a", 2],
        ["a", 3],
      ]),
      source("empty", []),
      { id: "union", kind: "union", config: {} },
      window("window", {}),
    ];
    const edges = [
      { id: "f", from: "full", to: "union" },
      { id: "e", from: "empty", to: "union" },
      { id: "u", from: "union", to: "window" },
      { id: "w", from: "window", to: "table" },
    ];
    for (const seed of SEEDS) expect(lines(await finished(document(nodes, edges), seed))).toHaveLength(1);
    expect(lines(await finished(document(nodes, edges), 1))[0]).toContain('"3"');
  });

  const script = (steps: object[], hold = false): object =>
    document(
      [
        { id: "script", kind: "source.script", config: { schema: COLUMNS, steps, hold, time: { column: "ts" } } },
        window("window", {}),
      ],
      [
        { id: "s", from: "script", to: "window" },
        { id: "w", from: "window", to: "table" },
      ],
    );
  const three = {
    rows: [
      ["a", 1],
      ["a", 2],
      ["a", 3],
    ],
  };

  it("P-43: a source that is idle when it ends still fires its windows", async () => {
    const steps = [three, { watermark: 3 }, { idle: true }, { wait: 2000 }];
    for (const seed of SEEDS) {
      const run = await finished(script(steps), seed);
      expect(lines(run)).toHaveLength(1);
    }
  });

  it("P-48 (D-4): a run that is stopped fires no window", async () => {
    const run = await Lab.create(planned(script([three, { watermark: 3 }], true)).plan, { seed: 4, files: noFiles });
    const stop: Move = { by: "person", kind: "stop" };
    await run.run(() => run.nowMs >= 1000);
    run.apply(stop);
    expect(await run.run()).toEqual({ kind: "stopped" });
    expect(lines(run)).toEqual([]);
  });

  it("P-35: a window's results reach the next window at their event time, end − 1, and none is late", async () => {
    const rows = Array.from({ length: 9 }, (_, i) => ["a", i + 1]);
    const nodes = [
      source("rows", rows, { batchRows: 2 }),
      window("five", { window: { kind: "tumbling", sizeMs: 5 }, aggregates: [{ name: "n", fn: "count" }] }),
      window("ten", {
        aggregates: [
          { name: "total", fn: "sum", column: "n" },
          { name: "parts", fn: "count" },
        ],
      }),
    ];
    const edges = [
      { id: "r", from: "rows", to: "five" },
      { id: "f", from: "five", to: "ten" },
      { id: "t", from: "ten", to: "table" },
    ];
    for (const seed of SEEDS) {
      const run = await finished(document(nodes, edges), seed);
      expect(lines(run)).toHaveLength(1);
      expect(lines(run)[0]).toMatch(/"9".*"2"/);
    }
  });

  it.each([
    ["tumbling", TEN],
    ["sliding", { kind: "sliding", sizeMs: 10, slideMs: 4, offsetMs: 1 }],
    ["session", { kind: "session", gapMs: 4 }],
  ])("E-4: %s windows are the same at parallelism 1 and 4 and every batch size", async (_, shape) => {
    const keys = ["a", "b", null, "ü", "c", "d", "e"];
    const rows = Array.from({ length: 300 }, (_, i) => [keys[(i * 5) % 7], Math.floor(i / 2) + ((i * 7) % 11)]);
    const of = (batchRows: number, parallelism: number): object =>
      document(
        [
          source("rows", rows, { batchRows, time: { column: "ts", watermark: { kind: "bounded", delayMs: 12 } } }),
          window(
            "window",
            {
              window: shape,
              aggregates: [
                { name: "n", fn: "count" },
                { name: "first", fn: "first", column: "ts" },
              ],
            },
            parallelism,
          ),
        ],
        [
          { id: "r", from: "rows", to: "window", route: { kind: "shuffle", columns: ["key"] } },
          { id: "w", from: "window", to: "table" },
        ],
      );
    const expected = rowText((await finished(of(1000, 1), 1)).rows(nodeId("table")));
    expect(expected.length).toBeGreaterThan(20);
    for (const [size, parallelism] of [
      [1, 1],
      [3, 4],
      [1000, 4],
    ] as const) {
      const run = await finished(of(size, parallelism), size);
      expect(rowText(run.rows(nodeId("table")))).toEqual(expected);
    }
  });

  it("D-6: a window by watermark behind sources without event time is refused, one by the clock is not", async () => {
    const graph = (trigger: object): object =>
      document(
        [source("rows", [["a", 1]], { time: undefined }), window("window", trigger)],
        [
          { id: "r", from: "rows", to: "window" },
          { id: "w", from: "window", to: "table" },
        ],
      );
    expect(() => planned(graph({}))).toThrow("no-event-time");
    const run = await finished(graph({ trigger: { kind: "processing", everyMs: 100 } }), 1);
    expect(lines(run)).toHaveLength(1);
  });

  it.each([1, 4])(
    "A-31: by the clock every row is in one result, several times a run, at parallelism %i",
    async (parallelism) => {
      const feed = {
        id: "feed",
        kind: "source.generator",
        config: {
          fields: [{ kind: "choice", name: "key", values: ["a", "b", "c"] }],
          rows: 300,
          rowsPerSecond: 100,
          seed: 5,
        },
      };
      const counts = {
        trigger: { kind: "processing", everyMs: 500 },
        window: { kind: "tumbling", sizeMs: 60_000 },
        aggregates: [{ name: "n", fn: "count" }],
      };
      const edges = [
        { id: "f", from: "feed", to: "window", route: { kind: "shuffle", columns: ["key"] } },
        { id: "w", from: "window", to: "table" },
      ];
      const run = await finished(document([feed, window("window", counts, parallelism)], edges), parallelism);
      const found = lines(run).map((line) => JSON.parse(line) as string[]);
      expect(found.reduce((sum, row) => sum + Number(row[3]), 0)).toBe(300);
      for (const key of ["a", "b", "c"]) expect(found.filter((row) => row[0] === key).length).toBeGreaterThan(3);
    },
  );

  it("A-46: over maxBufferedKeys the oldest windows go without a result, counted and announced", async () => {
    const rows = [
      ["a", 1],
      ["b", 11],
      ["c", 21],
      ["d", 31],
    ];
    const time = { column: "ts", watermark: { kind: "bounded", delayMs: 1000 } };
    const nodes = [source("rows", rows, { batchRows: 2, time }), window("window", { maxBufferedKeys: 2 })];
    const edges = [
      { id: "r", from: "rows", to: "window" },
      { id: "w", from: "window", to: "table" },
    ];
    const run = await finished(document(nodes, edges), 1);
    expect(lines(run).map((line) => (JSON.parse(line) as string[])[0])).toEqual(["c", "d"]);
    expect(run.notes.map(({ code, node }) => [code, node])).toEqual([["windows-evicted", "window"]]);
    const task = run.plan.tasks.findIndex(({ stages }) => stages[0]?.node === "window");
    expect(run.probes.task(task, run.nowMs).counters.evicted).toBe(2);
  });

  it("the bounds of windows are integers of milliseconds in NDJSON, under whatever name and behind any edge", async () => {
    const nodes = [
      source("rows", [["a", 1]]),
      window("window", {}),
      { id: "renamed", kind: "rename", config: { names: { window_start: "since" } } },
    ];
    const edges = [
      { id: "r", from: "rows", to: "window" },
      { id: "w", from: "window", to: "renamed" },
      { id: "t", from: "renamed", to: "table" },
    ];
    const run = await finished(document(nodes, edges), 1);
    const text = run.rows(nodeId("table")).map((rows) => new TextDecoder().decode(ndjsonOf(rows)));
    expect(text.join("")).toBe('{"key":"a","since":0,"window_end":10,"count":1}\n');
  });

  it("late rows go to the port late with all their columns", async () => {
    const steps = [
      { rows: [["a", 1]] },
      { watermark: 10 },
      {
        rows: [
          ["b", 2],
          ["c", 12],
        ],
      },
    ];
    const nodes = [
      { id: "script", kind: "source.script", config: { schema: COLUMNS, steps, time: { column: "ts" } } },
      window("window", { late: "route" }),
      { id: "results", kind: "sink.blackhole", config: {} },
    ];
    const edges = [
      { id: "s", from: "script", to: "window" },
      { id: "w", from: "window", to: "results" },
      { id: "l", from: { node: "window", port: "late" }, to: "table" },
    ];
    const run = await finished(document(nodes, edges), 2);
    expect(lines(run)).toHaveLength(1);
    expect(lines(run)[0]).toContain('"b"');
  });
});
