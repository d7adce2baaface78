import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Column } from "../column.ts";

/** One way of keeping the keys of a `KeyIndex`. */
export interface KeyTable {
  readonly size: number;
  /** Numbers of the rows' keys; a key that is not there gets one if `grow`, else −1. */
  idsOf(columns: readonly Column[], rowCount: number, out: Int32Array, grow: boolean): void;
  columns(ids: Int32Array): Column[];
  /** The first one of them, alone, where that is less to do. */
  firstColumn?(ids: Int32Array): Column[];
  /** These keys, in this order; `null`: all. */
  snapshot(ids: Int32Array | null): SnapshotValue;
  /** Into an empty table. */
  restore(saved: SnapshotValue): void;
  /** Forgets all but these, which get the numbers 0, 1, 2… in this order. Keeps memory for those that come. */
  keep(ids: Int32Array): void;
  /** The table is not used again. */
  release?(): void;
}
