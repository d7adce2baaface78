/**
 * exp, ln, power: the same bits in every engine (D-50).
 *
 * The language leaves `Math.exp`, `Math.log` and `Math.pow` to the engine; `+ − × ÷` and square root are exact to the
 * last bit everywhere, so these are built from them alone. Logarithms are carried as an unevaluated sum of two doubles
 * (about 70 bits), so that a result is off by less than one unit in the last place, and a power of whole numbers is
 * exact wherever a double can hold it.
 */

const SPLITTER = 134_217_729; // 2^27 + 1
const MIN_NORMAL = 2.2250738585072014e-308;
const TWO_54 = 18_014_398_509_481_984;

/** ln 2, 1/3 and 1/5 to 107 bits: what the first double leaves over. */
const LN2_LOW = 2.3190468138462996e-17;
const THIRD = 1 / 3;
const THIRD_LOW = (1 - 3 * THIRD - productError(3, THIRD, 3 * THIRD)) / 3;
const FIFTH = 1 / 5;
const FIFTH_LOW = (1 - 5 * FIFTH - productError(5, FIFTH, 5 * FIFTH)) / 5;

/** Beyond these, exp overflows, or is less than half the smallest double. */
const EXP_MAX = 709.782712893384;
const EXP_MIN = -745.1332191019412;

/** a + b − s exactly, where s is the rounded sum. */
function sumError(a: number, b: number, s: number): number {
  const part = s - a;
  return a - (s - part) + (b - part);
}

/** a × b − p exactly, where p is the rounded product and nothing overflows when it is split. */
function productError(a: number, b: number, p: number): number {
  const bigA = SPLITTER * a;
  const a1 = bigA - (bigA - a);
  const a2 = a - a1;
  const bigB = SPLITTER * b;
  const b1 = bigB - (bigB - b);
  const b2 = b - b1;
  return a2 * b2 - (p - a1 * b1 - a2 * b1 - a1 * b2);
}

const doubleOf = new Float64Array(1);
const wordsOf = new Int32Array(doubleOf.buffer);
/** Index of the word with sign and exponent. */
const TOP = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;

/** 2^n for a normal exponent. */
function powerOfTwo(n: number): number {
  wordsOf[1 - TOP] = 0;
  wordsOf[TOP] = (n + 1023) << 20;
  return doubleOf[0] as number;
}

/** x × 2^n for x in [1/2, 2], with gradual underflow. */
function scale(x: number, n: number): number {
  if (n > 1023) return x * 2 * powerOfTwo(n - 1);
  if (n < -1022) return x * powerOfTwo(n + 54) * (1 / TWO_54);
  return x * powerOfTwo(n);
}

/** What the last `lnHigh` left over. */
let lnLow = 0;

/** ln x for a finite x > 0: x = m × 2^k with m near 1, and ln m = 2 artanh((m − 1) / (m + 1)). */
function lnHigh(x: number): number {
  const subnormal = x < MIN_NORMAL;
  doubleOf[0] = subnormal ? x * TWO_54 : x;
  const top = wordsOf[TOP] as number;
  let k = (top >>> 20) - (subnormal ? 1077 : 1023);
  wordsOf[TOP] = (top & 0x000fffff) | 0x3ff00000;
  let m = doubleOf[0] as number;
  if (m > Math.SQRT2) {
    m *= 0.5;
    k += 1;
  }
  // s = (m − 1) / (m + 1) and z = s², each with what it leaves over; |s| ≤ 0.1716.
  const d = m + 1;
  const s = (m - 1) / d;
  const sd = s * d;
  const sLow = (m - 1 - sd - productError(s, d, sd) - s * sumError(m, 1, d)) / d;
  const z = s * s;
  const zLow = productError(s, s, z) + 2 * s * sLow;
  // artanh s = s + s z (1/3 + z (1/5 + z (1/7 + …))). From 1/7 on, a plain double is enough.
  const fromSeventh = z * (1 / 7 + z * (1 / 9 + z * (1 / 11 + z * (1 / 13 + z * fromFifteenth(z)))));
  const fifth = FIFTH + fromSeventh;
  const fifthLow = sumError(FIFTH, fromSeventh, fifth) + FIFTH_LOW;
  const zFifth = z * fifth;
  const third = THIRD + zFifth;
  const thirdLow =
    sumError(THIRD, zFifth, third) + THIRD_LOW + productError(z, fifth, zFifth) + z * fifthLow + zLow * fifth;
  const zThird = z * third;
  const zThirdLow = productError(z, third, zThird) + z * thirdLow + zLow * third;
  const rest = s * zThird;
  const half = s + rest;
  const halfLow = sumError(s, rest, half) + sLow + productError(s, zThird, rest) + s * zThirdLow + sLow * zThird;
  const whole = k * Math.LN2;
  const wholeLow = productError(k, Math.LN2, whole) + k * LN2_LOW;
  const high = whole + 2 * half;
  const low = sumError(whole, 2 * half, high) + wholeLow + 2 * halfLow;
  const result = high + low;
  lnLow = low - (result - high);
  return result;
}

function fromFifteenth(z: number): number {
  return 1 / 15 + z * (1 / 17 + z * (1 / 19 + z * (1 / 21 + z * (1 / 23))));
}

/** e^(high + low), where the result is neither 0 nor infinite by the limits above. */
function expOf(high: number, low: number): number {
  const n = Math.floor(high / Math.LN2 + 0.5);
  const whole = n * Math.LN2;
  // r = high + low − n ln 2, |r| ≤ 0.347; high − whole is exact, the two are so close or one of them is 0.
  const apart = high - whole;
  const apartLow = sumError(high, -whole, apart) + low - productError(n, Math.LN2, whole) - n * LN2_LOW;
  const r = apart + apartLow;
  const rLow = apartLow - (r - apart);
  // e^r − 1 − r is small beside 1 + r, which is kept to more than a double.
  const series = r * r * (1 / 2 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r * (1 / 720 + r * fromSeventhTerm(r))))));
  const head = 1 + r;
  return scale(head + (r - (head - 1) + rLow + r * rLow + series), n);
}

function fromSeventhTerm(r: number): number {
  const further = 1 / 39_916_800 + r * (1 / 479_001_600 + r * (1 / 6_227_020_800 + r * (1 / 87_178_291_200)));
  return 1 / 5040 + r * (1 / 40_320 + r * (1 / 362_880 + r * (1 / 3_628_800 + r * further)));
}

/** e^x. */
export function exp(x: number): number {
  if (!(x <= EXP_MAX)) return x > EXP_MAX ? Number.POSITIVE_INFINITY : Number.NaN;
  if (x < EXP_MIN) return 0;
  return expOf(x, 0);
}

/** Natural logarithm; −∞ at zero, NaN below. */
export function ln(x: number): number {
  if (!(x > 0)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
  return x === Number.POSITIVE_INFINITY ? x : lnHigh(x);
}

/**
 * x^y by IEEE 754: 1 for y = 0 and for x = 1 whatever the other is, NaN for a negative x and a y that is not whole.
 * (The language's `**` says NaN for 1 ** NaN and (−1) ** ∞; SQL engines say 1.)
 */
export function power(x: number, y: number): number {
  if (y === 0 || x === 1) return 1;
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  const size = Math.abs(x);
  if (!Number.isFinite(y)) return infinitePower(size, y > 0);
  const odd = isOdd(y);
  const negative = (x < 0 || Object.is(x, -0)) && odd;
  if (size === 0 || size === Number.POSITIVE_INFINITY) {
    const result = (size === 0) === y > 0 ? 0 : Number.POSITIVE_INFINITY;
    return negative ? -result : result;
  }
  if (x < 0 && !odd && !Number.isInteger(y)) return Number.NaN;
  const result = positivePower(size, y);
  return negative ? -result : result;
}

function infinitePower(size: number, grows: boolean): number {
  if (size === 1) return 1;
  return size > 1 === grows ? Number.POSITIVE_INFINITY : 0;
}

/** Numbers of 2^53 and more are even. */
function isOdd(y: number): boolean {
  return Math.abs(y) < 9_007_199_254_740_992 && Math.abs(y % 2) === 1;
}

function positivePower(x: number, y: number): number {
  const log = lnHigh(x);
  const low = lnLow;
  const exponent = log * y;
  if (exponent > EXP_MAX + 1) return Number.POSITIVE_INFINITY;
  if (exponent < EXP_MIN - 1) return 0;
  // |log| ≥ 2^-53 unless x is 1, so |y| < 2^63 here and nothing overflows when it is split.
  const exponentLow = productError(log, y, exponent) + low * y;
  const sum = exponent + exponentLow;
  if (sum > EXP_MAX) return Number.POSITIVE_INFINITY;
  return sum < EXP_MIN ? 0 : expOf(sum, exponentLow - (sum - exponent));
}
