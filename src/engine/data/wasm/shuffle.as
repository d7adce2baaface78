/**
 * Kernels of the shuffle: rows by target, gathers. AssemblyScript; each has a TypeScript twin in ../kernels that says what it does.
 * Arguments are addresses and counts. No loop branches on values: what a branch predictor cannot learn costs more than arithmetic.
 */

/** What `table` says of each code: the hash of a dictionary's word. The code of a NULL row may be none of the `words`. */
export function lookUp(codes: usize, table: usize, words: u32, count: i32, out: usize): void {
  const end = out + (<usize>count << 2);
  for (; out < end; out += 4, codes += 4) {
    const code = load<u32>(codes);
    store<u32>(out, load<u32>(table + (<usize>select<u32>(code, 0, code < words) << 2)));
  }
}

/** The counter of the target that a hash belongs to. */
@inline
function counterOf(hash: usize, vnodes: u32, masked: bool, table: usize, counters: usize): usize {
  const word = load<u32>(hash);
  const vnode = masked ? word & (vnodes - 1) : word % vnodes;
  return counters + (<usize>load<u16>(table + <usize>(vnode << 1)) << 2);
}

@inline
function put(row: i32, counter: usize, rows: usize): void {
  const at = load<u32>(counter);
  store<i32>(rows + (<usize>at << 2), row);
  store<u32>(counter, at + 1);
}

/**
 * Row numbers by target, in order: those of target t at `rows` from t · stride on, and `ends` says at which number they end. `table`: target (u16) by
 * vnode; targets are less than `targets`. `stride` is at least count + 56, `ends` has room for four numbers a target.
 *
 * Four parts of the rows have counters of their own and go side by side: rows in a row often hit the same counter and would wait for each other.
 * Their numbers begin a line apart, else all of them would meet in one place of the cache. Counting first, so that less memory would do, takes as long
 * again.
 */
export function splitRows(
  hashes: usize,
  count: i32,
  vnodes: u32,
  table: usize,
  targets: i32,
  rows: usize,
  stride: i32,
  ends: usize,
): void {
  const part = count >> 2;
  const apart = part + 16;
  const counters = <usize>targets << 2;
  for (let t = 0; t < targets; t++) {
    const at = ends + (<usize>t << 2);
    for (let k = 0; k < 4; k++) store<u32>(at + <usize>k * counters, <u32>(t * stride + k * apart));
  }
  if ((vnodes & (vnodes - 1)) == 0) scatter(true, hashes, part, vnodes, table, rows, ends, counters);
  else scatter(false, hashes, part, vnodes, table, rows, ends, counters);
  for (let row = 4 * part; row < count; row++) {
    put(row, counterOf(hashes + (<usize>row << 2), vnodes, false, table, ends + 3 * counters), rows);
  }
  for (let t = 0; t < targets; t++) {
    const at = ends + (<usize>t << 2);
    let end = load<u32>(at);
    for (let k = 1; k < 4; k++) {
      const from = <u32>(t * stride + k * apart);
      const more = load<u32>(at + <usize>k * counters) - from;
      memory.copy(rows + (<usize>end << 2), rows + (<usize>from << 2), <usize>more << 2);
      end += more;
    }
    store<u32>(at, end);
  }
}

@inline
function scatter(
  masked: bool,
  hashes: usize,
  part: i32,
  vnodes: u32,
  table: usize,
  rows: usize,
  ends: usize,
  counters: usize,
): void {
  const step = <usize>part << 2;
  for (let row = 0; row < part; row++) {
    const at = hashes + (<usize>row << 2);
    const a = counterOf(at, vnodes, masked, table, ends);
    const b = counterOf(at + step, vnodes, masked, table, ends + counters);
    const c = counterOf(at + 2 * step, vnodes, masked, table, ends + 2 * counters);
    const d = counterOf(at + 3 * step, vnodes, masked, table, ends + 3 * counters);
    put(row, a, rows);
    put(row + part, b, rows);
    put(row + 2 * part, c, rows);
    put(row + 3 * part, d, rows);
  }
}

/** Bit i of the answer: whether lane i of the vnodes is after `before` and below `to`. */
@inline
function lanesWithin(vnodes: v128, before: v128, to: v128): i32 {
  return i16x8.bitmask(v128.and(i16x8.gt_s(vnodes, before), i16x8.lt_s(vnodes, to)));
}

/** Numbers of the rows, counted from `row`, whose bit is set; all eight places are written. Answers where they end. */
@inline
function putEight(bits: i32, octets: usize, row: v128, to: usize): usize {
  const places = v128.load_ext<u8>(octets + (<usize>bits << 3));
  v128.store(to, i32x4.add(row, i32x4.extend_low_i16x8_u(places)));
  v128.store(to, i32x4.add(row, i32x4.extend_high_i16x8_u(places)), 16);
  return to + (<usize>popcnt<i32>(bits) << 2);
}

/**
 * `splitRows` for a few targets, each of which owns the vnodes of a range: `ranges` has its bounds (i16), for an even number of targets. `vnodes` is a
 * power of two of at most 2^14. Eight rows at a time are compared with the bounds of two targets; `octets` tells for each byte which of its bits are
 * set, eight numbers of a byte. `stride` is at least count + 8.
 */
export function splitByRanges(
  hashes: usize,
  count: i32,
  vnodes: u32,
  ranges: usize,
  targets: i32,
  octets: usize,
  rows: usize,
  stride: i32,
  ends: usize,
): void {
  const mask = i32x4.splat(vnodes - 1);
  const eight = i32x4.splat(8);
  const whole = hashes + (<usize>(count & ~7) << 2);
  const end = hashes + (<usize>count << 2);
  for (let t = 0; t < targets; t += 2) {
    const bounds = ranges + (<usize>t << 2);
    const before0 = i16x8.splat(load<i16>(bounds) - 1);
    const to0 = i16x8.splat(load<i16>(bounds, 2));
    const before1 = i16x8.splat(load<i16>(bounds, 4) - 1);
    const to1 = i16x8.splat(load<i16>(bounds, 6));
    let out0 = rows + (<usize>(t * stride) << 2);
    let out1 = out0 + (<usize>stride << 2);
    let row = i32x4.splat(0);
    let at = hashes;
    for (; at < whole; at += 32) {
      const found = v128.narrow<i32>(v128.and(v128.load(at), mask), v128.and(v128.load(at, 16), mask));
      out0 = putEight(lanesWithin(found, before0, to0), octets, row, out0);
      out1 = putEight(lanesWithin(found, before1, to1), octets, row, out1);
      row = i32x4.add(row, eight);
    }
    if (at < end) {
      const found = v128.narrow<i32>(v128.and(v128.load(at), mask), v128.and(v128.load(at, 16), mask));
      const there = (1 << (count & 7)) - 1;
      out0 = putEight(lanesWithin(found, before0, to0) & there, octets, row, out0);
      out1 = putEight(lanesWithin(found, before1, to1) & there, octets, row, out1);
    }
    store<u32>(ends + (<usize>t << 2), <u32>((out0 - rows) >> 2));
    store<u32>(ends + (<usize>t << 2), <u32>((out1 - rows) >> 2), 4);
  }
}

/** Values of one byte at the `count` rows. */
export function gather1(source: usize, rows: usize, count: i32, out: usize): void {
  const end = out + <usize>count;
  for (; out < end; out++, rows += 4) store<u8>(out, load<u8>(source + <usize>load<u32>(rows)));
}

export function gather2(source: usize, rows: usize, count: i32, out: usize): void {
  const end = out + (<usize>count << 1);
  for (; out < end; out += 2, rows += 4) store<u16>(out, load<u16>(source + (<usize>load<u32>(rows) << 1)));
}

export function gather4(source: usize, rows: usize, count: i32, out: usize): void {
  const end = out + (<usize>count << 2);
  for (; out + 16 <= end; out += 16, rows += 16) {
    store<u32>(out, load<u32>(source + (<usize>load<u32>(rows) << 2)));
    store<u32>(out, load<u32>(source + (<usize>load<u32>(rows, 4) << 2)), 4);
    store<u32>(out, load<u32>(source + (<usize>load<u32>(rows, 8) << 2)), 8);
    store<u32>(out, load<u32>(source + (<usize>load<u32>(rows, 12) << 2)), 12);
  }
  for (; out < end; out += 4, rows += 4) store<u32>(out, load<u32>(source + (<usize>load<u32>(rows) << 2)));
}

/** The value of eight bytes at each of two rows, whose numbers are the halves of a word. */
@inline
function twoOf(source: usize, rows: u64): v128 {
  const first = v128.load_zero<u64>(source + (<usize>(<u32>rows) << 3));
  return v128.load_lane<u64>(source + (<usize>(rows >> 32) << 3), first, 1);
}

export function gather8(source: usize, rows: usize, count: i32, out: usize): void {
  const end = out + (<usize>count << 3);
  for (; out + 32 <= end; out += 32, rows += 16) {
    v128.store(out, twoOf(source, load<u64>(rows)));
    v128.store(out, twoOf(source, load<u64>(rows, 8)), 16);
  }
  for (; out < end; out += 8, rows += 4) store<u64>(out, load<u64>(source + (<usize>load<u32>(rows) << 3)));
}

export function gather16(source: usize, rows: usize, count: i32, out: usize): void {
  const end = out + (<usize>count << 4);
  for (; out < end; out += 16, rows += 4) v128.store(out, v128.load(source + (<usize>load<u32>(rows) << 4)));
}

/**
 * Text at the `count` rows: `count` + 1 offsets from 0, and the bytes. Writes up to 16 bytes more than there are, and reads up to 16 behind a row.
 * Answers the bytes.
 */
export function gatherText(offsets: usize, bytes: usize, rows: usize, count: i32, outOffsets: usize, out: usize): i32 {
  const last = outOffsets + (<usize>count << 2);
  let to = out;
  store<u32>(outOffsets, 0);
  while (outOffsets < last) {
    const at = offsets + (<usize>load<u32>(rows) << 2);
    rows += 4;
    outOffsets += 4;
    const start = load<u32>(at);
    const length = load<u32>(at, 4) - start;
    const from = bytes + <usize>start;
    if (length <= 16) v128.store(to, v128.load(from));
    else memory.copy(to, from, <usize>length);
    to += <usize>length;
    store<u32>(outOffsets, <u32>(to - out));
  }
  return <i32>(to - out);
}
