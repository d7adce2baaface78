import { describe, expect, it } from "vitest";
import { holdChain, holdingInput, leastMark, TimeText } from "./event-time.ts";
import { fabricatedFrame, fabricatedModel, SINK, SOURCE } from "./fabricated-run.ts";

const time = (ms: number) => ({ kind: "time", ms }) as const;
const idle = { kind: "idle" } as const;
const end = { kind: "end" } as const;

const model = fabricatedModel(
  [
    { id: "a", ...SOURCE },
    { id: "b", ...SOURCE },
    { id: "c", ...SOURCE },
    { id: "u", kind: "union" },
    { id: "t", ...SINK },
  ],
  [
    { id: "ea", from: "a", to: "u" },
    { id: "eb", from: "b", to: "u" },
    { id: "ec", from: "c", to: "u" },
    { id: "et", from: "u", to: "t" },
  ],
);
const ring = (id: string): number => model.ringsOf.get(id)?.[0]?.id as number;
const task = (node: string): number => model.tasksOf.get(node)?.[0]?.task.id as number;

describe("the least of several times (D-3)", () => {
  it("is silence before a time, a time before idleness, idleness before the end", () => {
    expect(leastMark([time(5), undefined, end])).toBeUndefined();
    expect(leastMark([end, time(7), idle, time(5)])).toEqual(time(5));
    expect(leastMark([end, idle])).toEqual(idle);
    expect(leastMark([end, end])).toEqual(end);
    expect(leastMark([])).toBeUndefined();
  });
});

describe("the input that holds time back", () => {
  it("is one that has not spoken, before one with the least time; idle and ended ones hold nothing", () => {
    const at = (edges: Parameters<typeof fabricatedFrame>[2]) =>
      holdingInput(model, fabricatedFrame(model, {}, edges), task("u"));
    expect(at({ [ring("ea")]: { mark: time(5) }, [ring("eb")]: { mark: time(3) }, [ring("ec")]: { mark: idle } })).toBe(
      ring("eb"),
    );
    expect(at({ [ring("ea")]: { mark: time(5) }, [ring("eb")]: { mark: time(3) } })).toBe(ring("ec"));
    expect(
      at({ [ring("ea")]: { mark: end }, [ring("eb")]: { mark: idle }, [ring("ec")]: { ended: true } }),
    ).toBeUndefined();
  });

  it("is followed up to the source", () => {
    const frame = fabricatedFrame(
      model,
      { [task("u")]: { mark: time(3) }, [task("b")]: { mark: time(9) } },
      {
        [ring("et")]: { mark: time(3) },
        [ring("ea")]: { mark: time(5) },
        [ring("eb")]: { mark: time(3) },
        [ring("ec")]: { mark: time(4) },
      },
    );
    expect(holdChain(model, frame, task("t")).map(({ task: at }) => model.taskName(at))).toEqual(["t", "u", "b"]);
  });
});

describe("event times as text", () => {
  const written = (all: readonly number[]) => {
    const text = new TimeText();
    text.see(fabricatedFrame(model, Object.fromEntries(all.map((ms, index) => [index, { mark: time(ms) }]))));
    return all.map((ms) => text.time(ms));
  };

  it("are times of day while a run stays within one day, and get dates when it does not", () => {
    const noon = Date.UTC(2024, 5, 1, 12);
    expect(written([noon, noon + 28_100])).toEqual(["12:00:00.000", "12:00:28.100"]);
    expect(written([noon, noon + 3 * 86_400_000])).toEqual(["2024-06-01 12:00", "2024-06-04 12:00"]);
  });

  it("are plain numbers where a graph counts from nothing", () => {
    expect(written([5, 2000])).toEqual(["5", "2,000"]);
  });

  it("tell silence, idleness and the end apart", () => {
    const text = new TimeText();
    expect([text.mark(undefined), text.mark(idle), text.mark(end)]).toEqual(["none yet", "idle", "end"]);
  });
});
