import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { RunReport } from "../engine/index.ts";
import { graph, PATIENCE_MS, TestFolder, tableSink, Weir } from "./testing/run-weir.ts";

vi.setConfig({ testTimeout: PATIENCE_MS });

/** More than one press lasts, and than a busy machine takes to cancel a run: a third one would end the process at once. */
const SIGNAL_AGAIN_MS = 2_000;

let folder: TestFolder;
beforeAll(() => {
  folder = new TestFolder();
  const numbers = (rowsPerSecond: number): object => ({
    id: "a",
    kind: "source.generator",
    config: { rows: 0, rowsPerSecond, batchRows: 10, fields: [{ kind: "sequence", name: "n" }] },
  });
  folder.write(
    "endless.json",
    graph(
      [numbers(1000), { id: "b", kind: "union", parallelism: 2 }, tableSink("t", { delivery: "exactly-once" })],
      [
        { id: "e", from: "a", to: "b", route: { kind: "shuffle", columns: ["n"] } },
        { id: "f", from: "b", to: "t" },
      ],
      { barrierEveryMs: 50 },
    ),
  );
  // A stop has to wait for a step that takes a minute for a batch.
  folder.write(
    "stuck.json",
    graph(
      [
        numbers(0),
        { id: "b", kind: "throttle", config: { delayMsPerBatch: 60_000 } },
        { id: "hole", kind: "sink.blackhole" },
        tableSink("t", { delivery: "at-least-once" }),
      ],
      [
        { id: "e", from: "a", to: "t" },
        { id: "f", from: "a", to: "b" },
        { id: "g", from: "b", to: "hole" },
      ],
      { stopTimeoutMs: 600_000, chaining: false },
    ),
  );
});
afterAll(() => folder.remove());

const start = (...args: string[]): Weir => new Weir(["run", ...args, "--report", "report.json"], { cwd: folder.path });
const report = (): RunReport => JSON.parse(readFileSync(folder.file("report.json"), "utf8"));

describe("Ctrl-C", () => {
  for (const mode of ["threads", "lab"]) {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      it(`stops a run (${mode}, ${signal}) with a final epoch: every row that was counted is printed, without a gap (F-59)`, async () => {
        const run = start("endless.json", "--mode", mode);
        await run.until(({ stdout }) => stdout.includes("\n"));
        run.signal(signal);
        const { status, stderr, rows } = await run.ended;
        expect([status, stderr]).toEqual([0, ""]);
        const { outcome, epochs, nodes } = report();
        expect(outcome).toBe("stopped");
        expect(epochs.committed.at(-1)).toBe(epochs.issued);
        expect(nodes["a"]?.rowsOut).toBe(rows.length);
        expect(nodes["t"]).toMatchObject({ rowsIn: rows.length, rowsOut: rows.length });
        const numbers = rows.map((row) => (JSON.parse(row) as { n: number }).n).sort((x, y) => x - y);
        expect(numbers).toEqual(numbers.map((_, index) => index));
      });
    }
  }

  it("pressed a second time cancels a run that does not stop: status 1, and it says so", async () => {
    const run = start("stuck.json", "--mode", "threads");
    await run.until(({ stdout }) => stdout.includes("\n"));
    run.signal("SIGINT");
    const again = setInterval(() => run.signal("SIGINT"), SIGNAL_AGAIN_MS);
    const { status, errors } = await run.ended.finally(() => clearInterval(again));
    expect([status, errors.at(-1)]).toEqual([1, "the run was cancelled; the last committed epoch is 0"]);
    expect(report().outcome).toBe("cancelled");
  });

  it("that comes twice at once, from a launcher that passes it on, is one", async () => {
    const run = start("endless.json");
    await run.until(({ stdout }) => stdout.includes("\n"));
    run.signal("SIGINT");
    run.signal("SIGTERM");
    expect(await run.ended).toMatchObject({ status: 0, stderr: "" });
    expect(report().outcome).toBe("stopped");
  });
});
