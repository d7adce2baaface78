import { describe, expect, it } from "vitest";
import { noFiles } from "../../testing/no-files.ts";
import { planned } from "../../testing/planned.ts";
import type { RunOutcome } from "../coordinator.ts";
import { Lab } from "./lab.ts";

const SEEDS = 50;

/** An endless source before a step that takes `delayMs` for a batch; a stop may take a millisecond. */
const endless = (delayMs: number) => ({
  format: "weir.graph/v1",
  settings: { barrierEveryMs: 5, stopTimeoutMs: 1, epochTimeoutMs: 1_000_000 },
  nodes: [
    {
      id: "a",
      kind: "source.generator",
      config: { rows: 0, batchRows: 2, fields: [{ kind: "sequence", name: "n" }] },
    },
    { id: "b", kind: "throttle", parallelism: 2, config: { delayMsPerBatch: delayMs } },
    { id: "t", kind: "sink.table" },
  ],
  edges: [
    { id: "e", from: "a", to: "b", route: { kind: "rebalance" } },
    { id: "f", from: "b", to: "t" },
  ],
});

async function stopped(delayMs: number, seed: number): Promise<RunOutcome | undefined> {
  const lab = await Lab.create(planned(endless(delayMs)).plan, { seed, files: noFiles });
  await lab.run(() => lab.moveCount >= 60);
  lab.apply({ by: "person", kind: "stop" });
  return lab.run();
}

describe("deadlines in the lab", () => {
  it(`never pass while something can still be done: a stop is in time for ${SEEDS} seeds, because work takes no time (D-16, D-50)`, async () => {
    for (let seed = 1; seed <= SEEDS; seed++)
      expect(await stopped(0, seed), `seed ${seed}`).toEqual({ kind: "stopped" });
  });

  it("pass when everything that is left waits for longer: a stop that takes too long fails the run (D-16)", async () => {
    const outcome = await stopped(1000, 1);
    expect(outcome).toMatchObject({ kind: "failed", error: { code: "stop-timeout" } });
  });
});
