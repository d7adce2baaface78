import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  type ErrorData,
  type GraphDocument,
  ndjsonOf,
  parseDocument,
  type RunReport,
  serializeDocument,
} from "../engine/index.ts";
import { labRun } from "./drive-lab.ts";
import { threadsRun } from "./drive-threads.ts";
import type { RunListener } from "./execute.ts";
import { loadGraph } from "./load-graph.ts";
import { PATIENCE_MS, TestFolder, Weir, weir } from "./testing/run-weir.ts";

vi.setConfig({ testTimeout: PATIENCE_MS });

const root = fileURLToPath(new URL("../..", import.meta.url));
const examples = join(root, "examples");
const names = readdirSync(examples).filter((name) => name.endsWith(".json"));
const isEndless = (name: string): boolean => name.startsWith("endless-");
/** It listens to a server, which the lab does not. */
const isLive = (name: string): boolean => name.startsWith("live-");

function documentOf(name: string): GraphDocument {
  const parsed = parseDocument(readFileSync(join(examples, name), "utf8"));
  if (parsed.kind !== "document")
    throw new Error(`${name}: ${parsed.problems.map(({ message }) => message).join("; ")}`);
  return parsed.document;
}

const tablesOf = (name: string): string[] =>
  documentOf(name)
    .nodes.filter(({ kind }) => kind === "sink.table")
    .map(({ id }) => id);

describe("the examples", () => {
  it("are at least eight, at most two of them endless, and all stand in their README", () => {
    expect(names.length).toBeGreaterThanOrEqual(8);
    expect(names.filter(isEndless).length).toBeLessThanOrEqual(2);
    const readme = readFileSync(join(examples, "README.md"), "utf8");
    for (const name of names) expect(readme, name).toContain(`](${name})`);
  });

  it("say in their notes what to look at, and lie on a page 1440 wide", () => {
    for (const name of names) {
      const { name: title, nodes, annotations = [] } = documentOf(name);
      expect(title, name).not.toBe("");
      expect(annotations.length, name).toBeGreaterThan(0);
      expect(nodes.filter(({ notes }) => notes !== undefined).length, name).toBeGreaterThan(1);
      for (const { id, ui, name: label } of nodes) {
        expect(label, `${name}, ${id}`).toBeTruthy();
        expect(ui?.x, `${name}, ${id}`).toBeGreaterThanOrEqual(0);
        expect(ui?.x, `${name}, ${id}`).toBeLessThanOrEqual(1200);
      }
      const places = nodes.map(({ ui }) => `${ui?.x} ${ui?.y}`);
      expect(new Set(places).size, name).toBe(places.length);
    }
  });

  it("lose nothing when they are read and written again", () => {
    for (const name of names) {
      const document = documentOf(name);
      expect(parseDocument(serializeDocument(document)), name).toEqual({ kind: "document", document });
    }
  });

  it("have data that its script makes again, byte for byte", () => {
    const folder = new TestFolder();
    execFileSync(process.execPath, [join(root, "scripts", "make-example-data.mjs"), folder.path]);
    const made = readdirSync(folder.path).sort();
    expect(made).toEqual(readdirSync(join(examples, "data")).sort());
    for (const name of made) {
      const same = readFileSync(folder.file(name)).equals(readFileSync(join(examples, "data", name)));
      expect(same, name).toBe(true);
    }
    folder.remove();
  });
});

type Mode = "threads" | "lab";

/** What a run of an example showed: lines by table, sorted, and its report. */
interface Shown {
  readonly rows: Readonly<Record<string, readonly string[]>>;
  readonly report: RunReport;
}

/** Runs an example as the command line does, but in this process. */
async function runHere(mode: Mode, name: string, folder: TestFolder): Promise<Shown> {
  const text: Record<string, string> = {};
  const notes: ErrorData[] = [];
  const listener: RunListener = {
    onRows: async (node, batch) => {
      text[node] = `${text[node] ?? ""}${new TextDecoder().decode(ndjsonOf(batch))}`;
    },
    onNote: (note) => void notes.push(note),
  };
  const job = { graph: await loadGraph(folder.file(name)), checkpoints: undefined };
  const run = await (mode === "lab" ? labRun(job, { seed: 1 }, listener) : threadsRun(job)(listener));
  const report = run.report(await run.outcome, notes, 0);
  const lines = (table: string): string[] => (text[table] ?? "").split("\n").slice(0, -1).sort();
  return { rows: Object.fromEntries(tablesOf(name).map((table) => [table, lines(table)])), report };
}

describe("every example that ends by itself", () => {
  const folders = {} as Record<Mode, TestFolder>;
  const runs = new Map<string, Promise<Shown>>();
  beforeAll(() => {
    folders.threads = TestFolder.withExamples();
    folders.lab = TestFolder.withExamples();
  });
  afterAll(() => {
    folders.threads.remove();
    folders.lab.remove();
  });

  /** Each example runs once a mode, however many tests look at it. */
  function shown(mode: Mode, name: string): Promise<Shown> {
    const key = `${mode} ${name}`;
    const run = runs.get(key) ?? runHere(mode, name, folders[mode]);
    runs.set(key, run);
    return run;
  }

  for (const name of names.filter((each) => !isEndless(each) && !isLive(each))) {
    it(`gives the same rows on threads and in the lab, all of them committed (D-13): ${name}`, async () => {
      const [threads, lab] = await Promise.all([shown("threads", name), shown("lab", name)]);
      for (const { report, rows } of [threads, lab]) {
        expect(report.outcome).toBe("finished");
        expect(report.epochs.committed.at(-1)).toBe(report.epochs.issued);
        expect(report.epochs.issued).toBeGreaterThan(0);
        for (const table of tablesOf(name)) {
          const count = rows[table]?.length ?? 0;
          expect(count).toBeGreaterThan(0);
          expect(report.nodes[table]).toMatchObject({ rowsIn: count, rowsOut: count });
        }
      }
      for (const table of tablesOf(name)) expect(threads.rows[table]).toEqual(lab.rows[table]);
    });
  }

  it.each(["threads", "lab"] as const)(
    "prints by the command line what it gives: one table, or the one asked for, %s",
    async (mode) => {
      for (const [name, table] of [
        ["orders-by-country.json", undefined],
        ["late-readings.json", "late"],
      ] as const) {
        const { rows, report } = await shown(mode, name);
        const chosen = table === undefined ? [] : ["--sink", table];
        const args = ["run", name, "--mode", mode, "--report", "report.json", ...chosen];
        const command = await weir(args, { cwd: folders[mode].path });
        expect([command.status, command.stderr]).toEqual([0, ""]);
        expect([...command.rows].sort()).toEqual(rows[table ?? (tablesOf(name)[0] as string)]);
        const { outcome, nodes }: RunReport = JSON.parse(readFileSync(folders[mode].file("report.json"), "utf8"));
        expect(outcome).toBe("finished");
        expect(Object.keys(nodes)).toEqual(Object.keys(report.nodes));
      }
    },
  );

  it("writes files exactly once: every order stands in one part of either executor, with every cent", async () => {
    const lines = await Promise.all(
      (["threads", "lab"] as const).map(async (mode) => {
        await shown(mode, "exactly-once-files.json");
        const out = folders[mode].file("out/orders");
        const parts = readdirSync(out);
        expect(parts.filter((part) => !/^part-[01]-\d+\.ndjson$/.test(part))).toEqual([]);
        return parts.flatMap((part) => readFileSync(join(out, part), "utf8").trimEnd().split("\n")).sort();
      }),
    );
    expect(lines[0]).toEqual(lines[1]);
    expect(lines[0]).toHaveLength(2000);
    expect(lines[0]?.[0]).toContain('"price":"129.00"');
  });

  it("keeps every digit of what its files hold (P-02)", async () => {
    const { rows } = await shown("threads", "trades-from-arrow.json");
    const [lines = []] = Object.values(rows);
    const ids = lines.map((row) => BigInt(/"trade_id":(\d+)/.exec(row)?.[1] ?? 0));
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.sort((a, b) => (a < b ? -1 : 1))).toEqual(ids.map((_, i) => 9_223_372_036_854_770_000n + BigInt(i)));
    for (const row of lines)
      expect(row).toMatch(/"executed_at":"2024-06-01T\d\d:\d\d:\d\d\.\d{6}Z".*"price":"\d+\.\d{4}"/);
  });
});

describe("the live example", () => {
  it("listens to its server until it ends, and the lab says why it does not", async () => {
    const folder = TestFolder.withExamples();
    const server = spawn(process.execPath, [folder.file("feed-server.mjs"), "0", "45"]);
    const [line] = (await once(server.stdout, "data")) as [Buffer];
    const graph = readFileSync(folder.file("live-feed.json"), "utf8");
    writeFileSync(folder.file("live.json"), graph.replace("http://127.0.0.1:8787/", line.toString().trim()));
    const { status, rows, stderr } = await weir(["run", "live.json"], { cwd: folder.path });
    server.kill();
    expect([status, stderr]).toEqual([0, ""]);
    const counts = rows.map((row) => JSON.parse(row)["readings"] as number);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(45);
    const lab = await weir(["run", "live.json", "--mode", "lab"], { cwd: folder.path });
    expect([lab.status, lab.stderr]).toEqual([1, expect.stringContaining("the lab does not listen to the world")]);
    folder.remove();
  });
});

describe("an endless example", () => {
  it("runs until it is stopped, and then every row that it made is committed", async () => {
    const folder = TestFolder.withExamples();
    for (const name of names.filter(isEndless)) {
      const run = new Weir(["run", name, "--report", "report.json"], { cwd: folder.path });
      await run.until(({ stdout }) => stdout.includes("\n"));
      run.signal("SIGINT");
      const { status, stderr, rows } = await run.ended;
      expect([status, stderr], name).toEqual([0, ""]);
      const { outcome, nodes }: RunReport = JSON.parse(readFileSync(folder.file("report.json"), "utf8"));
      expect([outcome, nodes[tablesOf(name)[0] as string]?.rowsOut], name).toEqual(["stopped", rows.length]);
    }
    folder.remove();
  });
});
