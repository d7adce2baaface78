import { describe, expect, it } from "vitest";
import { exp, ln, power } from "./math.ts";

const view = new Float64Array(1);
const bits = new BigInt64Array(view.buffer);
function bitsOf(x: number): bigint {
  view[0] = x;
  return bits[0] as bigint;
}

/** Distance in units of the last place, for two numbers of one sign. */
function ulps(a: number, b: number): number {
  if (Object.is(a, b)) return 0;
  const d = bitsOf(a) - bitsOf(b);
  return Number(d < 0n ? -d : d);
}

/** A plain congruential sequence in (0, 1): the same numbers in every run. */
function* fractions(count: number): Generator<number> {
  let state = 12345;
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield (state + 0.5) / 2 ** 32;
  }
}

describe("own exp, ln and power", () => {
  it("D-50: ln is within one unit in the last place of the platform's over the whole range", () => {
    let worst = 0;
    for (const f of fractions(20_000)) {
      const x = 2 ** ((f - 0.5) * 2000) * (1 + f);
      worst = Math.max(worst, ulps(ln(x), Math.log(x)));
      worst = Math.max(worst, ulps(ln(0.5 + f), Math.log(0.5 + f)));
    }
    expect(worst).toBeLessThanOrEqual(1);
  });

  it("D-50: exp is within one unit in the last place of the platform's over the whole range", () => {
    let worst = 0;
    for (const f of fractions(20_000)) {
      for (const x of [(f - 0.5) * 1400, f - 0.5]) worst = Math.max(worst, ulps(exp(x), Math.exp(x)));
    }
    expect(worst).toBeLessThanOrEqual(1);
  });

  it("D-50: power is within one unit in the last place of the platform's", () => {
    let worst = 0;
    const ys = [...fractions(20_000)].reverse();
    let i = 0;
    for (const f of fractions(20_000)) {
      const y = ((ys[i++] as number) - 0.5) * 60;
      worst = Math.max(worst, ulps(power(f * 1000, y), (f * 1000) ** y));
    }
    expect(worst).toBeLessThanOrEqual(1);
  });

  it("D-50: bits are pinned, so that every engine is held to the same ones", () => {
    const hex = (x: number) => BigInt.asUintN(64, bitsOf(x)).toString(16).padStart(16, "0");
    expect([ln(2), ln(10), ln(0.1), ln(5e-324), ln(1.7976931348623157e308)].map(hex)).toMatchInlineSnapshot(`
      [
        "3fe62e42fefa39ef",
        "40026bb1bbb55516",
        "c0026bb1bbb55515",
        "c0874385446d71c3",
        "40862e42fefa39ef",
      ]
    `);
    expect([exp(1), exp(-1), exp(0.5), exp(700.25), exp(-740.5)].map(hex)).toMatchInlineSnapshot(`
      [
        "4005bf0a8b145769",
        "3fd78b56362cef38",
        "3ffa61298e1e069c",
        "7f12fd8e4cbfa413",
        "0000000000000033",
      ]
    `);
    expect([power(2, 0.5), power(10, -3), power(1.0001, 10000), power(0.3, 7.7)].map(hex)).toMatchInlineSnapshot(`
      [
        "3ff6a09e667f3bcd",
        "3f50624dd2f1a9fc",
        "4005bec34aabbfd3",
        "3f18ae7e5b4e6baf",
      ]
    `);
  });

  it("a power of whole numbers is exact wherever a double can hold it", () => {
    for (let base = 2n; base <= 60n; base++) {
      let exact = 1n;
      for (let n = 0; exact <= 9007199254740992n; n++) {
        expect(power(Number(base), n)).toBe(Number(exact));
        exact *= base;
      }
    }
    for (let n = -1074; n <= 1023; n++) expect(power(2, n)).toBe(2 ** n);
    expect(power(-3, 3)).toBe(-27);
    expect(power(-3, 2)).toBe(9);
    expect(power(4, 0.5)).toBe(2);
  });

  it("limits and special values are those of IEEE 754", () => {
    expect([exp(0), exp(-0), exp(1 / 0), exp(-1 / 0), exp(710), exp(-746)]).toEqual([1, 1, 1 / 0, 0, 1 / 0, 0]);
    expect(exp(709.782712893384)).toBeGreaterThan(1.797e308);
    expect(exp(-745.1332191019411)).toBe(5e-324);
    expect([ln(1), ln(0), ln(-0), ln(1 / 0)]).toEqual([0, -1 / 0, -1 / 0, 1 / 0]);
    for (const x of [ln(-1), ln(Number.NaN), exp(Number.NaN), power(-8, 1 / 3), power(Number.NaN, 1)])
      expect(x).toBeNaN();
    expect([power(Number.NaN, 0), power(1, Number.NaN), power(1, 1 / 0), power(-1, 1 / 0)]).toEqual([1, 1, 1, 1]);
    expect([power(2, 1 / 0), power(2, -1 / 0), power(0.5, 1 / 0), power(0.5, -1 / 0)]).toEqual([1 / 0, 0, 0, 1 / 0]);
    expect([power(0, 3), power(-0, 3), power(0, -3), power(-0, -3), power(-0, 2)]).toEqual([0, -0, 1 / 0, -1 / 0, 0]);
    expect([power(-1 / 0, 3), power(-1 / 0, -3), power(1 / 0, -2), power(-1 / 0, 2)]).toEqual([-1 / 0, -0, 0, 1 / 0]);
    expect([power(10, 309), power(10, -400), power(-10, 309), power(0.5, 1e300), power(3, 1e300)]).toEqual([
      1 / 0,
      0,
      -1 / 0,
      0,
      1 / 0,
    ]);
  });
});
