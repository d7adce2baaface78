import { expect, test } from "vitest";
import { type EdgeEnds, edgeGeometry } from "./edge-geometry.ts";

const ends = (more: Partial<EdgeEnds>): EdgeEnds => ({
  sourceX: 204.5,
  sourceY: 22,
  targetX: 395.5,
  targetY: 22,
  sourceHeight: 44,
  mayDrop: true,
  ...more,
});

test("an edge ahead is a curve whose middle lies half-way", () => {
  expect(edgeGeometry(ends({ targetY: 122 }))).toMatchObject({ x: 300, y: 72, drops: false });
});

test("to a card below, the edge drops from the lower side to the upper", () => {
  const { path, x, y, drops } = edgeGeometry(ends({ targetX: -4.5, targetY: 222 }));
  expect({ path, x, y, drops }).toEqual({ path: "M100 44L100 200", x: 100, y: 122, drops: true });
});

test("it does not drop from a card with several ports, of unknown height, or onto one that overlaps", () => {
  const below = { targetX: -4.5, targetY: 222 };
  expect(edgeGeometry(ends({ ...below, mayDrop: false })).drops).toBe(false);
  expect(edgeGeometry(ends({ ...below, sourceHeight: undefined })).drops).toBe(false);
  expect(edgeGeometry(ends({ targetX: -4.5, targetY: 50 })).drops).toBe(false);
});
