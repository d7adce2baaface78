import { describe, expect, it } from "vitest";
import { nodeId } from "../../base/ids.ts";
import { noFiles } from "../../testing/no-files.ts";
import { planned } from "../../testing/planned.ts";
import { rowLines, rowText } from "../../testing/row-text.ts";
import { Lab } from "./lab.ts";
import type { Move } from "./moves.ts";

/** The simple kinds on the real machinery: what only shows when sources, tasks and the coordinator meet. */

const TABLE = { id: "table", kind: "sink.table", config: {} };
const N = [{ name: "n", type: "int64" }];

function document(nodes: object[], edges: object[], settings: object = {}): object {
  return {
    format: "weir.graph/v1",
    settings: { barrierEveryMs: 0, chaining: false, ...settings },
    nodes: [...nodes, TABLE],
    edges,
  };
}

async function lab(of: object, seed: number): Promise<Lab> {
  return Lab.create(planned(of).plan, { seed, files: noFiles });
}

async function finished(of: object, seed = 1): Promise<Lab> {
  const run = await lab(of, seed);
  expect(await run.run()).toEqual({ kind: "finished" });
  return run;
}

const table = (run: Lab): string[] => rowLines(run.rows(nodeId("table")));
const SEEDS = [1, 2, 3, 4, 5];

const counted = (steps: object[], hold = false): object =>
  document(
    [
      { id: "script", kind: "source.script", config: { schema: N, steps, hold } },
      { id: "count", kind: "count", config: { groupBy: ["n"] } },
    ],
    [
      { id: "in", from: "script", to: "count" },
      { id: "out", from: "count", to: "table" },
    ],
  );

describe("kinds in the lab", () => {
  it("P-43: a source that is idle when its input ends still says END, so the counts go out", async () => {
    const steps = [{ rows: [[2], [1], [2]] }, { watermark: 3 }, { idle: true }, { wait: 2000 }];
    for (const seed of SEEDS) expect(table(await finished(counted(steps), seed))).toEqual(['["1","1"]', '["2","2"]']);
  });

  it("P-48 (D-4): a run that is stopped sends no counts", async () => {
    const run = await lab(counted([{ rows: [[1], [2]] }], true), 3);
    const stop: Move = { by: "person", kind: "stop" };
    await run.run(() => run.nowMs >= 1000);
    run.apply(stop);
    expect(await run.run()).toEqual({ kind: "stopped" });
    expect(table(run)).toEqual([]);
  });

  it("F-63: the text of a failing script is the result of the run", async () => {
    const run = await lab(counted([{ rows: [[1]] }, { fail: "boom" }]), 1);
    expect(await run.run()).toMatchObject({ kind: "failed", error: { message: "boom", node: "script" } });
    expect(table(run)).toEqual([]);
  });

  it("E-4: a generator gives the same counts at every parallelism, shuffled by key", async () => {
    const generated = (parallelism: number, counters: number): object =>
      document(
        [
          {
            id: "made",
            kind: "source.generator",
            parallelism,
            config: {
              rows: 2000,
              rowsPerSecond: 1000,
              batchRows: 64,
              seed: 9,
              fields: [
                { kind: "zipf", name: "user", values: 40, prefix: "u", nullFraction: 0.1 },
                { kind: "timestamp", name: "ts" },
              ],
              time: { column: "ts", watermark: { kind: "bounded", delayMs: 5 }, idleTimeoutMs: 20 },
            },
          },
          { id: "count", kind: "count", parallelism: counters, config: { groupBy: ["user"] } },
        ],
        [
          { id: "in", from: "made", to: "count", route: { kind: "shuffle", columns: ["user"] } },
          { id: "out", from: "count", to: "table" },
        ],
        { barrierEveryMs: 200, edgeCapacity: 2 },
      );
    const expected = rowText((await finished(generated(1, 1))).rows(nodeId("table")));
    expect(expected.length).toBeGreaterThan(30);
    for (const [sources, counters] of [
      [2, 1],
      [3, 2],
      [4, 4],
    ] as const) {
      const run = await finished(generated(sources, counters), sources);
      expect(rowText(run.rows(nodeId("table")))).toEqual(expected);
    }
  });

  it("P-11: a slow step behind two partitions makes neither of them idle, so time never runs ahead of unread rows", async () => {
    const rows = Array.from({ length: 12 }, (_, i) => [i % 2 === 0 ? i / 2 : 1000 + i]);
    const run = await finished(
      document(
        [
          {
            id: "rows",
            kind: "source.rows",
            config: { schema: N, rows, batchRows: 2, partitions: 2, time: { column: "n", idleTimeoutMs: 1000 } },
          },
          { id: "slow", kind: "throttle", config: { delayMsPerBatch: 3000 } },
        ],
        [
          { id: "in", from: "rows", to: "slow", capacity: 1 },
          { id: "out", from: "slow", to: "table" },
        ],
      ),
    );
    expect(run.nowMs).toBeGreaterThanOrEqual(18_000);
    const said = run.trace.flatMap((event) =>
      event.kind === "sent" && "mark" in event && event.task === 0 ? [event.mark] : [],
    );
    expect(said).toContainEqual({ kind: "time", ms: 3 });
    expect(said).not.toContainEqual({ kind: "idle" });
    expect(table(run)).toHaveLength(12);
  });

  it("steps without state keep every row: select, rename, drop, union, in any seed's order", async () => {
    const source = (id: string, from: number): object => ({
      id,
      kind: "source.rows",
      config: {
        schema: [...N, { name: "word", type: "utf8" }, { name: "more", type: "int32" }],
        rows: [from, from + 1, from + 2].map((n) => [n, `w${n}`, n]),
        batchRows: 2,
      },
    });
    const of = document(
      [
        source("a", 1),
        source("b", 10),
        { id: "both", kind: "union", config: {} },
        { id: "less", kind: "drop", config: { columns: ["more"] } },
        { id: "named", kind: "rename", config: { names: { n: "number" } } },
        { id: "turned", kind: "select", config: { columns: ["word", "number"] } },
      ],
      [
        { id: "e1", from: "a", to: "both" },
        { id: "e2", from: "b", to: "both" },
        { id: "e3", from: "both", to: "less" },
        { id: "e4", from: "less", to: "named" },
        { id: "e5", from: "named", to: "turned" },
        { id: "e6", from: "turned", to: "table" },
      ],
      { chaining: true, barrierEveryMs: 1 },
    );
    for (const seed of SEEDS) {
      expect(rowText((await finished(of, seed)).rows(nodeId("table")))).toEqual(
        [1, 2, 3, 10, 11, 12].map((n) => `["w${n}","${n}"]`).sort(),
      );
    }
  });
});
