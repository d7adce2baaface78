import { describe, expect, it } from "vitest";
import { cell, nodeId, type PackedBatch, type PlanStage, Schema } from "../../engine/index.ts";
import { SinkOutput } from "./sink-output.ts";

const fields = [{ name: "n", type: { kind: "int", bits: 32, signed: true }, nullable: false }] as const;

const sink = (limit: number) =>
  new SinkOutput({
    node: nodeId("t"),
    kind: "sink.table",
    role: "sink",
    config: { limit },
    inputs: { in: new Schema(fields) },
    outputs: {},
  } satisfies PlanStage);

/** Rows `from`, `from + 1`, … */
const batch = (from: number, count: number): PackedBatch => ({
  fields,
  rowCount: count,
  columns: [
    {
      encoding: "fixed",
      type: fields[0].type,
      length: count,
      nullCount: 0,
      validity: null,
      values: Int32Array.from({ length: count }, (_, i) => from + i),
    },
  ],
  eventTimes: null,
});

function values(output: SinkOutput): unknown[] {
  return Array.from({ length: output.kept }, (_, row) => {
    const place = output.locate(row);
    const column = place?.batch.columns[0];
    return column === undefined || place === undefined ? undefined : cell(column, place.row);
  });
}

describe("rows that a sink made visible", () => {
  it("are all counted, and the newest kept", () => {
    const output = sink(5);
    for (let from = 0; from < 12; from += 3) output.add([batch(from, 3)]);
    expect(output.rowCount).toBe(12);
    expect(values(output)).toEqual([7, 8, 9, 10, 11]);
    expect(output.locate(5)).toBeUndefined();
    expect(output.locate(-1)).toBeUndefined();
  });

  it("are found in whatever batch they came, also when thousands of batches were dropped", () => {
    const output = sink(7);
    for (let from = 0; from < 4000; from += 2) output.add([batch(from, 2)]);
    expect(values(output)).toEqual([3993, 3994, 3995, 3996, 3997, 3998, 3999]);
  });

  it("are handed out for a download without those over the limit", () => {
    const output = sink(4);
    output.add([batch(0, 3), batch(3, 3)]);
    const kept = output.keptBatches().flatMap(({ batch: { columns, rowCount }, from }) => {
      const [column] = columns;
      return Array.from({ length: rowCount - from }, (_, i) => column && cell(column, from + i));
    });
    expect(kept).toEqual([2, 3, 4, 5]);
  });
});
