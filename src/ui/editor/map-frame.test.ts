import { expect, test } from "vitest";
import { mapFrame } from "./map-frame.ts";

const MAP = { width: 200, height: 150 };

test("a map holds all that it shows, in its middle, and as large as it can be", () => {
  const wide = [
    { x: -100, y: 0, width: 50, height: 20 },
    { x: 800, y: 100, width: 50, height: 20 },
  ];
  const { x, y, scale } = mapFrame(wide, MAP);
  const left = (-100 - x) * scale;
  const right = (850 - x) * scale;
  const top = (0 - y) * scale;
  const bottom = (120 - y) * scale;
  expect([left, 200 - right]).toEqual([expect.closeTo(5), expect.closeTo(5)]);
  expect(top).toBeCloseTo(150 - bottom);
  expect(top).toBeGreaterThan(5);
});
