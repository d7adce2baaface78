import { describe, expect, it } from "vitest";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { Operator } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";
import { decodeSnapshot, encodeSnapshot } from "../state/snapshot-codec.ts";
import { planned } from "../testing/planned.ts";
import { batch, context, RecordingOutput, schema } from "../testing/stage-kit.ts";
import { aggregate } from "./aggregate.ts";
import { CATALOG, type RunningAggregateConfig } from "./catalog.ts";

const OF = schema("k utf8, v int64");
const CONFIG = {
  groupBy: ["k"],
  aggregates: [
    { name: "n", fn: "count" },
    { name: "total", fn: "sum", column: "v" },
  ],
};

function running(config: object): Operator<Batch> {
  const spec = CATALOG.get("aggregate");
  const parsed = spec?.config.parse(config) as RunningAggregateConfig;
  const flow = spec?.schemaFlow(parsed, { in: OF });
  if (flow?.kind !== "ok") throw new Error(JSON.stringify(flow));
  return aggregate(parsed, context({ inputs: { in: OF }, outputs: flow.outputs }));
}

describe("aggregate", () => {
  it("tells what changed when time moves on: insert first, then update, ordered by key", () => {
    const operator = running(CONFIG);
    const output = new RecordingOutput();
    operator.process(
      batch(
        OF,
        [
          ["b", 1],
          ["a", 2],
          ["b", 3],
        ],
        [5, 6, 7],
      ),
      "in",
      output,
    );
    expect(output.take()).toEqual([]);
    operator.onTime?.(7, output);
    expect(output.take()).toEqual([
      {
        rows: [
          ["a", 1n, 2n, "insert"],
          ["b", 2n, 4n, "insert"],
        ],
      },
    ]);
    operator.onTime?.(8, output);
    expect(output.take()).toEqual([]);
    operator.process(
      batch(
        OF,
        [
          ["b", null],
          [null, 9],
        ],
        [9, 9],
      ),
      "in",
      output,
    );
    operator.onEnd?.(output);
    expect(output.take()).toEqual([
      {
        rows: [
          [null, 1n, 9n, "insert"],
          ["b", 3n, 4n, "update"],
        ],
      },
    ]);
    expect(output.batches.map(({ eventTimes }) => [...(eventTimes ?? [])])).toEqual([
      [6, 7],
      [9, 9],
    ]);
  });

  it("D-4: without event time all results go out at END; a stopped run sends nothing", () => {
    const operator = running(CONFIG);
    const output = new RecordingOutput();
    operator.process(batch(OF, [["a", 1]]), "in", output);
    operator.onEos?.(output);
    expect(output.take()).toEqual([]);
    operator.onEnd?.(output);
    expect(output.take()).toEqual([{ rows: [["a", 1n, 1n, "insert"]] }]);
  });

  it("D-7, P-05: a restore after every step tells the same changes", () => {
    const steps = [
      ["a", 1],
      ["b", 2],
      ["a", 3],
      [null, 4],
      ["b", 5],
      ["c", 6],
    ] as const;
    const run = (restores: boolean): unknown => {
      let operator = running(CONFIG);
      const output = new RecordingOutput();
      steps.forEach((row, i) => {
        operator.process(batch(OF, [row], [i]), "in", output);
        if (i % 2 === 1) operator.onTime?.(i, output);
        if (!restores) return;
        const taken = decodeSnapshot(encodeSnapshot(operator.snapshot?.(1 as never) as SnapshotValue));
        operator = running(CONFIG);
        operator.restore?.(taken);
      });
      operator.onEnd?.(output);
      return output.rows;
    };
    expect(run(true)).toEqual(run(false));
  });
});

describe("changelogs", () => {
  const graph = (kind: string, config: object): object => ({
    format: "weir.graph/v1",
    nodes: [
      { id: "rows", kind: "source.rows", config: { schema: [{ name: "k", type: "utf8" }], rows: [["a"]] } },
      { id: "running", kind: "aggregate", config: { groupBy: ["k"] } },
      { id: "renamed", kind: "rename", config: { names: { count: "n" } } },
      { id: "next", kind, config },
      { id: "table", kind: "sink.table", config: {} },
    ],
    edges: [
      { id: "a", from: "rows", to: "running" },
      { id: "b", from: "running", to: "renamed" },
      { id: "c", from: "renamed", to: "next" },
      { id: "d", from: "next", to: "table" },
    ],
  });

  it("a step that only reshapes rows passes them on, and a sink takes them", () => {
    expect(planned(graph("select", { columns: ["k", "n", "op"] })).plan.tasks.length).toBeGreaterThan(0);
  });

  it("a kind that would count an update as one more row is refused, naming who sends them", () => {
    expect(() => planned(graph("count", { groupBy: ["k"] }))).toThrow('\\"running\\" sends a changelog');
    expect(() => planned(graph("aggregate", { groupBy: ["k"] }))).toThrow("changelog-refused");
  });
});
