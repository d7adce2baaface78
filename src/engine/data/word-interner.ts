import { hashOfWords } from "./kernels/hash.ts";
import { giveBack, grownWords, heapOf, newWords } from "./state-arrays.ts";
import type { KernelHeap } from "./wasm/kernel-heap.ts";

/** Words of a slot: low, high, number + 1 of the integer or 0, and nothing. What decides lies together. */
const SLOT = 4;
/** Words of what a kernel is told of the table. */
const TABLE_WORDS = 6;

/** Gives 64-bit integers numbers 0, 1, 2… in the order in which they first appear. Open addressing, at most two thirds full. */
export class WordInterner {
  private count = 0;
  private words = newWords(128);
  private slots = newWords(128 * SLOT);
  private hole = -1;

  get size(): number {
    return this.count;
  }

  /** Two words for each number; what lies behind `size` of them is not used. */
  get values(): Int32Array {
    return this.words;
  }

  intern(lo: number, hi: number): number {
    const slot = this.slotOf(lo, hi);
    const known = this.slots[slot + 2] as number;
    if (known !== 0) return known - 1;
    const number = this.push(lo, hi);
    this.fill(slot, number);
    if (3 * this.count > 2 * (this.slots.length / SLOT)) this.growSlots();
    return number;
  }

  /** The number of an integer, or −1. */
  find(lo: number, hi: number): number {
    return (this.slots[this.slotOf(lo, hi) + 2] as number) - 1;
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
    for (let from = 0; from < count; ) {
      table[0] = this.count;
      table[1] = this.slots.length / SLOT - 1;
      table[2] = this.slots.byteOffset;
      table[3] = this.words.byteOffset;
      table[4] = this.words.length / 2;
      const { byteOffset } = table;
      from = heap.kernels.internLongs(byteOffset, values.byteOffset, from, count, grow ? 1 : 0, out.byteOffset);
      this.count = table[0] as number;
      if (from === count) continue;
      if (2 * this.count === this.words.length) this.words = grownWords(this.words, 4 * this.count);
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
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = (hashOfWords(lo, hi) * SLOT) & mask;
    while (slots[slot + 2] !== 0 && !(slots[slot] === lo && slots[slot + 1] === hi)) slot = (slot + SLOT) & mask;
    return slot;
  }

  private fill(slot: number, number: number): void {
    this.slots[slot] = this.words[2 * number] as number;
    this.slots[slot + 1] = this.words[2 * number + 1] as number;
    this.slots[slot + 2] = number + 1;
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
    const { length } = this.slots;
    giveBack(this.slots);
    this.slots = newWords(2 * length);
    for (let number = 0; number < this.count; number++) {
      if (number === this.hole) continue;
      this.fill(this.slotOf(this.words[2 * number] as number, this.words[2 * number + 1] as number), number);
    }
  }
}
