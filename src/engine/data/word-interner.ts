import { hashOfWords } from "./kernels/hash.ts";

/** Gives 64-bit integers numbers 0, 1, 2… in the order in which they first appear. Open addressing, at most half full. */
export class WordInterner {
  private count = 0;
  private words = new Int32Array(128);
  /** Number + 1 of the integer in a slot, or 0. */
  private slots = new Int32Array(128);
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
    const known = this.slots[slot] as number;
    if (known !== 0) return known - 1;
    const number = this.push(lo, hi);
    this.slots[slot] = number + 1;
    if (2 * this.count > this.slots.length) this.growSlots();
    return number;
  }

  /** The number of an integer, or −1. */
  find(lo: number, hi: number): number {
    return (this.slots[this.slotOf(lo, hi)] as number) - 1;
  }

  /** A number that no integer has: for NULL. At most one. */
  addHole(): number {
    this.hole = this.count;
    return this.push(0, 0);
  }

  private slotOf(lo: number, hi: number): number {
    const { slots, words } = this;
    const mask = slots.length - 1;
    let slot = hashOfWords(lo, hi) & mask;
    for (;;) {
      const number = (slots[slot] as number) - 1;
      if (number < 0 || (words[2 * number] === lo && words[2 * number + 1] === hi)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  private push(lo: number, hi: number): number {
    const number = this.count;
    if (2 * number === this.words.length) {
      const words = new Int32Array(2 * this.words.length);
      words.set(this.words);
      this.words = words;
    }
    this.words[2 * number] = lo;
    this.words[2 * number + 1] = hi;
    this.count = number + 1;
    return number;
  }

  private growSlots(): void {
    const slots = new Int32Array(2 * this.slots.length);
    const mask = slots.length - 1;
    for (let number = 0; number < this.count; number++) {
      if (number === this.hole) continue;
      let slot = hashOfWords(this.words[2 * number] as number, this.words[2 * number + 1] as number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.slots = slots;
  }
}
