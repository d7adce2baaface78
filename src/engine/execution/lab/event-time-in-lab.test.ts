import { describe, expect, it, test } from "vitest";
import { nodeId } from "../../base/ids.ts";
import { batchRows } from "../../testing/batch-values.ts";
import windowCases from "../../testing/cases/windows.json" with { type: "json" };
import { noFiles } from "../../testing/no-files.ts";
import { planned } from "../../testing/planned.ts";
import { Lab } from "./lab.ts";
import { RoundRobinScheduler } from "./scheduler.ts";

/** What sources say about event time, and what a window behind them makes of it. */

const SCHEMA = [
  { name: "key", type: "utf8" },
  { name: "ts", type: "int64" },
];

async function counted(rows: unknown[][], source: object, parallelism = 1): Promise<Lab> {
  const nodes = [
    { id: "rows", kind: "source.rows", config: { schema: SCHEMA, rows, ...source } },
    {
      id: "window",
      kind: "window",
      parallelism,
      config: { groupBy: ["key"], window: { kind: "tumbling", sizeMs: 1000 } },
    },
    { id: "table", kind: "sink.table", config: {} },
  ];
  const edges = [
    { id: "r", from: "rows", to: "window", route: { kind: "shuffle", columns: ["key"] } },
    { id: "t", from: "window", to: "table" },
  ];
  const of = { format: "weir.graph/v1", settings: { barrierEveryMs: 0, chaining: false }, nodes, edges };
  const scheduler = new RoundRobinScheduler();
  const lab = await Lab.create(planned(of).plan, { seed: 1, files: noFiles, scheduler });
  expect(await lab.run()).toEqual({ kind: "finished" });
  return lab;
}

/** `window start: rows`, in the order in which they were sent. */
const results = (lab: Lab): string[] =>
  lab
    .rows(nodeId("table"))
    .flatMap(batchRows)
    .map(([key, start, , count]) => `${key} ${start}: ${count}`);

const saidBy = (lab: Lab, node: string): number[] => {
  const tasks = new Set(lab.plan.tasks.filter(({ stages }) => stages[0]?.node === node).map(({ id }) => id));
  return lab.trace.flatMap((event) =>
    event.kind === "sent" && tasks.has(event.task) && event.mark?.kind === "time" ? [event.mark.ms] : [],
  );
};

describe("event time in the lab", () => {
  const time = { column: "ts" };

  test.each([1, 4])(
    "D-21 (A-38): emit before says the watermark ahead of the batch's rows, so an older one of them is late, at parallelism %i",
    async (parallelism) => {
      const rows = [
        ["a", 2100],
        ["a", 100],
      ];
      const before = await counted(rows, { time: { ...time, emit: "before" } }, parallelism);
      expect(results(before)).toEqual(["a 2000: 1"]);
      const after = await counted(rows, { time }, parallelism);
      expect(results(after)).toEqual(["a 0: 1", "a 2000: 1"]);
    },
  );

  test.each([1, 3, 1000])(
    "maxAheadMs: one row with a wrong clock makes no other late, in batches of %i; without it all that follow are",
    async (batchRows) => {
      const rows = [0, 400, 900, 9_000_000, 1300, 1800, 2500].map((ts) => ["a", ts]);
      const guarded = await counted(rows, { batchRows, time: { ...time, maxAheadMs: 60_000 } });
      expect(results(guarded)).toEqual(["a 0: 3", "a 1000: 2", "a 2000: 1", "a 9000000: 1"]);
      expect(guarded.notes.map(({ code }) => code)).toEqual(["event-time-ahead"]);
      if (batchRows === 1000) return;
      const trusting = await counted(rows, { batchRows, time });
      expect(results(trusting)).not.toContain("a 2000: 1");
      expect(trusting.notes).toEqual([]);
    },
  );

  it("OPS-02 (A-16): a source's watermark is the least of its partitions, known only when all of them were seen", async () => {
    const of = windowCases.find(({ id }) => id === "OPS-02") as unknown as {
      config: { allowed_lateness_ms: number };
      input: { steps: { push: { partition: number; ts: number } }[] };
      expected: { watermark_after: (string | number)[] };
    };
    // Rows are dealt to the partitions in turn; NULL times fill up and move nothing.
    const rows: unknown[][] = [];
    for (const { push } of of.input.steps) {
      while (rows.length % 2 !== push.partition) rows.push(["a", null]);
      rows.push(["a", push.ts]);
    }
    // A partition at its end would hold nothing back any more.
    rows.push(["a", null], ["a", null]);
    const watermark = { kind: "bounded", delayMs: of.config.allowed_lateness_ms };
    const lab = await counted(rows, { batchRows: 1, partitions: 2, time: { ...time, watermark } });
    expect(saidBy(lab, "rows").slice(0, 2)).toEqual(of.expected.watermark_after.slice(1));
  });

  it("A-16: without the slower partition's word nothing fires, and its rows are in time however far the other is", async () => {
    const rows = Array.from({ length: 20 }, (_, i) => ["a", i % 2 === 0 ? 100_000 + i : i * 10]);
    const lab = await counted(rows, { batchRows: 1, partitions: 2, time });
    expect(results(lab)).toEqual(["a 0: 10", "a 100000: 10"]);
    expect(Math.max(...saidBy(lab, "rows").slice(0, -1))).toBeLessThan(1000);
  });

  test.each([
    ["s", 1],
    ["ms", 1000],
    ["us", 1_000_000],
    ["ns", 1_000_000_000],
  ])("bare integers count %s (A-13), before 1970 as well", async (unit, perSecond) => {
    const rows = [-1, 0, 1, 1].map((seconds) => ["a", String(seconds * perSecond)]);
    expect(results(await counted(rows, { time: { ...time, unit } }))).toEqual(["a -1000: 1", "a 0: 1", "a 1000: 2"]);
  });

  it("ascending promises the last time itself: what comes behind it is late (D-5)", async () => {
    const rows = [5000, 100, 2500].map((ts) => ["a", ts]);
    const lab = await counted(rows, { batchRows: 1, time: { ...time, watermark: { kind: "ascending" } } });
    expect(results(lab)).toEqual(["a 5000: 1"]);
  });
});
