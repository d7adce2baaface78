import { homeGroup, type SlotLayout } from "./word-slots.ts";
import type { WordStore } from "./word-store.ts";

/** Words of 32 bits of a line; where the numbers are in it, and what tells of the lengths. */
const WORDS = 16;
const LANES = 3;
const NUMBERS_AT = 12;
const TAGS_AT = 15;
/** A table of fewer lines is in the cache anyhow: it may as well have more of them, so that words are where they belong. */
const FEW_LINES = 1 << 12;
/** Bytes of a word that have room in its slot. */
const FIRST = 16;
/** Of a word that does not. */
const LONG_TAG = FIRST + 2;

/** Tells words of different lengths apart as far as they have room, and all from no word, which is 0. */
const tagOf = (length: number): number => (length <= FIRST ? length + 1 : LONG_TAG);

/**
 * Slots as the kernels of text have them: three in a line of the cache, which nearly always is all that a row has to wait for. A line has for each slot 16
 * bytes that decide, then the numbers + 1, then a byte for each that tells its length. What decides is the word with zeros behind it; of words that are
 * longer the hash, the length, and the place among the bytes.
 */
export const LINES: SlotLayout = {
  words: WORDS,

  most({ length }) {
    const lines = length / WORDS;
    return lines <= FEW_LINES ? lines : 2 * lines;
  },

  placeOf(slots, source, start, end, hash, store) {
    const tag = tagOf(end - start);
    for (let line = homeGroup(hash, slots, WORDS); ; line = (line + WORDS) & (slots.length - 1)) {
      const tags = slots[line + TAGS_AT] as number;
      for (let lane = 0; lane < LANES; lane++) {
        const place = line + NUMBERS_AT + lane;
        const number = (slots[place] as number) - 1;
        if (number < 0) return place;
        const isAlike = ((tags >> (8 * lane)) & 0xff) === tag && (tag !== LONG_TAG || slots[line + 4 * lane] === hash);
        if (isAlike && store.is(number, source, start, end)) return place;
      }
    }
  },

  emptyPlace(slots, hash) {
    for (let line = homeGroup(hash, slots, WORDS); ; line = (line + WORDS) & (slots.length - 1)) {
      for (let place = line + NUMBERS_AT; place < line + TAGS_AT; place++) if (slots[place] === 0) return place;
    }
  },

  fill(slots, place, hash, number, store) {
    const line = place & -WORDS;
    const lane = place - line - NUMBERS_AT;
    const from = store.offsets[number] as number;
    const length = (store.offsets[number + 1] as number) - from;
    slots[place] = number + 1;
    slots[line + TAGS_AT] = (slots[line + TAGS_AT] as number) | (tagOf(length) << (8 * lane));
    slots.set(length > FIRST ? [hash, length, from, 0] : firstWords(store, from, length), line + 4 * lane);
  },

  renumber(slots, ranks, offsets) {
    for (let line = 0; line < slots.length; line += WORDS) {
      const tags = slots[line + TAGS_AT] as number;
      for (let lane = 0; lane < LANES; lane++) {
        const before = (slots[line + NUMBERS_AT + lane] as number) - 1;
        if (before < 0) continue;
        const number = ranks[before] as number;
        slots[line + NUMBERS_AT + lane] = number + 1;
        if (((tags >> (8 * lane)) & 0xff) === LONG_TAG) slots[line + 4 * lane + 2] = offsets[number] as number;
      }
    }
  },
};

/** Bytes of a word with zeros behind them. */
function firstWords({ bytes }: WordStore, from: number, length: number): number[] {
  const words = [0, 0, 0, 0];
  for (let i = 0; i < length; i++) {
    words[i >> 2] = (words[i >> 2] as number) | ((bytes[from + i] as number) << (8 * (i & 3)));
  }
  return words;
}
