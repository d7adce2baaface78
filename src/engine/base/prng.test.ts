import { expect, test } from "vitest";
import { Prng } from "./prng.ts";

const draw = (prng: Prng, count: number): number[] => Array.from({ length: count }, () => prng.random());

test("the same seed gives the same numbers, pinned for good (D-50)", () => {
  expect(draw(Prng.fromSeed(7), 5)).toEqual(draw(Prng.fromSeed(7), 5));
  const prng = Prng.fromSeed(1);
  expect([prng.int(0, 999), prng.int(0, 999), prng.int(0, 999), prng.random()]).toEqual([
    942, 188, 879, 0.44770103613570045,
  ]);
});

test("different seeds, also neighbouring ones and texts, give different numbers", () => {
  const firsts = [...Array(1000).keys(), "a", "b", "0", "1"].map((seed) => Prng.fromSeed(seed).random());
  expect(new Set(firsts).size).toBe(1004);
});

test("random is in [0, 1) and even, from the first number of every seed on", () => {
  const counts = new Array<number>(10).fill(0);
  for (let seed = 0; seed < 10_000; seed++) {
    const value = Prng.fromSeed(seed).random();
    expect(value >= 0 && value < 1).toBe(true);
    const tenth = Math.floor(value * 10);
    counts[tenth] = (counts[tenth] as number) + 1;
  }
  expect(Math.min(...counts)).toBeGreaterThan(850);
  expect(Math.max(...counts)).toBeLessThan(1150);
});

test("int covers its range, both ends included, and no more", () => {
  const prng = Prng.fromSeed("dice");
  const seen = new Set(Array.from({ length: 600 }, () => prng.int(1, 6)));
  expect([...seen].sort()).toEqual([1, 2, 3, 4, 5, 6]);
  expect(prng.int(5, 5)).toBe(5);
  const wide = prng.int(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  expect(Number.isSafeInteger(wide)).toBe(true);
  expect(() => prng.int(2, 1)).toThrow();
  expect(() => prng.int(0, 0.5)).toThrow();
});

test("a saved generator continues where it was, from plain numbers that JSON holds", () => {
  const prng = Prng.fromSeed("keyframe");
  draw(prng, 17);
  const state = JSON.parse(JSON.stringify(prng.save())) as number[];
  const rest = draw(prng, 20);
  const restored = Prng.restore(state);
  expect(draw(restored, 20)).toEqual(rest);
  expect(draw(Prng.restore(state).fork("x"), 3)).toEqual(draw(prng.fork("x"), 3));
});

test("a fork depends on seed and label, not on what was drawn before, and changes nothing in its parent", () => {
  const [a, b] = [Prng.fromSeed(3), Prng.fromSeed(3)];
  draw(a, 10);
  expect(draw(a.fork("source"), 4)).toEqual(draw(b.fork("source"), 4));
  expect(draw(b.fork("source"), 4)).not.toEqual(draw(b.fork("sink"), 4));
  expect(draw(b, 10).slice(0, 3)).toEqual(draw(Prng.fromSeed(3), 3));
  expect(draw(b.fork("a").fork("b"), 2)).not.toEqual(draw(b.fork("ab"), 2));
});
