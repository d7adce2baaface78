import { describe, expect, test } from "vitest";
import { nodeId } from "../../base/ids.ts";
import { vnodeRanges } from "../../core/vnodes.ts";
import { splitByVnode } from "../../data/kernels/split.ts";
import type { Checkpoint, CheckpointNode, StageState } from "../../state/checkpoint.ts";
import { batchRows } from "../../testing/batch-values.ts";
import { type CheckpointedLab, openCheckpointed } from "../../testing/checkpointed.ts";
import { rowText } from "../../testing/row-text.ts";
import { batch, schema } from "../../testing/stage-kit.ts";
import type { Lab } from "./lab.ts";

/** What users of other engines lost when they went on from a checkpoint, with fixed steps: at parallelism 1 and 4. */

const KEYED = [
  { name: "k", type: "utf8" },
  { name: "ts", type: "int64" },
];
const rows = (...all: unknown[][]): object => ({ rows: all });
const time = (watermark: number): object => ({ watermark });
/** Longer than any test: what is before it has come through, what is behind it has not. */
const stillness = { wait: 1_000_000 };

const script = (id: string, steps: object[]): object => ({
  id,
  kind: "source.script",
  config: { schema: KEYED, steps, time: { column: "ts" } },
});

const window = (parallelism: number, of: object, aggregates: object[] = [{ name: "n", fn: "count" }]): object => ({
  id: "window",
  kind: "window",
  parallelism,
  config: { groupBy: ["k"], window: of, aggregates },
});

const tumbling = { kind: "tumbling", sizeMs: 10 };

const byKey = { kind: "shuffle", columns: ["k"] };
const graph = (nodes: object[], edges: object[], settings: object = {}): object => ({
  format: "weir.graph/v1",
  settings: { barrierEveryMs: 0, chaining: false, ...settings },
  nodes: [...nodes, { id: "table", kind: "sink.table", config: {} }],
  edges,
});

const windowed = (parallelism: number, steps: object[], of: object = tumbling, aggregates?: object[]): object =>
  graph(
    [script("rows", steps), window(parallelism, of, aggregates)],
    [
      { id: "s", from: "rows", to: "window", route: byKey },
      { id: "t", from: "window", to: "table" },
    ],
  );

const isStill = (lab: Lab): boolean => lab.choices().every(({ by }) => by === "clock");

/** Issues a barrier and runs until its epoch is complete. */
async function barrier({ lab, checkpoints }: CheckpointedLab): Promise<void> {
  const before = checkpoints.length;
  lab.apply({ by: "person", kind: "barrier" });
  await lab.run(() => checkpoints.length > before);
}

/** Runs until every source stands in `stillness` and all before it has come through, and is committed; then takes a checkpoint. */
async function toStillness(document: object): Promise<CheckpointedLab> {
  const run = await openCheckpointed(document);
  await run.lab.run(isStill);
  await barrier(run);
  await run.lab.run(isStill);
  await barrier(run);
  return run;
}

const atStillness = async (document: object): Promise<Checkpoint> => newest(await toStillness(document));

const newest = ({ checkpoints }: CheckpointedLab): Checkpoint => checkpoints.at(-1) as Checkpoint;

const shown = ({ lab }: CheckpointedLab): string[] =>
  rowText(lab.rows(nodeId("table"))).map((line) => JSON.parse(line).join(" "));

async function finish(document: object, from: Checkpoint): Promise<string[]> {
  const run = await openCheckpointed(document, from);
  expect(await run.lab.run()).toEqual({ kind: "finished" });
  return shown(run);
}

const late = ({ lab }: CheckpointedLab): number =>
  lab.plan.tasks.reduce((sum, { id }) => sum + lab.probes.task(id, lab.nowMs).counters.late, 0);

const count = (k: string, start: number, end: number, n: number): string =>
  `${k} ${new Date(start).toISOString()} ${new Date(end).toISOString()} ${n}`;

describe.each([1, 4])("at parallelism %i", (parallelism) => {
  test("P-04: rows that were in time before a crash are in time behind it, and all come once", async () => {
    const steps = Array.from({ length: 30 }, (_, ts) => [rows(["a", ts]), time(ts)]).flat();
    const document = windowed(parallelism, [...steps.slice(0, 32), stillness, ...steps.slice(32)]);
    const crashed = await toStillness(document);
    // It goes on to 25 before its worker dies.
    await crashed.lab.run(({ nowMs, probes }) => nowMs > 0 && probes.task(0, nowMs).rowsOut === 26);
    const again = await openCheckpointed(document, newest(crashed));
    expect(await again.lab.run()).toEqual({ kind: "finished" });
    expect([...shown(crashed), ...shown(again)]).toEqual([
      count("a", 0, 10, 10),
      count("a", 10, 20, 10),
      count("a", 20, 30, 10),
    ]);
    expect(late(again)).toBe(0);
  });

  test("P-05: a checkpoint is a picture: counting goes on as if none had been taken, in the run and behind a restore", async () => {
    const distinct = [{ name: "n", fn: "count_distinct", column: "v" }];
    const of = (behind: object[]): object => {
      const document = windowed(
        parallelism,
        [rows(["7", 500, "a"], ["7", 500, "b"]), time(500), stillness, ...behind],
        { kind: "tumbling", sizeMs: 1000 },
        distinct,
      );
      return JSON.parse(
        JSON.stringify(document).replaceAll(
          '{"name":"ts","type":"int64"}',
          '{"name":"ts","type":"int64"},{"name":"v","type":"utf8"}',
        ),
      );
    };
    const document = of([rows(["7", 600, "c"])]);
    const first = await openCheckpointed(document);
    for (let checkpoints = 0; checkpoints < 3; checkpoints++) await barrier(first);
    expect(await first.lab.run()).toEqual({ kind: "finished" });
    expect(shown(first).map((line) => line.split(" ").at(-1))).toEqual(["3"]);
    const behind = of([rows(["7", 600, "b"])]);
    expect(await finish(behind, await atStillness(behind))).toEqual([count("7", 0, 1000, 2)]);
  });

  test("P-06: open windows and the time they wait for are part of a checkpoint", async () => {
    const document = windowed(parallelism, [rows(["a", 0], ["a", 4]), time(4), stillness, rows(["b", 25]), time(25)]);
    expect(await finish(document, await atStillness(document))).toEqual([count("a", 0, 10, 2), count("b", 20, 30, 1)]);
  });

  test("P-06: a window that went out does not go out again, and what is late for it stays late", async () => {
    const hop = { kind: "sliding", sizeMs: 3000, slideMs: 1000 };
    const document = windowed(
      parallelism,
      [rows(["a", 4500]), time(5000), stillness, rows(["a", 1500]), time(7000)],
      hop,
    );
    const saved = await atStillness(document);
    const run = await openCheckpointed(document, saved);
    expect(await run.lab.run()).toEqual({ kind: "finished" });
    expect(shown(run)).toEqual([count("a", 3000, 6000, 1), count("a", 4000, 7000, 1)]);
    expect(late(run)).toBe(1);
  });

  test("P-06: a step says its time again: an input that says nothing new does not hold up what is behind it", async () => {
    const said = [rows(["a", 1]), time(100), stillness, stillness];
    const document = graph(
      [
        script("quiet", said),
        script("lively", [rows(["a", 2]), time(5), stillness, time(50), stillness]),
        { id: "pass", kind: "filter", config: { expression: "ts >= 0" } },
        { id: "union", kind: "union", config: {} },
        window(parallelism, tumbling),
      ],
      [
        { id: "q", from: "quiet", to: "pass" },
        { id: "p", from: "pass", to: "union" },
        { id: "l", from: "lively", to: "union" },
        { id: "s", from: "union", to: "window", route: byKey },
        { id: "t", from: "window", to: "table" },
      ],
      { barrierEveryMs: 100_000 },
    );
    const run = await openCheckpointed(document, await atStillness(document));
    // The window fires at 50, while the quiet source has nothing more to say.
    await run.lab.run(({ nowMs }) => shown(run).length > 0 || nowMs > 1_500_000);
    expect(shown(run)).toEqual([count("a", 0, 10, 2)]);
  });

  test("P-48: a stopped run leaves its windows open, and one that goes on from there completes them (D-4)", async () => {
    const document = windowed(parallelism, [rows(["a", 1], ["a", 2]), time(2), stillness, rows(["a", 3], ["a", 11])]);
    const stopped = await openCheckpointed(document);
    await stopped.lab.run(isStill);
    stopped.lab.apply({ by: "person", kind: "stop" });
    expect(await stopped.lab.run()).toEqual({ kind: "stopped" });
    expect(shown(stopped)).toEqual([]);
    expect(await finish(document, newest(stopped))).toEqual([count("a", 0, 10, 3), count("a", 10, 20, 1)]);
  });
});

describe("a checkpoint of which one input has ended (P-07)", () => {
  const document = (steps: object[]): object =>
    graph(
      [
        script("ends", [rows(["a", 1], ["a", 2], ["a", 3])]),
        script("stays", steps),
        { id: "union", kind: "union", config: {} },
      ],
      [
        { id: "e", from: "ends", to: "union" },
        { id: "f", from: "stays", to: "union" },
        { id: "t", from: "union", to: "table", route: { kind: "rebalance" } },
      ],
    );

  test("completes, and behind a restore the ended source sends nothing again (F-52)", async () => {
    const of = document([rows(["b", 4]), stillness, rows(["b", 5])]);
    const first = await openCheckpointed(of);
    await first.lab.run(isStill);
    await barrier(first);
    await first.lab.run(() => shown(first).length === 4);
    // Its commit came through: behind the restore only what is new is shown.
    await barrier(first);
    expect(await finish(of, newest(first))).toEqual(["b 5"]);
  });
});

test("P-25, D-14: an epoch that was durable and not yet committed is committed by the run that goes on, an aborted one with the next", async () => {
  const document = windowed(1, [rows(["a", 1]), time(20), stillness, rows(["a", 31])]);
  const first = await openCheckpointed(document);
  await first.lab.run(isStill);
  // Complete, and the run dies before its commit.
  await barrier(first);
  expect(shown(first)).toEqual([]);
  expect(await finish(document, newest(first))).toEqual([count("a", 0, 10, 1), count("a", 30, 40, 1)]);
});

describe.each([
  ["tumbling", { kind: "tumbling", sizeMs: 10 }, 10, 10],
  ["sliding", { kind: "sliding", sizeMs: 20, slideMs: 10 }, 20, 10],
] as const)(
  "P-19: two tasks become one, two or three, their time having come to 100 and to 40 (%s)",
  (_, of, size, slide) => {
    const keys = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const VNODES = 128;
    const keyRows = batch(
      schema("k utf8"),
      keys.map((key) => [key]),
    );
    const [ofFirst, ofSecond] = splitByVnode(keyRows, ["k"], VNODES, vnodeRanges(VNODES, 2)).map((part) =>
      (part === null ? [] : batchRows(part)).map(([key]) => key as string),
    ) as [string[], string[]];

    const document = (parallelism: number): object =>
      windowed(
        parallelism,
        [
          rows(
            ...keys.flatMap((key) => [
              [key, 45],
              [key, 95],
              [key, 105],
            ]),
          ),
          time(40),
          stillness,
          rows(...ofSecond.map((key) => [key, 50])),
          time(100),
          stillness,
        ],
        of,
      );

    /** The first task as it is once time has come to 100, the second as it was at 40. */
    async function apart(): Promise<Checkpoint> {
      const run = await toStillness(document(2));
      const early = newest(run);
      await run.lab.run(({ nowMs }) => nowMs > 0 && isStill(run.lab));
      await barrier(run);
      const first = newest(run).nodes.find(({ node }) => node === "window")?.subtasks[0] as StageState;
      const nodes = early.nodes.map((node): CheckpointNode => {
        return node.node === "window" ? { ...node, subtasks: [first, node.subtasks[1] as StageState] } : node;
      });
      return { ...early, nodes, settled: true };
    }

    /** Windows with their counts: those of the first task's keys that had not fired at 100, those of the second's that had not at 40. */
    const expected = (): string[] => {
      const counts = new Map<string, number>();
      const add = (key: string, ts: number, fired: number): void => {
        for (let end = Math.floor(ts / slide) * slide + size; end > ts; end -= slide) {
          const window = `${key} ${end - size} ${end}`;
          if (end > fired) counts.set(window, (counts.get(window) ?? 0) + 1);
        }
      };
      for (const key of ofFirst) for (const ts of [45, 95, 105]) add(key, ts, 100);
      for (const key of ofSecond) for (const ts of [45, 50, 95, 105]) add(key, ts, 40);
      return [...counts].map(([window, n]) => {
        const [key = "", start, end] = window.split(" ");
        return count(key, Number(start), Number(end), n);
      });
    };

    test.each([1, 2, 3])(
      "every open window fires once, with its count, and nothing is late, at parallelism %i (D-10)",
      async (parallelism) => {
        expect([ofFirst.length, ofSecond.length].every((length) => length > 1)).toBe(true);
        const run = await openCheckpointed(document(parallelism), await apart());
        expect(await run.lab.run()).toEqual({ kind: "finished" });
        expect(shown(run)).toEqual(expected().sort());
        expect(late(run)).toBe(0);
      },
    );
  },
);
