import { expect, test } from "vitest";
import { timeTicks } from "./time-ticks.ts";

test("an axis of times is in UTC, and as fine as its step", () => {
  const at = Date.UTC(2026, 0, 1, 23, 5, 7, 250);
  expect(timeTicks([at], 86_400_000)).toEqual(["2026-01-01"]);
  expect(timeTicks([at, at + 3_600_000], 3_600_000)).toEqual(["23:05", "00:05"]);
  expect(timeTicks([at], 5000)).toEqual(["23:05:07"]);
  expect(timeTicks([at], 50)).toEqual(["05:07.250"]);
});
