import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { newWords } from "./state-arrays.ts";
import { enableKernels } from "./wasm/kernel-heap.ts";
import { WordInterner } from "./word-interner.ts";

/** Other files in this process begin without kernels. */
afterEach(() => enableKernels(Number.POSITIVE_INFINITY));

/** Integers of 32 bits and of more, which begin alike. */
const integers = fc.oneof(
  { weight: 4, arbitrary: fc.nat(200).map((n) => [n - 100, n < 100 ? -1 : 0] as const) },
  { weight: 4, arbitrary: fc.integer().map((n) => [n, n >> 31] as const) },
  fc.constantFrom(
    ...([
      [-1, 0],
      [-1, -1],
      [5, 1],
      [-5, 0],
      [0, -1],
      [-2147483648, -1],
      [-2147483648, 0],
    ] as const),
  ),
);

const steps = fc.array(
  fc.record({
    numbers: fc.array(integers, { minLength: 1, maxLength: 300 }),
    shortOnly: fc.boolean(),
    grow: fc.boolean(),
    oneByOne: fc.boolean(),
  }),
  { maxLength: 6 },
);

const isShort = ([lo, hi]: readonly [number, number]): boolean => hi === lo >> 31;

function agreesWithMap(): void {
  fc.assert(
    fc.property(steps, (sequence) => {
      const interner = new WordInterner();
      const model = new Map<string, number>();
      for (const { numbers, shortOnly, grow, oneByOne } of sequence) {
        const taken = shortOnly ? numbers.filter(isShort) : numbers;
        const expected = taken.map(([lo, hi]) => {
          const name = `${lo} ${hi}`;
          if (grow && !model.has(name)) model.set(name, model.size);
          return model.get(name) ?? -1;
        });
        const out = newWords(taken.length);
        if (oneByOne) {
          taken.forEach(([lo, hi], i) => {
            out[i] = grow ? interner.intern(lo, hi) : interner.find(lo, hi);
          });
        } else if (shortOnly && interner.isShort) {
          const ints = Int32Array.from(taken, ([lo]) => lo);
          interner.numbersOfInts(ints, taken.length, grow, out);
        } else interner.numbers(Int32Array.from(taken.flat()), taken.length, grow, out);
        expect([...out]).toEqual(expected);
      }
      const values = [...interner.values.subarray(0, 2 * interner.size)];
      expect(values).toEqual([...model.keys()].flatMap((name) => name.split(" ").map(Number)));
      interner.release();
    }),
  );
}

/** Keeps some of so many keys, in another order, and goes on. */
function keepsSome(count: number, kept: readonly number[], width: number): void {
  const interner = new WordInterner();
  const words = (number: number) => [7 * number, number % width] as const;
  const all = newWords(count);
  interner.numbers(Int32Array.from(Array.from({ length: count }, (_, n) => words(n)).flat()), count, true, all);
  interner.keep(Int32Array.from(kept), -1);
  expect(interner.size).toBe(kept.length);
  for (const number of [...kept, 1, count - 1]) {
    expect(interner.find(...words(number))).toBe(kept.indexOf(number));
  }
  const more = Array.from({ length: 300 }, (_, n) => words(count + n));
  const out = newWords(300);
  interner.numbers(Int32Array.from(more.flat()), 300, true, out);
  expect([...out]).toEqual(more.map((_, n) => kept.length + n));
  interner.release();
}

describe("numbers for 64-bit integers", () => {
  it("stay for those that are kept, in the order that is asked for, also where a large table becomes a small one", () => {
    for (const width of [1, 2]) {
      keepsSome(500, [], width);
      keepsSome(500, [499, 3, 77], width);
      keepsSome(100_000, [99_998, 5, 70_000], width);
    }
  });

  it("are those of a map in the order of their first coming, also where only the first of them are of 32 bits", () => {
    agreesWithMap();
  });

  it("are the same by kernels", () => {
    enableKernels();
    agreesWithMap();
    keepsSome(500, [499, 3, 77], 2);
    keepsSome(100_000, [99_998, 5, 70_000], 1);
  });
});
