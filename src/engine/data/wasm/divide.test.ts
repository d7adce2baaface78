import fc from "fast-check";
import { expect, it } from "vitest";
import { KernelHeap } from "./kernel-heap.ts";

const SAFE = 2n ** 53n;

/** Small ones, and those where one way to divide ends and the next begins. */
const long = fc.oneof(
  fc.bigInt({ min: -20n, max: 20n }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc
    .tuple(fc.constantFrom(50n, 51n, 52n, 53n), fc.bigInt({ min: -2n, max: 2n }), fc.boolean())
    .map(([bits, more, negative]) => (negative ? -1n : 1n) * (2n ** bits + more)),
);

const isSafe = (value: bigint): boolean => value > -SAFE && value < SAFE;

it("64-bit integers are divided by kernels as by whole numbers, and not where a side is beyond 2^53 or a divisor is 0 (D-25)", () => {
  const heap = KernelHeap.create();
  if (heap === undefined) throw new Error("Node has WebAssembly");
  const [x, y, out] = [heap.words(80), heap.words(80), heap.words(80)];
  const put = (place: Int32Array, values: readonly bigint[]): void =>
    new BigInt64Array(place.buffer, place.byteOffset, values.length).set(values);
  const sides = fc.array(fc.tuple(long, long), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(sides, fc.boolean(), fc.boolean(), (pairs, rests, one) => {
      const divisors = pairs.map(([, b]) => (one ? (pairs[0] as readonly bigint[])[1] : b) as bigint);
      put(
        x,
        pairs.map(([a]) => a),
      );
      put(y, one ? [divisors[0] as bigint, divisors[0] as bigint] : divisors);
      const done = heap.kernels.divideLongs(
        rests ? 1 : 0,
        x.byteOffset,
        8,
        y.byteOffset,
        one ? 0 : 8,
        out.byteOffset,
        pairs.length,
      );
      const can = pairs.every(([a], i) => isSafe(a) && isSafe(divisors[i] as bigint) && divisors[i] !== 0n);
      expect(done === 1).toBe(can);
      if (!can) return;
      const found = [...new BigInt64Array(out.buffer, out.byteOffset, pairs.length)];
      expect(found).toEqual(pairs.map(([a], i) => (rests ? a % (divisors[i] as bigint) : a / (divisors[i] as bigint))));
    }),
  );
});
