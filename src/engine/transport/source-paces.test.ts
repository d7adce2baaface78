import { describe, expect, it } from "vitest";
import { attempt, taskId } from "../base/ids.ts";
import { layoutRun } from "./ring-layout.ts";
import { allocateRunMemory, resetRun } from "./run-memory.ts";
import { SourcePaces } from "./source-paces.ts";

describe("how far sources have come", () => {
  const layout = layoutRun({ edges: [], hosts: 2, ringBudgetMiB: 2, probeBytes: 0, pacedTasks: 3 });
  const { buffer } = allocateRunMemory(layout.totalBytes);

  it("is what was told last, of each task its own, for every host; and nothing before", () => {
    const [here, there] = [new SourcePaces(buffer, layout), new SourcePaces(buffer, layout)];
    here.tell(taskId(0), -5.5);
    here.tell(taskId(2), 8e15);
    expect([0, 1, 2].map((task) => there.of(taskId(task)))).toEqual([-5.5, undefined, 8e15]);
    here.tell(taskId(0), undefined);
    expect([there.of(taskId(0)), there.of(taskId(2))]).toEqual([undefined, 8e15]);
  });

  it("D-9: nothing of an attempt is known to the next one", () => {
    const paces = new SourcePaces(buffer, layout);
    paces.tell(taskId(1), 7);
    resetRun(buffer, layout, attempt(2));
    expect(paces.of(taskId(1))).toBeUndefined();
  });
});
