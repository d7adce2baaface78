/** Graphs that the tests of running share. */

const graph = <S extends object>(name: string, settings: S, nodes: readonly object[], edges: readonly object[]) => ({
  format: "weir.graph/v1",
  name,
  settings,
  nodes,
  edges,
});

const sequence = (config: object) => ({
  kind: "source.generator",
  config: { fields: [{ name: "n", kind: "sequence" }], seed: 1, batchRows: 10, rows: 0, ...config },
});

function timed(stepMs: number): object {
  return sequence({
    fields: [{ name: "at", kind: "timestamp", startMs: 1717243200000, stepMs }],
    time: { column: "at" },
    rowsPerSecond: 100,
  });
}

/** Never ends by itself; a task for each node. */
export const ENDLESS = graph(
  "endless",
  { barrierEveryMs: 100, chaining: false, hosts: "per-task" },
  [
    { id: "numbers", name: "Numbers", ...sequence({ rowsPerSecond: 500 }), ui: { x: 0, y: 0 } },
    { id: "pass", name: "Pass", kind: "union", config: {}, ui: { x: 320, y: 0 } },
    { id: "table", name: "Table", kind: "sink.table", config: { limit: 200 }, ui: { x: 640, y: 0 } },
  ],
  [
    { id: "e1", from: "numbers", to: "pass" },
    { id: "e2", from: "pass", to: "table" },
  ],
);

/** A fast source and one behind a slow step meet: barriers of the fast one wait for those of the other. */
export const TWO_SPEEDS = graph(
  "two speeds",
  { barrierEveryMs: 2500, chaining: false, hosts: "per-task", edgeCapacity: 8 },
  [
    { id: "fast", name: "Fast source", ...sequence({ rowsPerSecond: 100 }), ui: { x: 0, y: 0 } },
    { id: "other", name: "Other source", ...sequence({ rowsPerSecond: 100 }), ui: { x: 0, y: 240 } },
    { id: "slow", name: "Slow step", kind: "throttle", config: { delayMsPerBatch: 110 }, ui: { x: 300, y: 240 } },
    { id: "meet", name: "Meeting point", kind: "union", config: {}, ui: { x: 620, y: 100 } },
    { id: "table", kind: "sink.table", config: {}, ui: { x: 920, y: 100 } },
  ],
  [
    { id: "quick", from: "fast", to: "meet" },
    { id: "wait", from: "other", to: "slow" },
    { id: "late", from: "slow", to: "meet" },
    { id: "out", from: "meet", to: "table" },
  ],
);

/** Every kind of value that a grid could spoil. */
export const EXACT = graph(
  "exact values",
  {},
  [
    {
      id: "rows",
      kind: "source.rows",
      config: {
        schema: [
          { name: "id", type: "int64" },
          { name: "word", type: "utf8" },
          { name: "at", type: "timestamp[us]" },
          { name: "price", type: "decimal(20,4)" },
        ],
        rows: [
          ["9007199254740993", "ada", "2024-06-01T12:00:00.123456Z", "1234567890123456.7890"],
          ["-9223372036854775808", "", null, "0.0001"],
          [null, "null", "1970-01-01T00:00:00Z", null],
        ],
      },
      ui: { x: 0, y: 0 },
    },
    { id: "table", name: "Values", kind: "sink.table", config: {}, ui: { x: 320, y: 0 } },
  ],
  [{ id: "e1", from: "rows", to: "table" }],
);

/** Two sources whose times run at different speeds. */
export const UNEVEN_TIMES = graph(
  "uneven times",
  { barrierEveryMs: 200, chaining: false },
  [
    { id: "ahead", name: "Ahead", ...timed(1000), ui: { x: 0, y: 0 } },
    { id: "behind", name: "Behind", ...timed(10), ui: { x: 0, y: 200 } },
    { id: "meet", name: "Meeting point", kind: "union", config: {}, ui: { x: 320, y: 100 } },
    { id: "table", kind: "sink.table", config: { limit: 100 }, ui: { x: 640, y: 100 } },
  ],
  [
    { id: "e1", from: "ahead", to: "meet" },
    { id: "e2", from: "behind", to: "meet" },
    { id: "e3", from: "meet", to: "table" },
  ],
);

/** Four tasks that are done at once. */
export const SHORT = graph(
  "short",
  { chaining: false, hosts: "per-task" },
  [
    { id: "numbers", ...sequence({ rows: 40 }), ui: { x: 0, y: 0 } },
    { id: "one", parallelism: 2, kind: "union", config: {}, ui: { x: 300, y: 0 } },
    { id: "table", kind: "sink.table", config: {}, ui: { x: 600, y: 0 } },
  ],
  [
    { id: "e1", from: "numbers", to: "one", route: { kind: "rebalance" } },
    { id: "e2", from: "one", to: "table" },
  ],
);
