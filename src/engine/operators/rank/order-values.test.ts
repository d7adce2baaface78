import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Column, isNull } from "../../data/column.ts";
import { keyOrder } from "../../data/kernels/compare.ts";
import { batch, schema } from "../../testing/stage-kit.ts";
import { orderValues } from "./order-values.ts";

const TWO_63 = 2n ** 63n;
const VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  int8: fc.integer({ min: -128, max: 127 }),
  uint32: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  int64: fc.oneof(fc.bigInt({ min: -TWO_63, max: TWO_63 - 1n }), fc.bigInt({ min: -3n, max: 3n })),
  uint64: fc.oneof(fc.bigInt({ min: 0n, max: 2n * TWO_63 - 1n }), fc.bigInt({ min: 0n, max: 3n })),
  float64: fc.oneof(fc.double(), fc.constantFrom(0, -0, Number.NaN, Number.POSITIVE_INFINITY)),
  boolean: fc.boolean(),
  utf8: fc.oneof(fc.string({ unit: "grapheme", maxLength: 9 }), fc.constantFrom("", "\0", "abcdef", "abcdefg")),
};

const decimals = fc.oneof(
  fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }),
  fc.bigInt({ min: -3n, max: 3n }),
  fc.constantFrom(TWO_63, TWO_63 - 1n, -TWO_63, -TWO_63 - 1n, 2n * TWO_63, -2n * TWO_63),
);

/** A column of decimals by their unscaled values. */
function decimalColumn(values: readonly (bigint | null)[]): Column {
  const words = values.flatMap((value) =>
    [0n, 32n, 64n, 96n].map((shift) => Number(BigInt.asIntN(32, (value ?? 0n) >> shift))),
  );
  const bits = new Uint8Array((values.length + 7) >> 3);
  values.forEach((value, row) => {
    if (value !== null) bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
  });
  const nullCount = values.filter((value) => value === null).length;
  const type = schema("v decimal(38,2)").fields[0]?.type as Column["type"];
  const validity = nullCount === 0 ? null : { bits, bitOffset: 0 };
  return { encoding: "fixed", type, length: values.length, nullCount, validity, values: Int32Array.from(words) };
}

const columnOf = (type: string, values: readonly unknown[]): Column =>
  type === "decimal"
    ? decimalColumn(values as (bigint | null)[])
    : (batch(
        schema(`v ${type}`),
        values.map((value) => [value]),
      ).columns[0] as Column);

describe("orderValues", () => {
  const how = fc.record({ desc: fc.boolean(), nulls: fc.constantFrom("first" as const, "last" as const) });

  it.each([...Object.keys(VALUES), "decimal"])(
    "D-26: never contradicts the order of %s, NULL and NaN in it",
    (type) => {
      const value = fc.option(VALUES[type] ?? decimals, { freq: 6 });
      fc.assert(
        fc.property(fc.array(value, { minLength: 2, maxLength: 12 }), how, (values, { desc, nulls }) => {
          const column = columnOf(type, values);
          const numbers = new Float64Array(column.length);
          orderValues(column, { desc, nulls }, numbers);
          const order = keyOrder({ column, descending: desc, nulls }, column);
          for (let i = 0; i < column.length; i++) {
            for (let j = 0; j < column.length; j++) {
              if ((numbers[i] as number) < (numbers[j] as number)) expect(order(i, j)).toBeLessThan(0);
              if (isNull(column, i)) expect(Math.abs(numbers[i] as number)).toBe(Number.POSITIVE_INFINITY);
            }
          }
        }),
        { seed: 26, numRuns: 60 },
      );
    },
  );

  it("tells small numbers, moments and the first bytes of text apart", () => {
    const told = (type: string, ...values: unknown[]): number => {
      const numbers = new Float64Array(values.length);
      orderValues(columnOf(type, values), { desc: true }, numbers);
      return new Set(numbers).size;
    };
    expect(told("int64", 1n, 2n, -1n, 2n ** 40n)).toBe(4);
    expect(told("timestamp[ms]", 1n, 2n)).toBe(2);
    expect(told("utf8", "abcde", "abcdef", "abcdeg")).toBe(3);
    expect(told("decimal", 1n, 2n, -1n)).toBe(3);
  });
});
