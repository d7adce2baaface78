import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Ended, graph, PATIENCE_MS, TestFolder, tableSink, weir } from "./testing/run-weir.ts";

vi.setConfig({ testTimeout: PATIENCE_MS });

let folder: TestFolder;

/** Three ways with choices for the scheduler, barriers and a slow side. */
function choices(settings: object = {}): object {
  return graph(
    [
      {
        id: "a",
        kind: "source.generator",
        config: {
          rows: 300,
          batchRows: 10,
          fields: [
            { kind: "sequence", name: "n" },
            { kind: "timestamp", name: "at", stepMs: 7 },
          ],
          time: { column: "at" },
        },
      },
      { id: "b", kind: "union", parallelism: 3 },
      { id: "slow", kind: "throttle", config: { delayMsPerBatch: 5 } },
      tableSink("t", { delivery: "exactly-once" }),
    ],
    [
      { id: "x", from: "a", to: "b", route: { kind: "shuffle", columns: ["n"] } },
      { id: "y", from: "a", to: "slow" },
      { id: "z", from: "b", to: "t" },
      { id: "w", from: "slow", to: "t" },
    ],
    { barrierEveryMs: 10, ...settings },
  );
}

beforeAll(() => {
  folder = new TestFolder();
  folder.write("graph.json", choices());
});
afterAll(() => folder.remove());

const lab = (name: string, ...args: string[]): Promise<Ended> => weir(["lab", name, ...args], { cwd: folder.path });
const text = (name: string): string => readFileSync(folder.file(name), "utf8");

describe("weir lab", () => {
  it("makes byte for byte the same trace, moves and rows for the same seed, and others for another (D-50)", async () => {
    const run = (name: string, seed: string) =>
      lab("graph.json", "--seed", seed, "--trace", `${name}.trace`, "--save-moves", `${name}.moves`);
    const [first, again, other] = await Promise.all([run("first", "7"), run("again", "7"), run("other", "8")]);
    for (const { status, stderr, rows } of [first, again, other]) {
      expect([status, stderr, rows.length]).toEqual([0, "", 600]);
    }
    expect(again.stdout).toBe(first.stdout);
    expect(text("again.trace")).toBe(text("first.trace"));
    expect(text("again.moves")).toBe(text("first.moves"));
    expect(text("other.trace")).not.toBe(text("first.trace"));
    expect([...other.rows].sort()).toEqual([...first.rows].sort());
  });

  it("writes the trace as one JSON event a line, with time, task and kind first", async () => {
    await lab("graph.json", "--seed", "7", "--trace", "lines.trace");
    const lines = text("lines.trace").trimEnd().split("\n");
    const kinds = new Set<string>();
    for (const line of lines) {
      expect(line).toMatch(/^\{"atMs":\d+(\.\d+)?,("task":\d+,)?"kind":"/);
      kinds.add((JSON.parse(line) as { kind: string }).kind);
    }
    expect([...kinds]).toEqual(
      expect.arrayContaining(["sent", "received", "state", "snapshot", "issued", "completed", "commit", "finished"]),
    );
  });

  it("replays a list of moves to the same trace and rows, whatever the seed; its report tells seed and moves", async () => {
    const first = await lab(
      "graph.json",
      "--seed",
      "3",
      "--trace",
      "r1.trace",
      "--save-moves",
      "r.moves",
      "--report",
      "r.json",
    );
    const again = await lab("graph.json", "--seed", "99", "--moves", "r.moves", "--trace", "r2.trace");
    expect([again.status, again.stderr]).toEqual([0, ""]);
    expect(again.stdout).toBe(first.stdout);
    expect(text("r2.trace")).toBe(text("r1.trace"));
    const list = JSON.parse(text("r.moves"));
    const report = JSON.parse(text("r.json"));
    expect([report.seed, report.moves]).toEqual([3, list.moves]);
  });

  it("makes the first moves of a list and goes on by the seed of the list", async () => {
    await lab("graph.json", "--seed", "5", "--save-moves", "long.moves");
    const list = JSON.parse(text("long.moves"));
    folder.write("short.moves", { ...list, moves: list.moves.slice(0, 40) });
    const run = () => lab("graph.json", "--moves", "short.moves", "--save-moves", "on.moves");
    const { status, rows } = await run();
    expect([status, rows.length]).toEqual([0, 600]);
    const made = text("on.moves");
    expect(JSON.parse(made).moves.slice(0, 40)).toEqual(list.moves.slice(0, 40));
    await run();
    expect(text("on.moves")).toBe(made);
  });

  it("refuses a list of another plan and says what differs, and a move that cannot be made (D-51)", async () => {
    await lab("graph.json", "--seed", "1", "--save-moves", "own.moves");
    folder.write("narrow.json", choices({ edgeCapacity: 2 }));
    const other = await lab("narrow.json", "--moves", "own.moves");
    expect([other.status, other.stdout]).toEqual([2, ""]);
    expect(other.stderr).toMatch(/the moves were made on another plan: .*edges.* differ/);
    const list = JSON.parse(text("own.moves"));
    folder.write("odd.moves", { ...list, moves: ["D", ...list.moves] });
    const odd = await lab("graph.json", "--moves", "odd.moves");
    expect([odd.status, odd.stderr]).toEqual([2, '"D" is not enabled now; give a move list that this plan made\n']);
  });

  it("refuses what is no list of moves, saying why", async () => {
    writeFileSync(folder.file("cut.moves"), '{"format": "weir.moves/v1"');
    folder.write("graph.moves", choices());
    folder.write("text.moves", { format: "weir.moves/v1", fingerprint: "x", seed: 1, moves: [1] });
    const all = await Promise.all(
      ["cut.moves", "graph.moves", "text.moves", "no.moves"].map((name) => lab("graph.json", "--moves", name)),
    );
    for (const { status, stdout } of all) expect([status, stdout]).toEqual([2, ""]);
    expect(all.map(({ stderr }) => stderr)).toEqual([
      expect.stringMatching(/"cut.moves" is no move list: .*JSON/),
      expect.stringContaining('its format is "weir.graph/v1", not "weir.moves/v1"'),
      expect.stringContaining("its moves are no list of text"),
      expect.stringContaining("there is no such file"),
    ]);
  });

  it("gives the rows of weir run in either mode", async () => {
    const run = (...args: string[]) => weir(["run", "graph.json", ...args], { cwd: folder.path });
    const [seeded, threads, seven] = await Promise.all([
      run("--mode", "lab", "--seed", "7"),
      run(),
      lab("graph.json", "--seed", "7"),
    ]);
    expect(seeded.stdout).toBe(seven.stdout);
    expect([...threads.rows].sort()).toEqual([...seven.rows].sort());
  });
});
