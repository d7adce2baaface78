import fc from "fast-check";
import { expect, test } from "vitest";
import {
  divideWords,
  divideWordsInto,
  highWord,
  lastRemainder,
  lowWord,
  multiplyAdd,
  type WordPair,
  wordOfBigInt,
  wordsToBigInt,
  wordsToNumber,
} from "./words.ts";

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const safe = fc.oneof(fc.maxSafeInteger(), fc.integer());
const bigOf = ({ lo, hi }: WordPair): bigint => wordsToBigInt([lo, hi], 0, true);

test("safe integers go to two words and back", () => {
  fc.assert(
    fc.property(safe, (value) => {
      const [lo, hi] = [lowWord(value), highWord(value)];
      expect(wordsToNumber(lo, hi)).toBe(value === 0 ? 0 : value);
      expect(wordsToBigInt([lo, hi], 0, true)).toBe(BigInt(value));
    }),
  );
});

test("a·b + c is exact over all of int64, and says when it is not in it", () => {
  const out: WordPair = { lo: 0, hi: 0 };
  const summand = fc.nat(2 ** 30 - 1);
  fc.assert(
    fc.property(safe, fc.integer({ min: 1, max: 2 ** 30 }), summand, (a, b, c) => {
      const exact = BigInt(a) * BigInt(b) + BigInt(c);
      expect(multiplyAdd(a, b, c, out)).toBe(BigInt.asIntN(64, exact) === exact);
      expect(bigOf(out)).toBe(BigInt.asIntN(64, exact));
    }),
    { numRuns: 1000 },
  );
  expect([multiplyAdd(-9223372036, 1e9, 0, out), bigOf(out)]).toEqual([true, -9223372036000000000n]);
  expect(multiplyAdd(-9223372037, 1e9, 145224192, out)).toBe(true);
  expect(bigOf(out)).toBe(-(2n ** 63n));
  expect(multiplyAdd(-9223372037, 1e9, 145224191, out)).toBe(false);
  expect(multiplyAdd(9223372036, 1e9, 854775807, out)).toBe(true);
  expect(multiplyAdd(9223372036, 1e9, 854775808, out)).toBe(false);
});

test("64-bit integers are divided exactly, toward minus infinity", () => {
  const out: WordPair = { lo: 0, hi: 0 };
  fc.assert(
    fc.property(int64, fc.integer({ min: 1, max: 2 ** 21 }), (value, n) => {
      const [lo, hi] = [wordOfBigInt(value, 0), wordOfBigInt(value, 1)];
      const rest = ((value % BigInt(n)) + BigInt(n)) % BigInt(n);
      const quotient = (value - rest) / BigInt(n);
      divideWordsInto(lo, hi, n, out);
      expect([bigOf(out), lastRemainder()]).toEqual([quotient, Number(rest)]);
      if (quotient === BigInt(Number(quotient))) expect(divideWords(lo, hi, n)).toBe(Number(quotient));
      else divideWords(lo, hi, n);
      expect(lastRemainder()).toBe(Number(rest));
    }),
    { numRuns: 1000 },
  );
});
