import { afterEach, describe, expect, it, vi } from "vitest";
import { WeirError } from "../base/errors.ts";
import { attempt, edgeId } from "../base/ids.ts";
import { thrownBy } from "../testing/check.ts";
import { Doorbell } from "./doorbell.ts";
import { type HostRegion, layoutRun } from "./ring-layout.ts";
import { allocateRunMemory, prefault, resetRun } from "./run-memory.ts";
import { type FailureClaim, RunWords } from "./run-words.ts";

afterEach(() => vi.unstubAllGlobals());

const layout = layoutRun({ edges: [{ id: edgeId(0), capacity: 2 }], hosts: 2, ringBudgetMiB: 2, probeBytes: 640 });

function runMemory() {
  const memory = allocateRunMemory(layout.totalBytes);
  resetRun(memory.buffer, layout, attempt(1));
  return { ...memory, words: new RunWords(memory.buffer, layout) };
}

describe("memory of a run", () => {
  it("is the buffer of a WebAssembly memory of fixed size, so that kernels can work in it", () => {
    const { buffer, memory } = allocateRunMemory(100_000);
    expect(memory?.buffer).toBe(buffer);
    expect([buffer.byteLength, buffer.growable]).toEqual([131_072, false]);
  });

  it("is plain shared memory where WebAssembly is refused", () => {
    vi.stubGlobal("WebAssembly", undefined);
    const { buffer, memory } = allocateRunMemory(100_000);
    expect([memory, buffer instanceof SharedArrayBuffer, buffer.byteLength]).toEqual([undefined, true, 100_000]);
  });

  it("says which headers are missing where memory may not be shared", () => {
    vi.stubGlobal("SharedArrayBuffer", undefined);
    const error = thrownBy(() => allocateRunMemory(1000));
    expect(error).toBeInstanceOf(WeirError);
    expect((error as WeirError).data.code).toBe("no-shared-memory");
    expect((error as WeirError).data.hint).toContain("Cross-Origin-Embedder-Policy");
  });

  it("says how much it wanted when that cannot be had", () => {
    const error = thrownBy(() => allocateRunMemory(2 ** 53));
    expect((error as WeirError).data).toMatchObject({ code: "out-of-memory", hint: "lower settings.ringBudgetMiB" });
  });

  it("touching its pages changes nothing", () => {
    const bytes = new Uint8Array(new SharedArrayBuffer(20_000)).fill(7);
    prefault(bytes.buffer as SharedArrayBuffer);
    expect(bytes.every((byte) => byte === 7)).toBe(true);
  });

  it("D-9: a reset leaves nothing of the attempt before in words, bells and probes, and carries the new one", () => {
    const { buffer, words } = runMemory();
    words.state = "cancelled";
    words.slowMotionMs = 50;
    words.askSample(edgeId(3));
    expect([words.samplesAsked, words.sampledEdge]).toEqual([1, 3]);
    words.claimFailure({ claimant: 3, cause: "failure" });
    new Doorbell(buffer, layout.hosts[1] as HostRegion).sleep(() => false, 0);
    new Uint8Array(buffer, layout.probes.offset, layout.probes.bytes).fill(9);
    resetRun(buffer, layout, attempt(2));
    expect([words.attempt, words.state, words.slowMotionMs, words.failure]).toEqual([2, "starting", 0, undefined]);
    expect(words.samplesAsked).toBe(0);
    expect(new Uint8Array(buffer, layout.probes.offset, layout.probes.bytes).every((byte) => byte === 0)).toBe(true);
  });
});

describe("run words", () => {
  it("D-16: cancelled is for good", () => {
    const { words } = runMemory();
    for (const state of ["running", "paused", "running", "stopping", "cancelled"] as const) {
      words.state = state;
      expect(words.state).toBe(state);
    }
    words.state = "running";
    expect(words.state).toBe("cancelled");
  });

  it("D-16: the first failure wins, and a lost input never wins over a failure", () => {
    const claims = (...list: [number, FailureClaim["cause"]][]) => {
      const { words } = runMemory();
      return [list.map(([claimant, cause]) => words.claimFailure({ claimant, cause })), words.failure?.claimant];
    };
    expect(claims([0, "failure"], [1, "failure"])).toEqual([[true, false], 0]);
    expect(claims([5, "failure"], [1, "input-lost"])).toEqual([[true, false], 5]);
    expect(claims([5, "input-lost"], [1, "input-lost"])).toEqual([[true, false], 5]);
    expect(claims([5, "input-lost"], [0, "failure"], [2, "failure"])).toEqual([[true, true, false], 0]);
    expect(claims()).toEqual([[], undefined]);
  });
});
