import { describe, expect, it } from "vitest";
import { fabricatedModel, SINK, SOURCE, sharesOf, taskReading } from "../fabricated-run.ts";
import { laneText, overText, shareStripes } from "./lane-text.ts";

const model = fabricatedModel(
  [
    { id: "s", ...SOURCE },
    { id: "t", name: "Results", parallelism: 2, ...SINK },
  ],
  [{ id: "e", from: "s", to: "t", route: { kind: "rebalance" } }],
);
const second = model.ringsOf.get("e")?.[1]?.id as number;

describe("what a lane says of its task", () => {
  it("is the state and how long, when it stays", () => {
    const sending = taskReading({ state: "Sending", target: second, forMs: 180 });
    expect(laneText(model, sending, sharesOf("Sending"))).toEqual({
      state: "Sending",
      text: "Sending → Results · 1",
      measure: "180 ms",
    });
    const aligning = taskReading({ state: "Barrier", pendingEpoch: 12, forMs: 2140 });
    expect(laneText(model, aligning, sharesOf("Barrier"))).toEqual({
      state: "Barrier",
      text: "Barrier 12",
      measure: "2.1 s",
    });
  });

  it("is what took most of the last moment, when states change faster than an eye follows", () => {
    const shares = { ...sharesOf("Receiving"), Receiving: 0.36, Working: 0.62 };
    expect(laneText(model, taskReading({ state: "Receiving", forMs: 1 }), shares)).toEqual({
      state: "Working",
      text: "Working",
      measure: "62 %",
    });
  });

  it("has no measure at rest", () => {
    expect(laneText(model, taskReading({ state: "Done", forMs: 90_000 }), sharesOf("Done")).measure).toBe("");
  });
});

describe("what a lane says once the run is over", () => {
  const end = { kind: "end" } as const;

  it("is that a task of a cancelled or failed run was cut off, unless it had read everything", () => {
    for (const kind of ["cancelled", "failed"] as const) {
      expect(overText({ kind }, taskReading({ state: "Done" }))?.text).toBe("Cut off");
      expect(overText({ kind }, taskReading({ state: "Done", mark: end }))).toBeUndefined();
    }
    for (const kind of ["finished", "stopped"] as const)
      expect(overText({ kind }, taskReading({ state: "Done" }))).toBeUndefined();
    expect(overText(undefined, taskReading({ state: "Working" }))).toBeUndefined();
  });

  it("is that a task is gone that never came to its end, with what it did last", () => {
    const gone = { state: "Failed", text: "Gone", measure: "in Sending" };
    expect(overText({ kind: "failed" }, taskReading({ state: "Sending" }))).toEqual(gone);
    expect(overText({ kind: "failed" }, taskReading({ state: "Failed" }))).toBeUndefined();
  });
});

describe("where time went, as stripes", () => {
  it("are as wide as their shares, one beside the other", () => {
    const shares = { ...sharesOf("Receiving"), Receiving: 0.25, Working: 0.5 };
    expect(shareStripes(shares)).toBe(
      "linear-gradient(90deg, var(--fill-receiving) 0% 25%, var(--fill-working) 25% 75%, transparent 75%)",
    );
    expect(shareStripes(sharesOf("Done"))).toBe("none");
  });
});
