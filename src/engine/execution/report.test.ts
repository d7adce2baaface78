import { describe, expect, it } from "vitest";
import { noFiles } from "../testing/no-files.ts";
import { planned } from "../testing/planned.ts";
import { Lab } from "./lab/lab.ts";
import { type RunReport, reportOf, reportText } from "./report.ts";

const document = (chaining: boolean) => ({
  format: "weir.graph/v1",
  settings: { chaining, barrierEveryMs: 5 },
  nodes: [
    {
      id: "numbers",
      kind: "source.script",
      config: {
        schema: [{ name: "n", type: "int64" }],
        time: { column: "n" },
        steps: [{ rows: [[1], [2]] }, { watermark: 1 }, { wait: 20 }, { rows: [[3]] }, { watermark: 3 }],
      },
    },
    { id: "again", kind: "rename", config: { names: { n: "m" } } },
    { id: "three", kind: "union", parallelism: 3 },
    { id: "table", kind: "sink.table", config: { delivery: "exactly-once" } },
  ],
  edges: [
    { id: "a", from: "numbers", to: "again" },
    { id: "b", from: "again", to: "three", route: { kind: "broadcast" } },
    { id: "c", from: "three", to: "table" },
  ],
});

async function run(chaining: boolean, until?: (lab: Lab) => boolean): Promise<RunReport> {
  const { plan } = planned(document(chaining));
  const lab = await Lab.create(plan, { seed: 4, files: noFiles });
  const outcome = (await lab.run(until)) ?? { kind: "cancelled" };
  return reportOf({
    plan,
    outcome,
    coordinator: lab.coordinator,
    probes: lab.probes,
    edge: (id) => lab.edge(id),
    notes: lab.notes,
    wallMs: 1,
    lab: { virtualMs: lab.nowMs, seed: lab.seed, moves: lab.moves.moves },
  });
}

describe("the report of a run", () => {
  for (const chaining of [false, true]) {
    it(`counts a node's rows once however many edges they go on, chained or not (chaining ${chaining})`, async () => {
      const { outcome, nodes, edges, epochs } = await run(chaining);
      expect(outcome).toBe("finished");
      expect(nodes["numbers"]).toMatchObject({ tasks: 1, rowsIn: 0, rowsOut: 3, watermark: "end" });
      expect(nodes["again"]).toMatchObject({ tasks: 1, rowsIn: 3, rowsOut: 3 });
      expect(nodes["three"]).toMatchObject({ tasks: 3, rowsIn: 9, rowsOut: 9 });
      expect(nodes["table"]).toMatchObject({ tasks: 1, rowsIn: 9, rowsOut: 9 });
      expect(edges["b"]).toMatchObject({ route: "broadcast", physical: 3, rows: 9, queued: 0 });
      expect(edges["a"]?.rows).toBe(chaining ? undefined : 3);
      expect(nodes["again"]?.chain).toEqual(chaining ? ["numbers", "again"] : undefined);
      expect(epochs.committed.length).toBeGreaterThan(1);
      expect(epochs.committed).toEqual(epochs.committed.map((_, i) => i + 1));
      expect([epochs.issued, epochs.completed]).toEqual([epochs.committed.length, epochs.committed.length]);
    });
  }

  it("tells a run that is not over as it is: rows that are staged are not shown, and unknown time is null", async () => {
    const first = await run(false, (lab) => lab.moveCount === 0);
    expect(first.nodes["three"]).toMatchObject({ rowsIn: 0, watermark: null });
    const staged = await run(false, (lab) => lab.probes.edge(lab.plan.edges.length - 1).rows > 0);
    expect(staged.nodes["table"]?.rowsIn).toBeGreaterThan(0);
    expect(staged.nodes["table"]?.rowsOut).toBe(0);
    expect(staged.epochs.committed).toEqual([]);
  });

  it("is JSON that is the same when it is read again, with its moves in one line", async () => {
    const report = await run(true);
    const text = reportText(report);
    expect(JSON.parse(text)).toEqual(report);
    expect(text.split("\n").filter((line) => line.includes('"moves"'))).toHaveLength(1);
    const { moves: _, ...other } = report;
    expect(JSON.parse(reportText(other))).toEqual(other);
  });
});
