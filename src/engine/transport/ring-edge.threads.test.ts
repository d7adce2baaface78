import { Worker } from "node:worker_threads";
import { beforeAll, describe, expect, it } from "vitest";
import { bundleWorker } from "../../../scripts/lib/bundle-worker.mjs";
import { attempt, edgeId } from "../base/ids.ts";
import type { TransportJob, TransportReport } from "../testing/transport-roles.ts";
import { layoutRun } from "./ring-layout.ts";
import { allocateRunMemory, resetRun } from "./run-memory.ts";

/** Seconds on an idle machine; more than a minute where many share it. */
const DEADLINE_MS = 150_000;

let code: URL;

beforeAll(async () => {
  code = await bundleWorker("src/engine/testing/transport-roles.ts", "runTransportJob");
});

/** One writer a ring, one reader for all of them, each in a thread of its own; the reader's report first. */
async function race(writers: number, job: Pick<TransportJob, "messages" | "barrierEvery" | "spins">, capacity: number) {
  const edges = Array.from({ length: writers }, (_, i) => ({ id: edgeId(i), capacity }));
  const layout = layoutRun({ edges, hosts: writers + 1, ringBudgetMiB: 4, probeBytes: 0 });
  const { buffer } = allocateRunMemory(layout.totalBytes);
  resetRun(buffer, layout, attempt(1));
  const common = { ...job, buffer, layout, deadlineMs: DEADLINE_MS };
  return Promise.all([
    inWorker({ ...common, role: "add-up", edge: 0 }),
    ...edges.map((_, edge) => inWorker({ ...common, role: "count-up", edge })),
  ]);
}

function inWorker(job: TransportJob): Promise<TransportReport> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(code, { workerData: job });
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}

function expectAll(reports: readonly TransportReport[], writers: number, messages: number, barriers: number): void {
  const [reader] = reports as [TransportReport];
  expect(reader.sum).toBe((writers * messages * (messages - 1)) / 2);
  expect(reader.rows).toEqual(new Array(writers).fill(messages));
  expect(reader.barriers).toEqual(new Array(writers).fill(barriers));
  expect(reports.map((report) => report.lostWakeUps)).toEqual(reports.map(() => 0));
}

describe("ring edges between threads", { timeout: DEADLINE_MS }, () => {
  it("P-12: a million one-row messages through a ring of one slot arrive in order, and no wake-up is lost", async () => {
    const messages = 1_000_000;
    const reports = await race(1, { messages, barrierEvery: 0, spins: 200 }, 1);
    expectAll(reports, 1, messages, 0);
  });

  it("P-12: hosts that sleep whenever they can lose no wake-up", async () => {
    const messages = 20_000;
    const reports = await race(1, { messages, barrierEvery: 3, spins: 0 }, 1);
    expectAll(reports, 1, messages, Math.floor(messages / 3));
    expect(reports.reduce((sum, report) => sum + report.sleeps, 0)).toBeGreaterThan(0);
  });

  it("P-12: two producers wake one consumer, whichever of them writes just before it sleeps", async () => {
    const messages = 100_000;
    for (const spins of [0, 20]) {
      const reports = await race(2, { messages, barrierEvery: 7, spins }, 4);
      expectAll(reports, 2, messages, Math.floor(messages / 7));
    }
  });
});
