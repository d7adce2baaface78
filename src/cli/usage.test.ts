import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { graph, PATIENCE_MS, rowsSource, TestFolder, tableSink, weir } from "./testing/run-weir.ts";

vi.setConfig({ testTimeout: PATIENCE_MS });

let folder: TestFolder;
const NUMBER = [{ name: "n", type: "int64" }];

beforeAll(() => {
  folder = new TestFolder();
  folder.write("one.json", graph([rowsSource("a", NUMBER, [[1]]), tableSink("t")], [{ id: "e", from: "a", to: "t" }]));
});
afterAll(() => folder.remove());

describe("weir without a graph to run", () => {
  it("tells its commands and their options on standard output", async () => {
    const [all, run, lab] = await Promise.all([weir(["--help"]), weir(["run", "--help"]), weir(["lab", "x", "-h"])]);
    for (const { status, stderr } of [all, run, lab]) expect([status, stderr]).toEqual([0, ""]);
    for (const name of ["run GRAPH", "lab GRAPH", "validate GRAPH", "serve", "bench [NAME]"])
      expect(all.stdout).toContain(name);
    for (const name of ["--mode", "--seed", "--sink", "--report", "--timeout"]) expect(run.stdout).toContain(name);
    for (const name of ["--seed", "--moves", "--save-moves", "--trace"]) expect(lab.stdout).toContain(name);
  });

  it("tells the version of the package", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect(await weir(["--version"])).toMatchObject({ status: 0, stdout: `${version}\n` });
  });

  it("refuses wrong usage with status 2, every fault on a line with what to do, and prints nothing else", async () => {
    const cases: [string[], string[]][] = [
      [[], ["a command is missing; write run or lab or validate or serve or bench"]],
      [["rnu"], ['weir has no command "rnu"; did you mean run?']],
      [["run"], ["weir run needs GRAPH; write weir run GRAPH"]],
      [
        ["run", "one.json", "--sede", "--repotr"],
        ["--seed?", "--report?"],
      ],
      [["lab", "one.json", "--seed", "1", "--checkpoints", "x"], ['weir lab has no option "--checkpoints"']],
      [["run", "one.json", "--mode", "treads"], ['--mode must be threads or lab, not "treads"; did you mean threads?']],
      [["run", "one.json", "--timeout", "soon"], ['--timeout must be a number of seconds above 0, not "soon"']],
      [["run", "one.json", "--report", "no/such/folder.json"], ["there is no such file"]],
      [["run", "one.json", "--report", "."], ['--report "." cannot be written: it is a folder']],
      [["lab", "one.json"], ["weir lab needs --seed"]],
      [
        ["bench", "nexmark", "--bids", "many"],
        ['--bids "many" is no number of bids; give a whole number from 1 to 100000000'],
      ],
      [["bench", "transprot"], ['there is no benchmark "transprot"; did you mean transport?']],
      [["serve", "--port", "70000"], ['--port must be a whole number from 0 to 65535, not "70000"']],
    ];
    const all = await Promise.all(cases.map(([args]) => weir(args, { cwd: folder.path })));
    all.forEach(({ status, stdout, errors }, index) => {
      const [args, wanted] = cases[index] as [string[], string[]];
      expect([status, stdout], args.join(" ")).toEqual([2, ""]);
      for (const text of wanted)
        expect(
          errors.filter((line) => line.includes(text)),
          text,
        ).toHaveLength(1);
    });
  });
});

describe("a graph document that is wrong", () => {
  it("is refused by run, lab and validate with every problem, node and field first, one a line", async () => {
    folder.write("there.csv", "n\n1\n");
    folder.write("wrong.json", {
      format: "weir.graph/v1",
      nodes: [
        { id: "a", kind: "source.rows", config: { schema: NUMBER, rows: [["x"]], bathRows: 3 } },
        { id: "b", kind: "sink.tabel" },
        { id: "c", kind: "union", parallelism: 0 },
        { id: "f", kind: "source.file", config: { format: "csv", path: "there.csv" } },
      ],
      edges: [{ id: "e", from: "a", to: "nowhere" }],
    });
    const runs = ["validate", "run", "lab"].map((name) =>
      weir([name, "wrong.json", ...(name === "lab" ? ["--seed", "1"] : [])], { cwd: folder.path }),
    );
    const [first, ...others] = await Promise.all(runs);
    expect([first?.status, first?.stdout]).toEqual([2, ""]);
    const starts = ["a.config.bathRows: ", "b.kind: ", "c.parallelism: "];
    for (const start of starts) {
      expect(
        first?.errors.filter((line) => line.startsWith(start)),
        start,
      ).toHaveLength(1);
    }
    expect(first?.stderr).toContain("did you mean sink.table?");
    expect(first?.stderr).toContain("nowhere");
    expect(first?.stderr, "columns are guessed all the same").not.toContain("columns of the file");
    for (const other of others) expect([other.status, other.stderr]).toEqual([2, first?.stderr]);
  });

  it("is refused as a file that is missing, a folder, empty, no JSON, no UTF-8, another format or a newer version", async () => {
    folder.write("empty.json", "");
    folder.write("cut.json", '{ "format": "weir.graph/v1", "nodes": [');
    folder.write(
      "latin1.json",
      Uint8Array.from([...'{"name":"caf'].map((c) => c.charCodeAt(0)).concat(0xe9, 0x22, 0x7d)),
    );
    folder.write("other.json", "[1, 2]");
    folder.write("newer.json", '{ "format": "weir.graph/v7", "nodes": [] }');
    const cases: [string, RegExp][] = [
      ["nope.json", /the graph "nope.json" cannot be read: there is no such file/],
      [".", /it is a folder/],
      ["empty.json", /the file is empty/],
      ["cut.json", /line 1/],
      ["latin1.json", /is not UTF-8 text/],
      ["other.json", /not a graph document/],
      ["newer.json", /made by a newer Weir/],
    ];
    const all = await Promise.all(cases.map(([path]) => weir(["validate", path], { cwd: folder.path })));
    all.forEach(({ status, stdout, stderr }, index) => {
      const [path, text] = cases[index] as [string, RegExp];
      expect([status, stdout], path).toEqual([2, ""]);
      expect(stderr, path).toMatch(text);
    });
  });

  it("is one whose tables are several and none is chosen, or whose chosen sink shows no rows", async () => {
    folder.write(
      "two.json",
      graph(
        [
          rowsSource("a", NUMBER, [[1], [2]]),
          tableSink("left"),
          tableSink("right"),
          { id: "hole", kind: "sink.blackhole" },
          { id: "log", kind: "sink.log" },
        ],
        ["left", "right", "hole", "log"].map((to) => ({ id: to, from: "a", to })),
      ),
    );
    const run = (...args: string[]) => weir(["run", "two.json", ...args], { cwd: folder.path });
    const [none, typo, hole, right, log] = await Promise.all([
      run(),
      run("--sink", "rihgt"),
      run("--sink", "hole"),
      run("--sink", "right"),
      run("--sink", "log"),
    ]);
    expect([none?.status, none?.stdout, none?.stderr]).toEqual([
      2,
      "",
      "the graph has 2 tables: left, right; choose one with --sink ID\n",
    ]);
    expect([typo?.status, typo?.stderr]).toEqual([2, '--sink: there is no node "rihgt"; did you mean right?\n']);
    expect(hole?.status).toBe(2);
    expect(hole?.stderr).toContain("sink.blackhole, which has no rows to print");
    expect([right?.status, right?.rows]).toEqual([0, ['{"n":1}', '{"n":2}']]);
    expect(right?.errors).toEqual(['log: {"n":1}', 'log: {"n":2}']);
    expect([log?.status, log?.rows, log?.stderr]).toEqual([0, ['{"n":1}', '{"n":2}'], ""]);
  });
});

describe("weir validate", () => {
  it("says that a graph is valid and runs nothing", async () => {
    expect(await weir(["validate", "one.json"], { cwd: folder.path })).toMatchObject({
      status: 0,
      stdout: "valid: 2 nodes, 1 task, 0 edges\n",
      stderr: "",
    });
  });

  it("reads a graph from standard input", async () => {
    const input = readFileSync(folder.file("one.json"), "utf8");
    expect(await weir(["validate", "-"], { cwd: folder.path, input })).toMatchObject({ status: 0, stderr: "" });
    expect(await weir(["run", "-"], { cwd: folder.path, input })).toMatchObject({ status: 0, stdout: '{"n":1}\n' });
  });
});
