import { describe, expect, it } from "vitest";
import { probeShape } from "../../engine/index.ts";
import { fabricatedFrame, fabricatedModel, SINK, SOURCE } from "../run/fabricated-run.ts";
import { RunTrends } from "./run-trends.ts";

const model = fabricatedModel(
  [
    { id: "s", ...SOURCE },
    { id: "t", ...SINK },
  ],
  [{ id: "e", from: "s", to: "t" }],
);
const trendsNow = () => new RunTrends(probeShape(model.plan), model.plan);

describe("rates", () => {
  it("are rows over the last second, and unknown before there is something to compare", () => {
    const trends = trendsNow();
    const at = (ms: number, rows: number) => {
      const frame = fabricatedFrame(model);
      const stages = frame.stages.map((stage) => ({ ...stage, rowsOut: rows }));
      trends.sample({ ...frame, stages }, ms);
    };
    at(1000, 0);
    expect(trends.rowsPerSecond(0, "out")).toBeUndefined();
    for (let ms = 1050; ms <= 4000; ms += 50) at(ms, ms < 3000 ? 0 : ms - 3000);
    expect(trends.rowsPerSecond(0, "out")).toBeCloseTo(1000);
    for (let ms = 4050; ms <= 6000; ms += 50) at(ms, 1000);
    expect(trends.rowsPerSecond(0, "out")).toBe(0);
  });
});

describe("shares of states", () => {
  it("count the current stay, which is not booked yet", () => {
    const trends = trendsNow();
    const spent = (Working: number) => ({ ...fabricatedFrame(model).tasks[0]?.spentMs, Working }) as never;
    trends.sample(fabricatedFrame(model, { 0: { state: "Sending", forMs: 0, spentMs: spent(100) } }), 1000);
    trends.sample(fabricatedFrame(model, { 0: { state: "Sending", forMs: 300, spentMs: spent(200) } }), 1400);
    const shares = trends.shares(0);
    expect([shares.Working, shares.Sending, shares.Polling]).toEqual([0.25, 0.75, 0]);
  });

  it("are all nothing where the clock stands still", () => {
    const trends = trendsNow();
    for (const ms of [0, 100, 200]) trends.sample(fabricatedFrame(model), ms);
    expect(Object.values(trends.shares(0)).every((share) => share === 0)).toBe(true);
  });
});
