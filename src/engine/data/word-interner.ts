import { assert } from "../base/assert.ts";
import { gatherPairs } from "./kernels/gather.ts";
import { hashOfWords } from "./kernels/hash.ts";
import { giveBack, grownWords, heapOf, newWords } from "./state-arrays.ts";
import { homeGroup } from "./word-slots.ts";

/**
 * Slots lie in groups, in which a kernel looks for an integer at once: the low words of its integers, the high words, and their numbers + 1 or 0 where
 * a slot is empty. As long as all integers are of 32 bits, there are no high words. See word-slots.ts.
 */
const GROUP_WORDS = 16;
const NUMBERS_AT = 8;
const LANES = 4;
const SHORT_LANES = 8;
/** Words of what a kernel is told of the table. */
const TABLE_WORDS = 8;

const FEW_GROUPS = 16;
/** A table of more slots becomes smaller when it is nearly empty. */
const MANY_SLOTS = 1 << 17;

/** Gives 64-bit integers numbers 0, 1, 2… in the order in which they first appear. Open addressing with linear probing, at most two thirds full. */
export class WordInterner {
  private count = 0;
  private words = newWords(128);
  private slots = newWords(FEW_GROUPS * GROUP_WORDS);
  /** Slots of a group. */
  private lanes = SHORT_LANES;

  get size(): number {
    return this.count;
  }

  /** Whether all integers are of 32 bits. */
  get isShort(): boolean {
    return this.lanes === SHORT_LANES;
  }

  /** Two words for each number; what lies behind `size` of them is not used. */
  get values(): Int32Array {
    return this.words;
  }

  intern(lo: number, hi: number): number {
    if (this.isShort && !isShort(lo, hi)) this.widen();
    const slot = this.slotOf(lo, hi);
    const known = this.slots[slot + NUMBERS_AT] as number;
    if (known !== 0) return known - 1;
    const number = this.push(lo, hi);
    this.fill(slot, lo, hi, number);
    if (3 * this.count > 2 * this.room) this.growSlots();
    return number;
  }

  /** The number of an integer, or −1. */
  find(lo: number, hi: number): number {
    if (this.isShort && !isShort(lo, hi)) return -1;
    return (this.slots[this.slotOf(lo, hi) + NUMBERS_AT] as number) - 1;
  }

  /** The same for pairs of words, low word first: `intern` for each if `grow`, else `find`. */
  numbers(pairs: Int32Array, count: number, grow: boolean, out: Int32Array): void {
    if (this.byKernel(pairs, 2, count, grow, out)) return;
    for (let i = 0; i < count; i++) {
      const lo = pairs[2 * i] as number;
      const hi = pairs[2 * i + 1] as number;
      out[i] = grow ? this.intern(lo, hi) : this.find(lo, hi);
    }
  }

  /** The same for integers of 32 bits, as long as all are. */
  numbersOfInts(values: Int32Array, count: number, grow: boolean, out: Int32Array): void {
    assert(this.isShort, "integers of 32 bits");
    if (this.byKernel(values, 1, count, grow, out)) return;
    for (let i = 0; i < count; i++) {
      const value = values[i] as number;
      out[i] = grow ? this.intern(value, value >> 31) : this.find(value, value >> 31);
    }
  }

  /** Integers of so many words. False where there is no kernel. */
  private byKernel(integers: Int32Array, words: 1 | 2, count: number, grow: boolean, out: Int32Array): boolean {
    const heap = heapOf(out, count);
    if (heap === undefined || heapOf(this.slots, count) === undefined) return false;
    const values = heap.words(words * count);
    const table = heap.words(TABLE_WORDS);
    values.set(integers.length === words * count ? integers : integers.subarray(0, words * count));
    const { kernels } = heap;
    const [told, source, grows, to] = [table.byteOffset, values.byteOffset, grow ? 1 : 0, out.byteOffset];
    for (let from = 0; from < count; ) {
      const short = this.isShort;
      this.describe(table);
      if (words === 1) from = kernels.internInts(told, source, from, count, grows, to);
      else from = kernels.internLongs(short ? 1 : 0, told, source, from, count, grows, to);
      this.count = table[0] as number;
      if (from === count) break;
      if (words === 2 && short && !isShort(values[2 * from] as number, values[2 * from + 1] as number)) this.widen();
      else if (2 * this.count === this.words.length) this.words = grownWords(this.words, 4 * this.count);
      else this.growSlots();
    }
    heap.release(values);
    heap.release(table);
    return true;
  }

  private describe(table: Int32Array): void {
    table[0] = this.count;
    table[1] = Math.clz32(this.slots.length / GROUP_WORDS - 1);
    table[2] = this.slots.byteOffset;
    table[3] = this.words.byteOffset;
    table[4] = this.words.length / 2;
  }

  /** A number that no integer has: for NULL. At most one. */
  addHole(): number {
    return this.push(0, 0);
  }

  /**
   * Forgets all but these, which get the numbers 0, 1, 2… in this order. Keeps memory for those that come, if it is not too much.
   * @param hole place of the one of `addHole` among them, or −1
   */
  keep(numbers: Int32Array, hole: number): void {
    const { length } = numbers;
    const kept = new Int32Array(2 * length);
    gatherPairs(this.words, numbers, 0, length, kept);
    if (this.room > MANY_SLOTS && this.room > 8 * length) {
      giveBack(this.words);
      giveBack(this.slots);
      this.words = newWords(Math.max(128, 2 * length));
      this.slots = newWords(GROUP_WORDS * Math.max(FEW_GROUPS, 2 ** Math.ceil(Math.log2((2 * length) / this.lanes))));
    } else this.slots.fill(0);
    this.words.set(kept);
    this.count = length;
    for (let number = 0; number < length; number++) {
      const lo = kept[2 * number] as number;
      const hi = kept[2 * number + 1] as number;
      if (number !== hole) this.fill(this.slotOf(lo, hi), lo, hi, number);
    }
  }

  /** Gives its memory back. The table may not be used again. */
  release(): void {
    giveBack(this.words);
    giveBack(this.slots);
  }

  /** Slots that there are. */
  private get room(): number {
    return (this.slots.length / GROUP_WORDS) * this.lanes;
  }

  /** Where the integer's low word is in `slots`, or belongs. */
  private slotOf(lo: number, hi: number): number {
    const { slots, lanes } = this;
    const mask = slots.length - 1;
    for (let group = homeGroup(hashOfWords(lo, hi), slots, GROUP_WORDS); ; group = (group + GROUP_WORDS) & mask) {
      for (let at = group; at < group + lanes; at++) {
        if (slots[at + NUMBERS_AT] === 0) return at;
        if (slots[at] === lo && (lanes === SHORT_LANES || slots[at + LANES] === hi)) return at;
      }
    }
  }

  private fill(slot: number, lo: number, hi: number, number: number): void {
    const { slots } = this;
    slots[slot] = lo;
    if (!this.isShort) slots[slot + LANES] = hi;
    slots[slot + NUMBERS_AT] = number + 1;
  }

  private push(lo: number, hi: number): number {
    const number = this.count;
    if (2 * number === this.words.length) this.words = grownWords(this.words, 2 * this.words.length);
    this.words[2 * number] = lo;
    this.words[2 * number + 1] = hi;
    this.count = number + 1;
    return number;
  }

  private growSlots(): void {
    this.rebuild(this.lanes, (2 * this.slots.length) / GROUP_WORDS);
  }

  /** Makes slots for integers of 64 bits. */
  private widen(): void {
    this.rebuild(LANES, (2 * this.slots.length) / GROUP_WORDS);
  }

  /** So many groups of so many slots. */
  private rebuild(lanes: number, groups: number): void {
    const { slots: old, lanes: oldLanes } = this;
    this.slots = newWords(groups * GROUP_WORDS);
    this.lanes = lanes;
    // From one end to the other: in a larger table, too, what is there comes in this order.
    for (let group = 0; group < old.length; group += GROUP_WORDS) {
      for (let at = group; at < group + oldLanes; at++) {
        const number = (old[at + NUMBERS_AT] as number) - 1;
        if (number < 0) continue;
        const lo = old[at] as number;
        const hi = oldLanes === SHORT_LANES ? lo >> 31 : (old[at + LANES] as number);
        this.fill(this.slotOf(lo, hi), lo, hi, number);
      }
    }
    giveBack(old);
  }
}

/** Whether two words are an integer of 32 bits. */
const isShort = (lo: number, hi: number): boolean => hi === lo >> 31;
