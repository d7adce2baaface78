import { describe, expect, test } from "vitest";
import { Batch, Schema } from "../../engine/index.ts";
import { fabricatedFrame, fabricatedModel, SINK, SOURCE } from "../run/fabricated-run.ts";
import { TimeHistory, TimePoints } from "./time-history.ts";

const model = fabricatedModel(
  [
    { id: "s", ...SOURCE },
    { id: "t", ...SINK },
  ],
  [{ id: "e", from: "s", to: "t" }],
);
const at = (nowMs: number, ms: number | undefined, late = 0) => {
  const frame = fabricatedFrame(model, { 1: { mark: ms === undefined ? undefined : { kind: "time", ms } } });
  const stages = frame.stages.map((stage, index) =>
    index === 1 ? { ...stage, counters: { ...stage.counters, late } } : stage,
  );
  return { ...frame, nowMs, stages };
};

describe("event time against the run's clock", () => {
  test("a watermark is a point each time it moves; late rows are one at the time that they were behind", () => {
    const history = new TimeHistory(model.plan);
    for (const frame of [at(1, undefined), at(2, 100), at(3, 100), at(4, 200, 3), at(5, 200, 3)]) history.see(frame);
    expect(history.marks[1]?.points).toEqual([
      { atMs: 2, eventMs: 100 },
      { atMs: 4, eventMs: 200 },
    ]);
    expect(history.late.points).toEqual([{ atMs: 4, eventMs: 200 }]);
  });

  test("results are the event times of rows that became visible; a batch without them has none", () => {
    const history = new TimeHistory(model.plan);
    const batch = (times: Float64Array | null) => new Batch(new Schema([]), 3, [], times);
    history.addResults(7, batch(null));
    history.addResults(8, batch(Float64Array.of(50, 50, 60)));
    expect(history.results.points).toEqual([
      { atMs: 8, eventMs: 50 },
      { atMs: 8, eventMs: 60 },
    ]);
  });

  test("of very many points an even part is kept, from the beginning to now", () => {
    const points = new TimePoints();
    for (let n = 0; n < 100_000; n++) points.add({ atMs: n, eventMs: n });
    expect(points.points.length).toBeLessThanOrEqual(2000);
    expect(points.points[0]?.atMs).toBe(0);
    expect(points.points.at(-1)?.atMs).toBeGreaterThan(100_000 - 2 * points.every);
    const gaps = new Set(points.points.slice(1).map(({ atMs }, index) => atMs - (points.points[index]?.atMs ?? 0)));
    expect([...gaps]).toEqual([points.every]);
  });
});
