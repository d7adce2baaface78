import { describe, expect, it } from "vitest";
import { CounterRandom, threefryWords } from "./counter-random.ts";

const draw = (random: CounterRandom, positions: number[]): number[] => {
  const out = new Float64Array(positions.length);
  random.uniform(Float64Array.from(positions), out);
  return [...out];
};
const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

describe("CounterRandom", () => {
  it("gives the known answers of Threefry-2x32-13", () => {
    expect(threefryWords([0, 0], [0, 0])).toEqual([0x9d1c5ec6, 0x8bd50731]);
    expect(threefryWords([-1, -1], [-1, -1])).toEqual([0xfd36d048, 0x2d17272c]);
    expect(threefryWords([0x13198a2e, 0x03707344], [0x243f6a88, 0x85a308d3])).toEqual([0xba3e4725, 0xf27d669e]);
  });

  it("E-4: a number depends on seed, stream and position only, not on the order of asking", () => {
    const random = new CounterRandom(42, 3);
    const all = draw(random, range(100));
    expect(draw(random, range(100).reverse()).reverse()).toEqual(all);
    expect(draw(new CounterRandom(42, 3), [17, 99])).toEqual([all[17], all[99]]);
  });

  it("different seeds, streams and far positions give different numbers", () => {
    const of = (seed: number, stream: number, position: number) => draw(new CounterRandom(seed, stream), [position])[0];
    const numbers = [
      of(1, 0, 0),
      of(0, 1, 0),
      of(0, 0, 1),
      of(2 ** 40, 0, 0),
      of(0, 0, 2 ** 40),
      of(-1, 0, 0),
      of(0, 0, 0),
    ];
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it("numbers lie strictly between 0 and 1 and fill sixteen cells evenly (chi-square, 15 degrees, seed 7)", () => {
    const cells = new Array<number>(16).fill(0);
    const count = 160_000;
    const numbers = draw(new CounterRandom(7, 0), range(count));
    expect(numbers.every((u) => u > 0 && u < 1)).toBe(true);
    for (const u of numbers) {
      const cell = Math.floor(u * 16);
      cells[cell] = (cells[cell] as number) + 1;
    }
    const chiSquare = cells.reduce((sum, seen) => sum + (seen - count / 16) ** 2 / (count / 16), 0);
    expect(chiSquare).toBeLessThan(37.7); // 99.9 %
  });
});
