import { describe, expect, it } from "vitest";
import { nodeId } from "../../base/ids.ts";
import { noFiles } from "../../testing/no-files.ts";
import { planned } from "../../testing/planned.ts";
import { rowLines, rowText } from "../../testing/row-text.ts";
import { Lab } from "./lab.ts";

/** Interval joins on the real machinery: two clocks, empty sides, shuffles on both, a window behind. */

const COLUMNS = [
  { name: "key", type: "utf8" },
  { name: "ts", type: "int64" },
];

async function finished(nodes: object[], edges: object[], seed: number): Promise<Lab> {
  const of = {
    format: "weir.graph/v1",
    settings: { barrierEveryMs: 0, chaining: false, edgeCapacity: 2 },
    nodes: [...nodes, { id: "table", kind: "sink.table", config: {} }],
    edges,
  };
  const run = await Lab.create(planned(of).plan, { seed, files: noFiles });
  expect(await run.run()).toEqual({ kind: "finished" });
  return run;
}

const source = (id: string, rows: unknown[][], config: object = {}): object => ({
  id,
  kind: "source.rows",
  config: { schema: COLUMNS, rows, time: { column: "ts" }, ...config },
});
const join = (config: object, parallelism = 1): object => ({
  id: "join",
  kind: "join.interval",
  parallelism,
  config: { leftKey: ["key"], rightKey: ["key"], lowerMs: -5, upperMs: 5, ...config },
});
const shuffle = { kind: "shuffle", columns: ["key"] };
const sides = [
  { id: "l", from: "left", to: { node: "join", port: "left" }, route: shuffle },
  { id: "r", from: "right", to: { node: "join", port: "right" }, route: shuffle },
];
const lines = (run: Lab): string[] => rowLines(run.rows(nodeId("table")));
const SEEDS = [1, 2, 3];

describe("joins in the lab", () => {
  it("P-15: one side without rows: an inner join sends none and finishes, a left one pads", async () => {
    const nodes = (type: string): object[] => [
      source("left", [
        ["a", 1],
        ["b", 2],
        ["c", 3],
      ]),
      source("right", []),
      join({ type }),
    ];
    const edges = [...sides, { id: "j", from: "join", to: "table" }];
    for (const seed of SEEDS) {
      expect(lines(await finished(nodes("inner"), edges, seed))).toEqual([]);
      expect(lines(await finished(nodes("left"), edges, seed))).toHaveLength(3);
    }
  });

  it("P-35: unmatched rows are counted by the window behind, none is late", async () => {
    const nodes = [
      source(
        "left",
        [
          ["a", 1],
          ["z", 7],
          ["z", 30],
        ],
        { batchRows: 1 },
      ),
      source(
        "right",
        [
          ["y", 7],
          ["y", 30],
        ],
        { batchRows: 1 },
      ),
      join({ type: "left" }),
      { id: "window", kind: "window", config: { window: { kind: "tumbling", sizeMs: 2 } } },
    ];
    const edges = [...sides, { id: "j", from: "join", to: "window" }, { id: "w", from: "window", to: "table" }];
    for (const seed of SEEDS) expect(lines(await finished(nodes, edges, seed))).toHaveLength(3);
  });

  it("E-4: the same rows at parallelism 1 and 4 and every batch size", async () => {
    const rows = (factor: number): unknown[][] =>
      Array.from({ length: 120 }, (_, i) => [i % 11 === 0 ? null : `k${(i * factor) % 9}`, i + ((i * 7) % 6)]);
    const nodes = (batchRows: number, parallelism: number): object[] => {
      const time = { column: "ts", watermark: { kind: "bounded", delayMs: 8 } };
      return [
        source("left", rows(5), { batchRows, time }),
        source("right", rows(7), { batchRows, time }),
        join({ type: "full", upperMs: 3 }, parallelism),
      ];
    };
    const edges = [...sides, { id: "j", from: "join", to: "table" }];
    const expected = rowText((await finished(nodes(1000, 1), edges, 1)).rows(nodeId("table")));
    expect(expected.length).toBeGreaterThan(60);
    for (const [size, parallelism] of [
      [1, 1],
      [3, 4],
      [1000, 4],
    ] as const) {
      const run = await finished(nodes(size, parallelism), edges, size);
      expect(rowText(run.rows(nodeId("table")))).toEqual(expected);
    }
  });
});
