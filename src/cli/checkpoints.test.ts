import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, truncateSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openCheckpoints } from "./checkpoints.ts";
import { claimFolder } from "./folder-claim.ts";
import { loadGraph } from "./load-graph.ts";
import { type Ended, graph, PATIENCE_MS, rowsSource, TestFolder, tableSink, Weir, weir } from "./testing/run-weir.ts";

vi.setConfig({ testTimeout: PATIENCE_MS });

let folder: TestFolder;
beforeAll(() => {
  folder = new TestFolder();
});
afterAll(() => folder.remove());

const EDGE = { id: "e", from: "a", to: "t" };
const ROWS = 3000;

/** Numbers at a pace, counted by what they leave when divided by three, and written to a file besides. */
const paced = (name: string): object =>
  graph(
    [
      {
        id: "numbers",
        kind: "source.generator",
        parallelism: 2,
        config: {
          rows: ROWS,
          rowsPerSecond: 2500,
          batchRows: 50,
          fields: [{ kind: "sequence", name: "n" }],
        },
      },
      { id: "rest", kind: "derive", config: { columns: [{ name: "rest", expression: "n % 3" }] }, parallelism: 2 },
      {
        id: "counts",
        kind: "aggregate",
        parallelism: 2,
        config: { groupBy: ["rest"], aggregates: [{ name: "n", fn: "count" }] },
      },
      { id: "totals", kind: "sink.file", config: { path: `${name}/totals`, format: "csv" } },
      { id: "file", kind: "sink.file", config: { path: `${name}/numbers`, format: "csv" } },
      tableSink("t", { delivery: "exactly-once" }),
    ],
    [
      { id: "a", from: "numbers", to: "rest" },
      { id: "b", from: "rest", to: "counts", route: { kind: "shuffle", columns: ["rest"] } },
      { id: "c", from: "counts", to: "totals" },
      { id: "d", from: "numbers", to: "file" },
      { id: "e", from: "numbers", to: "t" },
    ],
    { barrierEveryMs: 40 },
  );

const run = (name: string, ...args: string[]): Promise<Ended> => weir(["run", name, ...args], { cwd: folder.path });

/** Lines of the visible csv files in a folder, without their headers. */
const linesIn = (path: string): string[] =>
  readdirSync(folder.file(path))
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      readFileSync(folder.file(`${path}/${name}`), "utf8")
        .trim()
        .split("\n")
        .slice(1),
    )
    .sort();

const checkpointsIn = (path: string): string[] =>
  existsSync(folder.file(path)) ? readdirSync(folder.file(path)).filter((name) => name.endsWith(".weir")) : [];

const NUMBERS = Array.from({ length: ROWS }, (_, n) => String(n)).sort();
const numberOf = (row: string): string => String(JSON.parse(row).n);

/** Starts a run and waits until it has kept some checkpoints. */
async function begun(mode: string, name: string): Promise<Weir> {
  folder.write(`${name}.json`, paced(name));
  const begun = new Weir(["run", `${name}.json`, "--mode", mode, "--checkpoints", `cp-${name}`], { cwd: folder.path });
  await begun.until(() => checkpointsIn(`cp-${name}`).some((file) => !/-[12]\.weir$/.test(file)));
  return begun;
}

const goOn = (mode: string, name: string): Promise<Ended> =>
  run(`${name}.json`, "--mode", mode, "--checkpoints", `cp-${name}`, "--restore", "latest");

function expectAll(name: string): void {
  expect(linesIn(`${name}/numbers`)).toEqual(NUMBERS);
  expect(linesIn(`${name}/totals`)).toEqual(["0,1000,insert", "1,1000,insert", "2,1000,insert"]);
  expect(checkpointsIn(`cp-${name}`)).toHaveLength(3);
}

describe("weir run --checkpoints --restore", () => {
  it.each(["threads", "lab"])(
    "goes on behind a process that was killed: every row is written once, and the totals are those of all (%s; D-12, D-14, P-26)",
    async (mode) => {
      const killed = await begun(mode, `killed-${mode}`);
      killed.signal("SIGKILL");
      const before = (await killed.ended).rows.map(numberOf);
      expect(before.length).toBeLessThan(ROWS);
      const { status, stderr, rows } = await goOn(mode, `killed-${mode}`);
      expect([status, stderr]).toEqual([0, ""]);
      expectAll(`killed-${mode}`);
      // What was printed cannot be taken back: rows of the last epochs may come again, none is missing.
      expect([...new Set([...before, ...rows.map(numberOf)])].sort()).toEqual(NUMBERS);
    },
  );

  it("goes on behind a run that was stopped: together they print every row once (P-48)", async () => {
    const stopped = await begun("threads", "stopped");
    stopped.signal("SIGINT");
    const first = await stopped.ended;
    const second = await goOn("threads", "stopped");
    expect([first.status, second.status]).toEqual([0, 0]);
    expectAll("stopped");
    expect([...first.rows, ...second.rows].map(numberOf).sort()).toEqual(NUMBERS);
    // It was run to its end: there is nothing left to do.
    expect(await goOn("threads", "stopped")).toMatchObject({ status: 0, stdout: "", stderr: "" });
    expectAll("stopped");
  });

  it("leaves a folder alone that another process keeps checkpoints in", async () => {
    folder.write("late.json", graph([rowsSource("a", [{ name: "n", type: "int64" }], [[1]]), tableSink("t")], [EDGE]));
    expect(await claimFolder(folder.file("cp-late"))).toBe(true);
    const late = await run("late.json", "--checkpoints", "cp-late");
    expect([late.status, late.stdout, checkpointsIn("cp-late")]).toEqual([2, "", []]);
    expect(late.errors).toEqual([
      '--checkpoints "cp-late" is in use by another run; wait until it is over, or give another folder',
    ]);
  });

  it("begins at the beginning where nothing is kept yet (A-70)", async () => {
    folder.write("first.json", graph([rowsSource("a", [{ name: "n", type: "int64" }], [[1]]), tableSink("t")], [EDGE]));
    const first = await run("first.json", "--checkpoints", "cp-first", "--restore", "latest");
    expect(first).toMatchObject({ status: 0, stdout: '{"n":1}\n', stderr: "" });
    expect(checkpointsIn("cp-first")).toEqual(["checkpoint-1.weir"]);
  });

  it("refuses what cannot be meant, in one line, before anything runs", async () => {
    folder.write("one.json", graph([rowsSource("a", [{ name: "n", type: "int64" }], [[1]]), tableSink("t")], [EDGE]));
    folder.write("a-file", "");
    expect(await run("one.json", "--checkpoints", "cp-one")).toMatchObject({ status: 0, stdout: '{"n":1}\n' });
    const refused = async (...args: string[]): Promise<readonly string[]> => {
      const { status, stdout, errors } = await run("one.json", ...args);
      expect([status, stdout]).toEqual([2, ""]);
      return errors;
    };
    expect(await refused("--checkpoints", "cp-one")).toEqual([
      '--checkpoints "cp-one" holds checkpoints up to epoch 1; go on from them with --restore latest, or give an empty folder',
    ]);
    expect(await refused("--restore", "latest")).toEqual([
      "--restore needs --checkpoints; write --checkpoints DIR: the folder they are in",
    ]);
    expect(await refused("--checkpoints", "cp-one", "--restore", "9")).toEqual([
      "--restore: there is no checkpoint of epoch 9; there are those of 1",
    ]);
    expect(await refused("--checkpoints", "cp-one", "--restore", "newest")).toEqual([
      '--restore must be latest or the number of an epoch, not "newest"',
    ]);
    expect(await refused("--checkpoints", "a-file")).toEqual(['--checkpoints "a-file" is a file; give a folder']);
    truncateSync(folder.file("cp-one/checkpoint-1.weir"), 40);
    expect(await refused("--checkpoints", "cp-one", "--restore", "latest")).toEqual([
      expect.stringMatching(
        /^the snapshot is damaged: its checksum is wrong \(.*cp-one\/checkpoint-1\.weir\); no checkpoint there can be read: begin anew with an empty folder$/,
      ),
    ]);
  });

  it("forgets newer checkpoints when the run that goes on from an older one begins, and not before (D-14)", async () => {
    folder.write("old.json", graph([rowsSource("a", [{ name: "n", type: "int64" }], [[1]]), tableSink("t")], [EDGE]));
    await run("old.json", "--checkpoints", "cp-old");
    copyFileSync(folder.file("cp-old/checkpoint-1.weir"), folder.file("cp-old/checkpoint-7.weir"));
    cpSync(folder.file("cp-old"), folder.file("cp-old-opened"), { recursive: true });
    const options = new Map([
      ["checkpoints", folder.file("cp-old-opened")],
      ["restore", "1"],
    ]);
    const opened = await openCheckpoints({ operand: undefined, options }, await loadGraph(folder.file("old.json")));
    expect(opened?.from?.epoch).toBe(1);
    expect(checkpointsIn("cp-old-opened")).toEqual(["checkpoint-1.weir", "checkpoint-7.weir"]);
    expect(await run("old.json", "--checkpoints", "cp-old", "--restore", "1")).toMatchObject({ status: 0, stderr: "" });
    expect(checkpointsIn("cp-old")).toEqual(["checkpoint-1.weir"]);
  });

  it("names what changed in the graph since the checkpoint (A-71)", async () => {
    const counts = (groupBy: string): object =>
      graph(
        [
          rowsSource(
            "a",
            [
              { name: "n", type: "int64" },
              { name: "m", type: "int64" },
            ],
            [[1, 2]],
          ),
          { id: "c", kind: "count", config: { groupBy: [groupBy] } },
          tableSink("t"),
        ],
        [
          { id: "e", from: "a", to: "c" },
          { id: "f", from: "c", to: "t" },
        ],
      );
    folder.write("before.json", counts("n"));
    folder.write("after.json", counts("m"));
    expect((await run("before.json", "--checkpoints", "cp-changed")).status).toBe(0);
    const { status, errors } = await run("after.json", "--checkpoints", "cp-changed", "--restore", "1");
    expect(status).toBe(2);
    expect(errors[0]).toBe(
      'c.config.groupBy[0]: it changed since the checkpoint: "m", and "n" then; run the graph as it was, or begin anew with an empty folder',
    );
  });
});
