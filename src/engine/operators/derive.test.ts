import { describe, expect, it } from "vitest";
import { Batch } from "../data/batch.ts";
import { batchRows, eventTimesOf } from "../testing/batch-values.ts";
import { batch, context, type RecordingContext, RecordingOutput, schema } from "../testing/stage-kit.ts";
import { CATALOG, type DeriveConfig, type KindSpec } from "./catalog.ts";
import { derive } from "./derive.ts";

const INPUT = schema("id int64 not null, v utf8, at timestamp[us]");
const ROWS = [
  ["9007199254740993", "123", "1969-12-31T23:59:59.999500Z"],
  [2, "foo", "1970-01-01T00:00:01Z"],
  [3, null, null],
];
const TIMES = [7, 8, 9];

const spec = CATALOG.get("derive") as KindSpec<DeriveConfig>;

interface Given extends Omit<Partial<DeriveConfig>, "columns"> {
  readonly columns?: Readonly<Record<string, string>>;
}

const configOf = ({ columns = {}, ...rest }: Given): DeriveConfig =>
  spec.config.parse({ columns: Object.entries(columns).map(([name, expression]) => ({ name, expression })), ...rest });

interface Derived {
  readonly batch: Batch;
  readonly context: RecordingContext;
}

function through(given: Given, input = batch(INPUT, ROWS, TIMES)): Derived {
  const config = configOf(given);
  const flow = spec.schemaFlow(config, { in: INPUT });
  if (flow.kind === "problems") throw new Error(flow.problems.map(({ message }) => message).join());
  const home = context({ inputs: { in: INPUT }, outputs: flow.outputs });
  const output = new RecordingOutput();
  derive(config, home).process(input, "in", output);
  return { batch: output.batches[0] as Batch, context: home };
}

describe("derive", () => {
  it("adds columns behind those that are there and replaces others in their place (P-02)", () => {
    const made = through({ columns: { next: "id + 1", v: "length(v)", half: "id / 2" } }).batch;
    expect(made.schema.toString()).toBe(
      "id int64 not null, v int64, at timestamp[us], next int64 not null, half int64 not null",
    );
    expect(batchRows(made)).toEqual([
      [9007199254740993n, 3n, -500n, 9007199254740994n, 4503599627370496n],
      [2n, 3n, 1_000_000n, 3n, 1n],
      [3n, null, null, 4n, 1n],
    ]);
  });

  it("D-25: a row error tells which expression failed, that of the first row in which one did", () => {
    const columns = {
      a: "CASE WHEN id = 3 THEN 1 / 0 END",
      b: "id + 0",
      c: "CASE WHEN id > 1 THEN CAST('x' AS int64) END",
    };
    const failing = (more: object): unknown => {
      try {
        return through({ columns, onError: "fail", ...more });
      } catch (error) {
        return error;
      }
    };
    expect(failing({})).toMatchObject({ data: { field: "config.columns[2].expression" } });
    expect(failing({ columns: { a: columns.a, b: "id" } })).toMatchObject({
      data: { field: "config.columns[0].expression" },
    });
    expect(failing({ columns: { b: "id" }, eventTime: "1 / (id - id)" })).toMatchObject({
      data: { field: "config.eventTime" },
    });
  });

  it("every expression sees the columns that came in", () => {
    const made = through({ columns: { id: "id + 1", other: "id", v: "CAST(id AS utf8)" } }).batch;
    expect(batchRows(made).map(([id, v, , other]) => [id, v, other])).toEqual([
      [9007199254740994n, "9007199254740993", 9007199254740993n],
      [3n, "2", 2n],
      [4n, "3", 3n],
    ]);
  });

  it("D-29: event time stays, also where its column is replaced, unless an expression sets it", () => {
    expect(eventTimesOf(through({ columns: { at: "CAST(NULL AS timestamp)" } }).batch)).toEqual(TIMES);
    // Floored toward minus infinity, NULL stays none.
    expect(eventTimesOf(through({ eventTime: "at" }).batch)).toEqual([-1, 1000, Number.NaN]);
    expect(eventTimesOf(through({ eventTime: "to_timestamp(id, 's')", onError: "null" }).batch)).toEqual([
      Number.NaN,
      2000,
      3000,
    ]);
    expect(eventTimesOf(through({ eventTime: "id + 1", onError: "null" }).batch)).toEqual([Number.NaN, 3, 4]);
    expect(eventTimesOf(through({ eventTime: "CAST(at AS date)" }).batch)).toEqual([-86_400_000, 0, Number.NaN]);
  });

  it("an event time that is beyond milliseconds is a row error", () => {
    const made = through({ eventTime: "id" });
    expect(batchRows(made.batch)).toHaveLength(2);
    expect(made.context.notes).toMatchObject([
      { message: expect.stringMatching(/^9007199254740993 ms is beyond event time/) },
    ]);
  });

  it("D-25: drop takes a row out of which an expression fails, counted once; null keeps it", () => {
    const columns = { n: "CAST(v AS int64)", m: "10 / (id - 2)" };
    const dropped = through({ columns });
    expect(batchRows(dropped.batch).map(([id]) => id)).toEqual([9007199254740993n, 3n]);
    expect(eventTimesOf(dropped.batch)).toEqual([7, 9]);
    expect(dropped.context.counts).toEqual(new Map([["errors", 1]]));
    const kept = through({ columns, onError: "null" });
    expect(batchRows(kept.batch).map(([, , , n, m]) => [n, m])).toEqual([
      [123n, 0n],
      [null, null],
      [null, 10n],
    ]);
    expect(kept.context.counts).toEqual(new Map([["errors", 1]]));
    expect(() => through({ columns, onError: "fail" })).toThrow(/"foo" is no int64, in the row \{"id":2/);
  });

  it("the schema says what may be NULL, which depends on what is done about errors", () => {
    const columns = { a: "CAST(id AS int8)", b: "COALESCE(TRY_CAST(v AS int64), 0)", c: "v = 'x'" };
    const shown = (onError: DeriveConfig["onError"]) => {
      const flow = spec.schemaFlow(configOf({ columns, onError }), { in: INPUT });
      return flow.kind === "ok" ? flow.outputs["out"]?.toString() : "";
    };
    expect(shown("drop")).toMatch(/a int8 not null, b int64 not null, c boolean$/);
    expect(shown("null")).toMatch(/a int8, b int64 not null, c boolean$/);
  });

  it("D-44: an empty batch goes on with its columns; what lies in a ring stays marked as borrowed", () => {
    expect(through({ columns: { x: "id * 2" } }, batch(INPUT, [], [])).batch.rowCount).toBe(0);
    const { rowCount, columns, eventTimes } = batch(INPUT, ROWS, TIMES);
    const borrowed = new Batch(INPUT, rowCount, columns, eventTimes, true);
    expect(through({ columns: { x: "v" } }, borrowed).batch.borrowed).toBe(true);
  });
});

describe("derive in the catalog", () => {
  it("faults are problems at their expression, also at that of the event time", () => {
    const config = configOf({ columns: { a: "id", b: "idd" }, eventTime: "v" });
    expect(spec.schemaFlow(config, { in: INPUT })).toMatchObject({
      problems: [
        {
          field: "columns[1].expression",
          message: 'character 1: there is no column "idd"',
          fix: { patch: [{ path: "/columns/1/expression", value: "id" }] },
        },
        { field: "eventTime", message: "character 1: this tells no time" },
      ],
    });
  });

  it("D-43: two columns of one name are refused", () => {
    const twice = [
      { name: "a", expression: "1" },
      { name: "a", expression: "2" },
    ];
    expect(spec.config.safeParse({ columns: twice }).error?.issues).toMatchObject([{ path: ["columns", 1, "name"] }]);
  });
});
