import { expect, test } from "vitest";
import { vnodeOf } from "./kernels/hash.ts";
import { mix } from "./kernels/murmur.ts";
import { LINES } from "./word-lines.ts";
import { homeGroup, PAIRS } from "./word-slots.ts";

/** Hashes of keys that one of two tasks gets. */
const ofOneTask = Array.from({ length: 20_000 }, (_, key) => mix(key)).filter((hash) => vnodeOf(hash, 128) < 64);

test.each([PAIRS, LINES])(
  "keys that a shuffle brought to one task begin at groups all over the table (of $words words each)",
  ({ words }) => {
    const slots = new Int32Array(words * 1024);
    const keys = new Array(1024).fill(0);
    for (const hash of ofOneTask) {
      const at = homeGroup(hash, slots, words);
      expect(at % words).toBe(0);
      keys[at / words]++;
    }
    const even = ofOneTask.length / keys.length;
    expect(Math.max(...keys)).toBeLessThan(3.5 * even);
    expect(keys.filter((count) => count === 0).length).toBeLessThan(5);
  },
);
