import type { SnapshotValue } from "../base/snapshot-value.ts";

const EMPTY: { readonly [key: string]: SnapshotValue } = {};

/** The fields of a saved value; none where nothing was saved. */
export function recordOf(value: SnapshotValue | undefined): { readonly [key: string]: SnapshotValue } {
  return isRecord(value) ? value : EMPTY;
}

function isRecord(value: SnapshotValue | undefined): value is { readonly [key: string]: SnapshotValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

/** A saved number, 0 where nothing was saved. */
export function numberOf(value: SnapshotValue | undefined): number {
  return typeof value === "number" ? value : 0;
}
