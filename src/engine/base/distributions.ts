import { assert } from "./assert.ts";
import { exp, ln, power } from "./math.ts";

/** Distributions made from uniform numbers strictly between 0 and 1, with the same bits in every engine (D-50). */

/** Eight of them, the highest power last. */
type Coefficients = Float64Array;
const coefficients = (...of: number[]): Coefficients => Float64Array.from(of);

function polynomial(c: Coefficients, x: number): number {
  const fromFourth = (c[4] as number) + x * ((c[5] as number) + x * ((c[6] as number) + x * (c[7] as number)));
  return (c[0] as number) + x * ((c[1] as number) + x * ((c[2] as number) + x * ((c[3] as number) + x * fromFourth)));
}

// Rational approximations of Wichura's algorithm AS 241 (1988): the middle, the tails, the far tails.
const MIDDLE: readonly [Coefficients, Coefficients] = [
  coefficients(
    3.3871328727963665,
    133.14166789178438,
    1971.5909503065513,
    13731.69376550946,
    45921.95393154987,
    67265.7709270087,
    33430.57558358813,
    2509.0809287301227,
  ),
  coefficients(
    1,
    42.31333070160091,
    687.1870074920579,
    5394.196021424751,
    21213.794301586597,
    39307.89580009271,
    28729.085735721943,
    5226.495278852854,
  ),
];
const TAIL: readonly [Coefficients, Coefficients] = [
  coefficients(
    1.4234371107496835,
    4.630337846156546,
    5.769497221460691,
    3.6478483247632045,
    1.2704582524523684,
    0.2417807251774506,
    0.022723844989269184,
    0.0007745450142783414,
  ),
  coefficients(
    1,
    2.053191626637759,
    1.6763848301838038,
    0.6897673349851,
    0.14810397642748008,
    0.015198666563616457,
    0.0005475938084995345,
    1.0507500716444169e-9,
  ),
];
const FAR_TAIL: readonly [Coefficients, Coefficients] = [
  coefficients(
    6.657904643501103,
    5.463784911164114,
    1.7848265399172913,
    0.29656057182850487,
    0.026532189526576124,
    0.0012426609473880784,
    2.7115555687434876e-5,
    2.0103343992922881e-7,
  ),
  coefficients(
    1,
    0.599832206555888,
    0.1369298809227358,
    0.014875361290850615,
    0.0007868691311456133,
    1.8463183175100548e-5,
    1.421511758316446e-7,
    2.0442631033899397e-15,
  ),
];

const ratio = ([above, below]: readonly [Coefficients, Coefficients], x: number): number =>
  polynomial(above, x) / polynomial(below, x);

/** The x below which a standard normal number falls with probability p, 0 < p < 1; accurate to about 1e-16. */
export function normalQuantile(p: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * ratio(MIDDLE, 0.180625 - q * q);
  const r = Math.sqrt(-ln(q < 0 ? p : 1 - p));
  const x = r <= 5 ? ratio(TAIL, r - 1.6) : ratio(FAR_TAIL, r - 5);
  return q < 0 ? -x : x;
}

/**
 * Picks 0 … n − 1 by weight in constant time (Walker's alias method, built by Vose's algorithm): column k of n equal
 * ones holds k below a threshold and one other number above it.
 */
export class WeightedPick {
  private readonly threshold: Float64Array;
  private readonly alias: Int32Array;

  /** Weights are not negative and not all zero. */
  constructor(weights: ArrayLike<number>) {
    const n = weights.length;
    let total = 0;
    for (let k = 0; k < n; k++) total += weights[k] as number;
    assert(total > 0 && Number.isFinite(total), "weights have a positive sum");
    this.threshold = new Float64Array(n).fill(1);
    this.alias = Int32Array.from({ length: n }, (_, k) => k);
    const share = Float64Array.from({ length: n }, (_, k) => ((weights[k] as number) * n) / total);
    const small: number[] = [];
    const large: number[] = [];
    for (let k = n - 1; k >= 0; k--) ((share[k] as number) < 1 ? small : large).push(k);
    while (small.length > 0 && large.length > 0) {
      const low = small.pop() as number;
      const high = large[large.length - 1] as number;
      this.threshold[low] = share[low] as number;
      this.alias[low] = high;
      share[high] = (share[high] as number) - (1 - (share[low] as number));
      if ((share[high] as number) < 1) small.push(large.pop() as number);
    }
    // What is left differs from 1 by rounding only, unless it never had a weight.
    for (const k of small) if (weights[k] === 0) this.giveAway(k, weights);
  }

  pick(u: number): number {
    const x = u * this.threshold.length;
    const k = Math.floor(x);
    return x - k < (this.threshold[k] as number) ? k : (this.alias[k] as number);
  }

  private giveAway(k: number, weights: ArrayLike<number>): void {
    this.threshold[k] = 0;
    let heaviest = 0;
    for (let i = 1; i < weights.length; i++) if ((weights[i] as number) > (weights[heaviest] as number)) heaviest = i;
    this.alias[k] = heaviest;
  }
}

/** Weights of Zipf's law for the ranks 1 … n: rank^−exponent. */
export function zipfWeights(n: number, exponent: number): Float64Array {
  return Float64Array.from({ length: n }, (_, k) => power(k + 1, -exponent));
}

/**
 * Zipf's law over the ranks 1 … n without a table, for large n: rejection-inversion (Hörmann and Derflinger, 1996). A draw
 * takes one uniform number, seldom more.
 */
export class ZipfRejection {
  private readonly n: number;
  private readonly exponent: number;
  /** 1 − exponent, or 0 where it is so close to 1 that the logarithm is the better integral. */
  private readonly rest: number;
  private readonly from: number;
  private readonly to: number;
  private readonly sure: number;

  constructor(n: number, exponent: number) {
    this.n = n;
    this.exponent = exponent;
    this.rest = Math.abs(1 - exponent) < 1e-9 ? 0 : 1 - exponent;
    this.from = this.integral(1.5) - 1;
    this.to = this.integral(n + 0.5);
    this.sure = 2 - this.inverse(this.integral(2.5) - power(2, -exponent));
  }

  /** The rank, or 0 when the number is rejected and another one must be drawn. */
  tryDraw(u: number): number {
    const at = this.to + u * (this.from - this.to);
    const x = this.inverse(at);
    const rank = Math.min(Math.max(Math.floor(x + 0.5), 1), this.n);
    const accepted = rank - x <= this.sure || at >= this.integral(rank + 0.5) - power(rank, -this.exponent);
    return accepted ? rank : 0;
  }

  /** ∫ x^−exponent. */
  private integral(x: number): number {
    return this.rest === 0 ? ln(x) : power(x, this.rest) / this.rest;
  }

  private inverse(y: number): number {
    return this.rest === 0 ? exp(y) : power(y * this.rest, 1 / this.rest);
  }
}
