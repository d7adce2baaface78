import type { Epoch, TaskId } from "../base/ids.ts";

/** What happened to one epoch, for the table and the Gantt of epochs. Times in milliseconds of the run's clock. */
export interface EpochRecord {
  readonly epoch: Epoch;
  /** Undefined for an epoch that a sink sealed without a barrier (D-13). */
  issuedMs: number | undefined;
  completedMs: number | undefined;
  durableMs: number | undefined;
  committedMs: number | undefined;
  /** Why it was given up. */
  failure: string | undefined;
  /** Bytes of all snapshots. */
  stateBytes: number;
  readonly reports: { readonly task: TaskId; readonly atMs: number; readonly bytes: number }[];
}

const KEPT = 256;

/** Keeps the records of the last epochs, and the numbers of all that were committed. */
export class EpochLedger {
  readonly records: EpochRecord[] = [];
  /** Runs of neighbouring numbers: an endless run has few of them. */
  private readonly commits: { readonly from: number; to: number }[] = [];
  private complete: Epoch;
  private commit: Epoch;

  constructor(startEpoch: Epoch) {
    this.complete = startEpoch;
    this.commit = startEpoch;
  }

  get lastCompleted(): Epoch {
    return this.complete;
  }

  get lastCommitted(): Epoch {
    return this.commit;
  }

  /** Every epoch that was committed, oldest first. */
  get committedEpochs(): number[] {
    return this.commits.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, i) => from + i));
  }

  issued(epoch: Epoch, nowMs: number): void {
    this.of(epoch).issuedMs = nowMs;
  }

  reported(epoch: Epoch, task: TaskId, bytes: number, nowMs: number): void {
    const record = this.of(epoch);
    record.reports.push({ task, atMs: nowMs, bytes });
    record.stateBytes += bytes;
  }

  /** Bytes of the snapshots of an epoch that were told so far. */
  stateBytes(epoch: Epoch): number {
    return this.of(epoch).stateBytes;
  }

  completed(epoch: Epoch, nowMs: number): void {
    this.complete = epoch;
    this.of(epoch).completedMs = nowMs;
  }

  durable(epoch: Epoch, nowMs: number): void {
    this.of(epoch).durableMs = nowMs;
  }

  committed(epoch: Epoch, nowMs: number): void {
    this.commit = epoch;
    this.of(epoch).committedMs = nowMs;
    const last = this.commits[this.commits.length - 1];
    if (last?.to === epoch - 1) last.to = epoch;
    else this.commits.push({ from: epoch, to: epoch });
  }

  failed(epoch: Epoch, why: string): void {
    this.of(epoch).failure = why;
  }

  private of(epoch: Epoch): EpochRecord {
    // Epochs come nearly in order, so the search from the end is short.
    for (let i = this.records.length - 1; i >= 0; i--) {
      const record = this.records[i] as EpochRecord;
      if (record.epoch === epoch) return record;
      if (record.epoch < epoch) return this.insert(i + 1, epoch);
    }
    return this.insert(0, epoch);
  }

  private insert(at: number, epoch: Epoch): EpochRecord {
    const record: EpochRecord = {
      epoch,
      issuedMs: undefined,
      completedMs: undefined,
      durableMs: undefined,
      committedMs: undefined,
      failure: undefined,
      stateBytes: 0,
      reports: [],
    };
    this.records.splice(at, 0, record);
    if (this.records.length > KEPT) this.records.shift();
    return record;
  }
}
