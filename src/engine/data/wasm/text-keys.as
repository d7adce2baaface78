import { hashText, murmur } from "./hash";
import { CHUNK, LINE_BITS, touch, touchNext } from "./key-groups";

/**
 * Three slots in a line, as word-lines.ts says: 16 bytes of each that decide, numbers + 1 or 0 where a slot is empty, and a byte for each that tells how
 * long the word is. Of words that are longer than that the hash decides, the length, and then the bytes at their place.
 */
const LANES: i32 = 3;
const NUMBERS: usize = 48;
const TAGS: usize = 60;

@inline
function sameBytes(a: usize, b: usize, length: u32): bool {
  const whole = length & ~7;
  for (let i: u32 = 0; i < whole; i += 8) if (load<u64>(a + i) != load<u64>(b + i)) return false;
  const tail = ((<u64>1) << (<u64>(length - whole) << 3)) - 1;
  return ((load<u64>(a + whole) ^ load<u64>(b + whole)) & tail) == 0;
}

const FIRST: i32 = 16;
const LONG_TAG: u32 = FIRST + 2;

/** Bits of the slots that are empty. */
@inline
function holesOf(line: usize): i32 {
  return i32x4.bitmask(i32x4.eq(v128.load(line, NUMBERS), i32x4.splat(0))) & ((1 << LANES) - 1);
}

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
    touch(table, ids + at, ids + (<usize>to << 2));
    const length = load<u32>(offsets + (<usize>to << 2)) - load<u32>(offsets + at);
    const areShort = length <= <u32>(FIRST * (to - row));
    let end: usize;
    if (areShort) {
      end = findShort(table, offsets, bytes, row, to, ids, left);
      end = findNext(table, offsets, bytes, left, end, ids);
    } else end = listAll(row, to, ids, left);
    row = internLeft(table, offsets, bytes, left, end, to, grow, ids);
    if (row < to) break;
  }
  return row;
}

/** The number of a word of at most 16 bytes that is in a line, else −1: without a branch. */
@inline
function numberIn(line: usize, text: usize, length: i32): i32 {
  const first = firstOf(text, length);
  const unlike = load<u32>(line, TAGS) ^ ((length + 1) * 0x10101);
  const a = <i32>v128.any_true(v128.xor(v128.load(line), first)) | (unlike & 0xff);
  const b = <i32>v128.any_true(v128.xor(v128.load(line, 16), first)) | (unlike & 0xff00);
  const c = <i32>v128.any_true(v128.xor(v128.load(line, 32), first)) | (unlike & 0xff0000);
  const lanes = <i32>(a == 0) | (<i32>(b == 0) << 1) | (<i32>(c == 0) << 2);
  const isMissing = <i32>(lanes == 0) | <i32>(length > FIRST);
  return (load<i32>(line + (<usize>ctz<i32>(lanes | (1 << (LANES - 1))) << 2), NUMBERS) - 1) | -isMissing;
}

/**
 * Numbers of words of at most 16 bytes that are where they belong first, as most are. Rows of others, and of words that may not be there, go to `left`.
 * Answers where the list ends.
 */
function findShort(table: usize, offsets: usize, bytes: usize, from: i32, to: i32, ids: usize, left: usize): usize {
  const shift = load<u32>(table, 4);
  const groups = <usize>load<u32>(table, 8);
  for (let row = from; row < to; row++) {
    const at = <usize>row << 2;
    const start = load<u32>(offsets + at);
    const length = load<i32>(offsets + at, 4) - <i32>start;
    const hash = load<u32>(ids + at);
    const id = numberIn(groups + (<usize>(hash >> shift) << LINE_BITS), bytes + start, length);
    store<i32>(ids + at, id);
    store<i32>(left, row);
    store<u32>(left, hash, 4);
    left += <usize>(id < 0) << 3;
  }
  return left;
}

/** The same for the rows of a list, in the line behind that where they belong first. The list gets shorter. */
function findNext(table: usize, offsets: usize, bytes: usize, list: usize, end: usize, ids: usize): usize {
  const shift = load<u32>(table, 4);
  const groups = <usize>load<u32>(table, 8);
  const wrap = ((<u32>1 << LINE_BITS) << (32 - shift)) - 1;
  touchNext(table, list + 4, end, 8);
  let left = list;
  for (; list < end; list += 8) {
    const row = load<i32>(list);
    const hash = load<u32>(list, 4);
    const at = <usize>row << 2;
    const start = load<u32>(offsets + at);
    const length = load<i32>(offsets + at, 4) - <i32>start;
    const id = numberIn(groups + ((((hash >> shift) + 1) << LINE_BITS) & wrap), bytes + start, length);
    store<i32>(ids + at, id);
    store<i32>(left, row);
    store<u32>(left, hash, 4);
    left += <usize>(id < 0) << 3;
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
  const wrap = ((<u32>1 << LINE_BITS) << (32 - shift)) - 1;
  const isLong = length > FIRST;
  const tag: u32 = isLong ? LONG_TAG : length + 1;
  let decides = firstOf(text, length);
  let matters = i32x4.splat(-1);
  if (isLong) {
    decides = i32x4(0, 0, 0, 0);
    decides = i32x4.replace_lane(i32x4.replace_lane(decides, 0, hash), 1, length);
    matters = i32x4(-1, -1, 0, 0);
  }
  let line = groups + ((hash >> shift) << LINE_BITS);
  let holes = 0;
  while (true) {
    holes = holesOf(line);
    for (let lane = 0, tags = load<u32>(line, TAGS); lane < LANES; lane++, tags >>= 8) {
      const slot = line + (<usize>lane << 4);
      if ((tags & 0xff) != tag || v128.any_true(v128.and(v128.xor(v128.load(slot), decides), matters))) continue;
      if (isLong && !sameBytes(known + <usize>load<u32>(slot, 8), text, length)) continue;
      return load<i32>(line + (<usize>lane << 2), NUMBERS) - 1;
    }
    if (holes != 0) break;
    line = groups + ((<u32>(line - groups) + (1 << LINE_BITS)) & wrap);
  }
  if (!grow) return -1;
  const words = load<u32>(table);
  const starts = <usize>load<u32>(table, 12);
  const end = load<u32>(starts + (<usize>words << 2));
  if (words >= load<u32>(table, 16) || end + <u32>length > load<u32>(table, 24)) return NO_ROOM;
  memory.copy(known + end, text, length);
  store<u32>(starts + (<usize>words << 2), end + length, 4);
  if (isLong) decides = i32x4.replace_lane(decides, 2, end);
  fillSlot(line, ctz<i32>(holes), decides, words + 1, tag);
  store<u32>(table, words + 1);
  return <i32>words;
}

@inline
function fillSlot(line: usize, lane: i32, decides: v128, number: u32, tag: u32): void {
  v128.store(line + (<usize>lane << 4), decides);
  store<u32>(line + (<usize>lane << 2), number, NUMBERS);
  store<u8>(line + <usize>lane, tag, TAGS);
}

/** Puts what is in the lines [from, end) into those of a larger table, which is empty. `shift`: 32 − the bits that choose one of its lines. */
export function moveText(from: usize, end: usize, to: usize, shift: u32): void {
  for (; from < end; from += 1 << LINE_BITS) {
    for (let lane: usize = 0; lane < <usize>LANES; lane++) {
      const number = load<u32>(from + (lane << 2), NUMBERS);
      if (number == 0) continue;
      const slot = from + (lane << 4);
      const tag = <u32>load<u8>(from + lane, TAGS);
      const hash = tag == LONG_TAG ? load<u32>(slot) : murmur(slot, slot + tag - 1);
      const wrap = ((<u32>1 << LINE_BITS) << (32 - shift)) - 1;
      let place = (hash >> shift) << LINE_BITS;
      while (holesOf(to + place) == 0) place = (place + (1 << LINE_BITS)) & wrap;
      fillSlot(to + place, ctz<i32>(holesOf(to + place)), v128.load(slot), number, tag);
    }
  }
}
