import { expect, test } from "vitest";
import { cardRoom, laneColumns } from "./card-room.ts";

test("lanes stand side by side as soon as they would be more than a card has room for", () => {
  expect([1, 8, 9, 16, 17, 64, 65, 128, 1000].map(laneColumns)).toEqual([1, 1, 2, 2, 4, 8, 16, 16, 16]);
});

test("a card of many tasks needs no more room than one of eight", () => {
  const room = (parallelism: number) => cardRoom({ kind: "filter", parallelism });
  expect(room(8)).toBeGreaterThan(room(4));
  expect(room(128)).toBe(room(8));
});
