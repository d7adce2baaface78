import { sortRows } from "../../data/kernels/compare.ts";
import type { KeyIndex } from "../../data/key-index.ts";
import type { Slots } from "./slots.ts";

/** Order of slots by (window start, key in its natural order), which is the order of results (D-29). */
export class SlotOrder {
  private readonly slots: Slots;
  private readonly keys: KeyIndex;
  /** Place of a key among all keys, and key by place; of the first `ranked` keys. */
  private ranks: Int32Array = new Int32Array(0);
  private ranked = 0;

  constructor(slots: Slots, keys: KeyIndex) {
    this.slots = slots;
    this.keys = keys;
  }

  /** The keys got other numbers. */
  forget(): void {
    this.ranked = 0;
  }

  /** Slots of one window. */
  byKey(slots: Int32Array): Int32Array {
    const places = this.places(slots);
    // Places of one window's keys are distinct, so sorting (place, slot) as doubles sorts by place.
    const packed = new Float64Array(slots.length);
    for (let i = 0; i < slots.length; i++) packed[i] = (places[i] as number) * PACK + (slots[i] as number);
    packed.sort();
    const sorted = new Int32Array(slots.length);
    for (let i = 0; i < slots.length; i++) sorted[i] = (packed[i] as number) % PACK;
    return sorted;
  }

  /** Slots of any windows; no two have both the same start and the same key. */
  byStartAndKey(slots: Int32Array): Int32Array {
    if (slots.length === 0) return slots;
    const { start } = this.slots;
    const first = start[slots[0] ?? 0];
    if (slots.every((slot) => start[slot] === first)) return this.byKey(slots);
    const places = this.places(slots);
    const order = Int32Array.from(slots, (_, i) => i);
    order.sort(
      (i, j) =>
        (start[slots[i] as number] as number) - (start[slots[j] as number] as number) ||
        (places[i] as number) - (places[j] as number),
    );
    return order.map((i) => slots[i] as number);
  }

  /** Place of each slot's key among those of the slots, or among all keys. */
  private places(slots: Int32Array): Int32Array {
    const ids = slots.map((slot) => this.slots.key[slot] as number);
    if (this.ranked !== this.keys.size) {
      if (2 * ids.length < this.keys.size) return rankOf(this.keys, ids);
      this.ranks = rankOf(
        this.keys,
        Int32Array.from({ length: this.keys.size }, (_, id) => id),
      );
      this.ranked = this.keys.size;
    }
    return ids.map((id) => this.ranks[id] as number);
  }
}

/** Slots are fewer than this. */
const PACK = 2 ** 26;

function rankOf(keys: KeyIndex, ids: Int32Array): Int32Array {
  const columns = keys.columns(ids);
  const order = sortRows(
    columns.map((column) => ({ column })),
    ids.length,
  );
  const ranks = new Int32Array(ids.length);
  order.forEach((row, place) => {
    ranks[row] = place;
  });
  return ranks;
}
