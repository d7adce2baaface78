import { describe, expect, test } from "vitest";
import { type EpochRecord, epoch, taskId } from "../../../engine/index.ts";
import { sharesOf, taskReading } from "../fabricated-run.ts";
import { lastCompleted, loadOf, meanLoad, skewOf, snapshotBytes, wholeShares } from "./task-figures.ts";

const zeros = taskReading().spentMs;

describe("figures of a node's tasks", () => {
  test("the whole time of a task has the stay that goes on, and nothing after its end", () => {
    const spentMs = { ...zeros, Working: 30, Receiving: 50 };
    expect(wholeShares(taskReading({ spentMs, state: "Receiving", forMs: 20 }))).toMatchObject({
      Working: 0.3,
      Receiving: 0.7,
    });
    const done = wholeShares(taskReading({ spentMs: { ...spentMs, Done: 900 }, state: "Done", forMs: 9000 }));
    expect(done).toMatchObject({ Working: 0.375, Receiving: 0.625, Done: 0 });
    expect(wholeShares(taskReading()).Working).toBe(0);
  });

  test("a node is as busy as its tasks on the average", () => {
    const busy = loadOf({ ...sharesOf("Receiving"), Receiving: 0.5, Working: 0.2, Polling: 0.2, Sending: 0.1 });
    expect(busy).toEqual({ busy: 0.4, idle: 0.5, backpressured: 0.1, aligning: 0 });
    const idle = loadOf({ ...sharesOf("Receiving"), Receiving: 1 });
    expect(meanLoad([busy, idle])).toEqual({ busy: 0.2, idle: 0.75, backpressured: 0.05, aligning: 0 });
    expect(meanLoad([]).busy).toBe(0);
  });

  test("skew names the task with most rows, as a multiple of the mean", () => {
    expect(skewOf([10, 70, 10, 10])).toEqual({ index: 1, times: 2.8 });
    expect(skewOf([5, 5])).toEqual({ index: 0, times: 1 });
    expect(skewOf([0, 0])).toBeUndefined();
    expect(skewOf([])).toBeUndefined();
  });

  test("state is that of the newest epoch that completed, and a task that had ended has none in it", () => {
    const record = (number: number, completedMs: number | undefined): EpochRecord => ({
      epoch: epoch(number),
      issuedMs: 0,
      completedMs,
      durableMs: undefined,
      committedMs: undefined,
      failure: undefined,
      stateBytes: 7,
      reports: [{ task: taskId(1), atMs: 5, bytes: 7 }],
    });
    const last = lastCompleted([record(1, 10), record(2, 20), record(3, undefined)]);
    expect(last?.epoch).toBe(2);
    expect([snapshotBytes(last, 1), snapshotBytes(last, 0)]).toEqual([7, undefined]);
    expect(snapshotBytes(lastCompleted([]), 1)).toBeUndefined();
  });
});
