import { describe, expect, it } from "vitest";
import { nodeId } from "../base/ids.ts";
import { decodeUtf8, encodeUtf8 } from "../data/text.ts";
import { Lab } from "../execution/lab/lab.ts";
import type { Move } from "../execution/lab/moves.ts";
import { prepare } from "../execution/prepare.ts";
import { MemoryFiles } from "../formats/memory-files.ts";
import { batchRows } from "../testing/batch-values.ts";

/** Files in, files out, on the real machinery. */

const ROWS = 100;
const isBad = (i: number): boolean => i % 9 === 8;
const CSV = `id,name\r\n${Array.from({ length: ROWS }, (_, i) => (isBad(i) ? `x${i}\r\n` : `${i},"n ""${i}""\n"\r\n`)).join("")}`;
const GOOD = Array.from({ length: ROWS }, (_, i) => i).filter((i) => !isBad(i));

const DOCUMENT = {
  format: "weir.graph/v1",
  settings: { barrierEveryMs: 10, chaining: false },
  nodes: [
    {
      id: "in",
      kind: "source.file",
      parallelism: 2,
      config: { format: "csv", path: "in.csv", badRows: "route", batchRows: 8 },
    },
    { id: "slow", kind: "throttle", config: { delayMsPerBatch: 4 } },
    { id: "files", kind: "sink.file", parallelism: 2, config: { format: "ndjson", path: "out" } },
    { id: "bad", kind: "sink.table", config: {} },
    { id: "table", kind: "sink.table", config: {} },
  ],
  edges: [
    { id: "a", from: { node: "in", port: "out" }, to: "slow", route: { kind: "rebalance" } },
    { id: "b", from: "slow", to: "files", route: { kind: "rebalance" } },
    { id: "c", from: "slow", to: "table" },
    { id: "d", from: { node: "in", port: "bad" }, to: "bad" },
  ],
};

async function lab(seed: number, keyframeEvery = 0): Promise<{ run: Lab; files: MemoryFiles }> {
  const files = new MemoryFiles({ "in.csv": encodeUtf8(CSV) });
  const prepared = await prepare(JSON.stringify(DOCUMENT), () => files);
  if (prepared.kind !== "ready") throw new Error(JSON.stringify(prepared.problems));
  return { run: await Lab.create(prepared.plan, { seed, files, keyframeEvery }), files };
}

const rowsAt = (run: Lab, node: string): unknown[][] => run.rows(nodeId(node)).flatMap(batchRows);
const tableIds = (run: Lab): number[] => rowsAt(run, "table").map(([id]) => Number(id));

/** Ids in all visible parts. */
function writtenIds(files: MemoryFiles): number[] {
  const parts = files.paths.filter((path) => path.startsWith("out/part-"));
  const lines = parts.flatMap((path) => decodeUtf8(files.bytes(path) ?? new Uint8Array(0)).split("\n"));
  return lines.filter((line) => line !== "").map((line) => (JSON.parse(line) as { id: number }).id);
}

const ascending = (ids: number[]): number[] => ids.sort((a, b) => a - b);
const SEEDS = [1, 2, 3, 4, 5, 6];

describe("a graph from file to file, with guessed columns", () => {
  it("writes every good row once, in parts by epoch, and routes the bad ones (P-27, D-13, D-41)", async () => {
    for (const seed of SEEDS) {
      const { run, files } = await lab(seed);
      expect(await run.run()).toEqual({ kind: "finished" });
      expect(ascending(writtenIds(files))).toEqual(GOOD);
      expect(ascending(tableIds(run))).toEqual(GOOD);
      expect(rowsAt(run, "bad").map(([file, line, raw]) => [file, line, raw])).toEqual(
        Array.from({ length: ROWS }, (_, i) => i)
          .filter(isBad)
          .map((i) => ["in.csv", BigInt(2 + 2 * i - Math.floor(i / 9)), `x${i}`]),
      );
      const hidden = files.paths.filter((path) => path.includes("/."));
      expect(hidden).toEqual([]);
      expect(files.paths.length).toBeGreaterThanOrEqual(3);
    }
  });

  it("a run that is stopped leaves whole parts of committed epochs and nothing else (F-59, D-13)", async () => {
    for (const seed of SEEDS) {
      const { run, files } = await lab(seed);
      await run.run(() => tableIds(run).length >= 20);
      const stop: Move = { by: "person", kind: "stop" };
      run.apply(stop);
      expect(await run.run()).toEqual({ kind: "stopped" });
      expect(ascending(writtenIds(files))).toEqual(ascending(tableIds(run)));
      expect(files.paths.filter((path) => path.includes("/."))).toEqual([]);
    }
  });

  it("goes back to any keyframe and on from there to the same rows (D-50)", async () => {
    const { run } = await lab(7, 10);
    await run.run();
    const { moves } = run.moves;
    for (const step of [Math.floor(moves.length / 2), 25, 3, 0]) {
      await run.goTo(step);
      expect(await run.run()).toEqual({ kind: "finished" });
      expect(ascending(tableIds(run))).toEqual(GOOD);
    }
  });

  it("offers no move, the clock's neither, until the block that a source asked for has arrived (D-50)", async () => {
    const { run } = await lab(1);
    for (let step = 0; run.outcome === undefined && step < 10_000; step++) {
      await run.settle();
      run.step();
      for (let eager = 0; run.step(); eager++) expect(eager, `after step ${step}`).toBeLessThan(10_000);
    }
    expect(run.outcome).toEqual({ kind: "finished" });
    const { run: patient } = await lab(1);
    await patient.run();
    expect(run.moves).toEqual(patient.moves);
  });
});
