import { describe, expect, it } from "vitest";
import { type EpochRecord, epoch, taskId } from "../engine/index.ts";
import { EpochNews } from "./epoch-news.ts";

const record = (number: number): EpochRecord => ({
  epoch: epoch(number),
  issuedMs: 100,
  completedMs: undefined,
  durableMs: undefined,
  committedMs: undefined,
  failure: undefined,
  stateBytes: 0,
  reports: [],
});

describe("news of epochs", () => {
  it("are the records that are new or changed in any way since the last time", () => {
    const news = new EpochNews();
    const [first, second] = [record(1), record(2)];
    expect(news.take([first])).toEqual([first]);
    expect(news.take([first, second])).toEqual([second]);
    expect(news.take([first, second])).toEqual([]);
    const changes: ((changed: EpochRecord) => void)[] = [
      (changed) => changed.reports.push({ task: taskId(0), atMs: 120, bytes: 0 }),
      (changed) => Object.assign(changed, { stateBytes: 7 }),
      (changed) => Object.assign(changed, { completedMs: 130 }),
      (changed) => Object.assign(changed, { durableMs: 131 }),
      (changed) => Object.assign(changed, { committedMs: 132 }),
      (changed) => Object.assign(changed, { issuedMs: 99 }),
      (changed) => Object.assign(changed, { failure: "epoch 1 did not complete" }),
    ];
    for (const change of changes) {
      change(first);
      expect(news.take([first, second])).toEqual([first]);
      expect(news.take([first, second])).toEqual([]);
    }
  });
});
