import { describe, expect, test } from "vitest";
import { nodeId } from "../../base/ids.ts";
import { Prng } from "../../base/prng.ts";
import type { Batch } from "../../data/batch.ts";
import { rowsOf } from "../../data/row-codec.ts";
import { noFiles } from "../../testing/no-files.ts";
import { planned } from "../../testing/planned.ts";
import { rowText } from "../../testing/row-text.ts";
import type { Plan } from "../../topology/physical-plan.ts";
import { Lab } from "./lab.ts";

/**
 * Two inputs run against each other in many ways, and what comes out is the same: every operator with state, fed by a union (join: by its two
 * ports) of sources whose rows are disordered within what they promise. Changelogs come to the same state (D-32). Only rows without event
 * time go by what comes first.
 */

const SCHEDULES = 32;
const COLUMNS = [
  { name: "key", type: "utf8" },
  { name: "v", type: "int64" },
  { name: "at", type: "int64" },
];
const KEYS = ["a", "b", "", null];

/** Rows whose times go on by 0 to 4 and lie up to 6 behind. */
function rows(seed: number, count: number): unknown[][] {
  const random = Prng.fromSeed(seed);
  let at = -20;
  return Array.from({ length: count }, () => {
    at += random.int(0, 4);
    const time = random.int(0, 14) === 0 ? null : at - random.int(0, 6);
    return [KEYS[random.int(0, KEYS.length - 1)], random.int(-2, 2), time];
  });
}

const source = (id: string, seed: number, more: object = {}): object => ({
  id,
  kind: "source.rows",
  config: {
    schema: COLUMNS,
    rows: rows(seed, 16),
    batchRows: 3,
    time: { column: "at", watermark: { kind: "bounded", delayMs: 6 } },
    ...more,
  },
});

interface Case {
  readonly kind: string;
  readonly config: object;
  readonly ports?: readonly string[];
  readonly left?: object;
  readonly right?: object;
  /** Number of key columns, from the first, of a changelog. */
  readonly changelog?: number;
}

const aggregates = [
  { fn: "count", name: "n" },
  { fn: "sum", column: "v", name: "total" },
  { fn: "first", column: "v", name: "one" },
  { fn: "last", column: "v", name: "end" },
];
const orderBy = [{ column: "v", desc: true }];
const join = { leftKey: ["key"], rightKey: ["key"], lowerMs: -5, upperMs: 3 };
const SIDES = ["left", "right"];

const counting = { groupBy: ["key"], aggregates };
const best = { partitionBy: ["key"], orderBy, n: 2 };
const tumbling = { kind: "tumbling", sizeMs: 7 };
/** It has rows, and none has an event time. */
const untimed = { time: undefined };

const CASES: Readonly<Record<string, Case>> = {
  "tumbling windows": { kind: "window", config: { ...counting, window: tumbling } },
  "sliding windows": {
    kind: "window",
    config: { ...counting, window: { kind: "sliding", sizeMs: 10, slideMs: 4, offsetMs: 1 } },
  },
  sessions: { kind: "window", config: { ...counting, window: { kind: "session", gapMs: 3 } } },
  "a running aggregate": { kind: "aggregate", config: counting, changelog: 1 },
  "a ranking by window": { kind: "rank", config: { ...best, window: tumbling } },
  "a ranking by session": { kind: "rank", config: { ...best, window: { kind: "session", gapMs: 2 } } },
  "a running ranking": { kind: "rank", config: best, changelog: 0 },
  "dedupe to the first": { kind: "dedupe", config: { keys: ["key", "v"] } },
  "dedupe to the last": { kind: "dedupe", config: { keys: ["key"], keep: "last", ttlMs: 4 } },
  "an inner join": { kind: "join.interval", config: { ...join, type: "inner" }, ports: SIDES },
  "a full join": { kind: "join.interval", config: { ...join, type: "full" }, ports: SIDES },
  "a left join with a TTL": { kind: "join.interval", config: { ...join, type: "left", ttlMs: 5 }, ports: SIDES },
  // Its rows are late whenever they come (D-23), and before all others in what runs.
  "windows, one input without event time": {
    kind: "window",
    config: { ...counting, window: tumbling },
    right: untimed,
  },
  "a running aggregate, one input without event time": {
    kind: "aggregate",
    config: counting,
    changelog: 1,
    right: untimed,
  },
  "a running ranking, one input without event time": { kind: "rank", config: best, changelog: 0, right: untimed },
};

function documentOf({ kind, config, ports, left, right }: Case, parallelism: number): object {
  const route = parallelism === 1 ? { kind: "forward" } : { kind: "shuffle", columns: ["key"] };
  const into = ports?.map((port) => ({ node: "operator", port })) ?? ["union", "union"];
  return {
    format: "weir.graph/v1",
    settings: { barrierEveryMs: 0, chaining: false, edgeCapacity: 1 },
    nodes: [
      source("a", 1, left),
      source("b", 2, right),
      ...(ports === undefined ? [{ id: "union", kind: "union", config: {} }] : []),
      { id: "operator", kind, parallelism, config },
      { id: "table", kind: "sink.table", config: {} },
    ],
    edges: [
      { id: "a", from: "a", to: into[0], ...(ports === undefined ? {} : { route }) },
      { id: "b", from: "b", to: into[1], ...(ports === undefined ? {} : { route }) },
      ...(ports === undefined ? [{ id: "u", from: "union", to: "operator", route }] : []),
      { id: "o", from: "operator", to: "table" },
    ],
  };
}

/** The last row of each key of a changelog, without its `op`; without key columns the key is partition and rank. */
function stateOf(batches: readonly Batch[], keys: number): string[] {
  const state = new Map<string, string>();
  for (const batch of batches) {
    for (const row of rowsOf(batch)) {
      const cells = row.slice(0, -1).map((cell) => (cell === null ? null : String(cell)));
      const key = keys > 0 ? cells.slice(0, keys) : [cells[0], cells.at(-1)];
      state.set(JSON.stringify(key), JSON.stringify(cells));
    }
  }
  return [...state.values()].sort();
}

async function outcome(plan: Plan, seed: number, { changelog }: Case): Promise<string[]> {
  const lab = await Lab.create(plan, { seed, files: noFiles });
  expect(await lab.run()).toEqual({ kind: "finished" });
  const batches = lab.rows(nodeId("table"));
  return changelog === undefined ? rowText(batches) : stateOf(batches, changelog);
}

describe(`D-27, D-32: ${SCHEDULES} schedules of two inputs give the same rows`, () => {
  test.each(Object.entries(CASES))("%s", async (_, of) => {
    const [one, two] = [1, 2].map((parallelism) => planned(documentOf(of, parallelism)).plan) as [Plan, Plan];
    const expected = await outcome(one, 0, of);
    expect(expected.length).toBeGreaterThan(2);
    for (let seed = 1; seed < SCHEDULES; seed++) {
      expect(await outcome(seed % 2 === 0 ? one : two, seed, of), `seed ${seed}`).toEqual(expected);
    }
  });
});
