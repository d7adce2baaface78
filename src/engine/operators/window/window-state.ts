import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { KeyIndex } from "../../data/key-index.ts";
import type { SlotOrder } from "./slot-order.ts";
import type { SlotState, Slots } from "./slots.ts";
import type { Windows } from "./windows.ts";

/** Keys are forgotten when most have no window any more, but not for a few. */
const FEW_KEYS = 1024;

/** Where an operator keeps its open windows. */
interface OpenWindows {
  readonly keys: KeyIndex;
  readonly slots: Slots;
  readonly order: SlotOrder;
  readonly windows: Windows;
}

/** Whether it is not worth while to forget keys, of which so many had a window a moment ago. */
export const hasFewKeys = (keys: KeyIndex, windows: number): boolean =>
  keys.size <= FEW_KEYS || keys.size <= 2 * windows;

/** Keeps the keys that have a slot, so that memory follows the open windows only. */
export function forgetKeys({ keys, slots, order, windows }: OpenWindows, watermark: number): void {
  const numbers = new Int32Array(keys.size).fill(-1);
  const live: number[] = [];
  for (const slot of slots.all()) {
    const key = slots.key[slot] as number;
    if (numbers[key] === -1) numbers[key] = live.push(key) - 1;
    slots.key[slot] = numbers[key] as number;
  }
  keys.compact(Int32Array.from(live));
  order.forget();
  windows.rebuild(keys.size, watermark);
}

/** Open windows in a snapshot: the keys, and one entry for each slot in every column. */
export function saveWindowState(keys: KeyIndex, slots: Slots, state: SlotState): { [key: string]: SnapshotValue } {
  const all = slots.all();
  return {
    keys: keys.snapshot(),
    key: all.map((slot) => slots.key[slot] as number),
    start: Float64Array.from(all, (slot) => slots.start[slot] as number),
    end: Float64Array.from(all, (slot) => slots.end[slot] as number),
    flags: all.map((slot) => slots.flags[slot] as number),
    state: state.save(all),
  };
}

/** Into slots 1, 2, 3… of an operator that has none yet. */
export function loadWindowState(
  saved: { readonly [key: string]: SnapshotValue },
  keys: KeyIndex,
  slots: Slots,
  state: SlotState,
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
  state.load(saved["state"] as SnapshotValue);
}
