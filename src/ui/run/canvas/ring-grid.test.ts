import { expect, test } from "vitest";
import { fabricatedModel, SINK, SOURCE } from "../fabricated-run.ts";
import { line } from "./curve.ts";
import { around } from "./places.ts";
import { gridPlaces } from "./ring-grid.ts";

const MIDDLE = { x: 260, y: 22, drops: false };
const CURVE = line({ x: 200, y: 22 }, { x: 320, y: 22 });

function placesOf(parallelism: number, route: object) {
  const model = fabricatedModel(
    [
      { id: "a", ...SOURCE, parallelism },
      { id: "b", ...SINK, parallelism },
    ],
    [{ id: "e", from: "a", to: "b", route }],
    { ringBudgetMiB: 2000 },
  );
  const rings = (model.ringsOf.get("e") ?? []).map(({ id }) => id as number);
  return gridPlaces(model, rings, MIDDLE, CURVE);
}

test("however many rings an edge has, they stand between its cards, each in a cell of its own", () => {
  for (const parallelism of [8, 32, 64]) {
    const places = placesOf(parallelism, { kind: "shuffle", columns: ["n"] });
    expect(places).toHaveLength(parallelism ** 2);
    const { x, y, w, h } = around(places);
    expect(x).toBeGreaterThan(CURVE.from.x);
    expect(x + w).toBeLessThan(CURVE.to.x);
    expect(y).toBeGreaterThanOrEqual(MIDDLE.y - 30);
    expect(h).toBeLessThan(90);
    expect(new Set(places.map(({ box }) => `${box.x} ${box.y}`)).size).toBe(places.length);
  }
});

test("the rings of a forward edge make a square", () => {
  const { w, h } = around(placesOf(64, { kind: "forward" }));
  expect(w).toBeCloseTo(h);
});
