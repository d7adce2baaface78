import { describe, expect, it } from "vitest";
import { epoch } from "../base/ids.ts";
import { EpochStaging } from "./epoch-staging.ts";

const released = (staging: EpochStaging<string>, e: number): string[] =>
  staging.commit(epoch(e)).flatMap((sealed) => [...sealed.items]);

describe("EpochStaging", () => {
  it("FV-36 (F-73): rows become visible at the commit of their epoch, in order, and the open epoch is dropped on stop", () => {
    const staging = new EpochStaging<string>();
    const visible: string[] = [];
    const after: string[][] = [];
    const steps: (() => void)[] = [
      () => staging.add("r1"),
      () => staging.add("r2"),
      () => staging.seal(epoch(1)),
      () => staging.add("r3"),
      () => staging.seal(epoch(2)),
      () => staging.add("r4"),
      () => visible.push(...released(staging, 1)),
      () => visible.push(...released(staging, 2)),
      () => staging.drop(),
    ];
    for (const step of steps) {
      step();
      after.push([...visible]);
    }
    expect(after).toEqual([[], [], [], [], [], [], ["r1", "r2"], ["r1", "r2", "r3"], ["r1", "r2", "r3"]]);
    expect(released(staging, 9)).toEqual([]);
  });

  it("F-73: the commit of an epoch releases every sealed epoch up to it", () => {
    const staging = new EpochStaging<string>();
    for (const e of [1, 2, 3]) {
      staging.add(`r${e}`);
      staging.seal(epoch(e));
    }
    expect(staging.commit(epoch(2))).toEqual([
      { epoch: 1, items: ["r1"] },
      { epoch: 2, items: ["r2"] },
    ]);
    expect(staging.sealed).toEqual([{ epoch: 3, items: ["r3"] }]);
  });

  it("D-12: committing an epoch again changes nothing", () => {
    const staging = new EpochStaging<string>();
    staging.add("r1");
    staging.seal(epoch(1));
    expect([released(staging, 1), released(staging, 1)]).toEqual([["r1"], []]);
  });

  it("D-8, P-25: rows of an aborted epoch appear once, with the next epoch that commits", () => {
    const staging = new EpochStaging<string>();
    staging.add("of 4");
    staging.seal(epoch(4));
    staging.add("of 5");
    staging.seal(epoch(5));
    expect([released(staging, 5), released(staging, 5)]).toEqual([["of 4", "of 5"], []]);
  });

  it("D-13: only the open epoch counts as held", () => {
    const staging = new EpochStaging<string>();
    expect(staging.holdsOpen).toBe(false);
    staging.add("r1");
    expect(staging.holdsOpen).toBe(true);
    staging.seal(epoch(1));
    expect(staging.holdsOpen).toBe(false);
  });

  it("D-14: what was sealed at a checkpoint is committed after a restore as if nothing had happened", () => {
    const first = new EpochStaging<string>();
    first.add("r1");
    first.seal(epoch(1));
    first.add("r2");
    first.seal(epoch(2));
    const second = new EpochStaging<string>();
    second.restore(structuredClone(first.sealed));
    expect(released(second, 2)).toEqual(["r1", "r2"]);
  });

  it("D-8: an epoch is never sealed behind a newer one", () => {
    const staging = new EpochStaging<string>();
    staging.add("r1");
    staging.seal(epoch(2));
    expect(() => staging.seal(epoch(2))).toThrow(/sealed after epoch 2/);
    staging.commit(epoch(3));
    expect(() => staging.seal(epoch(3))).toThrow(/sealed after epoch 3/);
  });
});
