import fc from "fast-check";
import { expect, test } from "vitest";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import { crc32 } from "./crc32.ts";
import { decodeSnapshot, encodeSnapshot } from "./snapshot-codec.ts";

const text = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) });

const { value } = fc.letrec<{ value: SnapshotValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "medium" },
    fc.constant(null),
    fc.boolean(),
    fc.double(),
    fc.integer(),
    fc.bigInt(),
    text,
    fc.uint8Array(),
    fc.int32Array(),
    fc.float64Array(),
    fc.array(tie("value")),
    fc.array(fc.tuple(text, tie("value"))).map((entries) => Object.fromEntries(entries)),
  ),
}));

test("any plain value comes back equal, and equal values give equal bytes (D-7)", () => {
  fc.assert(
    fc.property(value, (original) => {
      const bytes = encodeSnapshot(original);
      const decoded = decodeSnapshot(bytes);
      expect(decoded).toStrictEqual(original);
      expect(encodeSnapshot(decoded)).toEqual(bytes);
    }),
  );
});

test("what JSON would lose stays: 64-bit integers, −0, NaN, lone surrogates, __proto__, the order of keys (P-02)", () => {
  const original = {
    z: -0,
    n: Number.NaN,
    big: 9223372036854775807n,
    low: -(2n ** 64n),
    lone: "\ud800x",
    ["__proto__"]: [1],
  };
  const decoded = decodeSnapshot(encodeSnapshot(original)) as typeof original;
  expect(Object.is(decoded.z, -0)).toBe(true);
  expect(Object.keys(decoded)).toEqual(["z", "n", "big", "low", "lone", "__proto__"]);
  expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype);
  expect(decoded).toStrictEqual(original);
});

test("a snapshot is a deep copy: neither later writes to the state nor to the bytes change it (P-05)", () => {
  const counts = new Float64Array([1, 2]);
  const bytes = encodeSnapshot({ counts });
  counts[0] = 9;
  const decoded = decodeSnapshot(bytes) as { counts: Float64Array };
  bytes.fill(0);
  expect([...decoded.counts]).toEqual([1, 2]);
});

test("values are read at any offset of a larger buffer (P-54)", () => {
  const bytes = encodeSnapshot([new Int32Array([1, -2]), "x", new Float64Array([0.5])]);
  const moved = new Uint8Array(bytes.length + 3);
  moved.set(bytes, 3);
  expect(decodeSnapshot(moved.subarray(3))).toStrictEqual([new Int32Array([1, -2]), "x", new Float64Array([0.5])]);
});

test("every single damaged byte and every cut is found", () => {
  const bytes = encodeSnapshot({ a: [1, "é", 12345678901234567890n], b: new Int32Array([1, 2, 3]) });
  for (let i = 0; i < bytes.length; i++) {
    // The three bytes behind the version are not used.
    if (i >= 5 && i < 8) continue;
    const wrong = bytes.slice();
    wrong[i] = (wrong[i] as number) ^ 0x10;
    expect(() => decodeSnapshot(wrong), `byte ${i}`).toThrow(i === 4 ? /has version/ : /damaged/);
    expect(() => decodeSnapshot(bytes.slice(0, i)), `cut at ${i}`).toThrow(/damaged/);
  }
  expect(() => decodeSnapshot(new Uint8Array([...bytes, 0]))).toThrow(/damaged/);
});

test("damage that the checksum does not show is found too", () => {
  const sealed = (...body: number[]): Uint8Array => {
    const bytes = Uint8Array.from([0x57, 0x45, 0x49, 0x52, 1, 0, 0, 0, 0, 0, 0, 0, ...body]);
    new DataView(bytes.buffer).setUint32(8, crc32(bytes, 12), true);
    return bytes;
  };
  expect(() => decodeSnapshot(sealed(99))).toThrow(/unknown tag 99/);
  expect(() => decodeSnapshot(sealed(10, 0xff, 0xff, 0xff, 0xff))).toThrow(/ends too early/);
  expect(() => decodeSnapshot(sealed(7, 5, 0, 0, 0, 1))).toThrow(/ends too early/);
  expect(() => decodeSnapshot(sealed(0, 0))).toThrow(/behind its end/);
  expect(() => decodeSnapshot(sealed(11, 1, 0, 0, 0, 0, 0, 0, 0, 0))).toThrow(/key is no text/);
  expect(() => decodeSnapshot(sealed(...Array.from({ length: 600 }, () => [10, 1, 0, 0, 0]).flat(), 0))).toThrow(
    /too deeply/,
  );
});

test("what is no plain data is refused when the snapshot is taken, not when it is needed", () => {
  const cyclic: SnapshotValue[] = [];
  cyclic.push(cyclic);
  for (const wrong of [cyclic, undefined, new Map(), new Date(0), [undefined], { a: () => 1 }, new Uint16Array(1)]) {
    expect(() => encodeSnapshot(wrong as SnapshotValue)).toThrow(/plain data|contains itself/);
  }
});

test("the checksum is the common CRC-32", () => {
  expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
});
