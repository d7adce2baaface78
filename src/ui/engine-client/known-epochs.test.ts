import { describe, expect, it } from "vitest";
import { type EpochRecord, epoch } from "../../engine/index.ts";
import { withNews } from "./known-epochs.ts";

const record = (number: number, stateBytes = 0): EpochRecord => ({
  epoch: epoch(number),
  issuedMs: undefined,
  completedMs: undefined,
  durableMs: undefined,
  committedMs: undefined,
  failure: undefined,
  stateBytes,
  reports: [],
});

describe("the epochs that a page knows", () => {
  it("get what changed, in its place, and keep the others as they are", () => {
    const known = [record(3), record(4), record(6)];
    const next = withNews(known, [record(5, 1), record(4, 2), record(7)], 3);
    expect(next.map((each) => [Number(each.epoch), each.stateBytes])).toEqual([
      [3, 0],
      [4, 2],
      [5, 1],
      [6, 0],
      [7, 0],
    ]);
    expect(next[0]).toBe(known[0]);
    expect(next[3]).toBe(known[2]);
  });

  it("are the same list when there is no news, and lose those that are no longer told of", () => {
    const known = [record(3), record(4)];
    expect(withNews(known, [], 3)).toBe(known);
    expect(withNews(known, [], 4)).toEqual([record(4)]);
  });
});
