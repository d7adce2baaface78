import { describe, expect, it } from "vitest";
import { errorLine } from "../base/errors.ts";
import { epoch, nodeId } from "../base/ids.ts";
import { encodeUtf8 } from "../data/text.ts";
import { MemoryFiles } from "../formats/memory-files.ts";
import type { Checkpoint } from "../state/checkpoint.ts";
import { openCheckpointed, resumed } from "../testing/checkpointed.ts";
import { planned } from "../testing/planned.ts";
import { rowText } from "../testing/row-text.ts";
import { checkpointOf } from "./checkpointing.ts";
import { resume } from "./resume.ts";

interface Shape {
  readonly settings?: object;
  readonly parallelism?: number;
  readonly sources?: number;
  readonly expression?: string;
  readonly groupBy?: string[];
  readonly route?: object;
  readonly type?: string;
  readonly kind?: string;
  readonly column?: string;
  readonly sink?: string;
  readonly limit?: number;
  readonly rows?: number;
}

function graph(of: Shape = {}): object {
  const { parallelism = 2, groupBy = ["k"], sink = "table", kind = "aggregate" } = of;
  const aggregates = [{ name: "n", fn: "count", ...(of.column === undefined ? {} : { column: of.column }) }];
  const config = kind === "aggregate" ? { groupBy, aggregates } : { groupBy };
  return {
    format: "weir.graph/v1",
    settings: { barrierEveryMs: 0, ...of.settings },
    nodes: [
      {
        id: "rows",
        kind: "source.rows",
        parallelism: of.sources ?? 1,
        config: {
          schema: [
            { name: "k", type: "utf8" },
            { name: "v", type: of.type ?? "int32" },
          ],
          rows: Array.from({ length: of.rows ?? 40 }, (_, i) => [`k${i % 5}`, i]),
          batchRows: 1,
        },
      },
      { id: "some", kind: "filter", config: { expression: of.expression ?? "v >= 0" } },
      { id: "counts", kind, parallelism, config },
      { id: sink, kind: "sink.table", config: { limit: of.limit ?? 1000 } },
    ],
    edges: [
      { id: "a", from: "rows", to: "some" },
      { id: "b", from: "some", to: "counts", route: of.route ?? { kind: "shuffle", columns: ["k"] } },
      { id: "c", from: "counts", to: sink },
    ],
  };
}

/** A checkpoint in the middle of the rows. */
async function halfway(of: Shape = {}) {
  const { lab, checkpoints } = await openCheckpointed(graph(of));
  await lab.run(({ probes, nowMs }) => probes.task(0, nowMs).rowsOut >= 20);
  lab.apply({ by: "person", kind: "barrier" });
  await lab.run(() => checkpoints.length > 0);
  const [checkpoint] = checkpoints;
  if (checkpoint === undefined) throw new Error("no checkpoint");
  return checkpoint;
}

async function refusals(of: Shape): Promise<string[]> {
  const result = resume(await halfway(), planned(graph(of)).plan);
  return "problems" in result ? result.problems.map((problem) => errorLine({ ...problem, hint: undefined })) : [];
}

function fileGraph(kind: string, config: object): object {
  const schema = [{ name: "k", type: "utf8" }];
  return {
    format: "weir.graph/v1",
    settings: { barrierEveryMs: 0 },
    nodes: [
      { id: "read", kind: "source.file", config: { format: "csv", path: "in", schema } },
      { id: "step", kind, config },
      { id: "table", kind: "sink.table", config: {} },
    ],
    edges: [
      { id: "a", from: "read", to: "step" },
      { id: "b", from: "step", to: "table" },
    ],
  };
}

/** The checkpoint of a run that came to its end. */
async function endOf(document: object, files: MemoryFiles): Promise<Checkpoint> {
  const { lab, checkpoints } = await openCheckpointed(document, undefined, files);
  expect(await lab.run()).toEqual({ kind: "finished" });
  return checkpoints.at(-1) as Checkpoint;
}

describe("a graph that goes on from a checkpoint", () => {
  it("A-70: takes up every node's state, and issues the next epoch first (F-8)", async () => {
    const from = await halfway();
    const { plan } = planned(graph());
    const start = resumed(from, plan);
    expect(start.epoch).toBe(from.epoch);
    expect([...start.tasks.keys()]).toEqual(plan.tasks.map(({ id }) => id));
    const { lab } = await openCheckpointed(graph(), from);
    lab.apply({ by: "person", kind: "barrier" });
    expect(lab.coordinator.epoch).toBe(from.epoch + 1);
  });

  it("may be cut into tasks in another way: chained, or not", async () => {
    for (const [before, behind] of [
      [true, false],
      [false, true],
    ] as const) {
      const from = await halfway({ settings: { chaining: before } });
      const { lab } = await openCheckpointed(graph({ settings: { chaining: behind } }), from);
      expect(await lab.run()).toEqual({ kind: "finished" });
      const counts = rowText(lab.rows(nodeId("table"))).map((line) => JSON.parse(line) as string[]);
      expect(counts.filter(([, n]) => n === "8").map(([k]) => k)).toEqual(["k0", "k1", "k2", "k3", "k4"]);
    }
  });

  it("D-10: may have another parallelism where there are keys", async () => {
    const from = await halfway({ rows: 41 });
    for (const parallelism of [1, 3, 5]) {
      const { lab } = await openCheckpointed(graph({ rows: 41, parallelism }), from);
      expect(await lab.run()).toEqual({ kind: "finished" });
      const last = new Map(rowText(lab.rows(nodeId("table"))).map((line) => JSON.parse(line).slice(0, 2)));
      expect([...last].sort()).toEqual([["k0", "9"], ...["k1", "k2", "k3", "k4"].map((key) => [key, "8"])]);
    }
  });

  it("may do what has no state in another way, and in other numbers", async () => {
    const from = await halfway();
    expect(resume(from, planned(graph({ expression: "v >= -1" })).plan)).not.toHaveProperty("problems");
  });

  it.each<[string, Shape, string[]]>([
    [
      "another parallelism of a source whose subtasks have rows of their own",
      { sources: 2 },
      ["rows.parallelism: it has 2 subtasks, and 1 in the checkpoint, which share its rows in their own way"],
    ],
    [
      "another configuration of what has state",
      { rows: 41, groupBy: ["v"], route: { kind: "shuffle", columns: ["v"] } },
      [
        expect.stringMatching(
          /^rows\.config\.rows: it changed since the checkpoint: \[.{79}…, and \[.{79}… then$/,
        ) as never,
        "counts: the way in which rows come to it changed since the checkpoint: in: shuffle v, and in: shuffle k then",
        'counts.config.groupBy[0]: it changed since the checkpoint: "v", and "k" then',
      ],
    ],
    [
      "one other field deep in what has state, which is told alone",
      { column: "v" },
      ['counts.config.aggregates[0].column: it changed since the checkpoint: "v", and not set then'],
    ],
    ["another kind", { kind: "count" }, ["counts.kind: it is count, and was aggregate in the checkpoint"]],
    [
      "other nodes",
      { sink: "other" },
      [
        'the checkpoint has a node "table", which the graph has not',
        "other: the checkpoint knows nothing of this node",
      ],
    ],
    [
      "other vnodes",
      { settings: { vnodes: 64 } },
      ["settings.vnodes: there are 64 vnodes, and the checkpoint has 128"],
    ],
  ])("A-71: is refused with %s, and told where", async (_, of, expected) => {
    expect(await refusals(of)).toEqual(expected);
  });

  it("A-71: a sink may be another one where it has nothing staged, or the run before came to its end", async () => {
    const { plan } = planned(graph({ limit: 7 }));
    expect(resume(await halfway(), plan)).not.toHaveProperty("problems");
    const { lab, checkpoints } = await openCheckpointed(graph());
    expect(await lab.run()).toEqual({ kind: "finished" });
    const last = checkpoints.at(-1) as Checkpoint;
    expect(resume(last, plan)).toMatchObject({ problems: [{ node: "table", field: "config.limit" }] });
    expect(resume({ ...last, settled: true }, plan)).not.toHaveProperty("problems");
  });

  it("D-4, P-18: reads on where a file has grown behind its end, but not for a step that has told its last results", async () => {
    const files = new MemoryFiles({ in: encodeUtf8("k\na\nb\n") });
    const from = await endOf(fileGraph("filter", { expression: "TRUE" }), files);
    files.create("in").write(encodeUtf8("k\na\nb\nc\n"));
    const read = await openCheckpointed(fileGraph("filter", { expression: "TRUE" }), from, files);
    expect(await read.lab.run()).toEqual({ kind: "finished" });
    expect(rowText(read.lab.rows(nodeId("table")))).toEqual(["a", "b", "c"].map((k) => JSON.stringify([k])));

    const counted = await endOf(fileGraph("count", {}), files);
    const again = await openCheckpointed(fileGraph("count", {}), counted, files);
    expect(await again.lab.run()).toEqual({ kind: "finished" });
    files.create("in").write(encodeUtf8("k\na\nb\nc\nd\n"));
    const { lab } = await openCheckpointed(fileGraph("count", {}), counted, files);
    expect(await lab.run()).toMatchObject({ kind: "failed", error: { code: "input-after-end", node: "step" } });
  });

  it("A-68: an epoch of which a task's state is missing is no checkpoint", () => {
    const { plan } = planned(graph());
    const completed = { epoch: epoch(3), snapshots: [], precommits: [] };
    expect(() => checkpointOf(plan, completed, { lineage: "l", graph: "g" })).toThrow(
      "subtask 0 ended in a state that cannot be saved with epoch 3",
    );
  });
});
