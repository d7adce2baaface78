/**
 * Numbers for keys, as BytesInterner and WordInterner in .. give them, over the same arrays. Slots of a table lie in groups, which the first bits of a
 * hash choose: all of a group are looked at together, so that there is nearly always one group to look at, and nothing to guess. The first empty slot of
 * the groups from there on is where a key is not.
 *
 * A table says in 32-bit words where it is: how many keys there are, 32 − the bits that choose a group, groups, then for words: offsets, room for so
 * many words, bytes, room for so many bytes; for integers: values, room for so many; and at last a word for the kernel's own use. Kernels answer the row at
 * which there was no room for a new key, or `count`. They may write up to three numbers behind those.
 */

/** Rows that are hashed and looked for at a time: what they touch stays in the cache until they get their numbers. */
export const CHUNK = 256;
/** Logarithm of the bytes of a group, which is a line of the cache. */
export const LINE_BITS: u32 = 6;
/** A table of so many bytes is in the cache anyhow. */
const NEAR: u32 = 1 << 18;

/**
 * Looks at the groups of some rows, which are lines, before they are searched: so rows wait for memory together, not one after the other.
 */
export function touch(table: usize, hashes: usize, end: usize): void {
  const shift = load<u32>(table, 4);
  const groups = <usize>load<u32>(table, 8);
  if (((<u32>1 << LINE_BITS) << (32 - shift)) <= NEAR) return;
  let seen: u32 = 0;
  for (; hashes < end; hashes += 4) seen ^= load<u32>(groups + (<usize>(load<u32>(hashes) >> shift) << LINE_BITS));
  // Answers nothing that means something, but has to be kept.
  store<u32>(table, seen, 28);
}

/** The same for the lines behind those of some hashes, which lie `step` bytes apart. */
export function touchNext(table: usize, hashes: usize, end: usize, step: usize): void {
  const shift = load<u32>(table, 4);
  const groups = <usize>load<u32>(table, 8);
  const wrap = ((<u32>1 << LINE_BITS) << (32 - shift)) - 1;
  if (wrap < NEAR) return;
  let seen: u32 = 0;
  for (; hashes < end; hashes += step) {
    const place = ((load<u32>(hashes) >> shift) + 1) << LINE_BITS;
    seen ^= load<u32>(groups + (place & wrap));
  }
  store<u32>(table, seen, 28);
}
