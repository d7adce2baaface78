import { describe, expect, it } from "vitest";
import { epoch, taskId } from "../base/ids.ts";
import type { ControlMessage } from "../core/messages.ts";
import { ControlReader, type ControlRecord, ControlWriter } from "./control-ring.ts";
import { CONTROL_RECORDS, type HostRegion, layoutRun } from "./ring-layout.ts";

function controlRing() {
  const layout = layoutRun({ edges: [], hosts: 2, ringBudgetMiB: 1, probeBytes: 0 });
  const buffer = new SharedArrayBuffer(layout.totalBytes);
  const host = layout.hosts[1] as HostRegion;
  const reader = new ControlReader(buffer, host);
  const found: boolean[] = [];
  const writer = new ControlWriter(buffer, host, { ring: () => found.push(reader.ready) });
  return { writer, reader, found };
}

function takeAll(reader: ControlReader): ControlRecord[] {
  const records: ControlRecord[] = [];
  for (let record = reader.take(); record !== null; record = reader.take()) records.push(record);
  return records;
}

const barrier = (n: number): ControlMessage => ({ kind: "barrier", epoch: epoch(n) });

describe("control ring", () => {
  it("F-28: every word arrives at its task, in the order of sending", () => {
    const { writer, reader } = controlRing();
    const words: ControlRecord[] = [
      { task: taskId(0), message: barrier(1) },
      { task: taskId(70_000), message: { kind: "commit", epoch: epoch(2 ** 40) } },
      { task: taskId(3), message: { kind: "stop" } },
      { task: taskId(3), message: { kind: "close-control" } },
    ];
    for (const { task, message } of words) writer.send(task, message);
    expect(reader.ready).toBe(true);
    expect(takeAll(reader)).toEqual(words);
    expect([reader.ready, reader.take()]).toEqual([false, null]);
  });

  it("P-12: the bell is rung after the words are there", () => {
    const { writer, found } = controlRing();
    writer.send(taskId(0), barrier(1));
    writer.send(taskId(1), barrier(1));
    expect(found).toEqual([true, true]);
  });

  it("what the ring has no room for is held back, not lost, and follows in order", () => {
    const { writer, reader, found } = controlRing();
    const sent = 3 * CONTROL_RECORDS + 5;
    for (let n = 1; n <= sent; n++) writer.send(taskId(0), barrier(n));
    expect(writer.held).toBe(sent - CONTROL_RECORDS);
    const epochs: number[] = [];
    for (let round = 0; round < 4; round++) {
      for (const { message } of takeAll(reader)) epochs.push("epoch" in message ? message.epoch : 0);
      writer.flush();
    }
    expect(epochs).toEqual(Array.from({ length: sent }, (_, i) => i + 1));
    expect(writer.held).toBe(0);
    const rings = found.length;
    writer.flush();
    expect(found.length).toBe(rings);
  });
});
