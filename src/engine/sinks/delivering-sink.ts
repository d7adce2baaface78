import type { Epoch } from "../base/ids.ts";
import type { FlushResult, Sink } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";
import { retain } from "../data/kernels/copy.ts";
import type { SinkContext } from "../operators/context.ts";

/**
 * At least once: rows are delivered the moment they come, and after a restore some may come again. It keeps nothing, so an
 * epoch is durable as soon as its barrier is here.
 *
 * It serves `sink.table` with `delivery: "at-least-once"`, and `sink.log`, whose lines are made where the rows are shown.
 */
export class DeliveringSink implements Sink<Batch> {
  private readonly context: Pick<SinkContext, "deliver">;
  /** Rows since the last barrier: the epoch that covers them is worth completing (D-13). */
  private rows = 0;

  constructor(context: Pick<SinkContext, "deliver">) {
    this.context = context;
  }

  write(batch: Batch): void {
    this.rows += batch.rowCount;
    if (batch.rowCount > 0) this.context.deliver(retain(batch));
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
