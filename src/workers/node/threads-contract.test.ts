import { afterAll, describe, expect, it } from "vitest";
import type { ErrorData } from "../../engine/base/errors.ts";
import { type Batch, ThreadsExecutor, type ThreadsRun } from "../../engine/index.ts";
import {
  type ExecutorUnderTest,
  executorCases,
  type OutcomeUnderTest,
  type RunUnderTest,
} from "../../engine/testing/executor-contract.ts";
import { planned } from "../../engine/testing/planned.ts";
import { rowLines } from "../../engine/testing/row-text.ts";
import { cores, spawnHost } from "./spawn-host.ts";

const DEADLINE_MS = 30_000;

const alive = new Set<object>();
const executor = new ThreadsExecutor({
  cores: cores(),
  spawn: (host) => {
    const handle = spawnHost(host);
    alive.add(handle);
    return {
      ...handle,
      end: async () => {
        await handle.end();
        alive.delete(handle);
      },
    };
  },
});

class ThreadsRunUnderTest implements RunUnderTest {
  readonly over: Promise<OutcomeUnderTest>;
  private readonly run: ThreadsRun;
  private readonly shown = new Map<string, Batch[]>();
  private readonly notes: ErrorData[] = [];
  private waiting: {
    readonly met: () => boolean;
    readonly resolve: () => void;
    readonly reject: (e: Error) => void;
  }[] = [];

  constructor(document: Parameters<ExecutorUnderTest["start"]>[0]) {
    const { plan } = planned(document);
    this.run = executor.start(plan, {
      files: { folder: ".", attached: {} },
      onRows: (node, batch) => {
        this.shown.set(node, [...(this.shown.get(node) ?? []), batch]);
        this.look();
      },
      onNote: (note) => this.notes.push(note),
    });
    this.run.onChange(() => this.look());
    this.over = this.run.outcome.then((outcome) => {
      this.look();
      for (const waiter of this.waiting) waiter.reject(new Error(`the run is over: ${JSON.stringify(outcome)}`));
      const { epochs } = this.run.coordinator;
      return {
        ...outcome,
        rows: new Map([...this.shown].map(([node, batches]) => [node, rowLines(batches)])),
        completed: epochs.filter((e) => e.completedMs !== undefined).map((e) => e.epoch),
        committed: epochs.filter((e) => e.committedMs !== undefined).map((e) => e.epoch),
      };
    });
  }

  rows(sink: string, atLeast: number): Promise<void> {
    return this.until(() => (this.shown.get(sink) ?? []).reduce((sum, batch) => sum + batch.rowCount, 0) >= atLeast);
  }

  committed(epochs: number): Promise<void> {
    return this.until(() => this.run.coordinator.epochs.filter((e) => e.committedMs !== undefined).length >= epochs);
  }

  barrier(): void {
    this.run.barrier();
  }

  stop(): void {
    this.run.stop();
  }

  cancel(): void {
    this.run.cancel();
  }

  pause(): void {
    this.run.pause();
  }

  resume(): void {
    this.run.resume();
  }

  kill(task: number): void {
    this.run.killHost(this.run.hostOfTask(task));
  }

  private until(met: () => boolean): Promise<void> {
    if (met()) return Promise.resolve();
    return new Promise((resolve, reject) => this.waiting.push({ met, resolve, reject }));
  }

  private look(): void {
    for (const waiter of this.waiting) if (waiter.met()) waiter.resolve();
    this.waiting = this.waiting.filter((waiter) => !waiter.met());
  }
}

const threads: ExecutorUnderTest = {
  name: "threads",
  start: (document) => Promise.resolve(new ThreadsRunUnderTest(document)),
};

describe("worker threads as an executor", () => {
  for (const each of executorCases) it(each.name, () => each.run(threads), DEADLINE_MS);

  afterAll(() => {
    expect(alive.size, "workers left after all runs (P-58)").toBe(0);
  });
});
