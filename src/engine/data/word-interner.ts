import { hashOfWords } from "./kernels/hash.ts";
import { giveBack, grownWords, heapOf, newWords } from "./state-arrays.ts";
import type { KernelHeap } from "./wasm/kernel-heap.ts";
import { homeSlot } from "./word-slots.ts";

/** Words of a slot: low, high, number + 1 of the integer or 0, and nothing. What decides lies together. */
const SLOT = 4;
/** As long as all integers are of 32 bits: the integer, and its number + 1 or 0. */
const SHORT_SLOT = 2;
/** Words of what a kernel is told of the table. */
const TABLE_WORDS = 6;

/** Gives 64-bit integers numbers 0, 1, 2… in the order in which they first appear. Open addressing, at most two thirds full. */
export class WordInterner {
  private count = 0;
  private words = newWords(128);
  private slots = newWords(128 * SHORT_SLOT);
  private width = SHORT_SLOT;
  private hole = -1;

  get size(): number {
    return this.count;
  }

  /** Two words for each number; what lies behind `size` of them is not used. */
  get values(): Int32Array {
    return this.words;
  }

  intern(lo: number, hi: number): number {
    if (this.width === SHORT_SLOT && !isShort(lo, hi)) this.rebuild(SLOT, this.slots.length / SHORT_SLOT);
    const { width } = this;
    const slot = this.slotOf(lo, hi);
    const known = this.slots[slot + width / 2] as number;
    if (known !== 0) return known - 1;
    const number = this.push(lo, hi);
    this.fill(slot, number);
    if (3 * this.count > 2 * (this.slots.length / width)) this.growSlots();
    return number;
  }

  /** The number of an integer, or −1. */
  find(lo: number, hi: number): number {
    if (this.width === SHORT_SLOT && !isShort(lo, hi)) return -1;
    return (this.slots[this.slotOf(lo, hi) + this.width / 2] as number) - 1;
  }

  /** The same for pairs of words, low word first: `intern` for each if `grow`, else `find`. */
  numbers(pairs: Int32Array, count: number, grow: boolean, out: Int32Array): void {
    const heap = heapOf(out, count);
    if (heap !== undefined && heapOf(this.slots, count) !== undefined) {
      this.numbersByKernel(heap, pairs, count, grow, out);
      return;
    }
    for (let i = 0; i < count; i++) {
      const lo = pairs[2 * i] as number;
      const hi = pairs[2 * i + 1] as number;
      out[i] = grow ? this.intern(lo, hi) : this.find(lo, hi);
    }
  }

  private numbersByKernel(heap: KernelHeap, pairs: Int32Array, count: number, grow: boolean, out: Int32Array): void {
    const values = heap.words(2 * count);
    const table = heap.words(TABLE_WORDS);
    values.set(pairs.length === 2 * count ? pairs : pairs.subarray(0, 2 * count));
    const [told, source, grows] = [table.byteOffset, values.byteOffset, grow ? 1 : 0];
    for (let from = 0; from < count; ) {
      const short = this.width === SHORT_SLOT;
      table[0] = this.count;
      table[1] = this.slots.length / this.width - 1;
      table[2] = this.slots.byteOffset;
      table[3] = this.words.byteOffset;
      table[4] = this.words.length / 2;
      from = heap.kernels.internLongs(short ? 1 : 0, told, source, from, count, grows, out.byteOffset);
      this.count = table[0] as number;
      if (from === count) continue;
      if (short && !isShort(values[2 * from] as number, values[2 * from + 1] as number)) {
        this.rebuild(SLOT, this.slots.length / SHORT_SLOT);
      } else if (2 * this.count === this.words.length) this.words = grownWords(this.words, 4 * this.count);
      else this.growSlots();
    }
    heap.release(values);
    heap.release(table);
  }

  /** A number that no integer has: for NULL. At most one. */
  addHole(): number {
    this.hole = this.count;
    return this.push(0, 0);
  }

  /** Forgets all, and keeps the memory for those that come. */
  clear(): void {
    this.slots.fill(0);
    this.count = 0;
    this.hole = -1;
  }

  /** Gives its memory back. The table may not be used again. */
  release(): void {
    giveBack(this.words);
    giveBack(this.slots);
  }

  /** Where the integer's slot begins, or the one for it. */
  private slotOf(lo: number, hi: number): number {
    const { slots, width } = this;
    const mask = slots.length - 1;
    let slot = homeSlot(hashOfWords(lo, hi), slots, width);
    if (width === SHORT_SLOT) while (slots[slot + 1] !== 0 && slots[slot] !== lo) slot = (slot + SHORT_SLOT) & mask;
    else while (slots[slot + 2] !== 0 && !(slots[slot] === lo && slots[slot + 1] === hi)) slot = (slot + SLOT) & mask;
    return slot;
  }

  private fill(slot: number, number: number): void {
    const { slots, words, width } = this;
    slots[slot] = words[2 * number] as number;
    if (width === SLOT) slots[slot + 1] = words[2 * number + 1] as number;
    slots[slot + width / 2] = number + 1;
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
    this.rebuild(this.width, (2 * this.slots.length) / this.width);
  }

  /** So many slots of so many words. */
  private rebuild(width: number, slots: number): void {
    giveBack(this.slots);
    this.slots = newWords(width * slots);
    this.width = width;
    for (let number = 0; number < this.count; number++) {
      if (number === this.hole) continue;
      this.fill(this.slotOf(this.words[2 * number] as number, this.words[2 * number + 1] as number), number);
    }
  }
}

/** Whether two words are an integer of 32 bits. */
const isShort = (lo: number, hi: number): boolean => hi === lo >> 31;
