import type { Column } from "../../data/column.ts";
import { keyOrder, type RowOrder, sortRows } from "../../data/kernels/compare.ts";
import { gather32 } from "../../data/kernels/gather.ts";
import { takeColumn } from "../../data/kernels/take.ts";
import type { KeyIndex } from "../../data/key-index.ts";
import { ranksOf } from "../../data/ranks.ts";
import type { Slots } from "./slots.ts";

/** Slots are fewer than this. */
const PACK = 2 ** 26;
/** Of slots for fewer than one of so many keys, going through all places takes longer than sorting. */
const SPARSE = 16;
const NONE = new Int32Array(0);
/** So many keys are worth getting numbers in their order. */
const MANY_KEYS = 1 << 14;

/** Order of slots by (window start, key in its natural order), which is the order of results (D-29). */
export class SlotOrder {
  private readonly slots: Slots;
  private readonly keys: KeyIndex;
  /** Numbers of the keys in order, of the first so many, and the place of each among them. */
  private sorted: Int32Array = NONE;
  private ranks: Int32Array = NONE;
  /** How many keys there were when places were last asked for. */
  private sizeBefore = 0;
  /** Whether the places are the numbers. */
  private isNumbered = false;

  constructor(slots: Slots, keys: KeyIndex) {
    this.slots = slots;
    this.keys = keys;
  }

  /** The keys got other numbers. */
  forget(): void {
    this.sorted = NONE;
    this.sizeBefore = 0;
    this.isNumbered = false;
  }

  /** All keys in their order, where they should get numbers in it: what is kept by number is else read all over the memory when results go out. */
  get wanted(): Int32Array | undefined {
    const { length } = this.sorted;
    return length >= MANY_KEYS && length === this.keys.size && !this.isNumbered ? this.sorted : undefined;
  }

  /** The numbers of the keys are their places from now on. */
  numbered(): void {
    this.sorted = Int32Array.from({ length: this.keys.size }, (_, id) => id);
    this.ranks = this.sorted;
    this.isNumbered = true;
  }

  /** Slots of one window. */
  byKey(slots: Int32Array): Int32Array {
    const ids = this.slots.keysOf(slots);
    if (!this.rankedFor(slots.length)) {
      const order = orderOf(this.keys, ids);
      if (ids.length === this.keys.size) this.sort(inOrder(ids, order));
      return inOrder(slots, order);
    }
    if (this.isNumbered && areAscending(ids)) return slots;
    const { ranks } = this;
    if (SPARSE * slots.length < ranks.length) {
      // Places are distinct, so sorting (place, slot) as doubles sorts by place.
      const packed = new Float64Array(slots.length);
      for (let i = 0; i < slots.length; i++) {
        packed[i] = (ranks[ids[i] as number] as number) * PACK + (slots[i] as number);
      }
      return Int32Array.from(packed.sort(), (both) => both % PACK);
    }
    const placed = new Int32Array(ranks.length);
    for (let i = 0; i < slots.length; i++) {
      placed[ranks[ids[i] as number] as number] = slots[i] as number;
    }
    const sorted = new Int32Array(slots.length);
    let count = 0;
    for (let place = 0; count < sorted.length; place++) {
      const slot = placed[place] as number;
      sorted[count] = slot;
      count += slot === 0 ? 0 : 1;
    }
    return sorted;
  }

  /** Slots of any windows; no two have both the same start and the same key. */
  byStartAndKey(slots: Int32Array): Int32Array {
    if (slots.length === 0) return slots;
    const starts = Float64Array.from(slots, (slot) => this.slots.startOf(slot));
    if (starts.every((start) => start === starts[0])) return this.byKey(slots);
    return orderOfPairs(starts, this.places(slots)).map((i) => slots[i] as number);
  }

  /** Place of each slot's key among those of the slots, or among all keys. */
  private places(slots: Int32Array): Int32Array {
    const ids = this.slots.keysOf(slots);
    if (!this.rankedFor(ids.length)) return ranksOf(orderOf(this.keys, ids));
    return ids.map((id) => this.ranks[id] as number);
  }

  /** Whether the places of all keys are known. They are found out where no key came since it was last asked, and it is worth while for so many of them. */
  private rankedFor(slots: number): boolean {
    const { size } = this.keys;
    if (this.sorted.length === size) return true;
    const grew = size !== this.sizeBefore;
    this.sizeBefore = size;
    if (grew || 2 * slots < size) return false;
    const all = Int32Array.from({ length: size }, (_, id) => id);
    this.sort(orderOf(this.keys, all));
    return true;
  }

  private sort(keys: Int32Array): void {
    this.sorted = keys;
    this.ranks = ranksOf(keys);
    this.isNumbered = false;
  }
}

/** Places of pairs, by the first of each, then by the second. */
function orderOfPairs(firsts: Float64Array, seconds: Int32Array): Int32Array {
  const { length } = firsts;
  let [least, most, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (let i = 0; i < length; i++) {
    least = Math.min(least, firsts[i] as number);
    most = Math.max(most, firsts[i] as number);
    last = Math.max(last, seconds[i] as number);
  }
  const width = (last + 1) * length;
  if ((most - least + 1) * width > Number.MAX_SAFE_INTEGER) {
    const order = Int32Array.from(firsts, (_, i) => i);
    return order.sort(
      (i, j) => (firsts[i] as number) - (firsts[j] as number) || (seconds[i] as number) - (seconds[j] as number),
    );
  }
  // Both and the place in one number: these sort several times as fast as places whose pairs are looked up.
  const packed = new Float64Array(length);
  for (let i = 0; i < length; i++)
    packed[i] = ((firsts[i] as number) - least) * width + (seconds[i] as number) * length + i;
  return Int32Array.from(packed.sort(), (all) => all % length);
}

/** Whether keys come by their numbers, as those of a window do that are found by going through it. */
function areAscending(ids: Int32Array): boolean {
  let before = -1;
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i] as number;
    if (id <= before) return false;
    before = id;
  }
  return true;
}

/** For fewer rows that are equal in a column, comparing them is faster. */
const FEW_EQUAL = 24;

/** Places in `ids` by the natural order of the keys. */
function orderOf(keys: KeyIndex, ids: Int32Array): Int32Array {
  const first = keys.firstColumn(ids);
  if (first === undefined) return ids.map((_, place) => place);
  // Of one column no two are equal.
  if (keys.width === 1) return sortRows([{ column: first }], ids.length);
  return orderBy(first, ids.length, () => keys.columns(ids).slice(1));
}

function inOrder(values: Int32Array, order: Int32Array): Int32Array {
  const out = new Int32Array(order.length);
  gather32(values, order, 0, order.length, out);
  return out;
}

/** Rows by a column, which can be done without comparing pairs of them; those that it leaves equal by others, which are asked for if there are such. */
function orderBy(first: Column, rowCount: number, others: () => readonly Column[]): Int32Array {
  const order = sortRows([{ column: first }], rowCount);
  const compare = keyOrder({ column: first }, first);
  let more: readonly Column[] | undefined;
  let further: readonly RowOrder[] = [];
  for (let from = 0, to = 1; from < rowCount; from = to++) {
    while (to < rowCount && compare(order[from] as number, order[to] as number) === 0) to++;
    if (to - from === 1) continue;
    if (more === undefined) {
      more = others();
      further = more.map((column) => keyOrder({ column }, column));
    }
    const [second, ...rest] = more;
    const equal = order.subarray(from, to);
    if (second === undefined) continue;
    if (equal.length < FEW_EQUAL) equal.sort((a, b) => firstSign(further, a, b) || a - b);
    else {
      const rows = equal.slice();
      const places = orderBy(takeColumn(second, rows), rows.length, () =>
        rest.map((column) => takeColumn(column, rows)),
      );
      for (let i = 0; i < rows.length; i++) equal[i] = rows[places[i] as number] as number;
    }
  }
  return order;
}

function firstSign(orders: readonly RowOrder[], a: number, b: number): number {
  for (const order of orders) {
    const sign = order(a, b);
    if (sign !== 0) return sign;
  }
  return 0;
}
