import { WORD_BYTES } from "./storage.ts";

/**
 * Slots of a table of words: the hash of a word and its number + 1, or 0 where the slot is empty. Slots lie in groups, all hashes of a group before its
 * numbers. A hash says in which group a word begins to look for its slot, which is the first empty one from there on; a larger table has them in the same
 * order.
 *
 * Groups of four, as kernels have them, also hold what decides for most words: their lengths, their places among the bytes, and the first 16 bytes of
 * each with zeros behind.
 */
export interface SlotLayout {
  /** Slots of a group. */
  readonly lanes: number;
  /** Words of 32 bits of a group. */
  readonly words: number;
}

export const NARROW: SlotLayout = { lanes: 1, words: 2 };
export const WIDE: SlotLayout = { lanes: 4, words: 32 };
const FIRST_AT = 16;
const FIRST_WORDS = 4;

/**
 * Where the group begins in which the search for a hash begins, among groups of so many words, powers of two both. By its first bits: the last ones decide
 * to which task a key goes, so that within one they are much alike.
 */
export const homeGroup = (hash: number, slots: Int32Array, words: number): number =>
  (hash >>> Math.clz32(slots.length - 1)) & -words;

export const slotCount = (slots: Int32Array, { lanes, words }: SlotLayout): number => (slots.length / words) * lanes;

interface Words {
  readonly offsets: Int32Array;
  readonly bytes: Uint8Array;
}

/** Where the hash of a new word belongs. */
export function emptySlot(slots: Int32Array, { lanes, words }: SlotLayout, hash: number): number {
  for (let group = homeGroup(hash, slots, words); ; group = (group + words) & (slots.length - 1)) {
    for (let at = group; at < group + lanes; at++) if (slots[at + lanes] === 0) return at;
  }
}

export function fillSlot(
  slots: Int32Array,
  { lanes, words }: SlotLayout,
  at: number,
  hash: number,
  number: number,
  { offsets, bytes }: Words,
): void {
  slots[at] = hash;
  slots[at + lanes] = number + 1;
  if (lanes === 1) return;
  const from = offsets[number] as number;
  const end = offsets[number + 1] as number;
  slots[at + 2 * lanes] = end - from;
  slots[at + 3 * lanes] = from;
  const lane = at & (lanes - 1);
  const first = (at & -words) + FIRST_AT + FIRST_WORDS * lane;
  for (let word = 0, place = from; word < FIRST_WORDS; word++) {
    let four = 0;
    for (let b = 0; b < WORD_BYTES; b++, place++) if (place < end) four |= (bytes[place] as number) << (8 * b);
    slots[first + word] = four;
  }
}

/** Puts what is in a table into a larger one, which is empty. */
export function copySlots(from: Int32Array, to: Int32Array, layout: SlotLayout): void {
  const { lanes, words } = layout;
  for (let group = 0; group < from.length; group += words) {
    for (let lane = 0; lane < lanes; lane++) {
      const at = group + lane;
      if (from[at + lanes] === 0) continue;
      const slot = emptySlot(to, layout, from[at] as number);
      for (let each = 0; each < FIRST_AT && each < words; each += lanes) to[slot + each] = from[at + each] as number;
      if (lanes === 1) continue;
      const source = group + FIRST_AT + FIRST_WORDS * lane;
      const target = (slot & -words) + FIRST_AT + FIRST_WORDS * (slot & (lanes - 1));
      for (let word = 0; word < FIRST_WORDS; word++) to[target + word] = from[source + word] as number;
    }
  }
}

/** The word with the number n in a table gets the number `ranks[n]`, and lies where `offsets` says then. */
export function renumberSlots(
  slots: Int32Array,
  { lanes, words }: SlotLayout,
  ranks: Int32Array,
  offsets: Int32Array,
): void {
  for (let group = lanes; group < slots.length; group += words) {
    for (let at = group; at < group + lanes; at++) {
      const before = (slots[at] as number) - 1;
      if (before < 0) continue;
      const number = ranks[before] as number;
      slots[at] = number + 1;
      if (lanes > 1) slots[at + 2 * lanes] = offsets[number] as number;
    }
  }
}
