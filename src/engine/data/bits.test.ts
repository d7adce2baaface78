import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesForBits, copyBits, countOnes, nullsIn, orBits, setBits, writeBits } from "./bits.ts";
import { bitAt } from "./column.ts";

const bitmap = fc.record({
  bits: fc.uint8Array({ minLength: 12, maxLength: 12 }),
  bitOffset: fc.nat(40),
  count: fc.nat(50),
});
const bitsOf = (source: { bits: Uint8Array; bitOffset: number }, count: number): boolean[] =>
  Array.from({ length: count }, (_, row) => bitAt(source, row));

test("bits are counted at every offset", () => {
  fc.assert(
    fc.property(bitmap, ({ bits, bitOffset, count }) => {
      const ones = bitsOf({ bits, bitOffset }, count).filter((bit) => bit).length;
      expect(countOnes(bits, bitOffset, count)).toBe(ones);
      expect(nullsIn({ bits, bitOffset }, 0, count)).toBe(count - ones);
      expect(nullsIn(null, 0, count)).toBe(0);
    }),
  );
});

test("bits are moved to bit 0, and those behind the last are 0, so that equal bits are equal bytes", () => {
  fc.assert(
    fc.property(bitmap, fc.nat(3), (source, at) => {
      const { count } = source;
      const target = new Uint8Array(16).fill(0xff);
      writeBits(source, count, target, at);
      expect(bitsOf({ bits: target, bitOffset: 8 * at }, count)).toEqual(bitsOf(source, count));
      const rest = 8 * bytesForBits(count) - count;
      expect(countOnes(target, 8 * at + count, rest)).toBe(0);
      expect(target.subarray(at + bytesForBits(count)).every((byte) => byte === 0xff)).toBe(true);
      expect(copyBits(source, count).bits).toEqual(target.slice(at, at + bytesForBits(count)));
    }),
  );
});

test("runs of bits are put one behind the other at any bit", () => {
  fc.assert(
    fc.property(bitmap, fc.nat(20), fc.nat(30), (source, ones, gap) => {
      const target = new Uint8Array(20);
      setBits(target, gap, ones);
      orBits(source, source.count, target, gap + ones);
      const expected = [
        ...Array<boolean>(gap).fill(false),
        ...Array<boolean>(ones).fill(true),
        ...bitsOf(source, source.count),
      ];
      expect(bitsOf({ bits: target, bitOffset: 0 }, 160)).toEqual([
        ...expected,
        ...Array<boolean>(160 - expected.length).fill(false),
      ]);
    }),
  );
});
