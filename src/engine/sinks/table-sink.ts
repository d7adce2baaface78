import { type Epoch, epoch as toEpoch } from "../base/ids.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import { EpochStaging } from "../core/epoch-staging.ts";
import type { FlushResult, Sink } from "../core/stages.ts";
import type { Batch } from "../data/batch.ts";
import { retain } from "../data/kernels/copy.ts";
import type { Schema } from "../data/schema.ts";
import type { TableSinkConfig } from "../operators/catalog.ts";
import type { SinkContext } from "../operators/context.ts";
import { schemaAt } from "../operators/ports.ts";
import { loadBatch, saveBatch } from "../state/batch-snapshot.ts";
import { DeliveringSink } from "./delivering-sink.ts";
import { unlessEmpty } from "./precommit.ts";

/**
 * Rows for the page and the command line, exactly once: they are staged by epoch (F-73) and delivered at its commit.
 *
 * The pre-commit state of an epoch holds every sealed batch that was not committed when it was taken, so that a restore can commit
 * them again (D-14).
 */
class StagedTableSink implements Sink<Batch> {
  private readonly staging = new EpochStaging<Batch>();
  /** Sealed epochs in the form of a snapshot: each is made once, however many barriers it waits through. */
  private readonly saved = new Map<Epoch, SnapshotValue>();
  private readonly schema: Schema;
  private readonly context: SinkContext;

  constructor(context: SinkContext) {
    this.context = context;
    this.schema = schemaAt(context.inputs, "in");
  }

  write(batch: Batch): void {
    if (batch.rowCount > 0) this.staging.add(retain(batch));
  }

  flush(epoch: Epoch): FlushResult {
    this.staging.seal(epoch);
    const sealed = this.staging.sealed.map(({ epoch, items }) => this.save(epoch, items));
    return { kind: "durable", precommit: unlessEmpty(sealed) };
  }

  holdsRows(): boolean {
    return this.staging.holdsOpen;
  }

  commit(epoch: Epoch): void {
    for (const sealed of this.staging.commit(epoch)) {
      this.saved.delete(sealed.epoch);
      for (const batch of sealed.items) this.context.deliver(batch);
    }
  }

  close(): void {
    this.staging.drop();
    this.saved.clear();
  }

  restore(precommit: SnapshotValue): void {
    const sealed = (precommit ?? []) as readonly { epoch: number; batches: readonly SnapshotValue[] }[];
    this.staging.restore(
      sealed.map(({ epoch, batches }) => ({
        epoch: toEpoch(epoch),
        items: batches.map((batch) => loadBatch(batch, this.schema)),
      })),
    );
  }

  private save(epoch: Epoch, batches: readonly Batch[]): SnapshotValue {
    const known = this.saved.get(epoch);
    if (known !== undefined) return known;
    const saved = { epoch, batches: batches.map(saveBatch) };
    this.saved.set(epoch, saved);
    return saved;
  }
}

/** `limit` is for those who show the rows: everything is delivered, and counted there. */
export function tableSink(config: TableSinkConfig, context: SinkContext): Sink<Batch> {
  return config.delivery === "exactly-once"
    ? new StagedTableSink(context)
    : new DeliveringSink((batch) => context.deliver(retain(batch)));
}
