import { describe, expect, test } from "vitest";
import { Schema } from "../data/schema.ts";
import { typeOf } from "../data/types.ts";
import { z } from "./catalog/zod.ts";
import { CATALOG, type ConfigProblem, KINDS, type KindSpec, rowsOf, schemaOf } from "./catalog.ts";

const kind = (name: string): KindSpec => CATALOG.get(name) as KindSpec;
const schema = (text: string): Schema =>
  new Schema(
    text.split(", ").map((field) => {
      const [name = "", type = "", not] = field.split(" ");
      return { name, type: typeOf(type), nullable: not === undefined };
    }),
  );

const orders = schema("id int64 not, customer utf8, at timestamp[ms], amount decimal(10,2)");

/** Columns by port as text, or the problems. */
function flow(name: string, config: unknown, input?: Schema): unknown {
  const spec = kind(name);
  const result = spec.schemaFlow(spec.config.parse(config), input === undefined ? {} : { in: input });
  if (result.kind === "problems") return result.problems.map(({ field, message }) => `${field}: ${message}`);
  return Object.fromEntries(Object.entries(result.outputs).map(([port, out]) => [port, out.toString()]));
}

function check(name: string, config: unknown): string[] {
  const spec = kind(name);
  const problems: readonly ConfigProblem[] = spec.check?.(spec.config.parse(config)) ?? [];
  return problems.map(({ field, row, message }) => `${field}${row === undefined ? "" : ` row ${row}`}: ${message}`);
}

describe("every kind", () => {
  test.each(KINDS.map((spec) => [spec.kind, spec] as const))("%s says what forms and palette need", (_, spec) => {
    expect(spec.title).toMatch(/^[A-Z]/);
    expect(spec.summary).not.toMatch(/\.$/);
    expect(spec.help).toMatch(/\.$/);
    expect(spec.inputs.length > 0).toBe(spec.role !== "source");
    expect(spec.kind.startsWith(`${spec.role}.`)).toBe(spec.role !== "operator");
    if (spec.role === "source") expect(spec.givesTimes, "sources tell whether rows have an event time").toBeDefined();
    const { properties = {}, additionalProperties } = z.toJSONSchema(spec.config, {
      io: "input",
      unrepresentable: "any",
    });
    expect(additionalProperties).toBe(false);
    for (const [field, about] of Object.entries(properties)) {
      expect(about, `${spec.kind} ${field}`).toMatchObject({ title: expect.stringMatching(/./) });
    }
  });

  test("zod compiles no parsers, which the page's Content-Security-Policy forbids", () => {
    expect(z.config().jitless).toBe(true);
  });

  test("two kinds never have one name", () => {
    expect(CATALOG.size).toBe(KINDS.length);
  });
});

describe("source.rows", () => {
  const config = {
    schema: [
      { name: "id", type: "int64", nullable: false },
      { name: "__proto__", type: "utf8" },
    ],
  };

  test("takes lists and objects, a missing field is NULL, a column may be named __proto__", () => {
    const rows = [["9007199254740993", "a"], JSON.parse('{"__proto__":"b","id":2}'), { id: 3 }];
    expect(check("source.rows", { ...config, rows })).toEqual([]);
    const parsed = kind("source.rows").config.parse({ ...config, rows }) as { schema: never; rows: never };
    expect(rowsOf(schemaOf(parsed.schema), parsed.rows)).toEqual([
      [9007199254740993n, "a"],
      [2n, "b"],
      [3n, null],
    ]);
  });

  test("names row and column of every value that does not fit (D-41)", () => {
    const rows = [["x", "a"], [1], { id: null, name: "b" }];
    expect(check("source.rows", { ...config, rows })).toEqual([
      'rows[0] row 1: column "id" is int64, and "x" is none',
      "rows[1] row 2: the row has 1 values for 2 columns",
      'rows[2] row 3: there is no column "name"',
      'rows[2] row 3: column "id" must not be NULL',
    ]);
  });

  test("lists the first faults and counts the others", () => {
    const found = check("source.rows", { ...config, rows: Array.from({ length: 1000 }, () => [null, null]) });
    expect(found).toHaveLength(21);
    expect(found.at(-1)).toBe("rows: 980 more values or rows do not fit the columns");
  });

  test("refuses two columns of one name (D-43) and a time column that is not there or tells no time", () => {
    const twice = kind("source.rows").config.safeParse({ schema: [config.schema[0], config.schema[0]] });
    expect(twice.error?.issues).toMatchObject([{ path: ["schema", 1, "name"] }]);
    expect(flow("source.rows", { ...config, time: { column: "ids" } })).toEqual([
      'time.column: there is no column "ids"',
    ]);
    expect(flow("source.rows", { ...config, time: { column: "__proto__" } })).toEqual([
      'time.column: column "__proto__" is utf8, which tells no time',
    ]);
  });
});

describe("source.script", () => {
  const columns = [{ name: "n", type: "int32" }];

  test("steps and scripts are checked row by row and exclude each other", () => {
    const steps = [{ rows: [[1]] }, { watermark: 5 }, { idle: true }, { wait: 10 }, { rows: [["x"]] }, { fail: "now" }];
    expect(check("source.script", { schema: columns, steps })).toEqual([
      'steps[4].rows[0] row 1: column "n" is int32, and "x" is none',
    ]);
    expect(check("source.script", { schema: columns, steps: [], scripts: [[]] })).toEqual([
      "scripts: a script has steps or scripts, not both",
    ]);
  });

  test("has event time when it says a watermark (D-6), and never counts as endless, because it holds no more than it says", () => {
    const spec = kind("source.script");
    const timed = spec.config.parse({ schema: columns, scripts: [[], [{ watermark: 1 }]], hold: true });
    expect(spec.hasEventTime?.(timed)).toBe(true);
    expect(spec.hasEventTime?.(spec.config.parse({ schema: columns, steps: [{ rows: [[1]] }] }))).toBe(false);
    expect(spec.endless?.(timed)).toBe(false);
  });
});

describe("source.generator", () => {
  test("its columns follow from its fields", () => {
    const fields = [
      { kind: "sequence", name: "a" },
      { kind: "uniform", name: "b", max: 10, type: "int32", nullFraction: 0.1 },
      { kind: "zipf", name: "c", prefix: "user-" },
      { kind: "choice", name: "d", values: [1, 2.5] },
      { kind: "choice", name: "e", values: [true, false], weights: [1, 3] },
      { kind: "timestamp", name: "at" },
      { kind: "constant", name: "f", value: 7 },
    ];
    expect(flow("source.generator", { fields, time: { column: "at" } })).toEqual({
      out: "a int64 not null, b int32, c utf8 not null, d float64 not null, e boolean not null, at timestamp[ms] not null, f int64 not null",
    });
  });

  test("ranges, weights and mixed values are checked", () => {
    const fields = [
      { kind: "uniform", name: "a", min: 2, max: 1 },
      { kind: "uniform", name: "b", min: 0.5, max: 3, type: "int64" },
      { kind: "choice", name: "c", values: [1, "x"], weights: [1] },
      { kind: "choice", name: "d", values: [1], weights: [0] },
    ];
    expect(check("source.generator", { fields })).toEqual([
      "fields[0].max: max 1 is below min 2",
      "fields[1].min: min and max of int64 are whole numbers within ±9007199254740991",
      "fields[2].values: the values are of different types",
      "fields[2].weights: there are 2 values and 1 weights",
      "fields[3].weights: all weights are 0",
    ]);
  });
});

describe("source.file", () => {
  const file = { format: "csv", path: "a.csv", schema: [{ name: "id", type: "int64", nullable: false }] };

  test("has the port bad when bad rows are routed, and a rescue column when they are rescued", () => {
    expect(flow("source.file", file)).toEqual({ out: "id int64 not null" });
    expect(flow("source.file", { ...file, badRows: "route" })).toEqual({
      out: "id int64 not null",
      bad: "file utf8 not null, line int64 not null, raw utf8 not null, column utf8, reason utf8 not null",
    });
    expect(flow("source.file", { ...file, badRows: "rescue" })).toEqual({ out: "id int64, _rescued utf8" });
    expect(flow("source.file", { ...file, badRows: "rescue", rescueColumn: "id" })).toEqual([
      'rescueColumn: the file has a column "id" already',
    ]);
  });

  test("without a schema it asks for a guess, and its columns are not known", () => {
    const { schema: _, ...bare } = file;
    const spec = kind("source.file");
    expect(spec.guess?.(spec.config.parse(bare))).toMatchObject({
      format: "csv",
      path: "a.csv",
      options: { timestampUnit: "ms" },
    });
    expect(spec.guess?.(spec.config.parse(file))).toBeUndefined();
    expect(flow("source.file", bare)).toEqual(["schema: the columns of the file are not known"]);
  });
});

describe("columns out of columns in", () => {
  test.each<[string, unknown, unknown]>([
    ["select", { columns: ["at", "id"] }, { out: "at timestamp[ms], id int64 not null" }],
    ["drop", { columns: ["amount", "customer"] }, { out: "id int64 not null, at timestamp[ms]" }],
    ["drop", { columns: ["id", "customer", "at", "amount"] }, { out: "" }],
    [
      "rename",
      { names: { id: "customer", customer: "id" } },
      { out: "customer int64 not null, id utf8, at timestamp[ms], amount decimal(10,2)" },
    ],
    ["union", {}, { out: orders.toString() }],
    ["throttle", { rowsPerSecond: 5 }, { out: orders.toString() }],
    ["count", { groupBy: ["customer"] }, { out: "customer utf8, count int64 not null" }],
    ["count", { as: "n" }, { out: "n int64 not null" }],
    ["sink.table", {}, {}],
    [
      "select",
      { columns: ["ids", "id", "id"] },
      ['columns[0]: there is no column "ids"', 'columns[2]: column "id" is named twice'],
    ],
    ["drop", { columns: ["nothing"] }, ['columns[0]: there is no column "nothing"']],
    [
      "rename",
      { names: { idd: "x", id: "at" } },
      ['names.idd: there is no column "idd"', 'names: two columns would be named "at"'],
    ],
    [
      "count",
      { groupBy: ["custmer"], as: "custmer" },
      ['groupBy[0]: there is no column "custmer"', 'as: "custmer" is a column of groupBy already'],
    ],
  ])("%s %j", (name, config, expected) => {
    expect(flow(name, config, orders)).toEqual(expected);
  });

  test("rename takes a column named __proto__", () => {
    const names = JSON.parse('{"__proto__":"safe"}');
    expect(flow("rename", { names }, schema("__proto__ utf8"))).toEqual({ out: "safe utf8" });
  });

  test("throttle wants a speed or a pause, not both and not none", () => {
    expect(check("throttle", {})).toEqual(["rowsPerSecond: the speed is missing"]);
    expect(check("throttle", { rowsPerSecond: 1, delayMsPerBatch: 1 })).toEqual([
      "delayMsPerBatch: there is a speed and a pause",
    ]);
  });
});
