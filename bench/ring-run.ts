import {
  allocateRunMemory,
  attempt,
  type EdgeId,
  edgeId,
  layoutRun,
  type ProbeShape,
  prefault,
  probeBytes,
  type RunLayout,
  type RunMemory,
  resetRun,
} from "../src/engine/parts.ts";
import type { RingPlace } from "./worker/rings.ts";

const CAPACITY = 16;
const BUDGET_MIB = 64;

/** Rings and probes as a run has them: touched once, reset for every measurement, of the size that the engine would give them. */
export class RingRun {
  private readonly layout: RunLayout;
  private readonly memory: RunMemory;
  private readonly shape: ProbeShape;
  private attempts = 0;

  constructor(edges: number, hosts: number) {
    this.shape = { tasks: hosts, edges, stages: 0 };
    this.layout = layoutRun({
      edges: Array.from({ length: edges }, (_, i): { id: EdgeId; capacity: number } => ({
        id: edgeId(i),
        capacity: CAPACITY,
      })),
      hosts,
      ringBudgetMiB: BUDGET_MIB,
      probeBytes: probeBytes(this.shape),
    });
    this.memory = allocateRunMemory(this.layout.totalBytes);
    prefault(this.memory.buffer);
  }

  /** Bytes of an edge's ring. */
  bytesOf(edge: number): number {
    return this.layout.rings[edge]?.data.bytes ?? 0;
  }

  /** Empty rings; whatever was told of the last ones is of an older attempt. */
  renew(): RingPlace {
    const number = attempt(++this.attempts);
    resetRun(this.memory.buffer, this.layout, number);
    return { buffer: this.memory.buffer, layout: this.layout, attempt: number, shape: this.shape };
  }
}
