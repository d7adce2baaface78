import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { RunReport } from "../engine/index.ts";
import { onFullDisk } from "./testing/full-disk.ts";
import { type Ended, graph, PATIENCE_MS, rowsSource, TestFolder, tableSink, Weir, weir } from "./testing/run-weir.ts";

vi.setConfig({ testTimeout: PATIENCE_MS });

let folder: TestFolder;
beforeAll(() => {
  folder = new TestFolder();
});
afterAll(() => folder.remove());

const EDGE = { id: "e", from: "a", to: "t" };
const MODES = ["threads", "lab"] as const;
const run = (name: string, ...args: string[]): Promise<Ended> => weir(["run", name, ...args], { cwd: folder.path });
const report = (name: string): RunReport => JSON.parse(readFileSync(folder.file(name), "utf8"));

/** Runs a graph on threads and in the lab. */
async function inBoth(document: object, ...args: string[]): Promise<[Ended, Ended]> {
  folder.write("both.json", document);
  return Promise.all([run("both.json", "--mode", "threads", ...args), run("both.json", "--mode", "lab", ...args)]);
}

/** What is refused before the run is refused by the same code, whichever executor was to run it. */
async function refused(document: object): Promise<Ended> {
  folder.write("refused.json", document);
  return run("refused.json");
}

describe("rows on standard output", () => {
  it("keep every digit, their type and their precision (graph-format 3, P-02)", async () => {
    const schema = [
      ["i", "int64"],
      ["u", "uint64"],
      ["f", "float64"],
      ["d", "decimal(38,10)"],
      ["s", "timestamp[s]"],
      ["ns", "timestamp[ns]"],
      ["day", "date"],
      ["b", "boolean"],
      ["text", "utf8"],
      ["bytes", "binary"],
    ].map(([name, type]) => ({ name, type }));
    const rows = [
      [
        "9223372036854775807",
        "18446744073709551615",
        "NaN",
        "1234567890123456789012345678.0123456789",
        0,
        "1",
        0,
        true,
        'a "quoted"\nline',
        "AAE=",
      ],
      [
        "-9223372036854775808",
        0,
        "-Infinity",
        "-0.0000000001",
        "-62135596800",
        "1717221600123456789",
        "2024-02-29",
        false,
        "‏ü 東京 \u0000",
        "",
      ],
      [null, null, 0.1, null, null, null, null, null, "", null],
    ];
    const document = graph([rowsSource("a", schema, rows), tableSink("t")], [EDGE]);
    for (const { status, stderr, rows: printed } of await inBoth(document)) {
      expect([status, stderr]).toEqual([0, ""]);
      expect(printed).toEqual([
        '{"i":9223372036854775807,"u":18446744073709551615,"f":"NaN","d":"1234567890123456789012345678.0123456789","s":"1970-01-01T00:00:00Z","ns":"1970-01-01T00:00:00.000000001Z","day":"1970-01-01","b":true,"text":"a \\"quoted\\"\\nline","bytes":"AAE="}',
        '{"i":-9223372036854775808,"u":0,"f":"-Infinity","d":"-0.0000000001","s":"0001-01-01T00:00:00Z","ns":"2024-06-01T06:00:00.123456789Z","day":"2024-02-29","b":false,"text":"‏ü 東京 \\u0000","bytes":""}',
        '{"i":null,"u":null,"f":0.1,"d":null,"s":null,"ns":null,"day":null,"b":null,"text":"","bytes":null}',
      ]);
    }
  });

  it("keep a column named __proto__, and rows of a megabyte", async () => {
    const long = "ü".repeat(500_000);
    const schema = ["__proto__", "constructor"].map((name) => ({ name, type: "utf8" }));
    const document = graph(
      [rowsSource("a", schema, [["x", long]]), tableSink("t")],
      [{ ...EDGE, route: { kind: "rebalance" } }],
    );
    for (const { status, stdout, stderr } of await inBoth(document)) {
      expect([status, stderr]).toEqual([0, ""]);
      expect(stdout).toBe(`{"__proto__":"x","constructor":"${long}"}\n`);
    }
  });

  it("that are larger than a ring fail the run, naming edge, row and size", async () => {
    const document = graph(
      [rowsSource("a", [{ name: "text", type: "utf8" }], [["short"], ["x".repeat(1_200_000)]]), tableSink("t")],
      [{ ...EDGE, route: { kind: "rebalance" } }],
      { ringBudgetMiB: 1 },
    );
    folder.write("large.json", document);
    const { status, stdout, errors } = await run("large.json");
    expect([status, stdout]).toEqual([1, ""]);
    expect(errors.at(-1)).toMatch(/^run failed: node a: task 0 \(a · 0\): .*row 2.*\(.*edge e/);
    expect(errors.at(-1)).toMatch(/120\d{4}/);
  });

  it("are none for a graph without a table", async () => {
    const document = graph(
      [rowsSource("a", [{ name: "n", type: "int32" }], [[1]]), { id: "t", kind: "sink.blackhole" }],
      [EDGE],
    );
    for (const { status, stdout, stderr } of await inBoth(document)) {
      expect([status, stdout, stderr]).toEqual([0, "", ""]);
    }
  });

  it("end the run in good order when their reader goes away", async () => {
    folder.write("endless.json", endless());
    for (const mode of MODES) {
      const child = new Weir(["run", "endless.json", "--mode", mode, "--report", `gone-${mode}.json`], {
        cwd: folder.path,
      });
      await child.until(({ stdout }) => stdout.includes("\n"));
      child.child.stdout.destroy();
      const { status, stderr } = await child.ended;
      expect([status, stderr], mode).toEqual([0, ""]);
      expect(report(`gone-${mode}.json`).outcome).toBe("stopped");
    }
  });

  it("are a failure when they cannot be written", async () => {
    if (!existsSync("/dev/full")) return;
    const rows = Array.from({ length: 2000 }, (_, i) => [i]);
    folder.write("full.json", graph([rowsSource("a", [{ name: "n", type: "int64" }], rows), tableSink("t")], [EDGE]));
    const { status, stderr } = await onFullDisk(["run", "full.json"], folder.path);
    expect(status).toBe(1);
    expect(stderr).toMatch(/the rows cannot be written: ENOSPC.*\n$/);
  });
});

/** Never ends by itself; epochs are quick. */
function endless(): object {
  return graph(
    [
      {
        id: "a",
        kind: "source.generator",
        config: { rows: 0, rowsPerSecond: 2000, batchRows: 20, fields: [{ kind: "sequence", name: "n" }] },
      },
      tableSink("t", { delivery: "exactly-once" }),
    ],
    [{ ...EDGE, route: { kind: "rebalance" } }],
    { barrierEveryMs: 50 },
  );
}

describe("the report", () => {
  it("D-13: says that the tail was committed: the committed rows are the rows, although no barrier followed them", async () => {
    const rows = Array.from({ length: 1500 }, (_, i) => [i]);
    const document = graph(
      [
        rowsSource("a", [{ name: "n", type: "int64" }], rows),
        { id: "b", kind: "select", parallelism: 2, config: { columns: ["n"] } },
        tableSink("t", { delivery: "exactly-once" }),
      ],
      [
        { id: "in", from: "a", to: "b", route: { kind: "shuffle", columns: ["n"] } },
        { id: "out", from: "b", to: "t" },
      ],
    );
    folder.write("tail.json", document);
    for (const mode of MODES) {
      const { status, rows: printed } = await run("tail.json", "--mode", mode, "--report", "tail.report.json");
      const { outcome, epochs, nodes, edges, wallMs, seed, moves } = report("tail.report.json");
      expect([status, outcome, printed.length], mode).toEqual([0, "finished", 1500]);
      expect(epochs).toEqual({ issued: 1, completed: 1, committed: [1] });
      expect(nodes["t"]).toMatchObject({ tasks: 1, rowsIn: 1500, rowsOut: 1500, watermark: "end" });
      expect(nodes["b"]).toMatchObject({ tasks: 2, rowsIn: 1500, rowsOut: 1500, late: 0, bad: 0, errors: 0 });
      expect(edges["in"]).toMatchObject({ route: "shuffle", physical: 2, rows: 1500, queued: 0 });
      expect(edges["out"]).toMatchObject({ physical: 2, rows: 1500 });
      expect(wallMs).toBeGreaterThan(0);
      expect(seed).toBe(mode === "lab" ? 1 : undefined);
      expect(Array.isArray(moves)).toBe(mode === "lab");
    }
  });

  it("tells a chained task node by node, and names the chain", async () => {
    const document = graph(
      [
        rowsSource("a", [{ name: "n", type: "int64" }], [[1], [2], [3]]),
        { id: "b", kind: "rename", config: { names: { n: "m" } } },
        tableSink("t"),
      ],
      [
        { id: "x", from: "a", to: "b" },
        { id: "y", from: "b", to: "t" },
      ],
    );
    for (const { status } of await inBoth(document, "--report", "chain.json")) expect(status).toBe(0);
    const { nodes, edges } = report("chain.json");
    const chain = ["a", "b", "t"];
    expect(nodes["a"]).toMatchObject({ rowsIn: 0, rowsOut: 3, chain });
    expect(nodes["b"]).toMatchObject({ rowsIn: 3, rowsOut: 3, chain });
    expect(nodes["t"]).toMatchObject({ rowsIn: 3, rowsOut: 3, chain });
    expect(edges).toEqual({});
  });

  it("is written for a failed run too, whose reason with node and task is the last line on standard error (F-63)", async () => {
    const document = graph(
      [
        {
          id: "a",
          kind: "source.script",
          config: {
            schema: [{ name: "n", type: "int64" }],
            steps: [{ rows: [[1]] }, { wait: 2000 }, { rows: [[2]] }, { fail: "the modem\ncaught fire" }],
          },
        },
        tableSink("t", { delivery: "exactly-once" }),
      ],
      [{ ...EDGE, route: { kind: "rebalance" } }],
      { barrierEveryMs: 100 },
    );
    folder.write("fails.json", document);
    for (const mode of MODES) {
      const { status, rows, errors } = await run("fails.json", "--mode", mode, "--report", "fails.report.json");
      // Whether a barrier came between the second row and the failure is the schedule's choice.
      expect([['{"n":1}'], ['{"n":1}', '{"n":2}']], mode).toContainEqual(rows);
      expect(status, mode).toBe(1);
      expect(errors.at(-1)).toBe("run failed: node a: task 0 (a · 0): the modem caught fire");
      const { outcome, error, nodes } = report("fails.report.json");
      expect(outcome).toBe("failed");
      expect(error).toMatchObject({ node: "a", task: 0 });
      expect(nodes["t"]).toMatchObject({ rowsOut: rows.length });
    }
  });

  it("is written for a run whose time is up, which has failed", async () => {
    folder.write("endless.json", endless());
    for (const mode of MODES) {
      const { status, errors, rows } = await run(
        "endless.json",
        "--mode",
        mode,
        "--timeout",
        "0.7",
        "--report",
        "late.json",
      );
      expect(status, mode).toBe(1);
      expect(errors.at(-1)).toBe("run failed: the run was not over after 0.7 s; raise --timeout, or bound the sources");
      expect(report("late.json")).toMatchObject({ outcome: "failed", error: { code: "time-out" } });
      expect(report("late.json").nodes["t"]?.rowsOut).toBeGreaterThanOrEqual(rows.length);
    }
  });
});

const file = (config: object): object => ({ id: "a", kind: "source.file", config });
const fileGraph = (config: object): object => graph([file(config), tableSink("t")], [EDGE]);

describe("files of a document", () => {
  it("lie relative to its folder, wherever it is run from, or in the document itself", async () => {
    mkdirSync(folder.file("project/data"), { recursive: true });
    folder.write("project/data/in.csv", "n,text\n007,from disk\n");
    folder.write("project/disk.json", fileGraph({ format: "csv", path: "data/in.csv" }));
    folder.write("project/whole.json", {
      ...fileGraph({ format: "csv", path: "attached:in.csv" }),
      data: { "in.csv": { encoding: "base64", content: Buffer.from("n,text\n1,ünside\n").toString("base64") } },
    });
    for (const mode of MODES) {
      const [disk, whole] = await Promise.all([
        run("project/disk.json", "--mode", mode),
        run("project/whole.json", "--mode", mode),
      ]);
      expect([disk.status, disk.stdout], mode).toEqual([0, '{"n":"007","text":"from disk"}\n']);
      expect([whole.status, whole.stdout], mode).toEqual([0, '{"n":1,"text":"ünside"}\n']);
    }
  });
});

describe("files that are wrong", () => {
  it("are refused before the run where their columns have to be guessed, naming node, field and file", async () => {
    const { status, stdout, stderr } = await refused(fileGraph({ format: "csv", path: "missing.csv" }));
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^a\.config\.path: .*missing\.csv.*\n$/);
  });

  it("fail the start, naming the node, where their columns are given", async () => {
    const schema = [{ name: "n", type: "int64" }];
    for (const { status, stdout, errors } of await inBoth(fileGraph({ format: "csv", path: "missing.csv", schema }))) {
      expect([status, stdout]).toEqual([1, ""]);
      expect(errors.at(-1)).toMatch(/^run failed: node a: task 0 \(a → t · 0\): .*missing\.csv/);
    }
  });

  it("that are empty have no rows where nothing more is expected, and are refused where columns or their names are (D-43)", async () => {
    folder.write("empty.csv", "");
    folder.write("empty.ndjson", "");
    const schema = [{ name: "n", type: "int64" }];
    const bare = { format: "csv", path: "empty.csv", csv: { header: false } };
    for (const config of [{ format: "ndjson", path: "empty.ndjson" }, bare]) {
      for (const { status, stdout, stderr } of await inBoth(fileGraph({ ...config, schema }))) {
        expect([status, stdout, stderr], config.format).toEqual([0, "", ""]);
      }
      const { status, stdout, stderr } = await refused(fileGraph(config));
      expect([status, stdout], config.format).toEqual([2, ""]);
      expect(stderr, config.format).toMatch(/^a\.config\.\w+: .*empty/);
    }
    for (const { status, stdout, errors } of await inBoth(fileGraph({ ...bare, csv: {}, schema }))) {
      expect([status, stdout]).toEqual([1, ""]);
      expect(errors.at(-1)).toMatch(/^run failed: node a: task 0 .*empty.*first line.*\(empty\.csv\)/);
    }
  });

  it("are no Arrow where Arrow is expected, or cut off: refused, naming the file", async () => {
    const whole = readFileSync(new URL("../../examples/data/trades.arrow", import.meta.url));
    folder.write("text.arrow", "id,name\n1,a\n");
    folder.write("cut.arrow", whole.subarray(0, 60_000));
    const text = await refused(fileGraph({ format: "arrow", path: "text.arrow" }));
    expect([text.status, text.stdout]).toEqual([2, ""]);
    expect(text.stderr).toMatch(/text\.arrow/);
    const cut = await refused(fileGraph({ format: "arrow", path: "cut.arrow" }));
    expect([cut.status, cut.stdout]).toEqual([2, ""]);
    expect(cut.stderr).toMatch(/^a\.config\.path: .*damaged or cut off.*cut\.arrow/);
  });

  it("have bad rows, which are dropped with a note, routed, rescued, or fail the run with their line (D-40, D-41)", async () => {
    folder.write("bad.csv", 'n,text\n1,a\nx,b\n3,"c, d"\n4\n9223372036854775808,e\n6,f\n');
    folder.write(
      "bad.ndjson",
      '{"n":1,"text":"a"}\n{"n":"x","text":"b"}\n{"n":3,"text":"c, d"}\n{"n":4\n{"n":9223372036854775808,"text":"e"}\n{"n":6,"text":"f"}\n',
    );
    const schema = [
      { name: "n", type: "int64", nullable: false },
      { name: "text", type: "utf8" },
    ];
    const good = ['{"n":1,"text":"a"}', '{"n":3,"text":"c, d"}', '{"n":6,"text":"f"}'];
    // Each format on one of the executors, each of which reads files by the same code.
    for (const [format, mode] of [
      ["csv", "threads"],
      ["ndjson", "lab"],
    ] as const) {
      const config = { format, path: `bad.${format}`, schema };
      const inMode = (document: object, ...args: string[]): Promise<Ended> => {
        folder.write("bad.graph.json", document);
        return run("bad.graph.json", "--mode", mode, ...args);
      };
      const dropped = await inMode(fileGraph({ ...config, badRows: "drop" }), "--report", "bad.json");
      expect([dropped.status, dropped.rows], format).toEqual([0, good]);
      expect(dropped.errors[0]).toMatch(/^note: a.*(line|row) /);
      expect(report("bad.json").nodes["a"]).toMatchObject({ bad: 3, rowsOut: 3 });
      const document = graph(
        [file({ ...config, badRows: "route" }), tableSink("t"), tableSink("rejects")],
        [
          { ...EDGE, from: { node: "a", port: "out" } },
          { id: "bad", from: { node: "a", port: "bad" }, to: "rejects" },
        ],
      );
      const routed = await inMode(document, "--sink", "rejects");
      expect(routed.status).toBe(0);
      expect(routed.rows.map((row) => JSON.parse(row).line)).toEqual(format === "csv" ? [3, 5, 6] : [2, 4, 5]);
      const rescued = await inMode(fileGraph({ ...config, badRows: "rescue" }));
      expect([rescued.status, rescued.rows.length]).toEqual([0, 6]);
      expect(JSON.parse(rescued.rows[1] as string)).toMatchObject({
        n: null,
        text: null,
        _rescued: expect.stringContaining("x"),
      });
      const failed = await inMode(fileGraph({ ...config, badRows: "fail" }));
      expect([failed.status, failed.stdout], format).toEqual([1, ""]);
      expect(failed.errors.at(-1)).toMatch(/^run failed: node a\.n: task 0 .*line \d/);
    }
  });

  it("are written whole or not at all: a run that fails leaves no part of an epoch that was not committed (F-73)", async () => {
    const document = graph(
      [
        {
          id: "a",
          kind: "source.script",
          config: {
            schema: [{ name: "n", type: "int64" }],
            steps: [{ rows: [[1], [2]] }, { wait: 2000 }, { rows: [[3]] }, { fail: "gone" }],
          },
        },
        { id: "t", kind: "sink.file", config: { format: "ndjson", path: "parts", delivery: "exactly-once" } },
      ],
      [{ ...EDGE, route: { kind: "rebalance" } }],
      { barrierEveryMs: 100 },
    );
    folder.write("parts.json", document);
    for (const mode of MODES) {
      const { status, stdout } = await run("parts.json", "--mode", mode, "--report", "parts.report.json");
      expect([status, stdout], mode).toEqual([1, ""]);
      const { committed } = report("parts.report.json").epochs;
      const parts = readdirSync(folder.file("parts")).map((name) => ({
        epoch: Number(/^part-0-(\d+)\.ndjson$/.exec(name)?.[1]),
        text: readFileSync(folder.file(`parts/${name}`), "utf8"),
      }));
      parts.sort((a, b) => a.epoch - b.epoch);
      for (const { epoch } of parts) expect(committed, mode).toContain(epoch);
      // Whether a barrier came between the last row and the failure is the schedule's choice.
      expect(['{"n":1}\n{"n":2}\n', '{"n":1}\n{"n":2}\n{"n":3}\n'], mode).toContain(
        parts.map(({ text }) => text).join(""),
      );
    }
  });
});
