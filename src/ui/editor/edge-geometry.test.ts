import { expect, test } from "vitest";
import { type EdgeEnds, edgeGeometry } from "./edge-geometry.ts";

const ends = (more: Partial<EdgeEnds>): EdgeEnds => ({
  sourceX: 203.5,
  sourceY: 22,
  targetX: 396.5,
  targetY: 22,
  drop: undefined,
  ...more,
});

test("an edge ahead is a curve whose middle lies half-way", () => {
  expect(edgeGeometry(ends({ targetY: 122 }))).toMatchObject({ x: 300, y: 72, drops: false });
});

test("to a card below, the edge drops from the lower side to the upper", () => {
  const { path, x, y, drops } = edgeGeometry(ends({ targetX: -3.5, targetY: 222, drop: { from: 44, to: 200 } }));
  expect({ path, x, y, drops }).toEqual({ path: "M100 44L100 200", x: 100, y: 122, drops: true });
});

test("it does not drop where it may not, onto a card that overlaps, or far to the side", () => {
  expect(edgeGeometry(ends({ targetX: -3.5, targetY: 222 })).drops).toBe(false);
  expect(edgeGeometry(ends({ targetX: -3.5, targetY: 50, drop: { from: 44, to: 28 } })).drops).toBe(false);
  expect(edgeGeometry(ends({ targetY: 222, drop: { from: 44, to: 200 } })).drops).toBe(false);
});
