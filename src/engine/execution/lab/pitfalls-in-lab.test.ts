import { describe, expect, test } from "vitest";
import { nodeId } from "../../base/ids.ts";
import { noFiles } from "../../testing/no-files.ts";
import { planned } from "../../testing/planned.ts";
import { rowText } from "../../testing/row-text.ts";
import { Lab } from "./lab.ts";
import { RoundRobinScheduler } from "./scheduler.ts";

/** Faults that users of other engines met, through sources, shuffles and tasks: at parallelism 1 and 4, in batches of 1, 3 and 1,000. */
const GRIDS = [1, 4].flatMap((parallelism) => [1, 3, 1000].map((size) => ({ parallelism, size })));
type Grid = (typeof GRIDS)[number];

const schemaOf = (...types: string[]): object[] => types.map((type, c) => ({ name: ["k", "ts"][c] ?? `c${c}`, type }));

const source = (id: string, type: string, keys: readonly unknown[], { size }: Grid, ts = (i: number) => i): object => ({
  id,
  kind: "source.rows",
  config: {
    schema: schemaOf(type, "int64"),
    rows: keys.map((key, i) => [key, ts(i)]),
    batchRows: size,
    time: { column: "ts" },
  },
});

const window = ({ parallelism }: Grid, sizeMs = 1000, groupBy: readonly string[] = ["k"]): object => ({
  id: "window",
  kind: "window",
  parallelism,
  config: { groupBy, window: { kind: "tumbling", sizeMs } },
});

const join = ({ parallelism }: Grid, config: object = {}): object => ({
  id: "join",
  kind: "join.interval",
  parallelism,
  config: { leftKey: ["k"], rightKey: ["k"], lowerMs: -1000, upperMs: 1000, ...config },
});

const byKey = { kind: "shuffle", columns: ["k"] };
const toTable = (from: string): object => ({ id: "t", from, to: "table" });
const joined = [
  { id: "l", from: "left", to: { node: "join", port: "left" }, route: byKey },
  { id: "r", from: "right", to: { node: "join", port: "right" }, route: byKey },
];

async function run(nodes: object[], edges: object[], settings: object = {}): Promise<Lab> {
  const document = {
    format: "weir.graph/v1",
    settings: { barrierEveryMs: 0, edgeCapacity: 2, chaining: false, ...settings },
    nodes: [...nodes, { id: "table", kind: "sink.table", config: {} }],
    edges,
  };
  const scheduler = new RoundRobinScheduler();
  const lab = await Lab.create(planned(document).plan, { seed: 1, files: noFiles, scheduler });
  expect(await lab.run()).toEqual({ kind: "finished" });
  return lab;
}

/** Rows of the table as lists of text cells, sorted. */
async function shown(nodes: object[], edges: object[]): Promise<(string | null)[][]> {
  return rowText((await run(nodes, edges)).rows(nodeId("table"))).map((line) => JSON.parse(line));
}

/** Milliseconds of a window's bound. */
const ms = (bound: string | null | undefined): number => Date.parse(bound ?? "");

/** Times that the tasks of a node said, in order. */
function timesOf(lab: Lab, node: string): number[] {
  const tasks = new Set(lab.plan.tasks.filter(({ stages }) => stages[0]?.node === node).map(({ id }) => id));
  return lab.trace.flatMap((event) =>
    event.kind === "sent" && tasks.has(event.task) && event.mark?.kind === "time" ? [event.mark.ms] : [],
  );
}

/** Counts by key over all rows, `key: count`. */
async function counts(type: string, keys: readonly unknown[], grid: Grid): Promise<string[]> {
  const nodes = [source("rows", type, keys, grid), window(grid)];
  const rows = await shown(nodes, [{ id: "s", from: "rows", to: "window", route: byKey }, toTable("window")]);
  return rows.map(([key, , , count]) => `${key}: ${count}`).sort();
}

/** Pairs of keys that meet in an inner join, `left = right`. */
async function pairs(
  left: readonly [string, readonly unknown[]],
  right: readonly [string, readonly unknown[]],
  grid: Grid,
): Promise<string[]> {
  const nodes = [source("left", ...left, grid), source("right", ...right, grid), join(grid)];
  return (await shown(nodes, [...joined, toTable("join")])).map(([l, , r]) => `${l} = ${r}`).sort();
}

describe.each(GRIDS)("at parallelism $parallelism, in batches of $size", (grid) => {
  test("P-02: int64 keys beyond 2^53 are different groups to the last digit", async () => {
    const keys = ["9007199254740993", "9007199254740992", "9223372036854775807", "9007199254740993"];
    expect(await counts("int64", keys, grid)).toEqual([
      "9007199254740992: 1",
      "9007199254740993: 2",
      "9223372036854775807: 1",
    ]);
  });

  test("P-09: 0 is −0 and every NaN is NaN, as a group and in a join (D-26)", async () => {
    const keys = [0, "-0.0", "NaN", "NaN", 1];
    expect(await counts("float64", keys, grid)).toEqual(["0: 2", "1: 1", "NaN: 2"]);
    const met = await pairs(["float64", keys], ["float64", keys], grid);
    expect(met).toHaveLength(4 + 4 + 1);
    expect(met.filter((pair) => pair === "NaN = NaN")).toHaveLength(4);
  });

  test("P-10: NULL is one group beside '', 'null', 'undefined' and 0, and meets nothing in a join (D-23)", async () => {
    const words = [null, "", null, "a", "null", "undefined"];
    const rows = await counts("utf8", words, grid);
    // The word null and NULL look alike as text: their counts tell them apart.
    expect(rows).toEqual([": 1", "a: 1", "null: 1", "null: 2", "undefined: 1"]);
    expect(await pairs(["utf8", words], ["utf8", words], grid)).toEqual([
      " = ",
      "a = a",
      "null = null",
      "undefined = undefined",
    ]);
    expect(await counts("int32", [null, 0, null], grid)).toEqual(["0: 1", "null: 2"]);
    expect(await pairs(["int32", [null, 0, null]], ["int32", [null, 0, null]], grid)).toEqual(["0 = 0"]);
  });

  test("P-15: one branch of a union without rows neither waits for ever nor fires early", async () => {
    const rows = await shown(
      [
        source("rows", "int32", [1, 2, 3], grid),
        { id: "some", kind: "filter", config: { expression: "k > 0" } },
        { id: "none", kind: "filter", config: { expression: "k < 0" } },
        { id: "union", kind: "union", config: {} },
        window(grid, 10, []),
      ],
      [
        { id: "a", from: "rows", to: "some" },
        { id: "b", from: "rows", to: "none" },
        { id: "c", from: "some", to: "union" },
        { id: "d", from: "none", to: "union" },
        { id: "e", from: "union", to: "window", route: { kind: "shuffle", columns: [] } },
        toTable("window"),
      ],
    );
    expect(rows.map((row) => row.at(-1))).toEqual(["3"]);
  });

  test("P-15: a join of which one side has no rows: inner none, left outer three beside NULLs", async () => {
    const nodes = (type: string) => [
      source("left", "utf8", ["a", "b", "c"], grid),
      source("right", "utf8", [], grid),
      join(grid, { type }),
    ];
    expect(await shown(nodes("inner"), [...joined, toTable("join")])).toEqual([]);
    const padded = await shown(nodes("left"), [...joined, toTable("join")]);
    expect(padded.map(([l, , r]) => [l, r])).toEqual([
      ["a", null],
      ["b", null],
      ["c", null],
    ]);
  });

  test("P-27: rows of a batch that is not full when the input ends are there, once", async () => {
    for (const count of [7, 6, 0, 1]) {
      const keys = Array.from({ length: count }, (_, i) => `k${i}`);
      expect(await counts("utf8", keys, grid)).toEqual(keys.map((key) => `${key}: 1`));
    }
  });

  test("P-29: keys of two types meet by value, and accents stay as they are written", async () => {
    expect(await pairs(["int32", [5, 6]], ["int64", ["5", "7"]], grid)).toEqual(["5 = 5"]);
    expect(await pairs(["timestamp[ms]", [7]], ["timestamp[us]", [7000, 7001]], grid)).toHaveLength(1);
    expect(await pairs(["decimal(5,2)", ["1.50"]], ["decimal(9,4)", ["1.5", "1.5001"]], grid)).toHaveLength(1);
    expect(await pairs(["utf8", ["e\u0301"]], ["utf8", ["\u00e9"]], grid)).toEqual([]);
  });

  test("P-39: an instant is in the same window in every unit, before 1970 as well", async () => {
    const ends = async (type: string, perMs: bigint): Promise<string[]> => {
      const instants = [-1n, -1000n, 1_677_692_667_000n].map((ms) => String(perMs < 0n ? ms / -perMs : ms * perMs));
      const rows = {
        id: "rows",
        kind: "source.rows",
        config: {
          schema: schemaOf("utf8", type),
          rows: instants.map((at) => ["a", at]),
          batchRows: grid.size,
          time: { column: "ts", watermark: { kind: "bounded", delayMs: 2000 } },
        },
      };
      const shuffled = { id: "s", from: "rows", to: "window", route: byKey };
      return (await shown([rows, window(grid)], [shuffled, toTable("window")])).map((row) => `${ms(row[2])} ${row[3]}`);
    };
    const inMs = await ends("timestamp[ms]", 1n);
    expect(inMs.sort()).toEqual(["0 2", "1677692668000 1"]);
    expect((await ends("timestamp[us]", 1000n)).sort()).toEqual(inMs);
    expect((await ends("timestamp[ns]", 1_000_000n)).sort()).toEqual(inMs);
  });

  test("P-35: what a left join sends unmatched is not late in the window behind it (D-29)", async () => {
    const rows = await shown(
      [
        source("left", "utf8", ["a", "z", "z"], grid, (i) => [1, 7, 30][i] as number),
        source("right", "utf8", ["y", "y"], grid, (i) => [7, 30][i] as number),
        join(grid, { type: "left", lowerMs: -5, upperMs: 5 }),
        window(grid, 2, ["l_k"]),
      ],
      [
        ...joined,
        { id: "w", from: "join", to: "window", route: { kind: "shuffle", columns: ["l_k"] } },
        toTable("window"),
      ],
    );
    expect(rows.map(([key, start, , count]) => `${key} ${ms(start)}: ${count}`)).toEqual([
      "a 0: 1",
      "z 6: 1",
      "z 30: 1",
    ]);
  });

  test("P-40: an error belongs to the innermost call, and branches that are not taken have none (D-25)", async () => {
    const rows = await shown(
      [
        source("rows", "utf8", ["123", "foo", null, ""], grid),
        {
          id: "derived",
          kind: "derive",
          config: {
            columns: [
              { name: "n", expression: "coalesce(cast(k AS int64), -1)" },
              { name: "safe", expression: "case when ts = 0 then 0 else 6 / ts end" },
              { name: "none", expression: "1 / (ts - ts)" },
            ],
            onError: "null",
          },
        },
      ],
      [{ id: "d", from: "rows", to: "derived" }, toTable("derived")],
    );
    const byTime = rows.sort((a, b) => Number(a[1]) - Number(b[1])).map(([, , ...values]) => values);
    expect(byTime).toEqual([
      ["123", "0", null],
      ["-1", "6", null],
      ["-1", "3", null],
      ["-1", "2", null],
    ]);
  });
});

const script = (id: string, steps: object[], scripts?: object[][]): object => ({
  id,
  kind: "source.script",
  parallelism: scripts?.length ?? 1,
  config: {
    schema: schemaOf("utf8", "int64"),
    ...(scripts === undefined ? { steps } : { scripts }),
    time: { column: "ts" },
  },
});

describe.each([1, 4])("by script, at parallelism %i", (parallelism) => {
  const grid: Grid = { parallelism, size: 1 };
  const rows = (...all: [string, number][]): object => ({ rows: all });
  const time = (watermark: number): object => ({ watermark });
  const wait = { wait: 10 };

  test("P-20: an outer row is padded once, when no partner can come any more, and never after a match (D-30)", async () => {
    const nodes = (left: object[], right: object[]) => [
      script("left", left),
      script("right", right),
      join(grid, { type: "left", lowerMs: -5, upperMs: 5 }),
    ];
    const edges = [...joined, toTable("join")];
    const first = await shown(
      nodes(
        [rows(["a", 10]), wait, time(14), wait, time(20), rows(["a", 30]), wait, time(100)],
        [wait, rows(["a", 20]), time(14), wait, time(20), rows(["a", 35]), wait, time(100)],
      ),
      edges,
    );
    expect(first.map(([, l, , r]) => [l, r])).toEqual([
      ["10", null],
      ["30", "35"],
    ]);
    const bounds = await shown(
      nodes([rows(["a", 10]), wait, time(100)], [rows(["a", 5], ["a", 15]), wait, time(100)]),
      edges,
    );
    expect(bounds.map(([, l, , r]) => [l, r])).toEqual([
      ["10", "15"],
      ["10", "5"],
    ]);
  });

  test("P-43: a source that is idle when it ends still fires its last windows", async () => {
    const of = [
      script("rows", [rows(["a", 1], ["a", 2], ["a", 3]), time(3), { idle: true }, { wait: 2000 }]),
      window(grid, 10),
    ];
    const edges = [{ id: "s", from: "rows", to: "window", route: byKey }, toTable("window")];
    expect((await shown(of, edges)).map((row) => row.at(-1))).toEqual(["3"]);
  });
});

test.each(["A first", "B first"])(
  "P-21: two inputs go idle, %s: time goes to 3, 5, 9, and never back (D-3)",
  async (order) => {
    const idle = { idle: true };
    const wait = { wait: 10 };
    const [first, second] =
      order === "A first"
        ? [
            [idle, wait],
            [wait, idle],
          ]
        : [
            [wait, idle],
            [idle, wait],
          ];
    const a = [{ watermark: 5 }, wait, wait, ...(first as object[]), wait, wait, wait, { watermark: 6 }, wait];
    const b = [
      wait,
      { watermark: 3 },
      wait,
      ...(second as object[]),
      wait,
      { watermark: 4 },
      wait,
      { watermark: 9 },
      wait,
      wait,
    ];
    const lab = await run(
      [script("a", a), script("b", b), { id: "union", kind: "union", config: {} }],
      [
        { id: "l", from: "a", to: "union" },
        { id: "r", from: "b", to: "union" },
        { id: "t", from: "union", to: "table", route: { kind: "rebalance" } },
      ],
    );
    expect([...new Set(timesOf(lab, "union"))]).toEqual([3, 5, 9]);
  },
);

test("P-11: subtasks that own no partition say idle at once, so windows fire before the end (D-6)", async () => {
  const lab = await run(
    [
      {
        id: "rows",
        kind: "source.rows",
        parallelism: 4,
        config: {
          schema: schemaOf("utf8", "int64"),
          rows: Array.from({ length: 40 }, (_, i) => ["a", i]),
          batchRows: 1,
          time: { column: "ts" },
        },
      },
      { id: "slow", kind: "throttle", parallelism: 4, config: { delayMsPerBatch: 100 } },
      window({ parallelism: 2, size: 1 }, 10),
    ],
    [
      { id: "s", from: "rows", to: "slow", route: { kind: "forward" } },
      { id: "w", from: "slow", to: "window", route: byKey },
      toTable("window"),
    ],
  );
  expect(timesOf(lab, "window").length).toBeGreaterThan(20);
});

test("P-11: a source that a barrier's alignment holds up is not idle, so none of its rows is late (D-6)", async () => {
  const idleTimeoutMs = 1000;
  const rows = 120;
  const lab = await run(
    [
      {
        id: "fast",
        kind: "source.generator",
        config: {
          fields: [
            { kind: "choice", name: "k", values: ["a"] },
            { kind: "sequence", name: "ts" },
          ],
          rows,
          rowsPerSecond: 50,
          batchRows: 1,
          time: { column: "ts", idleTimeoutMs },
        },
      },
      source("ahead", "utf8", ["b", "b", "b", "b", "b", "b"], { parallelism: 1, size: 1 }, (i) => 1000 + i),
      { id: "slow", kind: "throttle", config: { delayMsPerBatch: 3000 } },
      { id: "union", kind: "union", config: {} },
      window({ parallelism: 1, size: 1 }, 10, []),
    ],
    [
      { id: "a", from: "fast", to: "union" },
      { id: "b", from: "ahead", to: "slow", route: { kind: "forward" } },
      { id: "c", from: "slow", to: "union" },
      { id: "d", from: "union", to: "window", route: { kind: "shuffle", columns: [] } },
      toTable("window"),
    ],
    { barrierEveryMs: 500 },
  );
  const ofFast = lab.trace.flatMap((event) => (event.kind === "sent" && event.task === 0 ? [event] : []));
  const gaps = ofFast.slice(1).map(({ atMs }, i) => atMs - (ofFast[i]?.atMs ?? 0));
  // It did stand still for longer than the time-out while a barrier was aligned, and never said that it was idle.
  expect(Math.max(...gaps)).toBeGreaterThan(idleTimeoutMs);
  expect(lab.trace.some((event) => event.kind === "completed")).toBe(true);
  expect(ofFast.filter(({ mark }) => mark?.kind === "idle")).toEqual([]);
  const counts = rowText(lab.rows(nodeId("table"))).map((line) => JSON.parse(line).at(-1));
  expect(counts).toEqual([...Array.from({ length: rows / 10 }, () => "10"), "6"]);
});
