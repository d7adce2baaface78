import { describe, expect, it } from "vitest";
import { fabricatedFrame, fabricatedModel, SINK, SOURCE, sharesOf } from "./fabricated-run.ts";
import { pressureOf } from "./pressure.ts";

const model = fabricatedModel(
  [
    { id: "s", ...SOURCE },
    { id: "a", kind: "union" },
    { id: "b", kind: "union" },
    { id: "t", ...SINK },
  ],
  [
    { id: "sa", from: "s", to: "a" },
    { id: "ab", from: "a", to: "b" },
    { id: "bt", from: "b", to: "t" },
  ],
);
const ring = (id: string): number => model.ringsOf.get(id)?.[0]?.id as number;
const task = (node: string): number => model.tasksOf.get(node)?.[0]?.task.id as number;

/** `fill` by edge; a sender in `sends` spent its time waiting for that edge. */
function trends(fill: Readonly<Record<number, number>>, sends: Readonly<Record<number, number>> = {}) {
  return {
    fill: Float64Array.from(model.plan.edges, ({ id }) => fill[id] ?? 0),
    target: Int32Array.from(model.plan.tasks, ({ id }) => sends[id] ?? -1),
    shares: (id: number) => sharesOf(id in sends ? "Sending" : "Working"),
  };
}

describe("backpressure is told at its cause", () => {
  it("in a row of full edges the fault is of the last task, which does not wait itself", () => {
    const { full, slow } = pressureOf(model, fabricatedFrame(model), trends({ [ring("sa")]: 1, [ring("ab")]: 0.95 }));
    expect([...full]).toEqual([ring("sa"), ring("ab")]);
    expect([...slow]).toEqual([task("b")]);
  });

  it("an edge that its sender waits for counts, though it is half empty when the sender is woken", () => {
    const found = pressureOf(model, fabricatedFrame(model), trends({ [ring("sa")]: 0.6 }, { [task("s")]: ring("sa") }));
    expect([...found.slow]).toEqual([task("a")]);
  });

  it("a sender that was not woken yet over an empty ring is no backpressure", () => {
    const found = pressureOf(model, fabricatedFrame(model), trends({ [ring("sa")]: 0.1 }, { [task("s")]: ring("sa") }));
    expect([found.full.size, found.slow.size]).toEqual([0, 0]);
  });

  it("a held edge is not the fault of its reader, which waits for a barrier", () => {
    const frame = fabricatedFrame(model, {}, { [ring("sa")]: { held: true } });
    expect(pressureOf(model, frame, trends({ [ring("sa")]: 1 })).slow.size).toBe(0);
  });
});
