import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { KeyIndex } from "../../data/key-index.ts";
import type { Aggregates } from "../aggregates/aggregates.ts";
import type { Slots } from "./slots.ts";

/** Open windows in a snapshot: the keys, and one entry for each slot in every column. */
export function saveWindowState(
  keys: KeyIndex,
  slots: Slots,
  aggregates: Aggregates,
): { [key: string]: SnapshotValue } {
  const all = slots.all();
  return {
    keys: keys.snapshot(),
    key: all.map((slot) => slots.key[slot] as number),
    start: Float64Array.from(all, (slot) => slots.start[slot] as number),
    end: Float64Array.from(all, (slot) => slots.end[slot] as number),
    flags: all.map((slot) => slots.flags[slot] as number),
    aggregates: aggregates.save(all),
  };
}

/** Into slots 1, 2, 3… of an operator that has none yet. */
export function loadWindowState(
  saved: { readonly [key: string]: SnapshotValue },
  keys: KeyIndex,
  slots: Slots,
  aggregates: Aggregates,
): void {
  const { key, start, end, flags } = saved;
  assert(
    key instanceof Int32Array &&
      start instanceof Float64Array &&
      end instanceof Float64Array &&
      flags instanceof Int32Array,
    "a snapshot of windows",
  );
  keys.restore(saved["keys"] as SnapshotValue);
  assert(slots.live === 0, "nothing came in yet");
  for (let i = 0; i < key.length; i++) {
    slots.open(key[i] as number, start[i] as number, end[i] as number, flags[i] as number);
  }
  aggregates.load(saved["aggregates"] as SnapshotValue);
}
