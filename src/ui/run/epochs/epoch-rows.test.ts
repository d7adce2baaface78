import { describe, expect, it } from "vitest";
import { type EpochRecord, epoch, taskId } from "../../../engine/index.ts";
import { fabricatedModel, SINK, SOURCE } from "../fabricated-run.ts";
import { beginOf, type EpochSubject, epochRows } from "./epoch-rows.ts";

const model = fabricatedModel(
  [
    { id: "s", ...SOURCE, parallelism: 2 },
    { id: "u", kind: "union", parallelism: 2 },
    { id: "t", ...SINK },
  ],
  [
    { id: "a", from: "s", to: "u", route: { kind: "rebalance" } },
    { id: "b", from: "u", to: "t" },
  ],
);

const record = (said: Partial<EpochRecord>): EpochRecord => ({
  epoch: epoch(1),
  issuedMs: 100,
  completedMs: undefined,
  durableMs: undefined,
  committedMs: undefined,
  failure: undefined,
  stateBytes: 0,
  reports: [],
  ...said,
});

const report = (task: number, atMs: number) => ({ task: taskId(task), atMs, bytes: 10 });

const subject = (aligned: readonly (readonly [task: number, ms: number])[] = [], isOver = false): EpochSubject => ({
  model,
  run: {
    isOver,
    timelines: {
      passages: new Map([[1, aligned.map(([task, alignedMs]) => ({ epoch: 1, task, atMs: 0, alignedMs }))]]),
    },
  },
});

describe("an epoch as a line", () => {
  it("names who waited longest for the barrier, not who merely came last in the stream", () => {
    const done = record({
      completedMs: 488,
      durableMs: 490,
      committedMs: 500,
      stateBytes: 1_200_000,
      reports: [report(2, 450), report(4, 488)],
    });
    const [row] = epochRows(
      subject([
        // A source waits for no barrier on other inputs, whatever keeps it from sending its own.
        [0, 900],
        [2, 300],
        [3, 20],
      ]),
      [done],
      1000,
    );
    expect(row).toMatchObject({
      state: "committed",
      slowest: "u · 0",
      aligned: "388 ms",
      durable: "390 ms",
      committed: "400 ms",
      bytes: "1.20 MB",
    });
  });

  it("that is under way says who still owes a report, and its time grows", () => {
    const [row] = epochRows(subject(), [record({ reports: [report(0, 110), report(1, 112), report(2, 120)] })], 314);
    expect(row).toMatchObject({
      state: "aligning",
      slowest: "u · 1 and 1 more",
      aligned: "214 ms +",
      durable: "waiting",
      open: true,
    });
  });

  it("that was given up says so, and one that a run left behind waits for nothing", () => {
    const [given] = epochRows(subject(), [record({ failure: "epoch 1 did not complete" })], 900);
    expect(given).toMatchObject({ state: "given up", aligned: "given up", open: false });
    const [left] = epochRows(subject([], true), [record({})], 900);
    expect(left).toMatchObject({ open: false, durable: "–" });
  });

  it("that ended sources made of themselves began where it was seen first, and nothing of it lies before", () => {
    const last = record({
      issuedMs: undefined,
      completedMs: 130,
      durableMs: 140,
      reports: [report(0, 110), report(1, 128)],
    });
    const passages = new Map([[1, [{ epoch: 1, task: 0, atMs: 108, alignedMs: 3 }]]]);
    const [row] = epochRows({ model, run: { isOver: true, timelines: { passages } } }, [last], 200);
    expect(row).toMatchObject({ aligned: "25 ms", durable: "35 ms" });
    expect(beginOf(last)).toBe(110);
    expect(beginOf(record({ issuedMs: undefined }))).toBe(0);
  });

  it("stands above the older ones", () => {
    const rows = epochRows(subject(), [record({}), record({ epoch: epoch(2) })], 200);
    expect(rows.map((row) => row.epoch)).toEqual([2, 1]);
  });
});
