/**
 * Kernels on masks: truth and NULLs, a byte a row that is 0 or 1, and the bits that columns have them in. Their TypeScript twins stand in
 * ../../expressions/masks.ts and ../kernels/gather.ts.
 *
 * Arguments are addresses. Masks are read and written up to the next sixteen rows; bits are read up to three bytes further, and written exactly.
 * A step is 16, or 0 where one value stands for all rows and lies there as often as it fits 16 bytes.
 */

/** Bits from bit `from` on as bytes, turned over where `flip` is 1. */
export function spreadBits(bits: usize, from: i32, flip: i32, out: usize, count: i32): void {
  const places = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
  const bytes = i8x16(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
  const turned = i8x16.splat(<i8>flip);
  const shift = from & 7;
  const end = out + <usize>count;
  bits += <usize>(from >> 3);
  for (; out < end; out += 16, bits += 2) {
    const sixteen = v128.swizzle(i32x4.splat(load<u32>(bits) >> shift), bytes);
    const ones = v128.and(i8x16.eq(v128.and(sixteen, places), places), i8x16.splat(1));
    v128.store(out, v128.xor(ones, turned));
  }
}

/** The other way round. Bits behind the last are 0. Answers how many bytes are 1. */
export function packBits(bytes: usize, flip: i32, out: usize, count: i32): i32 {
  const end = bytes + <usize>(count & ~15);
  const turned = flip == 0 ? 0 : 0xffff;
  let ones = 0;
  for (; bytes < end; bytes += 16, out += 2) {
    const sixteen = i8x16.bitmask(i8x16.shl(v128.load(bytes), 7));
    ones += popcnt(sixteen);
    store<u16>(out, sixteen ^ turned);
  }
  const rest = count & 15;
  if (rest == 0) return ones;
  const within = (1 << rest) - 1;
  const last = i8x16.bitmask(i8x16.shl(v128.load(bytes), 7)) & within;
  store<u8>(out, last ^ (turned & within));
  if (rest > 8) store<u8>(out, (last ^ (turned & within)) >> 8, 1);
  return ones + popcnt(last);
}

@inline
function bitAt(bits: usize, from: i32, rows: usize): u32 {
  const at = from + load<i32>(rows);
  return (<u32>load<u8>(bits + (at >> 3)) >> (at & 7)) & 1;
}

/** The bits of some rows, each so many bits behind bit `from`. Bits behind the last are 0. */
export function gatherBits(bits: usize, from: i32, rows: usize, count: i32, out: usize): void {
  const end = rows + (<usize>(count & ~7) << 2);
  for (; rows < end; rows += 32, out++) {
    const low = bitAt(bits, from, rows) | (bitAt(bits, from, rows + 4) << 1) | (bitAt(bits, from, rows + 8) << 2) | (bitAt(bits, from, rows + 12) << 3);
    const high = bitAt(bits, from, rows + 16) | (bitAt(bits, from, rows + 20) << 1) | (bitAt(bits, from, rows + 24) << 2) | (bitAt(bits, from, rows + 28) << 3);
    store<u8>(out, low | (high << 4));
  }
  const rest = count & 7;
  if (rest == 0) return;
  let last: u32 = 0;
  for (let i = 0; i < rest; i++) last |= bitAt(bits, from, rows + (<usize>i << 2)) << i;
  store<u8>(out, last);
}

/** The first where the second is not. */
export function withoutBytes(a: usize, p: usize, b: usize, out: usize, count: i32): void {
  const end = out + <usize>count;
  for (; out < end; out += 16, a += p, b += 16) v128.store(out, v128.andnot(v128.load(a), v128.load(b)));
}

/**
 * AND (`decides` 0) or OR (1) of two truths with their NULLs, whose steps are p and q: a side that decides does so whatever the other is. Results may
 * take the place of the first side.
 */
export function combineTruths(
  decides: i32,
  a: usize,
  aNulls: usize,
  p: usize,
  b: usize,
  bNulls: usize,
  q: usize,
  out: usize,
  outNulls: usize,
  count: i32,
): void {
  const turned = i8x16.splat(<i8>decides);
  const end = out + <usize>count;
  for (; out < end; out += 16, outNulls += 16, a += 16, aNulls += p, b += 16, bNulls += q) {
    const unknown = v128.load(aNulls);
    const other = v128.load(bNulls);
    const open = v128.and(v128.or(v128.xor(v128.load(a), turned), unknown), v128.or(v128.xor(v128.load(b), turned), other));
    v128.store(out, v128.xor(open, turned));
    v128.store(outNulls, v128.and(open, v128.or(unknown, other)));
  }
}

/**
 * Rows that are `open` and not NULL and true are taken by this branch, and are open no more; those that stay open pick the next one, which is one more in
 * `picks`. Answers how many are taken.
 */
export function takeBranch(
  values: usize,
  p: usize,
  nulls: usize,
  q: usize,
  open: usize,
  taken: usize,
  picks: usize,
  count: i32,
): i32 {
  const end = open + <usize>count;
  // What lies behind the last row would be counted.
  for (let at = count; (at & 15) != 0; at++) store<u8>(open + at, 0);
  let total = 0;
  for (; open < end; open += 16, taken += 16, values += p, nulls += q) {
    const before = v128.load(open);
    const takes = v128.and(before, v128.andnot(v128.load(values), v128.load(nulls)));
    const left = v128.xor(before, takes);
    v128.store(taken, takes);
    v128.store(open, left);
    total += popcnt(i8x16.bitmask(i8x16.shl(takes, 7)));
    const low = i16x8.extend_low_i8x16_u(left);
    const high = i16x8.extend_high_i8x16_u(left);
    v128.store(picks, i32x4.add(v128.load(picks), i32x4.extend_low_i16x8_u(low)));
    v128.store(picks, i32x4.add(v128.load(picks, 16), i32x4.extend_high_i16x8_u(low)), 16);
    v128.store(picks, i32x4.add(v128.load(picks, 32), i32x4.extend_low_i16x8_u(high)), 32);
    v128.store(picks, i32x4.add(v128.load(picks, 48), i32x4.extend_high_i16x8_u(high)), 48);
    picks += 64;
  }
  return total;
}

@inline
function pickedBytes(picks: usize, one: v128): v128 {
  const first = i32x4.eq(v128.load(picks), one);
  const second = i32x4.eq(v128.load(picks, 16), one);
  const third = i32x4.eq(v128.load(picks, 32), one);
  const fourth = i32x4.eq(v128.load(picks, 48), one);
  return i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(first, second), i16x8.narrow_i32x4_s(third, fourth));
}

@inline
function put(out: usize, source: usize, where: v128): void {
  v128.store(out, v128.bitselect(v128.load(source), v128.load(out), where));
}

/** Values of 1, 4, 8 or 16 bytes go to the rows that picked `branch`; the others stay as they are. */
export function pickValues(width: i32, picks: usize, branch: i32, values: usize, p: usize, out: usize, count: i32): void {
  const one = i32x4.splat(branch);
  const end = picks + (<usize>count << 2);
  if (width == 1) for (; picks < end; picks += 64, values += p, out += 16) put(out, values, pickedBytes(picks, one));
  else if (width == 4) for (; picks < end; picks += 16, values += p, out += 16) put(out, values, i32x4.eq(v128.load(picks), one));
  else if (width == 8) {
    for (; picks < end; picks += 16, values += 2 * p, out += 32) {
      const four = i32x4.eq(v128.load(picks), one);
      put(out, values, i64x2.extend_low_i32x4_s(four));
      put(out + 16, values + p, i64x2.extend_high_i32x4_s(four));
    }
  } else for (; picks < end; picks += 4, values += p, out += 16) put(out, values, i32x4.splat(load<i32>(picks) == branch ? -1 : 0));
}
