import fc from "fast-check";
import { expect, test } from "vitest";
import { Blocks } from "./blocks.ts";

test("blocks never overlap, lie within their region on lines of their own, and all of it is free again in the end", () => {
  const steps = fc.array(fc.record({ bytes: fc.integer({ min: 1, max: 700 }), release: fc.nat(), left: fc.nat() }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(steps, (sequence) => {
      const blocks = new Blocks(128, 4096 + 17);
      const held: { at: number; bytes: number }[] = [];
      for (const { bytes, release, left } of sequence) {
        const at = blocks.claim(bytes);
        if (at > 0) {
          expect(at % 64).toBe(0);
          expect(at >= 128 && at + bytes <= 128 + 4096).toBe(true);
          for (const other of held) expect(at + bytes <= other.at || other.at + other.bytes <= at).toBe(true);
          const kept = left % 2 === 0 ? bytes : 1 + (left % bytes);
          blocks.shrink(at, kept);
          held.push({ at, bytes: kept });
        }
        if (at === 0 || release % 3 === 0) {
          const [gone] = held.splice(release % Math.max(held.length, 1), 1);
          if (gone !== undefined) blocks.release(gone.at);
        }
      }
      for (const { at } of held) blocks.release(at);
      expect(blocks.claim(4096)).toBe(128);
      expect(blocks.claim(1)).toBe(0);
    }),
  );
});
