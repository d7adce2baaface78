import type { WordStore } from "./word-store.ts";

/**
 * Slots of a table of words, in groups: where a slot is taken, there is the number + 1 of a word, else 0. The hash of a word says in which group it
 * begins to look for its slot, which is the first empty one from there on; a larger table has them in the same order.
 */
export interface SlotLayout {
  /** Words of 32 bits of a group. */
  readonly words: number;
  /** So many words a table of so much room takes. */
  most(slots: Int32Array): number;
  /** Where the number of these bytes is, or belongs. */
  placeOf(slots: Int32Array, source: Uint8Array, start: number, end: number, hash: number, store: WordStore): number;
  /** Where that of a word belongs which is not there. */
  emptyPlace(slots: Int32Array, hash: number): number;
  /** Takes a slot for a word of the store. */
  fill(slots: Int32Array, place: number, hash: number, number: number, store: WordStore): void;
  /** What had the number n gets the number `ranks[n]`, and lies where `offsets` says then. */
  renumber(slots: Int32Array, ranks: Int32Array, offsets: Int32Array): void;
}

/**
 * Where the group begins in which the search for a hash begins, among groups of so many words, powers of two both. By its first bits: the last ones decide
 * to which task a key goes, so that within one they are much alike.
 */
export const homeGroup = (hash: number, slots: Int32Array, words: number): number =>
  (hash >>> Math.clz32(slots.length - 1)) & -words;

/** One slot a group: the hash, and the number + 1. At most two thirds are taken. */
export const PAIRS: SlotLayout = {
  words: 2,
  most: ({ length }) => Math.floor(length / 3),

  placeOf(slots, source, start, end, hash, store) {
    for (let at = homeGroup(hash, slots, 2); ; at = (at + 2) & (slots.length - 1)) {
      const number = (slots[at + 1] as number) - 1;
      if (number < 0 || (slots[at] === hash && store.is(number, source, start, end))) return at + 1;
    }
  },

  emptyPlace(slots, hash) {
    let at = homeGroup(hash, slots, 2);
    while (slots[at + 1] !== 0) at = (at + 2) & (slots.length - 1);
    return at + 1;
  },

  fill(slots, place, hash, number) {
    slots[place - 1] = hash;
    slots[place] = number + 1;
  },

  renumber(slots, ranks) {
    for (let place = 1; place < slots.length; place += 2) {
      const before = (slots[place] as number) - 1;
      if (before >= 0) slots[place] = (ranks[before] as number) + 1;
    }
  },
};
