import { expect, test } from "vitest";
import { noticePlace } from "./notice-place.ts";
import type { Box } from "./places.ts";

const SIZE = { w: 236, h: 104 };
const CARD = { x: 700, y: 0, w: 200, h: 90 };
const SIGHT = { x: -50, y: -50, w: 1100, h: 600 };

const apart = (a: Box, b: Box): boolean => a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;

test("a notice lies before the inputs of its card, below them", () => {
  const place = noticePlace(CARD, SIZE, [CARD], SIGHT);
  expect(place).toMatchObject({ x: 700 - 236 - 36, y: 108 });
});

test("it covers no card, and is wholly in sight where there is room", () => {
  const others = [
    CARD,
    { x: 350, y: 0, w: 200, h: 90 },
    { x: 350, y: 190, w: 200, h: 90 },
    { x: 560, y: 100, w: 100, h: 60 },
  ];
  const place = noticePlace(CARD, SIZE, others, SIGHT);
  for (const other of others) expect(apart(place, other)).toBe(true);
  expect(place.x).toBeGreaterThanOrEqual(SIGHT.x);
  expect(place.y).toBeGreaterThanOrEqual(SIGHT.y);
  expect(place.x + place.w).toBeLessThanOrEqual(SIGHT.x + SIGHT.w);
  expect(place.y + place.h).toBeLessThanOrEqual(SIGHT.y + SIGHT.h);
});

test("where there is no room it covers little", () => {
  const wall = { x: -1000, y: -1000, w: 3000, h: 3000 };
  const place = noticePlace(CARD, SIZE, [wall], SIGHT);
  expect(place).toMatchObject({ x: 428, y: 108 });
});
