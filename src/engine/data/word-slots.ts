import { WORD_BYTES } from "./storage.ts";

/**
 * Slots of a table of words, by open addressing: the hash of a word and its number + 1, or 0 where the slot is empty. What decides in nearly all cases
 * lies together, and in wide slots, as kernels have them, all that decides for most words: also its length, its place among the bytes, and its first
 * 16 bytes with zeros behind.
 */

/** Words of 32 bits in a slot. */
export const NARROW = 2;
export const WIDE = 8;
const FIRST_AT = 4;

interface Words {
  readonly offsets: Int32Array;
  readonly bytes: Uint8Array;
}

/**
 * Where the search for a hash begins in slots of `width` words, powers of two both. By its upper bits: the lower ones decide to which task a key goes, so
 * that within one they are much alike.
 */
export const homeSlot = (hash: number, slots: Int32Array, width: number): number =>
  (hash >>> Math.clz32(slots.length - 1)) & -width;

/** Where the slot for a new word of this hash begins. */
export function emptySlot(slots: Int32Array, width: number, hash: number): number {
  const mask = slots.length - 1;
  let slot = homeSlot(hash, slots, width);
  while (slots[slot + 1] !== 0) slot = (slot + width) & mask;
  return slot;
}

export function fillSlot(
  slots: Int32Array,
  width: number,
  at: number,
  hash: number,
  number: number,
  { offsets, bytes }: Words,
): void {
  slots[at] = hash;
  slots[at + 1] = number + 1;
  if (width === NARROW) return;
  const from = offsets[number] as number;
  const end = offsets[number + 1] as number;
  slots[at + 2] = end - from;
  slots[at + 3] = from;
  for (let word = FIRST_AT, place = from; word < WIDE; word++) {
    let four = 0;
    for (let b = 0; b < WORD_BYTES; b++, place++) if (place < end) four |= (bytes[place] as number) << (8 * b);
    slots[at + word] = four;
  }
}

/** Into slots that are empty. */
export function copySlots(from: Int32Array, to: Int32Array, width: number): void {
  for (let at = 0; at < from.length; at += width) {
    if (from[at + 1] === 0) continue;
    const slot = emptySlot(to, width, from[at] as number);
    for (let w = 0; w < width; w++) to[slot + w] = from[at + w] as number;
  }
}
