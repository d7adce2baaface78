import { describe, expect, it } from "vitest";
import { Batch } from "../data/batch.ts";
import { Schema } from "../data/schema.ts";
import { batchRows, eventTimesOf } from "../testing/batch-values.ts";
import { batch, context, RecordingOutput, schema } from "../testing/stage-kit.ts";
import { drop, rename, select } from "./projection.ts";

const INPUT = schema("id int64 not null, name utf8, at timestamp[ms]");
const ROWS = [
  ["9007199254740993", "a", 1000],
  ["-9223372036854775808", null, 2000],
];
const input = (): Batch => batch(INPUT, ROWS, [1000, Number.NaN]);

function through(operator: ReturnType<typeof select>, of: Batch): Batch {
  const output = new RecordingOutput();
  operator.process(of, "in", output);
  return output.batches[0] as Batch;
}

describe("select, drop and rename", () => {
  it("select keeps the columns named, in the order named, every digit of them (P-02)", () => {
    const out = schema("at timestamp[ms], id int64 not null");
    const made = through(
      select({ columns: ["at", "id"] }, context({ inputs: { in: INPUT }, outputs: { out } })),
      input(),
    );
    expect(made.schema).toBe(out);
    expect(batchRows(made)).toEqual([
      [1000n, 9007199254740993n],
      [2000n, -9223372036854775808n],
    ]);
  });

  it("D-29: event time travels with the rows when its column is dropped or renamed", () => {
    const dropped = schema("id int64 not null, name utf8");
    const renamed = schema("id int64 not null, name utf8, moment timestamp[ms]");
    const without = drop({ columns: ["at"] }, context({ inputs: { in: INPUT }, outputs: { out: dropped } }));
    const other = rename({ names: { at: "moment" } }, context({ inputs: { in: INPUT }, outputs: { out: renamed } }));
    expect(eventTimesOf(through(without, input()))).toEqual([1000, Number.NaN]);
    expect(eventTimesOf(through(other, input()))).toEqual([1000, Number.NaN]);
    expect(through(other, input()).schema.names).toEqual(["id", "name", "moment"]);
  });

  it("D-44: a batch keeps its rows when no column is left, and an empty batch is passed on", () => {
    const operator = drop(
      { columns: INPUT.names },
      context({ inputs: { in: INPUT }, outputs: { out: new Schema([]) } }),
    );
    expect(through(operator, input()).rowCount).toBe(2);
    expect(through(operator, batch(INPUT, [], [])).rowCount).toBe(0);
  });

  it("names may be swapped", () => {
    const out = schema("name int64 not null, id utf8, at timestamp[ms]");
    const operator = rename(
      { names: { id: "name", name: "id" } },
      context({ inputs: { in: INPUT }, outputs: { out } }),
    );
    const made = through(operator, input());
    expect([made.column("name"), made.column("id")]).toEqual([input().columns[0], input().columns[1]]);
  });

  it("what lies in a ring stays marked as borrowed", () => {
    const { rowCount, columns, eventTimes } = input();
    const borrowed = new Batch(INPUT, rowCount, columns, eventTimes, true);
    const out = schema("name utf8");
    const operator = select({ columns: ["name"] }, context({ inputs: { in: INPUT }, outputs: { out } }));
    expect(through(operator, borrowed).borrowed).toBe(true);
  });
});
