import { SAFE } from "./columns";

/** Division of 64-bit integers: as the kernels of columns.as, whose twins say what they mean. */

/** 2^52 + 2^51: what is added to it lies in its lowest bits as an integer, as long as it is one of fewer than 52 bits. */
const SHIFTER: f64 = 6755399441055744;

@inline
function doublesOf(longs: v128): v128 {
  const shifter = f64x2.splat(SHIFTER);
  return f64x2.sub(i64x2.add(longs, shifter), shifter);
}

@inline
function longsOf(doubles: v128): v128 {
  const shifter = f64x2.splat(SHIFTER);
  return i64x2.sub(f64x2.add(doubles, shifter), shifter);
}

/** Ones where an integer has more than 52 bits. */
@inline
function beyond(longs: v128): v128 {
  return v128.xor(i64x2.shr_s(longs, 51), i64x2.shr_s(longs, 63));
}

@inline
function divideOne(rests: bool, a: usize, b: usize, out: usize): bool {
  const x = load<i64>(a);
  const y = load<i64>(b);
  const dividend = <f64>x;
  const divisor = <f64>y;
  if (!(max(abs(dividend), abs(divisor)) < SAFE) || y == 0) return false;
  const quotient = <i64>(dividend / divisor);
  store<i64>(out, rests ? x - quotient * y : quotient);
  return true;
}

/** Quotients toward zero, or with `rests` what is left, by doubles. Answers false where a side is beyond them, or a divisor is 0. */
export function divideLongs(rests: bool, a: usize, p: usize, b: usize, q: usize, out: usize, count: i32): bool {
  const end = out + (<usize>count << 3);
  for (; out + 16 <= end; out += 16, a += 2 * p, b += 2 * q) {
    const x = v128.load(a);
    const y = v128.load(b);
    if (v128.any_true(v128.or(beyond(x), beyond(y)))) {
      if (!divideOne(rests, a, b, out) || !divideOne(rests, a + p, b + q, out + 8)) return false;
      continue;
    }
    if (!i64x2.all_true(y)) return false;
    const dividends = doublesOf(x);
    const divisors = doublesOf(y);
    const quotients = f64x2.trunc(f64x2.div(dividends, divisors));
    const results = rests ? f64x2.sub(dividends, f64x2.mul(quotients, divisors)) : quotients;
    v128.store(out, longsOf(results));
  }
  return out == end || divideOne(rests, a, b, out);
}
