import { describe, expect, it } from "vitest";
import { epoch, taskId } from "../base/ids.ts";
import { EpochLedger } from "./epoch-ledger.ts";

describe("EpochLedger", () => {
  it("writes down when an epoch was issued, reported, complete, durable and committed, and how large it is", () => {
    const ledger = new EpochLedger(epoch(0));
    ledger.issued(epoch(1), 10);
    ledger.reported(epoch(1), taskId(0), 100, 12);
    ledger.reported(epoch(1), taskId(2), 20, 15);
    ledger.completed(epoch(1), 15);
    ledger.durable(epoch(1), 18);
    ledger.committed(epoch(1), 18);
    expect(ledger.records).toEqual([
      {
        epoch: 1,
        issuedMs: 10,
        completedMs: 15,
        durableMs: 18,
        committedMs: 18,
        failure: undefined,
        stateBytes: 120,
        reports: [
          { task: 0, atMs: 12, bytes: 100 },
          { task: 2, atMs: 15, bytes: 20 },
        ],
      },
    ]);
  });

  it("keeps epochs in order, in whatever order they are heard of, and one record for each", () => {
    const ledger = new EpochLedger(epoch(0));
    for (const e of [3, 1, 2, 3, 1]) ledger.reported(epoch(e), taskId(0), 1, e);
    expect(ledger.records.map((record) => [record.epoch, record.reports.length])).toEqual([
      [1, 2],
      [2, 1],
      [3, 2],
    ]);
  });

  it("says why an epoch was given up (D-8)", () => {
    const ledger = new EpochLedger(epoch(0));
    ledger.failed(epoch(4), "not reported by slow · 0");
    expect(ledger.records[0]?.failure).toBe("not reported by slow · 0");
  });

  it("does not grow without bound: it keeps the newest 256", () => {
    const ledger = new EpochLedger(epoch(0));
    for (let e = 1; e <= 300; e++) ledger.issued(epoch(e), e);
    expect([ledger.records.length, ledger.records[0]?.epoch, ledger.records.at(-1)?.epoch]).toEqual([256, 45, 300]);
    ledger.reported(epoch(2), taskId(0), 1, 400);
    expect([ledger.records.length, ledger.records[0]?.epoch]).toEqual([256, 45]);
  });
});
