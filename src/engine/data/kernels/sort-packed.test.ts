import fc from "fast-check";
import { expect, test } from "vitest";
import { ALL_TYPES, arbitraryValue, columnOfModel } from "../../testing/arbitrary-batches.ts";
import { typeOf } from "../types.ts";
import { type RowOrder, sortRows, valueOrder } from "./compare.ts";

/** What a sort by comparing pairs gives. */
function byPairs(order: RowOrder, rowCount: number): number[] {
  return Array.from({ length: rowCount }, (_, row) => row).sort((i, j) => order(i, j) || i - j);
}

test("one key sorts as by comparing pairs, for every type, equal rows in their order (D-26)", () => {
  const setup = fc
    .constantFrom(...ALL_TYPES)
    .chain((type) => fc.record({ type: fc.constant(type), values: fc.array(arbitraryValue(type), { maxLength: 60 }) }));
  fc.assert(
    fc.property(setup, ({ type, values }) => {
      const column = columnOfModel(type, values);
      expect([...sortRows([{ column }], values.length)]).toEqual(byPairs(valueOrder(column, column), values.length));
    }),
    { numRuns: 300 },
  );
});

test("text with long common beginnings, zero bytes and equal words sorts by bytes (D-26)", () => {
  const part = fc.constantFrom("", "\0", "a", "\0\0", "common beginning ", "é", "😀", "\u{ffff}", "z");
  const words = fc.array(
    fc.array(part, { maxLength: 6 }).map((parts) => parts.join("")),
    {
      minLength: 30,
      maxLength: 90,
    },
  );
  fc.assert(
    fc.property(words, (values) => {
      const column = columnOfModel(typeOf("utf8"), values);
      expect([...sortRows([{ column }], values.length)]).toEqual(byPairs(valueOrder(column, column), values.length));
    }),
  );
});

test("small whole numbers keep their order at both ends of their range", () => {
  for (const name of ["int32", "uint32", "int8", "date"] as const) {
    const type = typeOf(name);
    const ends = name === "uint32" ? [0, 4294967295] : name === "int8" ? [-128, 127] : [-2147483648, 2147483647];
    const values = Array.from({ length: 40 }, (_, i) =>
      i % 3 === 0 ? (ends[0] as number) : i % 3 === 1 ? 0 : (ends[1] as number),
    );
    const column = columnOfModel(type, values);
    expect([...sortRows([{ column }], 40)]).toEqual(byPairs(valueOrder(column, column), 40));
  }
});

test("64-bit integers and timestamps near each other keep their order, wherever they lie", () => {
  const starts = [0n, -(2n ** 31n), 1_700_000_000_000n, 2n ** 53n - 3n, -(2n ** 53n) - 3n, 2n ** 63n - 2n ** 33n];
  for (const name of ["int64", "uint64", "timestamp[ms]"] as const) {
    const type = typeOf(name);
    for (const start of starts) {
      if (name === "uint64" && start < 0n) continue;
      for (const step of [1n, 2n ** 20n, 2n ** 31n]) {
        const values = Array.from({ length: 40 }, (_, i) => start + (BigInt((i * 7) % 5) * step) / 2n);
        const column = columnOfModel(type, values);
        expect([...sortRows([{ column }], 40)]).toEqual(byPairs(valueOrder(column, column), 40));
      }
    }
  }
});

test("many whole numbers sort as by comparing pairs, near each other and far apart, equal ones in their order", () => {
  const spans = [1n, 3n, 2047n, 2048n, 70_000n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 33n];
  for (const name of ["int64", "uint64", "int32", "timestamp[us]"] as const) {
    for (const span of spans) {
      if (name === "int32" && span >= 2n ** 32n) continue;
      const least = name === "uint64" ? 5n : -(span / 2n) - 1n;
      const values = Array.from({ length: 700 }, (_, i) => least + ((BigInt(i) * 7_919n * 104_729n) % (span + 1n)));
      values[11] = least + span;
      const column = columnOfModel(typeOf(name), name === "int32" ? values.map(Number) : values);
      expect([...sortRows([{ column }], 700)], `${name} ${span}`).toEqual(byPairs(valueOrder(column, column), 700));
    }
  }
});
