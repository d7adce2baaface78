import { hashText, mix } from "./hash";

/**
 * Numbers for words, as BytesInterner in ../bytes-interner.ts gives them, over the same arrays. A table says in 32-bit words where they are: how many
 * words there are, slots − 1, slots, offsets, room for so many words, bytes, room for so many bytes; and a word for the kernel's own use.
 *
 * A slot has 32 bytes: the hash of a word, its number + 1 or 0 where the slot is empty, its length and its place among the bytes, and its first 16 bytes
 * with zeros behind. So most words are found by a look at one line of the cache.
 */
const SLOT_BITS: usize = 5;
const FIRST: i32 = 16;

@inline
function sameBytes(a: usize, b: usize, length: u32): bool {
  const whole = length & ~7;
  for (let i: u32 = 0; i < whole; i += 8) if (load<u64>(a + i) != load<u64>(b + i)) return false;
  const tail = ((<u64>1) << (<u64>(length - whole) << 3)) - 1;
  return ((load<u64>(a + whole) ^ load<u64>(b + whole)) & tail) == 0;
}

/** The first 16 bytes of a text, with zeros behind it. */
@inline
function firstOf(text: usize, length: i32): v128 {
  const places = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return v128.and(v128.load(text), i8x16.gt_s(i8x16.splat(<i8>min<i32>(length, FIRST)), places));
}

/** Rows that are hashed and looked for at a time: what they touch stays in the cache until they get their numbers. */
const CHUNK = 256;

/**
 * Numbers of rows from `from` on into `ids`; of words that are not there new ones if `grow`, else −1. Answers the row at which there was no room for a
 * new word, or `count`. Reads up to 36 bytes behind a row.
 *
 * The search for a hash begins at the slot that its upper bits say, as in ../word-slots.ts. The slots of some rows are looked at before they are searched:
 * so rows wait for memory together, not one after the other.
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
    const at = <usize>row << 2;
    hashText(offsets + at, bytes, to - row, ids + at);
    store<u32>(table, slotsSeen(table, ids + at, ids + (<usize>to << 2)), 28);
    row = internChunk(table, offsets, bytes, row, to, grow, ids);
    if (row < to) break;
  }
  return row;
}

/** Answers nothing that means something. */
function slotsSeen(table: usize, hashes: usize, end: usize): u32 {
  const shift = clz<u32>(load<u32>(table, 4));
  const slots = <usize>load<u32>(table, 8);
  let seen: u32 = 0;
  for (; hashes < end; hashes += 4) seen ^= load<u32>(slots + (<usize>(load<u32>(hashes) >> shift) << SLOT_BITS));
  return seen;
}

/** The same for a few rows, whose hashes are in `ids`. */
function internChunk(table: usize, offsets: usize, bytes: usize, from: i32, to: i32, grow: bool, ids: usize): i32 {
  let words = load<u32>(table);
  const mask = load<u32>(table, 4);
  const shift = clz<u32>(mask);
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
    const length = <i32>(stop - start);
    const first = firstOf(start, length);
    const hash = load<u32>(ids + at);
    let slot = hash >> shift;
    let id = -1;
    while (true) {
      const place = slots + (<usize>slot << SLOT_BITS);
      const number = load<u32>(place, 4);
      const same = <i32>(load<u32>(place) == hash) & <i32>(load<i32>(place, 8) == length);
      if (number == 0) {
        if (!grow) break;
        const end = load<u32>(starts + (<usize>words << 2));
        if (words == mostWords || 3 * (words + 1) > 2 * (mask + 1) || end + <u32>length > mostBytes) {
          store<u32>(table, words);
          return row;
        }
        memory.copy(known + end, start, length);
        store<u32>(starts + (<usize>words << 2), end + length, 4);
        store<u32>(place, hash);
        store<u32>(place, words + 1, 4);
        store<i32>(place, length, 8);
        store<u32>(place, end, 12);
        v128.store(place, first, 16);
        id = words;
        words++;
        break;
      }
      if ((same & <i32>i8x16.all_true(i8x16.eq(v128.load(place, 16), first))) != 0) {
        const rest = known + <usize>load<u32>(place, 12) + FIRST;
        if (length <= FIRST || sameBytes(rest, start + FIRST, length - FIRST)) {
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

/** Whether an integer is one of 32 bits. */
@inline
function isShort(value: u64): bool {
  return <u64>(<i64>(<i32>value)) == value;
}

/**
 * Numbers for 64-bit integers, as WordInterner in ../word-interner.ts gives them, over the same arrays. A table says in 32-bit words: how many integers
 * there are, slots − 1, slots, values, room for so many values; and a word for the kernel's own use. A slot is an integer, its number + 1 or 0, and
 * nothing. With `short` all integers are of 32 bits, and a slot is one of these and its number + 1: it ends at an integer that is not, too. Otherwise as
 * `internText`.
 */
export function internLongs(
  short: bool,
  table: usize,
  values: usize,
  from: i32,
  count: i32,
  grow: bool,
  ids: usize,
): i32 {
  return short ? internAll(true, table, values, from, count, grow, ids) : internAll(false, table, values, from, count, grow, ids);
}

@inline
function internAll(short: bool, table: usize, values: usize, from: i32, count: i32, grow: bool, ids: usize): i32 {
  const bits: usize = short ? 3 : 4;
  let row = from;
  while (row < count) {
    const to = min<i32>(row + CHUNK, count);
    const shift = clz<u32>(load<u32>(table, 4));
    const slots = <usize>load<u32>(table, 8);
    let seen: u32 = 0;
    for (let i = row; i < to; i++) {
      const hash = hashOfLong(load<u64>(values + (<usize>i << 3)));
      store<u32>(ids + (<usize>i << 2), hash);
      seen ^= load<u32>(slots + (<usize>(hash >> shift) << bits));
    }
    store<u32>(table, seen, 20);
    row = internSome(short, table, values, row, to, grow, ids);
    if (row < to) break;
  }
  return row;
}

/** The same for a few integers, whose hashes are in `ids`. */
@inline
function internSome(short: bool, table: usize, values: usize, from: i32, to: i32, grow: bool, ids: usize): i32 {
  let known = load<u32>(table);
  const mask = load<u32>(table, 4);
  const shift = clz<u32>(mask);
  const slots = <usize>load<u32>(table, 8);
  const words = <usize>load<u32>(table, 12);
  const most = load<u32>(table, 16);
  let row = from;
  for (; row < to; row++) {
    const value = load<u64>(values + (<usize>row << 3));
    if (short && !isShort(value)) break;
    let slot = load<u32>(ids + (<usize>row << 2)) >> shift;
    let id = -1;
    let isFull = false;
    while (true) {
      const place = slots + (<usize>slot << (short ? 3 : 4));
      const number = short ? load<u32>(place, 4) : load<u32>(place, 8);
      if (number != 0) {
        if (short ? load<u32>(place) == <u32>value : load<u64>(place) == value) {
          id = number - 1;
          break;
        }
        slot = (slot + 1) & mask;
        continue;
      }
      if (!grow) break;
      if (known == most || 3 * (known + 1) > 2 * (mask + 1)) {
        isFull = true;
        break;
      }
      store<u64>(words + (<usize>known << 3), value);
      if (short) {
        store<u32>(place, <u32>value);
        store<u32>(place, known + 1, 4);
      } else {
        store<u64>(place, value);
        store<u32>(place, known + 1, 8);
      }
      id = known;
      known++;
      break;
    }
    if (isFull) break;
    store<i32>(ids + (<usize>row << 2), id);
  }
  store<u32>(table, known);
  return row;
}
