import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { type Batch, Graph, GraphError, openLab, rowsOf, runThreads } from "./library.ts";

const document = {
  format: "weir.graph/v1" as const,
  nodes: [
    {
      id: "words",
      kind: "source.rows",
      config: { schema: [{ name: "word", type: "utf8" }], rows: [["a"], ["b"], ["a"]] },
    },
    { id: "count", kind: "count", config: { groupBy: ["word"] } },
    { id: "table", kind: "sink.table", config: {} },
  ],
  edges: [
    { id: "e1", from: "words", to: "count" },
    { id: "e2", from: "count", to: "table" },
  ],
};

const expected = [
  ["a", 2n],
  ["b", 1n],
];

describe("the library in Node", () => {
  it("runs a graph that was written as a value on threads, and in the lab to the same rows", async () => {
    const graph = await Graph.from(document);
    const rows: unknown[] = [];
    const run = runThreads(graph, { onRows: (_node, batch: Batch) => void rows.push(...rowsOf(batch)) });
    expect(await run.outcome).toEqual({ kind: "finished" });
    expect(rows).toEqual(expected);
    const lab = await openLab(graph, { seed: 1 });
    expect(await lab.run()).toEqual({ kind: "finished" });
    expect(lab.deliveries.flatMap(({ batch }) => rowsOf(batch))).toEqual(expected);
  });

  it("refuses a graph with every problem at once", async () => {
    const wrong = { ...document, nodes: [...document.nodes, { id: "x", kind: "sink.tabel", config: {} }] };
    const refused = await Graph.from(wrong).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(GraphError);
    expect((refused as GraphError).problems.map(({ node, code }) => [node, code])).toContainEqual([
      "x",
      "unknown-kind",
    ]);
  });

  it("refuses a file that is not there as it refuses a wrong graph", async () => {
    const refused = await Graph.open("examples/no-such-graph.json").catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: "GraphError", problems: [{ code: "unreadable-graph" }] });
  });

  it("opens a document from a file, with paths relative to it", async () => {
    const graph = await Graph.open("examples/orders-by-country.json");
    let rows = 0;
    const count = (batch: Batch) => {
      rows += batch.rowCount;
    };
    const run = runThreads(graph, { onRows: (_node, batch) => count(batch) });
    expect(await run.outcome).toEqual({ kind: "finished" });
    expect(rows).toBeGreaterThan(0);
  });
});

describe("the library's declarations", () => {
  it("give README's example its types", async () => {
    const example = /```js\n(import [^`]*from "weir";[^`]*)```/.exec(readFileSync("README.md", "utf8"))?.[1];
    // The compiler finds "weir" by the nearest package.json, as a user's would below node_modules.
    mkdirSync("test-results", { recursive: true });
    const folder = mkdtempSync("test-results/types-");
    try {
      const wrong = "\nconst kind: number = (await run.outcome).kind;\n";
      writeFileSync(join(folder, "example.mts"), `${example}${wrong}export {};\n`);
      const options = ["--strict", "--noEmit", "--ignoreConfig", "--module", "nodenext", "--target", "es2023"];
      const types = ["--types", "node", "--typeRoots", "node_modules/@types", "--skipLibCheck"];
      const args = ["node_modules/typescript/bin/tsc", ...options, ...types, join(folder, "example.mts")];
      const { stdout } = await promisify(execFile)(process.execPath, args).catch((error) => error);
      expect(stdout).toMatch(/^[^\n]*TS2322: Type 'string' is not assignable to type 'number'/);
      expect(stdout.match(/error TS/g)).toHaveLength(1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
