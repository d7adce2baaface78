import fc from "fast-check";
import { expect, test } from "vitest";
import { TEXTS } from "../testing/sample-batches.ts";
import { decodeUtf8, encodeInto, encodeUtf8, isAscii, isUtf8 } from "./text.ts";

const sharedCopy = (bytes: Uint8Array, at: number): Uint8Array => {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length + at));
  shared.set(bytes, at);
  return shared;
};

const texts = [...TEXTS, "naïve", "a".repeat(47), "a".repeat(48), "a".repeat(49), "ä".repeat(30), "x".repeat(1 << 20)];

test("text of every kind comes out of private and shared memory alike, from any place (P-01)", () => {
  for (const text of texts) {
    const bytes = new TextEncoder().encode(text);
    expect(decodeUtf8(bytes)).toBe(text);
    for (const at of [0, 1, 7]) {
      const shared = sharedCopy(bytes, at);
      expect(decodeUtf8(shared, at, at + bytes.length)).toBe(text);
    }
  }
});

test("decoding shared memory hands the decoder private memory only, as browsers demand (P-01)", () => {
  const seen: boolean[] = [];
  const { decode } = TextDecoder.prototype;
  TextDecoder.prototype.decode = function (this: InstanceType<typeof TextDecoder>, ...args) {
    const [bytes] = args as [Uint8Array];
    seen.push(bytes.buffer instanceof ArrayBuffer);
    return decode.apply(this, args);
  };
  try {
    for (const text of texts) decodeUtf8(sharedCopy(new TextEncoder().encode(text), 3), 3);
  } finally {
    TextDecoder.prototype.decode = decode;
  }
  expect(seen.length).toBeGreaterThan(3);
  expect(seen.every((isPrivate) => isPrivate)).toBe(true);
});

test("encoding writes the same bytes into a larger buffer", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(5), (text, at) => {
      const target = new Uint8Array(3 * text.length + at).fill(0x5a);
      const end = encodeInto(text, target, at);
      expect(target.slice(at, end)).toEqual(encodeUtf8(text));
      expect(target.subarray(0, at).every((byte) => byte === 0x5a)).toBe(true);
      expect(decodeUtf8(target, at, end)).toBe(text.toWellFormed());
    }),
  );
});

test("well-formed UTF-8 is told from the rest as a strict decoder tells it", () => {
  const strict = new TextDecoder("utf-8", { fatal: true });
  const isStrict = (bytes: Uint8Array): boolean => {
    try {
      strict.decode(bytes);
      return true;
    } catch {
      return false;
    }
  };
  const lead = fc.constantFrom(0x7f, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff);
  const follow = fc.constantFrom(0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0);
  const bytes = fc.array(fc.oneof(lead, follow, fc.nat(255)), { maxLength: 6 }).map((list) => Uint8Array.from(list));
  fc.assert(
    fc.property(bytes, (list) => {
      expect(isUtf8(list)).toBe(isStrict(list));
    }),
    { numRuns: 2000 },
  );
  for (const text of TEXTS) expect(isUtf8(encodeUtf8(text))).toBe(true);
  expect(isUtf8(Uint8Array.of(0xff, 0x61, 0xff), 1, 2)).toBe(true);
});

test("long text is told by words of four bytes just the same, wherever it lies in its buffer", () => {
  const strict = new TextDecoder("utf-8", { fatal: true });
  const buffer = new Uint8Array(256);
  const places = fc.array(fc.tuple(fc.constantFrom("ä", "€", "😀", "\u0000"), fc.nat(180)), { maxLength: 3 });
  const damage = fc.array(fc.tuple(fc.nat(255), fc.nat(180)), { maxLength: 2 });
  fc.assert(
    fc.property(fc.nat(7), fc.nat(12), fc.nat(190), places, damage, (offset, from, length, inserted, damaged) => {
      const bytes = buffer.subarray(offset, offset + 210).fill(97);
      for (const [text, at] of inserted) bytes.set(encodeUtf8(text), at);
      for (const [byte, at] of damaged) bytes[at] = byte;
      const piece = bytes.slice(from, from + length);
      let isStrict = true;
      try {
        strict.decode(piece);
      } catch {
        isStrict = false;
      }
      expect(isUtf8(bytes, from, from + length)).toBe(isStrict);
      expect(isAscii(bytes, from, from + length)).toBe(piece.every((byte) => byte < 128));
    }),
    { numRuns: 2000 },
  );
});
