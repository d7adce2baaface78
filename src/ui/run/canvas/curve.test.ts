import { expect, test } from "vitest";
import { curveOf, cutOut, type Point, pointAt } from "./curve.ts";

const CURVE = "M0 0C100 0 100 200 200 200";
const BOX = { x: 60, y: 92, w: 80, h: 16 };

/** How far a point is from the curve. */
function distance(path: string, { x, y }: Point): number {
  const curve = curveOf(path);
  if (curve === undefined) throw new Error(`no curve: ${path}`);
  const steps = Array.from({ length: 2001 }, (_, i) => pointAt(curve, i / 2000));
  return Math.min(...steps.map((point) => Math.hypot(point.x - x, point.y - y)));
}

test("the ways before and after a strip keep to the edge's curve and end at the strip", () => {
  for (const path of [CURVE, "M0 100L200 100", "M100 0C100 50 100 150 100 200"]) {
    const curve = curveOf(path);
    if (curve === undefined) throw new Error(`no curve: ${path}`);
    const { before, after } = cutOut(curve, BOX);
    for (let i = 0; i <= 20; i++) {
      expect(distance(path, pointAt(before, i / 20))).toBeLessThan(0.2);
      expect(distance(path, pointAt(after, i / 20))).toBeLessThan(0.2);
    }
    expect(before.from).toEqual(curve.from);
    expect(after.to).toEqual(curve.to);
    for (const { x, y } of [before.to, after.from]) {
      const toSide = Math.min(Math.abs(x - BOX.x), Math.abs(x - BOX.x - BOX.w));
      const toLevel = Math.min(Math.abs(y - BOX.y), Math.abs(y - BOX.y - BOX.h));
      expect(Math.min(toSide, toLevel)).toBeLessThan(0.2);
    }
  }
});
