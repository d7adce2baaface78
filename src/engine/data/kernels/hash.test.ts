import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryBatch, arbitraryTypes, columnOfModel, type ModelCell } from "../../testing/arbitrary-batches.ts";
import { dictionaryColumn, textColumn } from "../../testing/sample-batches.ts";
import type { Column } from "../column.ts";
import { typeOf } from "../types.ts";
import golden from "./hash.golden.json" with { type: "json" };
import { hashRows, NULL_HASH, vnodeOf } from "./hash.ts";
import { murmurBytes, murmurWords } from "./murmur.ts";

function hashesOf(...columns: (Column | undefined)[]): number[] {
  const rowCount = columns[0]?.length ?? 1;
  const out = new Uint32Array(rowCount);
  hashRows(columns, rowCount, out);
  return [...out];
}

const hashOf = (type: string, value: ModelCell): number => hashesOf(columnOfModel(typeOf(type), [value]))[0] as number;

/** Numbers in JSON would lose 64-bit values: these types are given as text. */
const given = (type: string, value: string | number | boolean | null): ModelCell =>
  typeof value === "string" && /^(int64|uint64|timestamp|decimal)/.test(type)
    ? BigInt(value)
    : typeof value === "string" && type.startsWith("float")
      ? Number(value)
      : value;

test.each(golden.values)("hash of $type $value is $hash and stays it (D-45)", ({ type, value, hash }) => {
  expect(hashOf(type, given(type, value))).toBe(hash);
});

test.each(golden.rows)(
  "hash of the columns $types with $values is $hash and stays it (D-45)",
  ({ types, values, hash }) => {
    const columns = types.map((type, c) => columnOfModel(typeOf(type), [given(type, values[c] ?? null)]));
    expect(hashesOf(...columns)).toEqual([hash]);
  },
);

test("text hashes by MurmurHash3 as others compute it", () => {
  const known: [string, number][] = [
    ["", 0],
    ["hello", 0x248bfa47],
    ["hello, world", 0x149bbb7f],
    ["The quick brown fox jumps over the lazy dog", 0x2e4ff723],
  ];
  for (const [text, hash] of known) expect(hashOf("utf8", text)).toBe(hash);
});

test("bytes hash the same word by word and byte by byte, at every place and length", () => {
  const bytes = Uint8Array.from({ length: 64 }, (_, i) => Math.imul(i + 1, 0x9e3779b1) >>> 24);
  const view = new DataView(bytes.buffer);
  for (let start = 0; start < 20; start++) {
    for (let end = start; end <= 60; end++) expect(murmurWords(view, start, end)).toBe(murmurBytes(bytes, start, end));
  }
});

test("0 and −0 hash alike, and so do all NaN, in float32 as in float64 (P-09)", () => {
  const nans = new Float64Array(
    new BigUint64Array([0x7ff8000000000000n, 0xfff8000000000123n, 0x7ff4000000000001n]).buffer,
  );
  const column = { ...columnOfModel(typeOf("float64"), [0, 0, 0]), values: nans } as Column;
  expect(new Set(hashesOf(column)).size).toBe(1);
  for (const value of [Number.NaN, 0, 1.5, -2.25, Number.POSITIVE_INFINITY]) {
    expect(hashOf("float32", value)).toBe(hashOf("float64", value));
  }
  expect(hashesOf(column)[0]).toBe(hashOf("float64", Number.NaN));
  expect(hashOf("float64", -0)).toBe(hashOf("float64", 0));
  expect(hashOf("float64", Number.POSITIVE_INFINITY)).not.toBe(hashOf("float64", Number.NaN));
});

test("an integer hashes alike in every width that holds it (P-29)", () => {
  fc.assert(
    fc.property(fc.integer({ min: -128, max: 127 }), (value) => {
      const hash = hashOf("int64", BigInt(value));
      const names = value < 0 ? ["int8", "int16", "int32"] : ["int8", "int16", "int32", "uint8", "uint16", "uint32"];
      for (const name of names) expect(hashOf(name, value)).toBe(hash);
      if (value >= 0) expect(hashOf("uint64", BigInt(value))).toBe(hash);
    }),
  );
  expect(hashOf("uint32", 4294967295)).toBe(hashOf("int64", 4294967295n));
});

test("an instant hashes alike in every unit, a decimal in every scale (P-29)", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -9_000_000_000n, max: 9_000_000_000n }), (seconds) => {
      const hash = hashOf("timestamp[s]", seconds);
      expect(hashOf("timestamp[ms]", seconds * 1000n)).toBe(hash);
      expect(hashOf("timestamp[us]", seconds * 1_000_000n)).toBe(hash);
      expect(hashOf("timestamp[ns]", seconds * 1_000_000_000n)).toBe(hash);
    }),
  );
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 28n), max: 10n ** 28n }), fc.nat(10), (unscaled, more) => {
      expect(hashOf(`decimal(38,${2 + more})`, unscaled * 10n ** BigInt(more))).toBe(hashOf("decimal(38,2)", unscaled));
    }),
  );
});

test("instants and decimals hash as their value modulo 2^31 − 1, over all their bits", () => {
  const P = 2147483647n;
  const modulo = (value: bigint): bigint => ((value % P) + P) % P;
  const reference = (residue: bigint): number => hashOf("int32", Number(residue));
  const inverseOf10 = 1503238553n;
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
      expect(hashOf("timestamp[ns]", value)).toBe(reference(modulo(value)));
      expect(hashOf("timestamp[ms]", value)).toBe(reference(modulo(value * 1_000_000n)));
      expect(hashOf("timestamp[s]", value)).toBe(reference(modulo(value * 1_000_000_000n)));
    }),
  );
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 127n), max: 2n ** 127n - 1n }), (value) => {
      expect(hashOf("decimal(38,0)", value)).toBe(reference(modulo(value)));
      expect(hashOf("decimal(38,3)", value)).toBe(reference(modulo(value * inverseOf10 ** 3n)));
    }),
  );
});

test("a dictionary word hashes as the plain word, a NULL entry as NULL, whatever the dictionary (P-29, P-42)", () => {
  const words = ["x", "", "naïve", null, "😀"];
  const column = dictionaryColumn([4, 3, 2, 1, 0, 3], textColumn(words));
  expect(hashesOf(column)).toEqual(["😀", null, "naïve", "", "x", null].map((word) => hashOf("utf8", word)));
  expect(hashOf("utf8", "e\u0301")).not.toBe(hashOf("utf8", "é"));
});

test("NULL hashes as NULL whatever lies under it, and not as '' or 0 (P-10)", () => {
  const column = { ...columnOfModel(typeOf("int32"), [0, 77, 0]), nullCount: 2 };
  const nulls = { ...column, validity: { bits: Uint8Array.of(0b00100), bitOffset: 2 } } as Column;
  expect(hashesOf(nulls)).toEqual([hashOf("int32", 0), NULL_HASH, NULL_HASH]);
  expect(hashOf("utf8", "")).not.toBe(NULL_HASH);
  expect(hashOf("int32", 0)).not.toBe(NULL_HASH);
});

test("a missing column hashes as NULL, and no columns hash to vnode 0 (F-75)", () => {
  const key = columnOfModel(typeOf("utf8"), ["a", "b"]);
  const nulls = columnOfModel(typeOf("int64"), [null, null]);
  expect(hashesOf(key, undefined)).toEqual(hashesOf(key, nulls));
  const out = Uint32Array.of(9, 9);
  hashRows([], 2, out);
  expect([...out].map((hash) => vnodeOf(hash, 7))).toEqual([0, 0]);
});

test("rows hash by value: alone, in a batch, in a slice, under any encoding (D-44)", () => {
  fc.assert(
    fc.property(
      arbitraryTypes.chain((types) => arbitraryBatch(types)),
      ({ batch, cells }) => {
        const out = new Uint32Array(batch.rowCount);
        hashRows(batch.columns, batch.rowCount, out);
        for (let row = 0; row < batch.rowCount; row++) {
          const single = batch.columns.map(({ type }, c) => columnOfModel(type, [cells[c]?.[row] ?? null]));
          expect([out[row]]).toEqual(single.length === 0 ? [0] : hashesOf(...single));
        }
      },
    ),
  );
});

test("composite keys depend on the order of columns and on where one value ends (D-45)", () => {
  const two = (a: string, b: string) => hashesOf(textColumn([a]), textColumn([b]))[0];
  expect(two("ab", "c")).not.toBe(two("a", "bc"));
  expect(two("a", "b")).not.toBe(two("b", "a"));
  expect(new Set(["a", "b", "c", "d"].map((x) => two(x, x))).size).toBe(4);
});

test("a vnode is never negative and never −0, also for the hash −2147483648 (P-14)", () => {
  for (const hash of [-2147483648, 2147483648, -1, 4294967295, 0, -0]) {
    for (const vnodes of [1, 3, 7, 100, 128]) {
      const vnode = vnodeOf(hash, vnodes);
      expect(Object.is(vnode, -0) || vnode < 0 || vnode >= vnodes || !Number.isInteger(vnode)).toBe(false);
    }
  }
  // Found by running `mix` backwards.
  expect(hashOf("int64", BigInt(golden.topBitOnly))).toBe(2147483648);
});

test.each([
  ["int64", (i: number): ModelCell => BigInt(i)],
  ["int64", (i: number): ModelCell => BigInt(i) * 4294967296n],
  ["timestamp[ms]", (i: number): ModelCell => 1_700_000_000_000n + BigInt(i) * 60_000n],
  ["float64", (i: number): ModelCell => i / 4],
  ["decimal(10,2)", (i: number): ModelCell => BigInt(i) * 100n],
  ["utf8", (i: number): ModelCell => `customer-${i}`],
] as const)("keys in a row spread evenly over vnodes: %s", (type, keyOf) => {
  const rows = 12_800;
  const hashes = hashesOf(
    columnOfModel(
      typeOf(type),
      Array.from({ length: rows }, (_, i) => keyOf(i)),
    ),
  );
  for (const vnodes of [128, 100]) {
    const counts = new Array<number>(vnodes).fill(0);
    for (const hash of hashes) counts[vnodeOf(hash, vnodes)] = (counts[vnodeOf(hash, vnodes)] ?? 0) + 1;
    const mean = rows / vnodes;
    expect(Math.min(...counts)).toBeGreaterThan(mean * 0.6);
    expect(Math.max(...counts)).toBeLessThan(mean * 1.4);
  }
});
