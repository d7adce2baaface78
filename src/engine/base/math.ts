/**
 * exp, ln, power: the same bits in every engine (D-50).
 *
 * The language leaves `Math.exp`, `Math.log` and `Math.pow` to the engine; `+ − × ÷` and square root are exact to the
 * last bit everywhere, so these are built from them alone. Logarithms are carried as an unevaluated sum of two doubles
 * (about 70 bits), so that a result is off by less than one unit in the last place, and a power of whole numbers is
 * exact wherever a double can hold it.
 */

/** high + low, with |low| at most half a unit in the last place of high. */
interface Pair {
  readonly high: number;
  readonly low: number;
}

const SPLITTER = 134_217_729; // 2^27 + 1
const MIN_NORMAL = 2.2250738585072014e-308;
const TWO_54 = 18_014_398_509_481_984;
const SQRT_2 = Math.SQRT2;

/** ln 2 to 107 bits. */
const LN2: Pair = { high: Math.LN2, low: 2.3190468138462996e-17 };

/** Beyond these, exp overflows, or is less than half the smallest double. */
const EXP_MAX = 709.782712893384;
const EXP_MIN = -745.1332191019412;

/** a + b exactly, for |a| ≥ |b|. */
function fastSum(a: number, b: number): Pair {
  const high = a + b;
  return { high, low: b - (high - a) };
}

/** a + b exactly. */
function sum(a: number, b: number): Pair {
  const high = a + b;
  const part = high - a;
  return { high, low: a - (high - part) + (b - part) };
}

/** a × b exactly, where neither overflows when split. */
function product(a: number, b: number): Pair {
  const high = a * b;
  const bigA = SPLITTER * a;
  const a1 = bigA - (bigA - a);
  const a2 = a - a1;
  const bigB = SPLITTER * b;
  const b1 = bigB - (bigB - b);
  const b2 = b - b1;
  return { high, low: a2 * b2 - (high - a1 * b1 - a2 * b1 - a1 * b2) };
}

function addPairs(a: Pair, b: Pair): Pair {
  const s = sum(a.high, b.high);
  return fastSum(s.high, s.low + a.low + b.low);
}

function multiplyPairs(a: Pair, b: Pair): Pair {
  const p = product(a.high, b.high);
  return fastSum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

function dividePairs(a: Pair, b: Pair): Pair {
  const high = a.high / b.high;
  const p = product(high, b.high);
  return fastSum(high, (a.high - p.high - p.low + a.low - high * b.low) / b.high);
}

const reciprocal = (n: number): Pair => dividePairs({ high: 1, low: 0 }, { high: n, low: 0 });

const THIRD = reciprocal(3);
const FIFTH = reciprocal(5);

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

/** ln x for a finite x > 0: x = m × 2^k with m near 1, and ln m = 2 artanh((m − 1) / (m + 1)). */
function lnPair(x: number): Pair {
  let exponent = 0;
  if (x < MIN_NORMAL) {
    x *= TWO_54;
    exponent = -54;
  }
  doubleOf[0] = x;
  const top = wordsOf[TOP] as number;
  exponent += (top >>> 20) - 1023;
  wordsOf[TOP] = (top & 0x000fffff) | 0x3ff00000;
  let m = doubleOf[0] as number;
  if (m > SQRT_2) {
    m *= 0.5;
    exponent += 1;
  }
  const s = dividePairs({ high: m - 1, low: 0 }, sum(m, 1));
  const s2 = multiplyPairs(s, s);
  const z = s2.high;
  // |s| ≤ 0.1716, so what follows the fifth power is at most 2^-20 of the result: a plain double is enough for it.
  let tail = 1 / 23;
  for (let odd = 21; odd >= 7; odd -= 2) tail = tail * z + 1 / odd;
  const fifth = addPairs(FIFTH, fastSum(tail * z, 0));
  const third = addPairs(THIRD, multiplyPairs(fifth, s2));
  const series = addPairs(s, multiplyPairs(multiplyPairs(third, s2), s));
  const whole = multiplyPairs({ high: exponent, low: 0 }, LN2);
  return addPairs(whole, { high: 2 * series.high, low: 2 * series.low });
}

/** e^(high + low), where the result is neither 0 nor infinite by the limits above. */
function expPair(x: Pair): number {
  const n = Math.floor(x.high / LN2.high + 0.5);
  const whole = multiplyPairs({ high: n, low: 0 }, LN2);
  const r = addPairs(x, { high: -whole.high, low: -whole.low });
  const z = r.high;
  // e^r − 1 − r by its series; |r| ≤ 0.347, so it is small beside 1 + r, which is kept to more than a double.
  let series = 1;
  for (let i = 14; i >= 3; i--) series = 1 + (z / i) * series;
  const rest = z * z * 0.5 * series;
  const head = fastSum(1, z);
  return scale(head.high + (head.low + r.low + r.low * z + rest), n);
}

/** e^x. */
export function exp(x: number): number {
  if (!(x <= EXP_MAX)) return x > EXP_MAX ? Number.POSITIVE_INFINITY : Number.NaN;
  if (x < EXP_MIN) return 0;
  return expPair({ high: x, low: 0 });
}

/** Natural logarithm; −∞ at zero, NaN below. */
export function ln(x: number): number {
  if (!(x > 0)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
  return x === Number.POSITIVE_INFINITY ? x : lnPair(x).high;
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
  const log = lnPair(x);
  const rough = log.high * y;
  if (rough > EXP_MAX + 1) return Number.POSITIVE_INFINITY;
  if (rough < EXP_MIN - 1) return 0;
  // |y| < 2^63 here unless log is 0, which is x = 1; so nothing overflows when it is split.
  const exponent = multiplyPairs(log, { high: y, low: 0 });
  if (exponent.high > EXP_MAX + 1e-9) return Number.POSITIVE_INFINITY;
  return exponent.high < EXP_MIN ? 0 : expPair(exponent);
}
