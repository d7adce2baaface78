/**
 * Kernels of expressions and filters, on columns of numbers: comparisons, arithmetic, conversions, row selection. Each has its TypeScript twin in
 * ../../expressions/kernels, which says what it means, and which serves where a kernel answers that a row is beyond it.
 *
 * Arguments are addresses. A side that is one value for all rows lies there as often as it fits 16 bytes, and its step is 0; the step of a column is 16.
 * Arrays are read and written up to the next eight rows.
 */

@inline
function relationOfDoubles(relation: i32, x: v128, y: v128): v128 {
  if (relation == 0) return f64x2.eq(x, y);
  if (relation == 1) return f64x2.ne(x, y);
  if (relation == 2) return f64x2.lt(x, y);
  if (relation == 3) return f64x2.le(x, y);
  if (relation == 4) return f64x2.gt(x, y);
  return f64x2.ge(x, y);
}

@inline
function relationOfLongs(relation: i32, x: v128, y: v128): v128 {
  if (relation == 0) return i64x2.eq(x, y);
  if (relation == 1) return i64x2.ne(x, y);
  if (relation == 2) return i64x2.lt_s(x, y);
  if (relation == 3) return i64x2.le_s(x, y);
  if (relation == 4) return i64x2.gt_s(x, y);
  return i64x2.ge_s(x, y);
}

@inline
function relationOfInts(relation: i32, x: v128, y: v128): v128 {
  if (relation == 0) return i32x4.eq(x, y);
  if (relation == 1) return i32x4.ne(x, y);
  if (relation == 2) return i32x4.lt_s(x, y);
  if (relation == 3) return i32x4.le_s(x, y);
  if (relation == 4) return i32x4.gt_s(x, y);
  return i32x4.ge_s(x, y);
}

/** Eight lanes of all ones or zeros become eight bytes of 1 or 0. */
@inline
function storeBytes(out: usize, low: v128, high: v128): void {
  const halves = v128.narrow<i16>(v128.narrow<i32>(low, high), i32x4.splat(0));
  v128.store_lane<u64>(out, v128.and(halves, i8x16.splat(1)), 0);
}

/** The low words of four pairs. */
@inline
function lowWords(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 0, 2, 4, 6);
}

@inline
function doublesLoop(relation: i32, a: usize, p: usize, b: usize, q: usize, out: usize, end: usize): void {
  for (; out < end; out += 8, a += 4 * p, b += 4 * q) {
    const first = relationOfDoubles(relation, v128.load(a), v128.load(b));
    const second = relationOfDoubles(relation, v128.load(a + p), v128.load(b + q));
    const third = relationOfDoubles(relation, v128.load(a + 2 * p), v128.load(b + 2 * q));
    const fourth = relationOfDoubles(relation, v128.load(a + 3 * p), v128.load(b + 3 * q));
    storeBytes(out, lowWords(first, second), lowWords(third, fourth));
  }
}

/** x `relation` y as bytes. Relations in order: = <> < <= > >=. NaN is as IEEE 754 says. */
export function compareDoubles(relation: i32, a: usize, p: usize, b: usize, q: usize, out: usize, count: i32): void {
  const end = out + <usize>count;
  if (relation == 0) doublesLoop(0, a, p, b, q, out, end);
  else if (relation == 1) doublesLoop(1, a, p, b, q, out, end);
  else if (relation == 2) doublesLoop(2, a, p, b, q, out, end);
  else if (relation == 3) doublesLoop(3, a, p, b, q, out, end);
  else if (relation == 4) doublesLoop(4, a, p, b, q, out, end);
  else doublesLoop(5, a, p, b, q, out, end);
}

@inline
function longsLoop(relation: i32, a: usize, p: usize, b: usize, q: usize, flip: v128, out: usize, end: usize): void {
  for (; out < end; out += 8, a += 4 * p, b += 4 * q) {
    const first = relationOfLongs(relation, v128.xor(v128.load(a), flip), v128.xor(v128.load(b), flip));
    const second = relationOfLongs(relation, v128.xor(v128.load(a + p), flip), v128.xor(v128.load(b + q), flip));
    const third = relationOfLongs(relation, v128.xor(v128.load(a + 2 * p), flip), v128.xor(v128.load(b + 2 * q), flip));
    const fourth = relationOfLongs(relation, v128.xor(v128.load(a + 3 * p), flip), v128.xor(v128.load(b + 3 * q), flip));
    storeBytes(out, lowWords(first, second), lowWords(third, fourth));
  }
}

/** The same of 64-bit integers. */
export function compareLongs(
  relation: i32,
  a: usize,
  p: usize,
  b: usize,
  q: usize,
  unsigned: bool,
  out: usize,
  count: i32,
): void {
  const end = out + <usize>count;
  const flip = i64x2.splat(unsigned ? i64.MIN_VALUE : 0);
  if (relation == 0) longsLoop(0, a, p, b, q, flip, out, end);
  else if (relation == 1) longsLoop(1, a, p, b, q, flip, out, end);
  else if (relation == 2) longsLoop(2, a, p, b, q, flip, out, end);
  else if (relation == 3) longsLoop(3, a, p, b, q, flip, out, end);
  else if (relation == 4) longsLoop(4, a, p, b, q, flip, out, end);
  else longsLoop(5, a, p, b, q, flip, out, end);
}

@inline
function intsLoop(relation: i32, a: usize, p: usize, b: usize, q: usize, out: usize, end: usize): void {
  for (; out < end; out += 8, a += 2 * p, b += 2 * q) {
    const low = relationOfInts(relation, v128.load(a), v128.load(b));
    storeBytes(out, low, relationOfInts(relation, v128.load(a + p), v128.load(b + q)));
  }
}

/** The same of 32-bit integers. */
export function compareInts(relation: i32, a: usize, p: usize, b: usize, q: usize, out: usize, count: i32): void {
  const end = out + <usize>count;
  if (relation == 0) intsLoop(0, a, p, b, q, out, end);
  else if (relation == 1) intsLoop(1, a, p, b, q, out, end);
  else if (relation == 2) intsLoop(2, a, p, b, q, out, end);
  else if (relation == 3) intsLoop(3, a, p, b, q, out, end);
  else if (relation == 4) intsLoop(4, a, p, b, q, out, end);
  else intsLoop(5, a, p, b, q, out, end);
}

@inline
function mathOfDoubles(operation: i32, x: v128, y: v128): v128 {
  if (operation == 0) return f64x2.add(x, y);
  if (operation == 1) return f64x2.sub(x, y);
  if (operation == 2) return f64x2.mul(x, y);
  return f64x2.div(x, y);
}

@inline
function mathLoop(operation: i32, a: usize, p: usize, b: usize, q: usize, out: usize, end: usize): void {
  for (; out < end; out += 32, a += 2 * p, b += 2 * q) {
    const first = mathOfDoubles(operation, v128.load(a), v128.load(b));
    const second = mathOfDoubles(operation, v128.load(a + p), v128.load(b + q));
    v128.store(out, first);
    v128.store(out, second, 16);
  }
}

/** Operations in order: + - * /. */
export function computeDoubles(operation: i32, a: usize, p: usize, b: usize, q: usize, out: usize, count: i32): void {
  const end = out + (<usize>count << 3);
  if (operation == 0) mathLoop(0, a, p, b, q, out, end);
  else if (operation == 1) mathLoop(1, a, p, b, q, out, end);
  else if (operation == 2) mathLoop(2, a, p, b, q, out, end);
  else mathLoop(3, a, p, b, q, out, end);
}

export function intsToDoubles(a: usize, out: usize, count: i32): void {
  const end = out + (<usize>count << 3);
  for (; out < end; out += 32, a += 16) {
    const values = v128.load(a);
    v128.store(out, f64x2.convert_low_i32x4_s(values));
    v128.store(out, f64x2.convert_low_i32x4_s(v128.shuffle<i32>(values, values, 2, 3, 2, 3)), 16);
  }
}

export function longsToDoubles(a: usize, signed: bool, out: usize, count: i32): void {
  const end = out + (<usize>count << 3);
  if (signed) for (; out < end; out += 8, a += 8) store<f64>(out, <f64>load<i64>(a));
  else for (; out < end; out += 8, a += 8) store<f64>(out, <f64>load<u64>(a));
}

@inline
function addLoop(subtracts: bool, a: usize, p: usize, b: usize, q: usize, out: usize, count: i32): bool {
  const last = out + (<usize>count << 3);
  let overflows = i64x2.splat(0);
  for (; out < last; out += 16, a += p, b += q) {
    const x = v128.load(a);
    let y = v128.load(b);
    const result = subtracts ? i64x2.sub(x, y) : i64x2.add(x, y);
    v128.store(out, result);
    // x − y is x + ~y + 1. A sum overflows where its sign is that of neither side.
    if (subtracts) y = v128.not(y);
    let wrong = v128.and(v128.xor(x, result), v128.xor(y, result));
    if (out + 8 == last) wrong = i64x2.replace_lane(wrong, 1, 0);
    overflows = v128.or(overflows, wrong);
  }
  return i64x2.bitmask(overflows) == 0;
}

/** Sums, or differences where `subtracts`. Answers whether none overflows. */
export function sumsOfLongs(subtracts: bool, a: usize, p: usize, b: usize, q: usize, out: usize, count: i32): bool {
  return subtracts ? addLoop(true, a, p, b, q, out, count) : addLoop(false, a, p, b, q, out, count);
}

/** Steps of one row here and below: 8, or 0 of one value. Answers false where a product may not fit. */
export function multiplyLongs(a: usize, p: usize, b: usize, q: usize, out: usize, count: i32): bool {
  const end = out + (<usize>count << 3);
  let most: f64 = 0;
  for (; out < end; out += 8, a += p, b += q) {
    const x = load<i64>(a);
    const y = load<i64>(b);
    store<i64>(out, x * y);
    most = max(most, abs(<f64>x * <f64>y));
  }
  return most < 9.2e18;
}

/** Beyond it not every integer is a double. */
export const SAFE: f64 = 9007199254740992;

/**
 * Decimals, or with `longs` 64-bit integers, by one number of at most 2^53. Answers false where a value or a product is beyond that.
 */
export function multiplyDecimals(a: usize, longs: bool, one: f64, out: usize, count: i32): bool {
  const end = out + (<usize>count << 4);
  const step: usize = longs ? 8 : 16;
  let wide: i64 = 0;
  let most: f64 = 0;
  for (; out < end; out += 16, a += step) {
    const x = load<i64>(a);
    if (!longs) wide |= load<i64>(a, 8) ^ (x >> 63);
    const product = <f64>x * one;
    most = max(most, abs(product));
    const whole = <i64>product;
    store<i64>(out, whole);
    store<i64>(out, whole >> 63, 8);
  }
  return wide == 0 && most < SAFE;
}

export function copyBytes(from: usize, out: usize, count: i32): void {
  memory.copy(out, from, <usize>count);
}

/** Of bytes that are 0 or 1: both, or any where `any`. */
export function combineBytes(any: bool, a: usize, b: usize, out: usize, count: i32): void {
  const end = out + <usize>count;
  if (any) for (; out < end; out += 16, a += 16, b += 16) v128.store(out, v128.or(v128.load(a), v128.load(b)));
  else for (; out < end; out += 16, a += 16, b += 16) v128.store(out, v128.and(v128.load(a), v128.load(b)));
}

/** Numbers of the rows whose byte is 1, in order; answers how many. `rows` has room for all of them and eight more. */
export function selectRows(bytes: usize, count: i32, rows: usize): i32 {
  const from = rows;
  const whole = count & ~7;
  let row = 0;
  for (; row < whole; row += 8) {
    let eight = load<u64>(bytes + row);
    if (eight == 0) continue;
    for (let i = 0; i < 8; i++) {
      store<i32>(rows, row + i);
      rows += <usize>(eight & 1) << 2;
      eight >>= 8;
    }
  }
  for (; row < count; row++) {
    store<i32>(rows, row);
    rows += <usize>load<u8>(bytes + row) << 2;
  }
  return <i32>((rows - from) >> 2);
}
