import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type GraphDocument, parseDocument, type RunReport, serializeDocument } from "../engine/index.ts";
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

describe("every example that ends by itself", () => {
  let folders: Record<"threads" | "lab", TestFolder>;
  beforeAll(() => {
    folders = { threads: TestFolder.withExamples(), lab: TestFolder.withExamples() };
  });
  afterAll(() => {
    folders.threads.remove();
    folders.lab.remove();
  });

  async function runIn(mode: "threads" | "lab", name: string, sink: string | undefined) {
    const chosen = sink === undefined ? [] : ["--sink", sink];
    const args = ["run", name, "--mode", mode, "--report", "report.json", ...chosen];
    const { status, rows, stderr } = await weir(args, { cwd: folders[mode].path });
    expect(status, `${name} ${mode}: ${stderr}`).toBe(0);
    const report: RunReport = JSON.parse(readFileSync(folders[mode].file("report.json"), "utf8"));
    return { report, rows: [...rows].sort() };
  }

  for (const name of names.filter((each) => !isEndless(each) && !isLive(each))) {
    it(`gives the same rows on threads and in the lab, all of them committed (D-13): ${name}`, async () => {
      const sinks = tablesOf(name);
      for (const sink of sinks.length > 1 ? sinks : [undefined]) {
        const [threads, lab] = await Promise.all([runIn("threads", name, sink), runIn("lab", name, sink)]);
        expect(threads.rows).toEqual(lab.rows);
        for (const { report, rows } of [threads, lab]) {
          const shown = sink ?? sinks[0];
          expect(report.outcome).toBe("finished");
          expect(report.epochs.committed.at(-1)).toBe(report.epochs.issued);
          expect(report.epochs.issued).toBeGreaterThan(0);
          if (shown === undefined) continue;
          expect(rows.length).toBeGreaterThan(0);
          expect(report.nodes[shown]).toMatchObject({ rowsIn: rows.length, rowsOut: rows.length });
        }
      }
    });
  }

  it("writes files exactly once: every order stands in one part of either executor, with every cent", async () => {
    const lines = await Promise.all(
      (["threads", "lab"] as const).map(async (mode) => {
        await runIn(mode, "exactly-once-files.json", undefined);
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
    const { rows } = await runIn("threads", "trades-from-arrow.json", undefined);
    const ids = rows.map((row) => BigInt(/"trade_id":(\d+)/.exec(row)?.[1] ?? 0));
    expect(ids.sort((a, b) => (a < b ? -1 : 1))).toEqual(ids.map((_, i) => 9_223_372_036_854_770_000n + BigInt(i)));
    for (const row of rows)
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
