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

interface Operator {
  readonly kind: string;
  readonly config: object;
  /** Number of key columns, from the first, of a changelog. */
  readonly changelog?: number;
}

/** Operators side by side behind the same two sources, each with a table: schedules are shared. */
interface Case {
  /** Two ports of each operator; else a union comes first. */
  readonly ports?: readonly string[];
  readonly right?: object;
  readonly operators: Readonly<Record<string, Operator>>;
}

const aggregates = [
  { fn: "count", name: "n" },
  { fn: "sum", column: "v", name: "total" },
  { fn: "first", column: "v", name: "one" },
  { fn: "last", column: "v", name: "end" },
];
const orderBy = [{ column: "v", desc: true }];
const join = { leftKey: ["key"], rightKey: ["key"], lowerMs: -5, upperMs: 3 };

const counting = { groupBy: ["key"], aggregates };
const best = { partitionBy: ["key"], orderBy, n: 2 };
const tumbling = { kind: "tumbling", sizeMs: 7 };
const CASES: Readonly<Record<string, Case>> = {
  "of a union": {
    operators: {
      tumbling: { kind: "window", config: { ...counting, window: tumbling } },
      sliding: {
        kind: "window",
        config: { ...counting, window: { kind: "sliding", sizeMs: 10, slideMs: 4, offsetMs: 1 } },
      },
      sessions: { kind: "window", config: { ...counting, window: { kind: "session", gapMs: 3 } } },
      aggregate: { kind: "aggregate", config: counting, changelog: 1 },
      windowRank: { kind: "rank", config: { ...best, window: tumbling } },
      sessionRank: { kind: "rank", config: { ...best, window: { kind: "session", gapMs: 2 } } },
      rank: { kind: "rank", config: best, changelog: 0 },
      first: { kind: "dedupe", config: { keys: ["key", "v"] } },
      last: { kind: "dedupe", config: { keys: ["key"], keep: "last", ttlMs: 4 } },
    },
  },
  "of the sides of a join": {
    ports: ["left", "right"],
    operators: {
      inner: { kind: "join.interval", config: { ...join, type: "inner" } },
      full: { kind: "join.interval", config: { ...join, type: "full" } },
      left: { kind: "join.interval", config: { ...join, type: "left", ttlMs: 5 } },
    },
  },
  // Its rows are late whenever they come (D-23), and before all others in what runs.
  "of which one has no event time": {
    right: { time: undefined },
    operators: {
      tumbling: { kind: "window", config: { ...counting, window: tumbling } },
      aggregate: { kind: "aggregate", config: counting, changelog: 1 },
      rank: { kind: "rank", config: best, changelog: 0 },
    },
  },
};

function documentOf({ ports, right, operators }: Case, parallelism: number): object {
  const route = parallelism === 1 ? { kind: "forward" } : { kind: "shuffle", columns: ["key"] };
  const edges: object[] = ports === undefined ? ["a", "b"].map((from) => ({ id: from, from, to: "union" })) : [];
  for (const id of Object.keys(operators)) {
    if (ports === undefined) edges.push({ id: `to-${id}`, from: "union", to: id, route });
    else
      for (const [i, port] of ports.entries())
        edges.push({ id: `${port}-${id}`, from: "ab"[i], to: { node: id, port }, route });
    edges.push({ id: `of-${id}`, from: id, to: tableOf(id) });
  }
  return {
    format: "weir.graph/v1",
    settings: { barrierEveryMs: 0, chaining: false, edgeCapacity: 1 },
    nodes: [
      source("a", 1),
      source("b", 2, right),
      ...(ports === undefined ? [{ id: "union", kind: "union", config: {} }] : []),
      ...Object.entries(operators).flatMap(([id, { kind, config }]) => [
        { id, kind, parallelism, config },
        { id: tableOf(id), kind: "sink.table", config: {} },
      ]),
    ],
    edges,
  };
}

const tableOf = (operator: string): string => `table-${operator}`;

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

/** Rows by operator. */
async function outcome(plan: Plan, seed: number, { operators }: Case): Promise<Record<string, string[]>> {
  const lab = await Lab.create(plan, { seed, files: noFiles });
  expect(await lab.run()).toEqual({ kind: "finished" });
  const results = Object.entries(operators).map(([id, { changelog }]) => {
    const batches = lab.rows(nodeId(tableOf(id)));
    return [id, changelog === undefined ? rowText(batches) : stateOf(batches, changelog)] as const;
  });
  return Object.fromEntries(results);
}

describe(`D-27, D-32: every operator with state has the same rows after ${SCHEDULES} schedules`, () => {
  test.each(Object.entries(CASES))("%s", async (_, of) => {
    const [one, two] = [1, 2].map((parallelism) => planned(documentOf(of, parallelism)).plan) as [Plan, Plan];
    const expected = await outcome(one, 0, of);
    for (const rows of Object.values(expected)) expect(rows.length).toBeGreaterThan(2);
    for (let seed = 1; seed < SCHEDULES; seed++) {
      expect(await outcome(seed % 2 === 0 ? one : two, seed, of), `seed ${seed}`).toEqual(expected);
    }
  });
});
