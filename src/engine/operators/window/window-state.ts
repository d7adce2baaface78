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
  renumber(open, undefined, watermark);
}

/** Gives the keys numbers in their order where it is known, so that results go through what is kept from one end to the other. */
export function sortKeys(open: OpenWindows, watermark: number): void {
  const { wanted } = open.order;
  if (wanted === undefined) return;
  renumber(open, wanted, watermark);
  open.order.numbered();
}

function renumber(open: OpenWindows, order: Int32Array | undefined, watermark: number): void {
  const { live, pairs, state } = takePairs(open, order);
  open.windows.clear();
  open.keys.compact(live);
  putPairs(pairs, state, open, watermark);
}

/**
 * Open windows in a snapshot: the keys that have one, and one entry for each slot in every column.
 */
export function saveWindowState(open: OpenWindows): Saved {
  const { live, pairs, state } = takePairs(open);
  return { keys: open.keys.snapshot(live), ...pairs, state };
}

/**
 * Into an operator that has none of these keys.
 * @param owns as `KeyIndex.add`
 */
export function addWindowState(saved: Saved, open: OpenWindows, watermark: number, owns: KeyOwner): void {
  const { keys, key, start, end, flags, state } = saved;
  assert(
    key instanceof Int32Array &&
      start instanceof Float64Array &&
      end instanceof Float64Array &&
      flags instanceof Int32Array,
    "a snapshot of windows",
  );
  const numbers = open.keys.add(keys as SnapshotValue, owns);
  const ids = key.map((place) => numbers[place] as number);
  const own = Int32Array.from(ids.keys()).filter((at) => (ids[at] as number) >= 0);
  const pairs = {
    key: own.map((at) => ids[at] as number),
    start: takeNumbers(start, own),
    end: takeNumbers(end, own),
    flags: own.map((at) => flags[at] as number),
  };
  open.order.forget();
  const slots = new Int32Array(key.length).fill(-1);
  open.windows.place(pairs, open.keys.size, watermark).forEach((slot, i) => {
    slots[own[i] as number] = slot;
  });
  open.state.load(state as SnapshotValue, slots);
}

/** A copy of all slots, with keys by their place in `live`: all keys in an order, or those that have a slot as they come. */
function takePairs({ keys, slots, state }: OpenWindows, order?: Int32Array) {
  const all = slots.all();
  const { length } = all;
  const places = new Int32Array(keys.size).fill(-1);
  const live = order ?? new Int32Array(Math.min(keys.size, length));
  let count = 0;
  for (; order !== undefined && count < live.length; count++) places[live[count] as number] = count;
  const pairs = {
    key: new Int32Array(length),
    start: new Float64Array(length),
    end: new Float64Array(length),
    flags: new Int32Array(length),
  };
  slots.bounds(all, pairs.start, pairs.end);
  for (let i = 0; i < length; i++) {
    const slot = all[i] as number;
    const id = slots.keyOf(slot);
    if (places[id] === -1) {
      live[count] = id;
      places[id] = count++;
    }
    pairs.key[i] = places[id] as number;
    pairs.flags[i] = slots.flags[slot] as number;
  }
  return { live: live.subarray(0, count), pairs, state: state.save(all) };
}

/** The same, with keys by their numbers. */
function putPairs(pairs: Pairs, state: SnapshotValue, open: OpenWindows, watermark: number): void {
  assert(open.slots.live === 0, "no window is open");
  open.order.forget();
  open.state.load(state, open.windows.place(pairs, open.keys.size, watermark));
}
