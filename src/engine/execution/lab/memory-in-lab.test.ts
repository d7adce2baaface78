import { describe, expect, it } from "vitest";
import { nodeId } from "../../base/ids.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { CompletedEpoch } from "../../core/epoch-tracker.ts";
import { decodeSnapshot } from "../../state/snapshot-codec.ts";
import { batchRows } from "../../testing/batch-values.ts";
import { noFiles } from "../../testing/no-files.ts";
import { planned } from "../../testing/planned.ts";
import { Lab } from "./lab.ts";

/**
 * What operators hold in a run without an end whose keys never come back: after each epoch their state is what windows, sessions and partners that are
 * still possible need, row by row, and it does not grow. A minute on the run's clock.
 */
const RUN_MS = 60_000;
const SIZE = 2000;
const GAP = 700;
const UPPER = 900;
const TTL = 1500;

const key = { kind: "shuffle", columns: ["visitor"] };
const sink = (of: string): object => ({ id: `${of}_sink`, kind: "sink.blackhole", config: {} });

const OPERATORS: readonly (readonly [id: string, kind: string, config: object])[] = [
  ["tumbling", "window", { groupBy: ["visitor"], window: { kind: "tumbling", sizeMs: SIZE } }],
  ["sliding", "window", { groupBy: ["visitor"], window: { kind: "sliding", sizeMs: SIZE, slideMs: SIZE / 2 } }],
  ["sessions", "window", { groupBy: ["visitor"], window: { kind: "session", gapMs: GAP } }],
  ["ranked", "rank", { orderBy: [{ column: "n" }], n: 1000, window: { kind: "tumbling", sizeMs: SIZE } }],
  ["spells", "rank", { partitionBy: ["visitor"], orderBy: [{ column: "n" }], window: { kind: "session", gapMs: GAP } }],
  ["once", "dedupe", { keys: ["visitor"], ttlMs: TTL }],
];

function document(): object {
  const feed = {
    id: "feed",
    kind: "source.generator",
    config: {
      fields: [
        { kind: "sequence", name: "n" },
        { kind: "timestamp", name: "ts", startMs: 0, stepMs: 50 },
      ],
      rows: 0,
      rowsPerSecond: 20,
      seed: 3,
      disorder: { maxMs: 400, fraction: 0.3 },
      time: { column: "ts", watermark: { kind: "bounded", delayMs: 400 } },
    },
  };
  const visits = {
    id: "visits",
    kind: "derive",
    config: { columns: [{ name: "visitor", expression: "n / 6" }] },
  };
  const join = {
    id: "pairs",
    kind: "join.interval",
    config: { leftKey: ["visitor"], rightKey: ["visitor"], lowerMs: 0, upperMs: UPPER },
  };
  return {
    format: "weir.graph/v1",
    settings: { barrierEveryMs: 1000, chaining: false },
    nodes: [
      feed,
      visits,
      { id: "rows", kind: "sink.table", config: { delivery: "at-least-once", limit: 100_000 } },
      ...OPERATORS.map(([id, kind, config]) => ({ id, kind, config })),
      join,
      ...[...OPERATORS.map(([id]) => id), "pairs"].map(sink),
    ],
    edges: [
      { id: "f", from: "feed", to: "visits" },
      { id: "r", from: "visits", to: "rows" },
      ...OPERATORS.map(([id]) => ({ id, from: "visits", to: id, route: key })),
      { id: "left", from: "visits", to: { node: "pairs", port: "left" }, route: key },
      { id: "right", from: "visits", to: { node: "pairs", port: "right" }, route: key },
      ...[...OPERATORS.map(([id]) => id), "pairs"].map((id) => ({ id: `${id}_out`, from: id, to: `${id}_sink` })),
    ],
  };
}

interface Row {
  readonly ts: number;
  readonly visitor: number;
}

type State = { readonly [name: string]: SnapshotValue };

/** State of a node at an epoch: what it holds, how many bytes that is, and how far its time had come. */
interface Held {
  readonly state: State;
  readonly bytes: number;
  readonly watermark: number;
}

function heldBy(lab: Lab, { snapshots }: CompletedEpoch, node: string): Held {
  const task = lab.plan.tasks.find(({ stages }) => stages[0]?.node === node);
  const stage = snapshots.find(([id]) => id === task?.id)?.[1].stages[0];
  const bytes = stage?.state ?? new Uint8Array(0);
  const watermark = stage?.time.fired ?? Number.NEGATIVE_INFINITY;
  return { state: decodeSnapshot(bytes) as State, bytes: bytes.length, watermark };
}

const lengthOf = (value: SnapshotValue | undefined): number => (value as ArrayLike<unknown>).length;

/** Pairs of a visitor and a window that can still get rows. */
const openWindows = (rows: readonly Row[], watermark: number): number => openSlices(rows, SIZE, watermark);

/** Pairs of a visitor and a slice of a window that has not fired: sliding windows keep no more than these (D-20). */
function openSlices(rows: readonly Row[], slide: number, watermark: number): number {
  const starts = rows.map(({ ts, visitor }) => ({ visitor, start: Math.floor(ts / slide) * slide }));
  return new Set(
    starts.filter(({ start }) => start + SIZE > watermark).map(({ visitor, start }) => `${visitor} ${start}`),
  ).size;
}

/** Sessions that can still get rows, and how many they have. */
function openSessions(rows: readonly Row[], watermark: number): { sessions: number; rows: number } {
  const found = { sessions: 0, rows: 0 };
  for (const visitor of new Set(rows.map((row) => row.visitor))) {
    const times = rows.flatMap((row) => (row.visitor === visitor ? [row.ts] : [])).sort((a, b) => a - b);
    let size = 0;
    times.forEach((ts, i) => {
      size++;
      const next = times[i + 1];
      if (next !== undefined && next - ts <= GAP) return;
      if (ts + GAP >= watermark) {
        found.sessions++;
        found.rows += size;
      }
      size = 0;
    });
  }
  return found;
}

describe("an endless run", () => {
  it("holds the open windows, sessions and rows that may still meet, and nothing else, at every epoch (D-20, D-28, D-30)", async () => {
    const epochs: CompletedEpoch[] = [];
    const lab = await Lab.create(planned(document()).plan, {
      seed: 5,
      files: noFiles,
      onEpoch: (epoch) => epochs.push(epoch),
    });
    await lab.run(() => lab.nowMs >= RUN_MS);
    lab.apply({ by: "person", kind: "stop" });
    expect(await lab.run()).toEqual({ kind: "stopped" });

    const all = lab
      .rows(nodeId("rows"))
      .flatMap(batchRows)
      .map(([, ts, visitor]): Row => ({ ts: Number(ts), visitor: Number(visitor) }));
    expect(all.length).toBeGreaterThan(1000);
    expect(epochs.length).toBeGreaterThan(30);
    let heldWindows = 0;
    for (const epoch of epochs) {
      const rows = all.slice(0, heldBy(lab, epoch, "feed").state["next"] as number);
      const of = (node: string): Held => heldBy(lab, epoch, node);
      const { watermark } = of("tumbling");
      const sessions = openSessions(rows, watermark);
      heldWindows += lengthOf(of("tumbling").state["key"]);
      const inTime = (from: number): number => rows.filter(({ ts }) => ts >= from).length;
      expect({
        tumbling: lengthOf(of("tumbling").state["key"]),
        sliding: lengthOf(of("sliding").state["key"]),
        sessions: lengthOf(of("sessions").state["key"]),
        spells: lengthOf(of("spells").state["key"]),
        rankedWindows: lengthOf(of("ranked").state["starts"]),
        left: lengthOf((of("pairs").state["left"] as State)["matched"]),
        right: lengthOf((of("pairs").state["right"] as State)["matched"]),
      }).toEqual({
        tumbling: openWindows(rows, watermark),
        sliding: openSlices(rows, SIZE / 2, watermark),
        sessions: sessions.sessions,
        spells: sessions.sessions,
        rankedWindows: new Set(
          rows.filter(({ ts }) => ts >= Math.floor(watermark / SIZE) * SIZE).map(({ ts }) => Math.floor(ts / SIZE)),
        ).size,
        left: inTime(watermark - UPPER),
        right: inTime(watermark),
      });
      // One row a visitor, until the next may begin anew.
      const recent = new Set(rows.filter(({ ts }) => ts >= watermark - TTL - SIZE).map(({ visitor }) => visitor));
      expect(lengthOf(of("once").state["times"])).toBeLessThanOrEqual(recent.size);
    }
    expect(heldWindows).toBeGreaterThan(epochs.length);
    const greatest = (node: string, part: readonly CompletedEpoch[]): number =>
      Math.max(...part.map((epoch) => heldBy(lab, epoch, node).bytes));
    for (const node of [...OPERATORS.map(([id]) => id), "pairs"]) {
      const early = greatest(node, epochs.slice(3, 15));
      expect(greatest(node, epochs.slice(15)), node).toBeLessThan(1.5 * early);
    }
  }, 120_000);
});
