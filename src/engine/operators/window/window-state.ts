import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { KeyIndex } from "../../data/key-index.ts";
import { takeNumbers } from "../aggregates/accumulator.ts";
import type { SlotOrder } from "./slot-order.ts";
import type { SlotState, Slots } from "./slots.ts";
import type { Pairs, Windows } from "./windows.ts";

/** Keys are forgotten when most have no window any more, but not for a few. */
const FEW_KEYS = 1024;

/** Where an operator keeps its open windows. */
interface OpenWindows {
  readonly keys: KeyIndex;
  readonly slots: Slots;
  readonly order: SlotOrder;
  readonly windows: Windows;
  /** What there is by slot. */
  readonly state: SlotState;
}

type KeyOwner = Parameters<KeyIndex["add"]>[1];
type Saved = { readonly [key: string]: SnapshotValue };

/** Whether it is not worth while to forget keys, of which so many had a window a moment ago. */
export const hasFewKeys = (keys: KeyIndex, windows: number): boolean =>
  keys.size <= FEW_KEYS || keys.size <= 2 * windows;

/** Keeps the keys that have a slot, so that memory follows the open windows only. */
export function forgetKeys(open: OpenWindows, watermark: number): void {
  const saved = saveWindowState(open);
  open.windows.clear();
  loadWindowState(saved, open, watermark);
}

/** Gives the keys numbers in their order, so that results go through what is kept from one end to the other. */
export function sortKeys(open: OpenWindows, watermark: number): void {
  const saved = saveWindowState(open, open.order.order());
  open.windows.clear();
  loadWindowState(saved, open, watermark);
  open.order.numbered();
}

/**
 * Open windows in a snapshot: the keys that have one, or all keys in an order, and one entry for each slot in every column.
 */
export function saveWindowState({ keys, slots, state }: OpenWindows, order?: Int32Array): Saved {
  const all = slots.all();
  const numbers = new Int32Array(keys.size).fill(-1);
  const live: number[] = [];
  order?.forEach((id, place) => {
    numbers[id] = place;
  });
  const key = all.map((slot) => {
    const id = slots.key[slot] as number;
    if (numbers[id] === -1) numbers[id] = live.push(id) - 1;
    return numbers[id] as number;
  });
  return {
    keys: keys.snapshot(order ?? Int32Array.from(live)),
    key,
    start: Float64Array.from(all, (slot) => slots.startOf(slot)),
    end: Float64Array.from(all, (slot) => slots.endOf(slot)),
    flags: all.map((slot) => slots.flags[slot] as number),
    state: state.save(all),
  };
}

/** Into an operator that has no open window; its keys are those of the snapshot from now on. */
function loadWindowState(saved: Saved, open: OpenWindows, watermark: number): void {
  assert(open.slots.live === 0, "no window is open");
  open.keys.restore(saved["keys"] as SnapshotValue);
  open.order.forget();
  open.state.load(saved["state"] as SnapshotValue, open.windows.place(pairsOf(saved), open.keys.size, watermark));
}

/**
 * Into an operator that has none of these keys.
 * @param owns as `KeyIndex.add`
 */
export function addWindowState(saved: Saved, open: OpenWindows, watermark: number, owns: KeyOwner): void {
  const numbers = open.keys.add(saved["keys"] as SnapshotValue, owns);
  open.order.forget();
  const all = pairsOf(saved);
  const key = all.key.map((place) => numbers[place] as number);
  const own = Int32Array.from(key.keys()).filter((at) => (key[at] as number) >= 0);
  const pairs = {
    key: own.map((at) => key[at] as number),
    start: takeNumbers(all.start, own),
    end: takeNumbers(all.end, own),
    flags: own.map((at) => all.flags[at] as number),
  };
  const slots = new Int32Array(key.length).fill(-1);
  open.windows.place(pairs, open.keys.size, watermark).forEach((slot, i) => {
    slots[own[i] as number] = slot;
  });
  open.state.load(saved["state"] as SnapshotValue, slots);
}

function pairsOf({ key, start, end, flags }: Saved): Pairs {
  assert(
    key instanceof Int32Array &&
      start instanceof Float64Array &&
      end instanceof Float64Array &&
      flags instanceof Int32Array,
    "a snapshot of windows",
  );
  return { key, start, end, flags };
}
