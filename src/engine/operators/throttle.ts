import type { Operator, Output } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";
import { sliceBatch } from "../data/kernels/slice.ts";
import type { ThrottleConfig } from "./catalog.ts";

/** Rows go on in portions that take about so long, so that a large batch trickles through instead of jumping. */
const PORTION_MS = 100;
/** A task that was woken late makes up for at most so much. */
const CATCH_UP_MS = 50;

/**
 * A step that is slow on purpose: rows go on once the time that they take is over, on the run's clock, and the task takes nothing in
 * meanwhile, so that everything before it feels backpressure. With `rowsPerSecond` time goes by rows, with `delayMsPerBatch` by
 * batches. It holds no rows and no state that matters after a restore.
 */
class Throttle implements Operator<Batch> {
  private readonly msPerRow: number;
  private readonly msPerBatch: number;
  private readonly portionRows: number;
  /** When the work taken so far is done. */
  private doneAtMs = Number.NEGATIVE_INFINITY;

  constructor(config: ThrottleConfig) {
    const { rowsPerSecond, delayMsPerBatch } = config;
    this.msPerRow = rowsPerSecond === undefined ? 0 : 1000 / rowsPerSecond;
    this.msPerBatch = delayMsPerBatch ?? 0;
    this.portionRows =
      this.msPerRow === 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(PORTION_MS / this.msPerRow));
  }

  process(batch: Batch, _port: string, output: Output<Batch>): void {
    if (output.nowMs - this.doneAtMs > CATCH_UP_MS) this.doneAtMs = output.nowMs;
    this.work(this.msPerBatch, output);
    for (let from = 0; from < batch.rowCount; from += this.portionRows) {
      const to = Math.min(from + this.portionRows, batch.rowCount);
      this.work((to - from) * this.msPerRow, output);
      output.emit(sliceBatch(batch, from, to));
    }
  }

  private work(ms: number, output: Output<Batch>): void {
    if (ms === 0) return;
    this.doneAtMs += ms;
    output.delay(this.doneAtMs);
  }
}

export function throttle(config: ThrottleConfig): Operator<Batch> {
  return new Throttle(config);
}
