import { describe, expect, it } from "vitest";
import { Batch } from "../data/batch.ts";
import { batchRows, eventTimesOf } from "../testing/batch-values.ts";
import { batch, context, type RecordingContext, RecordingOutput, schema } from "../testing/stage-kit.ts";
import type { OnError } from "./catalog.ts";
import { CATALOG, type KindSpec } from "./catalog.ts";
import { filter } from "./filter.ts";

const INPUT = schema("id int64 not null, v utf8, n int64");
const ROWS = [
  ["9007199254740993", "123", 0],
  [2, "foo", 1],
  [3, null, null],
  [4, "", 2],
];
const TIMES = [1000, 2000, Number.NaN, 4000];

interface Filtered {
  readonly output: RecordingOutput;
  readonly context: RecordingContext;
}

function through(expression: string, onError: OnError = "drop", input = batch(INPUT, ROWS, TIMES)): Filtered {
  const home = context({ inputs: { in: INPUT }, outputs: { out: INPUT } });
  const output = new RecordingOutput();
  filter({ expression, onError }, home).process(input, "in", output);
  return { output, context: home };
}

const ids = ({ output }: Filtered) => output.rows.map(([id]) => id);

describe("filter", () => {
  it("keeps rows for which the condition is true: false and NULL go, every digit stays (P-02)", () => {
    const made = through("n > 0 OR id = 9007199254740993");
    expect(ids(made)).toEqual([9007199254740993n, 2n, 4n]);
    expect(made.context.counts.size).toBe(0);
    expect(ids(through("n > 0"))).toEqual([2n, 4n]);
    expect(ids(through("NOT n > 0"))).toEqual([9007199254740993n]);
    expect(ids(through("NULL"))).toEqual([]);
  });

  it("D-29: event times stay with their rows", () => {
    const { output } = through("n IS NULL OR n = 1");
    expect(eventTimesOf(output.batches[0] as Batch)).toEqual([2000, Number.NaN]);
  });

  it("sends nothing where no row is left, and the batch itself where all are", () => {
    expect(through("FALSE").output.batches).toEqual([]);
    const { rowCount, columns, eventTimes } = batch(INPUT, ROWS, TIMES);
    const borrowed = new Batch(INPUT, rowCount, columns, eventTimes, true);
    const [whole] = through("TRUE", "drop", borrowed).output.batches as [Batch];
    expect(whole.borrowed).toBe(true);
    expect(batchRows(whole)).toEqual(batchRows(borrowed));
    const [part] = through("n = 1", "drop", borrowed).output.batches as [Batch];
    expect(part.borrowed).toBe(false);
  });

  it("D-25: drop, the default, takes a row that fails out of the flow, counts it and keeps a sample", () => {
    const made = through("CAST(v AS int64) > 0 OR TRUE");
    expect(ids(made)).toEqual([9007199254740993n, 3n]);
    expect(made.context.counts).toEqual(new Map([["errors", 2]]));
    expect(made.context.notes).toMatchObject([
      {
        code: "row-error",
        node: "node",
        field: "config.expression",
        message: '"foo" is no int64, in the row {"id":2,"v":"foo","n":1}',
      },
    ]);
  });

  it("D-25, P-40: null takes NULL for the call that failed and goes on; the row is counted all the same", () => {
    const made = through("coalesce(CAST(v AS int64), -1) = -1", "null");
    expect(ids(made)).toEqual([2n, 3n, 4n]);
    expect(made.context.counts).toEqual(new Map([["errors", 2]]));
    expect(ids(through("CAST(v AS int64) > 0", "null"))).toEqual([9007199254740993n]);
  });

  it("D-25: fail ends the run, with the row and what failed", () => {
    expect(() => through("10 / n > 1", "fail")).toThrow(
      '10 / 0: division by zero, in the row {"id":9007199254740993,"v":"123","n":0}',
    );
    expect(ids(through("CASE WHEN n <> 0 THEN 10 / n > 1 END", "fail"))).toEqual([2n, 4n]);
  });

  it("shows a few samples only, and counts all", () => {
    const home = context({ inputs: { in: INPUT }, outputs: { out: INPUT } });
    const operator = filter({ expression: "1 / 0 = 1", onError: "drop" }, home);
    for (let i = 0; i < 20; i++) operator.process(batch(INPUT, ROWS), "in", new RecordingOutput());
    expect(home.counts).toEqual(new Map([["errors", 80]]));
    expect(home.notes).toHaveLength(5);
  });
});

describe("filter in the catalog", () => {
  const spec = CATALOG.get("filter") as KindSpec;
  const flow = (expression: string) => spec.schemaFlow(spec.config.parse({ expression }), { in: INPUT });

  it("the columns stay as they are, and rows that fail are dropped unless the config says otherwise", () => {
    expect(flow("n > 1")).toEqual({ kind: "ok", outputs: { out: INPUT } });
    expect(spec.config.parse({ expression: "n > 1" })).toEqual({ expression: "n > 1", onError: "drop" });
  });

  it("every fault is a problem at the expression, with its place, advice and a repair", () => {
    expect(flow("m > 1 AND lower(n) = 'x'")).toMatchObject({
      kind: "problems",
      problems: [
        {
          code: "bad-expression",
          field: "expression",
          message: 'character 1: there is no column "m"',
        },
        { field: "expression", message: "character 17: lower needs text, and this is int64" },
      ],
    });
    expect(flow("idd = 1")).toMatchObject({
      problems: [
        { hint: "did you mean id?", fix: { patch: [{ op: "replace", path: "/expression", value: "id = 1" }] } },
      ],
    });
    expect(flow("n > ")).toMatchObject({
      problems: [{ message: "character 5: the expression ends too early: an expression is expected" }],
    });
    expect(flow("n + 1")).toMatchObject({
      problems: [{ message: "character 1: a filter needs a condition, and this is int64" }],
    });
  });
});
