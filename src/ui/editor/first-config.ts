/** What a new node starts with, where a kind can do something sensible before anybody has filled in its form. */
const FIRST: Readonly<Record<string, Record<string, unknown>>> = {
  "source.rows": {
    schema: [
      { name: "at", type: "timestamp[ms]" },
      { name: "key", type: "utf8" },
      { name: "value", type: "int64" },
    ],
    rows: [
      ["2024-01-01T00:00:00.000Z", "a", 1],
      ["2024-01-01T00:00:01.000Z", "b", 2],
      ["2024-01-01T00:00:02.000Z", "a", 3],
    ],
    time: { column: "at" },
  },
  "source.script": {
    schema: [
      { name: "at", type: "timestamp[ms]" },
      { name: "key", type: "utf8" },
    ],
    steps: [{ rows: [["2024-01-01T00:00:00.000Z", "a"]] }, { wait: 500 }, { watermark: 1704067200000 }],
    time: { column: "at" },
  },
  "source.generator": {
    fields: [
      { name: "at", kind: "timestamp", stepMs: 10 },
      { name: "key", kind: "zipf", values: 100, prefix: "key-" },
      { name: "value", kind: "uniform", min: 0, max: 100 },
    ],
    rows: 0,
    rowsPerSecond: 1000,
    time: { column: "at" },
  },
  throttle: { rowsPerSecond: 500 },
};

export const firstConfig = (kind: string): Record<string, unknown> => FIRST[kind] ?? {};
