import type { SnapshotValue } from "../base/snapshot-value.ts";

/** What a sink had staged at a barrier. With nothing staged it has no state, and may be another one behind a restore. */
export function unlessEmpty(staged: readonly SnapshotValue[]): SnapshotValue {
  return staged.length === 0 ? null : staged;
}
