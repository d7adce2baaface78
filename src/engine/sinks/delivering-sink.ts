import type { Epoch } from "../base/ids.ts";
import type { FlushResult, Sink } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";

/**
 * At least once: rows are delivered the moment they come, and after a restore some may come again. It keeps nothing, so an
 * epoch is durable as soon as its barrier is here.
 *
 * It serves `sink.table` with `delivery: "at-least-once"`, and `sink.log`, whose lines are made where the rows are shown.
 */
export class DeliveringSink implements Sink<Batch> {
  /** The batch may be borrowed. */
  private readonly deliver: (batch: Batch) => void;
  /** Rows since the last barrier: the epoch that covers them is worth completing (D-13). */
  private rows = 0;

  constructor(deliver: (batch: Batch) => void) {
    this.deliver = deliver;
  }

  write(batch: Batch): void {
    this.rows += batch.rowCount;
    if (batch.rowCount > 0) this.deliver(batch);
  }

  flush(_epoch: Epoch): FlushResult {
    this.rows = 0;
    return { kind: "durable", precommit: null };
  }

  holdsRows(): boolean {
    return this.rows > 0;
  }

  commit(_epoch: Epoch): void {}

  close(): void {}
}
