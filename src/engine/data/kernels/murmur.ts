/**
 * MurmurHash3 (x86, 32 bits, seed 0) in integer operations only, so that a WebAssembly twin is a transcription.
 */

/** The finisher: every bit of the word reaches every bit of the result; one to one. */
export function mix(word: number): number {
  let h = word ^ (word >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** One round: takes a word into the state. */
function round(state: number, word: number): number {
  const h = state ^ scramble(word);
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
}

function scramble(word: number): number {
  const k = Math.imul(word, 0xcc9e2d51);
  return Math.imul((k << 15) | (k >>> 17), 0x1b873593);
}

/** Hash of bytes [start, end), as a signed word. */
export function murmurBytes(bytes: Uint8Array, start: number, end: number): number {
  let h = 0;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const low = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
    h = round(h, low | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24));
  }
  let tail = 0;
  for (let i = end - 1; i >= at; i--) tail = (tail << 8) | (bytes[i] as number);
  return mix(h ^ scramble(tail) ^ (end - start));
}

/** The same through a view whose bytes up to `end + 4` can be read. */
export function murmurWords(view: DataView, start: number, end: number): number {
  let h = 0;
  let at = start;
  for (; at + 4 <= end; at += 4) h = round(h, view.getInt32(at, true));
  const tail = view.getInt32(at, true) & ((1 << ((end - at) << 3)) - 1);
  return mix(h ^ scramble(tail) ^ (end - start));
}
