import type { EpochRecord } from "../engine/index.ts";

/** Tells which epochs are otherwise than when a page was last told of them: one has a report of every task, and most do not change any more. */
export class EpochNews {
  private told = new Map<number, string>();

  /** Those of all records that are new or changed since this was last asked. */
  take(records: readonly EpochRecord[]): EpochRecord[] {
    const before = this.told;
    this.told = new Map(records.map((record) => [record.epoch, looks(record)]));
    return records.filter(({ epoch }) => before.get(epoch) !== this.told.get(epoch));
  }
}

function looks({ issuedMs, completedMs, durableMs, committedMs, failure, stateBytes, reports }: EpochRecord): string {
  return [issuedMs, completedMs, durableMs, committedMs, stateBytes, reports.length, failure].join();
}
