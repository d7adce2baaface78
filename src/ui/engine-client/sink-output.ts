import { createStore, type StoreApi } from "zustand/vanilla";
import { type Batch, type PackedBatch, type PlanStage, Schema, unpackBatch } from "../../engine/index.ts";

export interface OutputState {
  /** Rows that the sink made visible. */
  readonly total: number;
  /** Rows of them that are kept, the newest. */
  readonly kept: number;
}

/** Rows of a sink without a limit of its own. */
const USUAL_LIMIT = 1000;
/** Those who look at the rows hear of new ones at most this often. */
const TELL_EVERY_MS = 100;

/** The rows that a sink made visible: all are counted, the newest are kept. */
export class SinkOutput {
  readonly node: string;
  readonly schema: Schema;
  readonly limit: number;
  readonly state: StoreApi<OutputState> = createStore(() => ({ total: 0, kept: 0 }));
  private batches: Batch[] = [];
  /** Number of the first row of each batch, counted over all rows. */
  private starts: number[] = [];
  private total = 0;
  private timer: ReturnType<typeof setTimeout> | undefined = undefined;

  constructor(stage: PlanStage) {
    this.node = stage.node;
    this.schema = stage.inputs["in"] ?? new Schema([]);
    const { limit } = stage.config as { limit?: number };
    this.limit = limit ?? USUAL_LIMIT;
  }

  get rowCount(): number {
    return this.total;
  }

  /** Rows that are kept, oldest first. The first batch may hold some more than the limit lets be shown. */
  get kept(): number {
    return Math.min(this.limit, this.total);
  }

  /** Answers what was added. */
  add(packed: readonly PackedBatch[]): readonly Batch[] {
    const added = packed.map(unpackBatch).filter(({ rowCount }) => rowCount > 0);
    for (const batch of added) {
      this.batches.push(batch);
      this.starts.push(this.total);
      this.total += batch.rowCount;
    }
    this.dropOld();
    this.timer ??= setTimeout(() => this.tellNow(), TELL_EVERY_MS);
    return added;
  }

  tellNow(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { total, kept } = this;
    const before = this.state.getState();
    if (before.total !== total || before.kept !== kept) this.state.setState({ total, kept });
  }

  /** Where the kept row stands, counted from the oldest one that is kept. */
  locate(row: number): { readonly batch: Batch; readonly row: number } | undefined {
    if (row < 0 || row >= this.kept) return undefined;
    const number = this.total - this.kept + row;
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] as number) <= number) low = middle;
      else high = middle - 1;
    }
    const batch = this.batches[low];
    return batch === undefined ? undefined : { batch, row: number - (this.starts[low] as number) };
  }

  /** The kept rows as batches, in order; the first one without those that are over the limit. */
  keptBatches(): { readonly batch: Batch; readonly from: number }[] {
    const first = this.total - this.kept;
    return this.batches.map((batch, index) => ({ batch, from: Math.max(0, first - (this.starts[index] as number)) }));
  }

  private dropOld(): void {
    const first = this.total - this.limit;
    let drop = 0;
    while (
      drop < this.batches.length &&
      (this.starts[drop] as number) + (this.batches[drop] as Batch).rowCount <= first
    )
      drop++;
    // Not at every batch: moving a long list for each would take longer than the rows.
    if (drop > 64 || drop > this.batches.length / 2) {
      this.batches = this.batches.slice(drop);
      this.starts = this.starts.slice(drop);
    }
  }
}
