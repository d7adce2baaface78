import { setImmediate } from "node:timers/promises";
import { describe, it } from "vitest";
import { nodeId, taskId } from "../../base/ids.ts";
import {
  type ExecutorUnderTest,
  executorCases,
  type OutcomeUnderTest,
  type RunUnderTest,
} from "../../testing/executor-contract.ts";
import { noFiles } from "../../testing/no-files.ts";
import { planned } from "../../testing/planned.ts";
import { rowLines } from "../../testing/row-text.ts";
import type { Plan } from "../../topology/physical-plan.ts";
import { Lab } from "./lab.ts";

/** Moves between two looks at what the test waits for. */
const SLICE = 200;

const lab: ExecutorUnderTest = {
  name: "lab",
  start: async (document) => {
    const { plan } = planned(document);
    return new LabRun(plan, await Lab.create(plan, { seed: 1, files: noFiles, maxMoves: 5_000_000 }));
  },
};

class LabRun implements RunUnderTest {
  readonly over: Promise<OutcomeUnderTest>;
  private readonly plan: Plan;
  private readonly lab: Lab;
  private waiting: {
    readonly met: () => boolean;
    readonly resolve: () => void;
    readonly reject: (e: Error) => void;
  }[] = [];
  private paused = false;

  constructor(plan: Plan, made: Lab) {
    this.plan = plan;
    this.lab = made;
    this.over = this.work();
  }

  rows(sink: string, atLeast: number): Promise<void> {
    return this.until(() => this.lab.rows(nodeId(sink)).reduce((sum, batch) => sum + batch.rowCount, 0) >= atLeast);
  }

  committed(epochs: number): Promise<void> {
    return this.until(() => this.lab.coordinator.epochs.filter((e) => e.committedMs !== undefined).length >= epochs);
  }

  barrier(): void {
    this.lab.apply({ by: "person", kind: "barrier" });
  }

  stop(): void {
    this.lab.apply({ by: "person", kind: "stop" });
  }

  cancel(): void {
    this.lab.apply({ by: "person", kind: "cancel" });
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }

  kill(task: number): void {
    this.lab.apply({ by: "person", kind: "kill", task: taskId(task) });
  }

  private until(met: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => this.waiting.push({ met, resolve, reject }));
  }

  private async work(): Promise<OutcomeUnderTest> {
    while (this.lab.outcome === undefined) {
      let moves = 0;
      if (!this.paused) await this.lab.run(() => moves++ >= SLICE);
      for (const waiter of this.waiting) if (waiter.met()) waiter.resolve();
      this.waiting = this.waiting.filter((waiter) => !waiter.met());
      await setImmediate();
    }
    for (const waiter of this.waiting) waiter.reject(new Error(`the run is over: ${JSON.stringify(this.lab.outcome)}`));
    const { epochs } = this.lab.coordinator;
    return {
      ...this.lab.outcome,
      rows: new Map(
        this.plan.tasks.flatMap((task) => task.stages).map(({ node }) => [node, rowLines(this.lab.rows(node))]),
      ),
      completed: epochs.filter((e) => e.completedMs !== undefined).map((e) => e.epoch),
      committed: epochs.filter((e) => e.committedMs !== undefined).map((e) => e.epoch),
    };
  }
}

describe("the lab as an executor", () => {
  for (const each of executorCases) it(each.name, () => each.run(lab));
});
