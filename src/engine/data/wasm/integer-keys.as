import { hashInts, hashWords } from "./hash";
import { CHUNK, LINE_BITS, touch } from "./key-groups";

/** Groups of eight integers of 32 bits, or of four of 64: low words, high words if any, numbers + 1 or 0. */
const NUMBERS: usize = 32;

/** Whether an integer is one of 32 bits. */
@inline
function isShort(value: i64): bool {
  return <i64>(<i32>value) == value;
}

/** Numbers for integers of 32 bits, by slots for such ones. Otherwise as `internText`. */
export function internInts(table: usize, values: usize, from: i32, count: i32, grow: bool, ids: usize): i32 {
  return internAll(true, 2, table, values, from, count, grow, ids);
}

/** The same for integers of 64 bits. With `short` slots are for those of 32 bits, and it ends at an integer that is not, too. */
export function internLongs(
  short: bool,
  table: usize,
  values: usize,
  from: i32,
  count: i32,
  grow: bool,
  ids: usize,
): i32 {
  return short
    ? internAll(true, 3, table, values, from, count, grow, ids)
    : internAll(false, 3, table, values, from, count, grow, ids);
}

/** @param width logarithm of a value's bytes */
@inline
function internAll(
  short: bool,
  width: usize,
  table: usize,
  values: usize,
  from: i32,
  count: i32,
  grow: bool,
  ids: usize,
): i32 {
  let row = from;
  while (row < count) {
    const to = min<i32>(row + CHUNK, count);
    const at = ids + (<usize>row << 2);
    if (width == 2) hashInts(values + (<usize>row << 2), to - row, at);
    else hashWords(values + (<usize>row << 3), to - row, at);
    touch(table, at, ids + (<usize>to << 2));
    row = internSome(short, width, table, values, row, to, grow, ids);
    if (row < to) break;
  }
  return row;
}

/** The same for a few integers, whose hashes are in `ids`. */
@inline
function internSome(
  short: bool,
  width: usize,
  table: usize,
  values: usize,
  from: i32,
  to: i32,
  grow: bool,
  ids: usize,
): i32 {
  let known = load<u32>(table);
  const shift = load<u32>(table, 4);
  const groups = <usize>load<u32>(table, 8);
  const words = <usize>load<u32>(table, 12);
  const most = load<u32>(table, 16);
  const wrap = ((<u32>1 << LINE_BITS) << (32 - shift)) - 1;
  const slots = ((wrap + 1) >> LINE_BITS) << (short ? 3 : 2);
  const zero = i32x4.splat(0);
  let row = from;
  for (; row < to; row++) {
    const value = width == 2 ? <i64>load<i32>(values + (<usize>row << 2)) : load<i64>(values + (<usize>row << 3));
    if (short && width == 3 && !isShort(value)) break;
    const low = i32x4.splat(<i32>value);
    let place = (load<u32>(ids + (<usize>row << 2)) >> shift) << LINE_BITS;
    let id = -1;
    let isFull = false;
    while (true) {
      const group = groups + place;
      let empty = i32x4.eq(v128.load(group, NUMBERS), zero);
      let alike = i32x4.eq(v128.load(group), low);
      if (!short) alike = v128.and(alike, i32x4.eq(v128.load(group, 16), i32x4.splat(<i32>(value >> 32))));
      let holes = i32x4.bitmask(empty);
      let lanes = i32x4.bitmask(v128.andnot(alike, empty));
      if (short) {
        empty = i32x4.eq(v128.load(group, NUMBERS + 16), zero);
        alike = i32x4.eq(v128.load(group, 16), low);
        holes |= i32x4.bitmask(empty) << 4;
        lanes |= i32x4.bitmask(v128.andnot(alike, empty)) << 4;
      }
      if (lanes != 0) {
        id = load<i32>(group + (<usize>ctz<i32>(lanes) << 2), NUMBERS) - 1;
        break;
      }
      if (holes == 0) {
        place = (place + (1 << LINE_BITS)) & wrap;
        continue;
      }
      if (!grow) break;
      if (known == most || 3 * (known + 1) > 2 * slots) {
        isFull = true;
        break;
      }
      const slot = group + (<usize>ctz<i32>(holes) << 2);
      store<u64>(words + (<usize>known << 3), value);
      store<u32>(slot, <u32>value);
      if (!short) store<u32>(slot, <u32>(value >> 32), 16);
      store<u32>(slot, known + 1, NUMBERS);
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
