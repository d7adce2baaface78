import { describe, expect, it } from "vitest";
import type { PlanEdge } from "../../engine/index.ts";
import { alignments, barrierPlace } from "./alignment.ts";
import { fabricatedFrame, fabricatedModel, SINK, SOURCE } from "./fabricated-run.ts";

/** fast (0) and other (1) → slow (2) meet (3) → table (4); edges in plan order: fast→meet, other→slow, slow→meet, meet→table. */
const model = fabricatedModel(
  [
    { id: "fast", ...SOURCE },
    { id: "other", ...SOURCE },
    { id: "slow", kind: "union" },
    { id: "meet", kind: "union" },
    { id: "table", ...SINK },
  ],
  [
    { id: "quick", from: "fast", to: "meet" },
    { id: "wait", from: "other", to: "slow" },
    { id: "late", from: "slow", to: "meet" },
    { id: "out", from: "meet", to: "table" },
  ],
);
const ring = (id: string): PlanEdge => model.ringsOf.get(id)?.[0] as PlanEdge;
const task = (node: string): number => model.tasksOf.get(node)?.[0]?.task.id as number;

describe("who aligns", () => {
  it("is a task that has a barrier on some inputs and not on others; what waits behind it is held", () => {
    const frame = fabricatedFrame(
      model,
      { [task("meet")]: { pendingEpoch: 3 } },
      { [ring("quick").id]: { delivered: 3, held: true, queued: 5 } },
    );
    const [found, ...others] = alignments(model, frame);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ task: task("meet"), epoch: 3, held: 5 });
    expect(found?.delivered.map((edge) => model.inputName(edge))).toEqual(["fast"]);
    expect(found?.missing.map((edge) => model.inputName(edge))).toEqual(["slow"]);
  });

  it("is nobody when the other input has ended: an ended input owes no barrier (F-41)", () => {
    const frame = fabricatedFrame(
      model,
      { [task("meet")]: { pendingEpoch: 3 } },
      { [ring("quick").id]: { delivered: 3, held: true }, [ring("late").id]: { ended: true } },
    );
    expect(alignments(model, frame)).toEqual([]);
  });
});

describe("where a missing barrier is", () => {
  const place = (frame: ReturnType<typeof fabricatedFrame>) => barrierPlace(model, frame, 3, ring("late"));

  it("is in the ring before the task, behind what stands there first", () => {
    const frame = fabricatedFrame(
      model,
      { [task("meet")]: { completedEpoch: 2 } },
      { [ring("late").id]: { kinds: ["data", "watermark", "barrier", "data"] } },
    );
    expect(place(frame)).toEqual({ kind: "queued", edge: ring("late"), ahead: 2 });
  });

  it("is further up, where barriers of earlier epochs do not count", () => {
    const frame = fabricatedFrame(
      model,
      { [task("meet")]: { completedEpoch: 2 }, [task("slow")]: { completedEpoch: 1 } },
      { [ring("wait").id]: { kinds: ["barrier", "data", "barrier"] }, [ring("late").id]: { kinds: ["data"] } },
    );
    expect(place(frame)).toEqual({ kind: "queued", edge: ring("wait"), ahead: 2 });
  });

  it("is with a task that could not send it yet", () => {
    const frame = fabricatedFrame(model, { [task("slow")]: { completedEpoch: 3, state: "Sending" } });
    expect(place(frame)).toEqual({ kind: "unsent", task: task("slow") });
  });

  it("has not left a source that did not take it", () => {
    const frame = fabricatedFrame(model, {
      [task("slow")]: { completedEpoch: 2 },
      [task("other")]: { completedEpoch: 2 },
    });
    expect(place(frame)).toEqual({ kind: "source", task: task("other") });
  });

  it("is not known while it is just on its way", () => {
    const frame = fabricatedFrame(model, {
      [task("slow")]: { completedEpoch: 2 },
      [task("other")]: { completedEpoch: 3 },
    });
    expect(place(frame)).toBeUndefined();
  });
});
