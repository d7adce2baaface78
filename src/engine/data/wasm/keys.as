import { mix, murmur } from "./shuffle";

/**
 * Numbers for words, as BytesInterner in ../bytes-interner.ts gives them, over the same arrays. A table says in 32-bit words where they are: how many
 * words there are, slots − 1, slots, offsets, room for so many words, bytes, room for so many bytes; and a word for the kernel's own use.
 *
 * A slot is a hash and a number + 1; 0 is an empty slot.
 */

@inline
function sameBytes(a: usize, b: usize, length: u32): bool {
  const whole = length & ~7;
  for (let i: u32 = 0; i < whole; i += 8) if (load<u64>(a + i) != load<u64>(b + i)) return false;
  const tail = ((<u64>1) << (<u64>(length - whole) << 3)) - 1;
  return ((load<u64>(a + whole) ^ load<u64>(b + whole)) & tail) == 0;
}

/** Rows that are hashed and looked for at a time: what they touch stays in the cache until they get their numbers. */
const CHUNK = 256;

/**
 * Hashes of the rows [from, to) into `hashes`, and a look at what each will be compared with: the rows wait for memory together, not one after the other.
 * Answers nothing that means something.
 */
function lookAhead(table: usize, offsets: usize, bytes: usize, from: i32, to: i32, hashes: usize): u32 {
  const mask = load<u32>(table, 4);
  const slots = <usize>load<u32>(table, 8);
  const starts = <usize>load<u32>(table, 12);
  const known = <usize>load<u32>(table, 20);
  let start = bytes + load<u32>(offsets + (<usize>from << 2));
  for (let row = from; row < to; row++) {
    const at = <usize>row << 2;
    const stop = bytes + load<u32>(offsets + at, 4);
    store<u32>(hashes + at, murmur(start, stop));
    start = stop;
  }
  let seen: u32 = 0;
  for (let row = from; row < to; row++) {
    const number = load<u32>(slots + (<usize>(load<u32>(hashes + (<usize>row << 2)) & mask) << 3), 4);
    const word = starts + (<usize>(number - <u32>(number != 0)) << 2);
    seen ^= load<u32>(known + load<u32>(word));
  }
  return seen;
}

/**
 * Numbers of rows from `from` on into `ids`; of words that are not there new ones if `grow`, else −1. Answers the row at which there was no room for a
 * new word, or `count`. Reads up to seven bytes behind a row.
 */
export function internText(
  table: usize,
  offsets: usize,
  bytes: usize,
  from: i32,
  count: i32,
  grow: bool,
  ids: usize,
): i32 {
  let row = from;
  while (row < count) {
    const to = min<i32>(row + CHUNK, count);
    store<u32>(table, lookAhead(table, offsets, bytes, row, to, ids), 28);
    row = internChunk(table, offsets, bytes, row, to, grow, ids);
    if (row < to) break;
  }
  return row;
}

/** The same for a few rows, whose hashes are in `ids`. */
function internChunk(table: usize, offsets: usize, bytes: usize, from: i32, to: i32, grow: bool, ids: usize): i32 {
  let words = load<u32>(table);
  const mask = load<u32>(table, 4);
  const slots = <usize>load<u32>(table, 8);
  const starts = <usize>load<u32>(table, 12);
  const mostWords = load<u32>(table, 16);
  const known = <usize>load<u32>(table, 20);
  const mostBytes = load<u32>(table, 24);
  let start = bytes + load<u32>(offsets + (<usize>from << 2));
  let row = from;
  for (; row < to; row++) {
    const at = <usize>row << 2;
    const stop = bytes + load<u32>(offsets + at, 4);
    const length = <u32>(stop - start);
    const hash = load<u32>(ids + at);
    let slot = hash & mask;
    let id = -1;
    while (true) {
      const place = slots + (<usize>slot << 3);
      const number = load<u32>(place, 4);
      if (number == 0) {
        if (!grow) break;
        const end = load<u32>(starts + (<usize>words << 2));
        if (words == mostWords || 3 * (words + 1) > 2 * (mask + 1) || end + length > mostBytes) {
          store<u32>(table, words);
          return row;
        }
        memory.copy(known + end, start, length);
        store<u32>(starts + (<usize>words << 2), end + length, 4);
        store<u32>(place, hash);
        store<u32>(place, words + 1, 4);
        id = words;
        words++;
        break;
      }
      if (load<u32>(place) == hash) {
        const word = starts + (<usize>(number - 1) << 2);
        const begin = load<u32>(word);
        if (load<u32>(word, 4) - begin == length && sameBytes(known + begin, start, length)) {
          id = number - 1;
          break;
        }
      }
      slot = (slot + 1) & mask;
    }
    store<i32>(ids + at, id);
    start = stop;
  }
  store<u32>(table, words);
  return row;
}

@inline
function hashOfLong(value: u64): u32 {
  return mix(<u32>value ^ (<u32>(value >> 32) * 0x9e3779b1));
}

/**
 * Numbers for 64-bit integers, as WordInterner in ../word-interner.ts gives them, over the same arrays. A table says in 32-bit words: how many integers
 * there are, slots − 1, slots, values, room for so many values; and a word for the kernel's own use. A slot is an integer, its number + 1 or 0, and
 * nothing. Otherwise as `internText`.
 */
export function internLongs(table: usize, values: usize, from: i32, count: i32, grow: bool, ids: usize): i32 {
  let row = from;
  while (row < count) {
    const to = min<i32>(row + CHUNK, count);
    const mask = load<u32>(table, 4);
    const slots = <usize>load<u32>(table, 8);
    let seen: u32 = 0;
    for (let i = row; i < to; i++) {
      const hash = hashOfLong(load<u64>(values + (<usize>i << 3)));
      store<u32>(ids + (<usize>i << 2), hash);
      seen ^= load<u32>(slots + (<usize>(hash & mask) << 4));
    }
    store<u32>(table, seen, 20);
    row = internLongsOf(table, values, row, to, grow, ids);
    if (row < to) break;
  }
  return row;
}

/** The same for a few integers, whose hashes are in `ids`. */
function internLongsOf(table: usize, values: usize, from: i32, to: i32, grow: bool, ids: usize): i32 {
  let known = load<u32>(table);
  const mask = load<u32>(table, 4);
  const slots = <usize>load<u32>(table, 8);
  const words = <usize>load<u32>(table, 12);
  const most = load<u32>(table, 16);
  let row = from;
  for (; row < to; row++) {
    const value = load<u64>(values + (<usize>row << 3));
    let slot = load<u32>(ids + (<usize>row << 2)) & mask;
    let id = -1;
    while (true) {
      const place = slots + (<usize>slot << 4);
      const number = load<u32>(place, 8);
      if (number != 0) {
        if (load<u64>(place) == value) {
          id = number - 1;
          break;
        }
        slot = (slot + 1) & mask;
        continue;
      }
      if (!grow) break;
      if (known == most || 3 * (known + 1) > 2 * (mask + 1)) {
        store<u32>(table, known);
        return row;
      }
      store<u64>(words + (<usize>known << 3), value);
      store<u64>(place, value);
      store<u32>(place, known + 1, 8);
      id = known;
      known++;
      break;
    }
    store<i32>(ids + (<usize>row << 2), id);
  }
  store<u32>(table, known);
  return row;
}
