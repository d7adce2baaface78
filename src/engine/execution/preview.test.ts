import { describe, expect, test } from "vitest";
import { cell } from "../data/row-codec.ts";
import { MemoryFiles } from "../formats/memory-files.ts";
import type { GraphPlace } from "../topology/document-before.ts";
import { unpackBatch } from "./pack-batch.ts";
import { preview } from "./preview.ts";

const columns = (...names: string[]) => names.map((name) => ({ name, type: "int64" }));
const source = (id: string, rows: number[][]) => ({
  id,
  kind: "source.rows",
  parallelism: 1,
  config: { schema: columns("k", "v"), rows },
});
const edge = (from: string, to: string, more: object = {}) => ({ id: `${from}-${to}`, from, to, ...more });

const COUNT = [{ name: "n", fn: "count" }];

const GRAPH = {
  format: "weir.graph/v1",
  nodes: [
    source("preview", [[1, 10]]),
    source("preview1-0", [[2, 20]]),
    source("many", [
      [1, 10],
      [2, 20],
      [1, 30],
    ]),
    { id: "big", kind: "filter", parallelism: 2, config: { expression: "v > 10" } },
    { id: "sums", kind: "aggregate", parallelism: 2, config: { groupBy: ["k"] } },
    { id: "table", kind: "sink.table" },
    { id: "endless", kind: "source.generator", config: { fields: [{ name: "n", kind: "sequence" }], rows: 0 } },
    { id: "none", kind: "filter", config: { expression: "n < 0" } },
    { id: "broken", kind: "filter", config: { expression: "lost > 1" } },
    { id: "late", kind: "source.rows", config: { schema: columns("k", "v"), rows: [[1, 10]], time: { column: "v" } } },
    {
      id: "window",
      kind: "window",
      config: { groupBy: ["k"], window: { kind: "tumbling", sizeMs: 10 }, aggregates: COUNT, late: "route" },
    },
    { id: "after", kind: "filter", config: { expression: "n > 0" } },
    { id: "aside", kind: "sink.table" },
  ],
  edges: [
    edge("many", "big", { route: { kind: "rebalance" } }),
    edge("big", "sums", { route: { kind: "shuffle", columns: ["k"] } }),
    edge("sums", "table"),
    edge("endless", "none"),
    edge("many", "broken"),
    edge("late", "window"),
    edge("window", "after"),
    { id: "rest", from: { node: "window", port: "late" }, to: "aside" },
  ],
};

async function rowsAt(place: GraphPlace, rows = 40): Promise<string[] | string> {
  const answer = await preview(JSON.stringify(GRAPH), () => new MemoryFiles({}), place, rows);
  if (answer.kind === "refused") return answer.problems.map(({ message }) => message).join();
  return answer.batches
    .map(unpackBatch)
    .flatMap((batch) =>
      Array.from({ length: batch.rowCount }, (_, row) =>
        batch.columns.map((column) => String(cell(column, row))).join(),
      ),
    );
}

describe("a preview", () => {
  test("has a table of its own, whatever nodes are called", async () => {
    expect(await rowsAt({ node: "preview", side: "out" })).toEqual(["1,10"]);
    expect(await rowsAt({ node: "preview1-0", side: "out" })).toEqual(["2,20"]);
  });

  test("shows what leaves a node, made of all that lies before it; what lies elsewhere is not run", async () => {
    expect(await rowsAt({ node: "many", side: "out" })).toEqual(["1,10", "2,20", "1,30"]);
    expect(await rowsAt({ node: "big", side: "out" })).toEqual(["2,20", "1,30"]);
    expect(await rowsAt({ node: "sums", side: "out", port: "out" })).toHaveLength(2);
  });

  test("shows what comes to a node, whether or not the node itself is right", async () => {
    expect(await rowsAt({ node: "table", side: "in" })).toHaveLength(2);
    expect(await rowsAt({ node: "broken", side: "in", port: "in" })).toEqual(["1,10", "2,20", "1,30"]);
    expect(await rowsAt({ node: "broken", side: "out" })).toContain("lost");
  });

  test("of what leaves at one port throws away what leaves at the others, wherever that went", async () => {
    const windows = ["1,1970-01-01T00:00:00.010Z,1970-01-01T00:00:00.020Z,1"];
    expect(await rowsAt({ node: "window", side: "out", port: "out" })).toEqual(windows);
    expect(await rowsAt({ node: "window", side: "out", port: "late" })).toEqual([]);
    expect(await rowsAt({ node: "after", side: "in" })).toEqual(windows);
  });

  test("ends where an endless source gives no rows, and where there are enough", async () => {
    expect(await rowsAt({ node: "none", side: "out" })).toEqual([]);
    expect((await rowsAt({ node: "endless", side: "out" }, 5)).length).toBeGreaterThanOrEqual(5);
  });

  test("of what is not there is empty of problems", async () => {
    expect(await rowsAt({ node: "lost", side: "out" })).toBe("");
    expect(await rowsAt({ node: "few", side: "in" })).toBe("");
  });
});
