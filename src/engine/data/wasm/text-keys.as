import { hashText } from "./hash";
import { CHUNK, touch } from "./key-groups";

/** Groups of four words: their hashes, numbers + 1 or 0 where a slot is empty, lengths, places among the bytes; and the first 16 bytes of each. */
const TEXT_BITS: u32 = 7;

@inline
function sameBytes(a: usize, b: usize, length: u32): bool {
  const whole = length & ~7;
  for (let i: u32 = 0; i < whole; i += 8) if (load<u64>(a + i) != load<u64>(b + i)) return false;
  const tail = ((<u64>1) << (<u64>(length - whole) << 3)) - 1;
  return ((load<u64>(a + whole) ^ load<u64>(b + whole)) & tail) == 0;
}

const FIRST: i32 = 16;

/** The first 16 bytes of a text, with zeros behind it. */
@inline
function firstOf(text: usize, length: i32): v128 {
  const places = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return v128.and(v128.load(text), i8x16.gt_s(i8x16.splat(<i8>min<i32>(length, FIRST)), places));
}

/**
 * Numbers of rows from `from` on into `ids`; of words that are not there new ones if `grow`, else −1. Reads up to 36 bytes behind a row. Behind what it
 * says, a table has room for two words for each row of a chunk: rows that are left, and their hashes.
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
  const left = table + 32;
  let row = from;
  while (row < count) {
    const to = min<i32>(row + CHUNK, count);
    const at = <usize>row << 2;
    hashText(offsets + at, bytes, to - row, ids + at);
    touch(table, ids + at, ids + (<usize>to << 2), TEXT_BITS);
    const length = load<u32>(offsets + (<usize>to << 2)) - load<u32>(offsets + at);
    const areShort = length <= <u32>(FIRST * (to - row));
    const end = areShort ? findShort(table, offsets, bytes, row, to, ids, left) : listAll(row, to, ids, left);
    row = internLeft(table, offsets, bytes, left, end, to, grow, ids);
    if (row < to) break;
  }
  return row;
}

/**
 * Numbers of words of at most 16 bytes that are where they belong first, as nearly all are. Rows of others, and of words that may not be there, go to
 * `left`. Nothing here depends on a branch. Answers where the list ends.
 */
function findShort(table: usize, offsets: usize, bytes: usize, from: i32, to: i32, ids: usize, left: usize): usize {
  const shift = load<u32>(table, 4);
  const groups = <usize>load<u32>(table, 8);
  for (let row = from; row < to; row++) {
    const at = <usize>row << 2;
    const start = load<u32>(offsets + at);
    const length = load<i32>(offsets + at, 4) - <i32>start;
    const hash = load<u32>(ids + at);
    const group = groups + (<usize>(hash >> shift) << TEXT_BITS);
    const lanes = i32x4.bitmask(i32x4.eq(v128.load(group), i32x4.splat(hash)));
    // Where there is none, what lies behind the group is as good as any.
    const lane = <usize>ctz<i32>(lanes | 16);
    const slot = group + (lane << 2);
    const differ = v128.xor(v128.load(group + (lane << 4), 64), firstOf(bytes + start, length));
    const isOther = <i32>v128.any_true(differ) | (load<i32>(slot, 32) ^ length) | <i32>(length > FIRST) | <i32>(lanes == 0);
    const id = load<i32>(slot, 16) - 1;
    store<i32>(ids + at, id);
    store<i32>(left, row);
    store<u32>(left, hash, 4);
    left += <usize>((isOther != 0 ? 1 : 0) | <i32>(id < 0)) << 3;
  }
  return left;
}

/** All rows, as if none of them had been found. */
function listAll(from: i32, to: i32, ids: usize, left: usize): usize {
  for (let row = from; row < to; row++, left += 8) {
    store<i32>(left, row);
    store<u32>(left, load<u32>(ids + (<usize>row << 2)), 4);
  }
  return left;
}

/** The numbers of the rows of a list. Answers the row at which there was no room for a new word, or `to`. */
function internLeft(
  table: usize,
  offsets: usize,
  bytes: usize,
  left: usize,
  end: usize,
  to: i32,
  grow: bool,
  ids: usize,
): i32 {
  for (; left < end; left += 8) {
    const row = load<i32>(left);
    const at = <usize>row << 2;
    const start = load<u32>(offsets + at);
    const length = load<i32>(offsets + at, 4) - <i32>start;
    const id = intern(table, bytes + start, length, load<u32>(left, 4), grow);
    if (id == NO_ROOM) return row;
    store<i32>(ids + at, id);
  }
  return to;
}

const NO_ROOM = -2;

/** The number of a word, or −1, or `NO_ROOM`. */
function intern(table: usize, text: usize, length: i32, hash: u32, grow: bool): i32 {
  const shift = load<u32>(table, 4);
  const groups = <usize>load<u32>(table, 8);
  const known = <usize>load<u32>(table, 20);
  const wrap = ((<u32>1 << TEXT_BITS) << (32 - shift)) - 1;
  const first = firstOf(text, length);
  let group = groups + ((hash >> shift) << TEXT_BITS);
  let empty = i32x4.splat(0);
  while (true) {
    empty = i32x4.eq(v128.load(group, 16), i32x4.splat(0));
    const alike = v128.and(
      i32x4.eq(v128.load(group), i32x4.splat(hash)),
      i32x4.eq(v128.load(group, 32), i32x4.splat(length)),
    );
    for (let lanes = i32x4.bitmask(v128.andnot(alike, empty)); lanes != 0; lanes &= lanes - 1) {
      const lane = <usize>ctz<i32>(lanes);
      const slot = group + (lane << 2);
      if (v128.any_true(v128.xor(v128.load(group + (lane << 4), 64), first))) continue;
      if (length <= FIRST || sameBytes(known + <usize>load<u32>(slot, 48) + FIRST, text + FIRST, length - FIRST)) {
        return load<i32>(slot, 16) - 1;
      }
    }
    if (v128.any_true(empty)) break;
    group = groups + ((<u32>(group - groups) + (1 << TEXT_BITS)) & wrap);
  }
  if (!grow) return -1;
  const words = load<u32>(table);
  const starts = <usize>load<u32>(table, 12);
  const slots = ((wrap + 1) >> TEXT_BITS) << 2;
  const end = load<u32>(starts + (<usize>words << 2));
  const isFull = words == load<u32>(table, 16) || 3 * (words + 1) > 2 * slots;
  if (isFull || end + <u32>length > load<u32>(table, 24)) return NO_ROOM;
  memory.copy(known + end, text, length);
  store<u32>(starts + (<usize>words << 2), end + length, 4);
  const lane = <usize>ctz<i32>(i32x4.bitmask(empty));
  const slot = group + (lane << 2);
  store<u32>(slot, hash);
  store<u32>(slot, words + 1, 16);
  store<i32>(slot, length, 32);
  store<u32>(slot, end, 48);
  v128.store(group + (lane << 4), first, 64);
  store<u32>(table, words + 1);
  return <i32>words;
}
