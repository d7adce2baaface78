import { describe, expect, it } from "vitest";
import { CounterRandom } from "./counter-random.ts";
import { normalQuantile, WeightedPick, ZipfRejection, zipfWeights } from "./distributions.ts";

const positions = (n: number): Float64Array => Float64Array.from({ length: n }, (_, i) => i);

function uniforms(seed: number, n: number): Float64Array {
  const out = new Float64Array(n);
  new CounterRandom(seed, 0).uniform(positions(n), out);
  return out;
}

/** Sum of (seen − expected)² / expected over cells that expect at least five. */
function chiSquare(seen: readonly number[], weights: ArrayLike<number>): { value: number; degrees: number } {
  const draws = seen.reduce((a, b) => a + b, 0);
  let total = 0;
  for (let k = 0; k < weights.length; k++) total += weights[k] as number;
  let value = 0;
  let degrees = -1;
  seen.forEach((count, k) => {
    const expected = (draws * (weights[k] as number)) / total;
    if (expected < 5) return;
    value += (count - expected) ** 2 / expected;
    degrees++;
  });
  return { value, degrees };
}

/** About the 99.99 % point of chi-square (Wilson and Hilferty). */
const limit = (degrees: number): number => degrees * (1 - 2 / (9 * degrees) + 3.72 * Math.sqrt(2 / (9 * degrees))) ** 3;

function tally(n: number, draws: Iterable<number>): number[] {
  const seen = new Array<number>(n).fill(0);
  for (const k of draws) seen[k] = (seen[k] as number) + 1;
  return seen;
}

describe("normalQuantile", () => {
  it("agrees with published quantiles of the normal distribution", () => {
    const known: [number, number][] = [
      [0.5, 0],
      [0.6914624612740131, 0.5],
      [0.8413447460685429, 1],
      [0.975, 1.959963984540054],
      [0.999, 3.090232306167813],
      [1e-10, -6.361340902404056],
      [1e-20, -9.262340089798409],
    ];
    for (const [p, x] of known) expect(Math.abs(normalQuantile(p) - x)).toBeLessThan(2e-15 * (1 + Math.abs(x)));
  });

  it("is odd around one half and rises without a break where its pieces meet", () => {
    for (const p of [0.07499, 0.0750001, 1.3887943864964e-11, 1.3887943864965e-11, 2 ** -53]) {
      expect(normalQuantile(p)).toBeLessThan(normalQuantile(p * (1 + 1e-9)));
    }
    for (const p of [0.25, 0.0625, 2 ** -10]) expect(normalQuantile(1 - p)).toBe(-normalQuantile(p));
  });
});

describe("WeightedPick", () => {
  it("picks by weight (chi-square, seed 11) and never what has none", () => {
    for (const weights of [[1], [1, 1, 1], [5, 0, 1, 0, 3], [0, 0, 1], [1e-3, 1, 1000, 7, 7, 7], [0.1, 0.2, 0.3]]) {
      const pick = new WeightedPick(weights);
      const seen = tally(
        weights.length,
        [...uniforms(11, 50_000)].map((u) => pick.pick(u)),
      );
      const { value, degrees } = chiSquare(seen, weights);
      if (degrees > 0) expect(value).toBeLessThan(limit(degrees));
      weights.forEach((weight, k) => {
        if (weight === 0) expect(seen[k]).toBe(0);
      });
    }
  });

  it("keeps within its numbers at both ends of the unit interval", () => {
    const pick = new WeightedPick([0.1, 0.2, 0.7]);
    for (const u of [2 ** -53, 1 - 2 ** -53]) expect([0, 1, 2]).toContain(pick.pick(u));
  });
});

describe("Zipf's law", () => {
  it("by table and without a table is the same law (chi-square, seed 5)", () => {
    for (const exponent of [0.5, 0.9999999999, 1, 1.1, 2.5]) {
      const n = 200;
      const weights = zipfWeights(n, exponent);
      const table = new WeightedPick(weights);
      const free = new ZipfRejection(n, exponent);
      const numbers = [...uniforms(5, 60_000)];
      const drawn = numbers.map((u) => free.tryDraw(u)).filter((rank) => rank > 0);
      expect(drawn.length / numbers.length).toBeGreaterThan(0.6);
      for (const seen of [
        tally(
          n,
          numbers.map((u) => table.pick(u)),
        ),
        tally(
          n,
          drawn.map((rank) => rank - 1),
        ),
      ]) {
        const { value, degrees } = chiSquare(seen, weights);
        expect(value).toBeLessThan(limit(degrees));
      }
    }
  });

  it("stays within its ranks, also for one value and for ten million", () => {
    for (const [n, exponent] of [
      [1, 1.1],
      [10_000_000, 0.3],
      [10_000_000, 8],
    ] as const) {
      const free = new ZipfRejection(n, exponent);
      for (const u of [2 ** -53, 0.5, 1 - 2 ** -53, ...uniforms(3, 1000)]) {
        const rank = free.tryDraw(u);
        expect(rank >= 0 && rank <= n && Number.isInteger(rank)).toBe(true);
      }
    }
  });
});
