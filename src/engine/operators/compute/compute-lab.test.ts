import { describe, expect, it } from "vitest";
import { nodeId } from "../../base/ids.ts";
import type { Batch } from "../../data/batch.ts";
import { Lab } from "../../execution/lab/lab.ts";
import { parseMove } from "../../execution/lab/moves.ts";
import { MemoryFiles } from "../../formats/memory-files.ts";
import { batchRows, eventTimesOf } from "../../testing/batch-values.ts";
import { noFiles } from "../../testing/no-files.ts";
import { planned } from "../../testing/planned.ts";
import { answering, doing, identityModule, op } from "../../testing/wasm-modules.ts";
import { documentOf } from "../../topology/parse-document.ts";
import { validate } from "../../topology/validate.ts";

const SEED = 29;
const ROWS = Array.from({ length: 12 }, (_, i) => [i, `2024-01-01T00:00:${String(i).padStart(2, "0")}.000Z`]);

const graph = (module: string, output: unknown[], config: Record<string, unknown> = {}) => ({
  format: "weir.graph/v1",
  settings: { barrierEveryMs: 5 },
  nodes: [
    {
      id: "numbers",
      kind: "source.rows",
      config: {
        schema: [
          { name: "n", type: "int32" },
          { name: "at", type: "timestamp[ms]" },
        ],
        rows: ROWS,
        batchRows: 2,
        time: { column: "at" },
      },
    },
    { id: "step", kind: "compute", parallelism: 2, config: { module, output, ...config } },
    { id: "table", kind: "sink.table", config: {} },
  ],
  edges: [
    { id: "a", from: "numbers", to: "step", route: { kind: "rebalance" } },
    { id: "b", from: "step", to: "table" },
  ],
});

const N = [{ name: "n", type: "int32" }];
const COUNT = [{ name: "calls", type: "int32" }];

/** Answers with how often it was called, as far as it can remember. */
const counting = (): Uint8Array => {
  const image = { rows: 2, columns: [{ type: "int32", data: new Uint8Array(8) }] };
  const before = [...op.globalGet(0), ...op.i32(1), ...op.add, ...op.globalSet(0)];
  return answering(image, [...before, ...op.i32(1024 + 72), ...op.globalGet(0), ...op.store], { globals: [0] });
};

const shown = (batches: readonly Batch[]) => batches.map((of) => [batchRows(of), eventTimesOf(of)]);

async function lab(document: unknown, files: Record<string, Uint8Array>, keyframeEvery = 0) {
  return Lab.create(planned(document).plan, { seed: SEED, files: new MemoryFiles(files), keyframeEvery });
}

describe("compute in the lab", () => {
  it("goes back and on again from any keyframe to the same rows, though a module's memory is in none (D-50, D-51)", async () => {
    const run = await lab(graph("m.wasm", COUNT), { "m.wasm": counting() }, 7);
    await run.run();
    const [rows, moves] = [shown(run.rows(nodeId("table"))), run.moves];
    expect(rows.length).toBeGreaterThan(1);
    for (const step of [40, 25, 11, 3]) {
      await run.goTo(step);
      for (const move of moves.moves.slice(step)) run.apply(parseMove(move));
      expect(shown(run.rows(nodeId("table"))), `from move ${step}`).toEqual(rows);
    }
  });

  it("every batch is the first that the module sees, at any parallelism (D-7)", async () => {
    const run = await lab(graph("m.wasm", COUNT), { "m.wasm": counting() });
    expect(await run.run()).toEqual({ kind: "finished" });
    const rows = run.rows(nodeId("table")).flatMap(batchRows);
    expect(rows).toEqual(ROWS.map((_, i) => [i % 2 === 0 ? 1 : 0]));
  });

  it("rows keep their event times on their way through a module, so nothing is late behind it (D-29)", async () => {
    const run = await lab(graph("m.wasm", N, { columns: ["n"] }), { "m.wasm": identityModule() });
    expect(await run.run()).toEqual({ kind: "finished" });
    const times = run.rows(nodeId("table")).flatMap((of) => [...(eventTimesOf(of) ?? [])]);
    expect(times.sort((a, b) => a - b)).toEqual(ROWS.map(([, at]) => Date.parse(String(at))));
  });

  it("a trap fails the run and names the node (F-64)", async () => {
    const run = await lab(graph("m.wasm", N), { "m.wasm": doing(op.unreachable) });
    const outcome = await run.run();
    expect(outcome).toMatchObject({ kind: "failed", error: { code: "module-trap", node: "step" } });
    expect(run.rows(nodeId("table"))).toEqual([]);
  });

  it("a module that is refused fails the start: no source is polled (F-10)", async () => {
    const run = await lab(graph("m.wasm", N, { function: "other" }), { "m.wasm": identityModule() });
    const error = { code: "module-function", node: "step", field: "config.function", file: "m.wasm" };
    expect(run.outcome).toMatchObject({ kind: "failed", error });
    expect(run.moveCount).toBe(0);
    const gone = await Lab.create(planned(graph("m.wasm", N)).plan, { seed: SEED, files: noFiles });
    expect(gone.outcome).toMatchObject({ kind: "failed", error: { code: "file-not-found", node: "step" } });
  });
});

describe("validation of compute", () => {
  const problems = (document: unknown) => {
    const parsed = documentOf(document);
    return (parsed.kind === "problems" ? parsed.problems : validate(parsed.document)).map(
      ({ node, field, message }) => [node, field, message],
    );
  };

  it("names columns that there are not, times that tell none, and settings that are wrong", () => {
    const eventTime = { column: "when" };
    expect(problems(graph("m.wasm", N, { columns: ["n", "m"], eventTime }))).toEqual([
      ["step", "config.columns[1]", 'there is no column "m"'],
      ["step", "config.eventTime.column", 'there is no column "when"'],
    ]);
    const text = [{ name: "t", type: "utf8" }];
    expect(problems(graph("m.wasm", text, { eventTime: { column: "t" } }))).toEqual([
      ["step", "config.eventTime.column", 'column "t" is utf8, which tells no time'],
    ]);
    const wrong = problems(graph("", N, { timeoutMs: 0, memoryMiB: 2048, function: "" }));
    expect(wrong.map(([, field]) => field).sort()).toEqual([
      "config.function",
      "config.memoryMiB",
      "config.module",
      "config.timeoutMs",
    ]);
    expect(problems(graph("m.wasm", [...N, ...N])).map(([, field]) => field)).toEqual(["config.output[1].name"]);
    expect(problems(graph("m.wasm", [])).map(([, field]) => field)).toEqual(["config.output"]);
  });

  it("an attached module must be attached, and the nearest name is proposed", () => {
    const document = {
      ...graph("attached:geo.wsm", N),
      data: { "geo.wasm": { encoding: "base64", content: "AGFzbQEAAAA=" } },
    };
    expect(problems(document)).toEqual([["step", "config.module", 'no file "geo.wsm" is attached']]);
    expect(problems({ ...document, ...graph("attached:geo.wasm", N) })).toEqual([]);
  });

  it("a changelog is refused: a module would take each change for one more row", () => {
    const { nodes, edges, ...rest } = graph("m.wasm", N);
    const totals = {
      id: "totals",
      kind: "aggregate",
      config: { groupBy: ["n"], aggregates: [{ name: "c", fn: "count" }] },
    };
    const [first, second] = [
      { id: "a", from: "numbers", to: "totals" },
      { id: "c", from: "totals", to: "step", route: { kind: "rebalance" } },
    ];
    const found = problems({ ...rest, nodes: [...nodes, totals], edges: [first, second, edges[1]] });
    expect(found.map(([node]) => node)).toEqual(["step"]);
  });
});
