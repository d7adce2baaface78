import fc from "fast-check";
import { expect, it } from "vitest";
import { crc32 } from "./crc32.ts";

/** One bit at a time, as the polynomial says. */
function byBits(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

it("CRC-32 of any bytes, from any place to any other, is what the polynomial gives", () => {
  expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
  expect(crc32(new Uint8Array(0))).toBe(0);
  const setup = fc.record({ bytes: fc.uint8Array({ maxLength: 90 }), start: fc.nat(20), length: fc.nat(90) });
  fc.assert(
    fc.property(setup, ({ bytes, start, length }) => {
      const from = Math.min(start, bytes.length);
      const to = Math.min(from + length, bytes.length);
      expect(crc32(bytes, from, to)).toBe(byBits(bytes.subarray(from, to)));
    }),
  );
});
