import fc from "fast-check";
import { expect, test } from "vitest";
import { ALL_TYPES, arbitraryBatch, columnOfModel, type ModelCell } from "../../testing/arbitrary-batches.ts";
import type { Column } from "../column.ts";
import { encodeUtf8 } from "../text.ts";
import { type LogicalType, typeOf } from "../types.ts";
import { keyOrder, type SortKey, sortRows, valueOrder } from "./compare.ts";

/** The order of D-26, from the values alone. */
function modelOrder(type: LogicalType, a: ModelCell, b: ModelCell): number {
  if (type.kind === "utf8") {
    const [x, y] = [encodeUtf8(a as string), encodeUtf8(b as string)];
    const at = x.findIndex((byte, i) => byte !== y[i]);
    return at < 0
      ? Math.sign(x.length - y.length)
      : y[at] === undefined
        ? 1
        : Math.sign((x[at] as number) - (y[at] as number));
  }
  if (typeof a === "number" && typeof b === "number" && (Number.isNaN(a) || Number.isNaN(b))) {
    return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  }
  return (a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0;
}

const typed = fc
  .constantFrom(...ALL_TYPES)
  .chain((type) => arbitraryBatch([type], 12).map((model) => ({ type, model })));

test("values compare by the total order, whatever their encoding: numbers, −0 = 0, NaN greatest, text by bytes (D-26)", () => {
  fc.assert(
    fc.property(typed, ({ type, model: { batch, cells } }) => {
      const [column, values] = [batch.columns[0] as Column, cells[0] ?? []];
      const order = valueOrder(column, column);
      values.forEach((a, i) => {
        values.forEach((b, j) => {
          if (a !== null && b !== null) expect(Math.sign(order(i, j)) + 0).toBe(modelOrder(type, a, b));
        });
      });
    }),
  );
});

test("sorting is stable and puts NULL low unless told otherwise (D-26)", () => {
  const keys = fc.record({ descending: fc.boolean(), nulls: fc.constantFrom(undefined, "first", "last") });
  fc.assert(
    fc.property(typed, keys, ({ type, model: { batch, cells } }, { descending, nulls }) => {
      const values = cells[0] ?? [];
      const key: SortKey = {
        column: batch.columns[0] as Column,
        descending,
        ...(nulls === undefined ? {} : { nulls }),
      };
      const nullsFirst = nulls === undefined ? !descending : nulls === "first";
      const expected = [...values.keys()].sort((i, j) => {
        const [a, b] = [values[i] ?? null, values[j] ?? null];
        if (a === null || b === null) return a === b ? i - j : (a === null) === nullsFirst ? -1 : 1;
        return modelOrder(type, a, b) * (descending ? -1 : 1) || i - j;
      });
      expect([...sortRows([key], batch.rowCount)]).toEqual(expected);
    }),
  );
});

test("further keys decide among equal ones; rows equal in all keep their order", () => {
  const a = columnOfModel(typeOf("int32"), [2, 1, 2, 1, 2]);
  const b = columnOfModel(typeOf("utf8"), ["x", "b", "y", "a", "x"]);
  expect([...sortRows([{ column: a }, { column: b, descending: true }], 5)]).toEqual([1, 3, 2, 0, 4]);
  expect([...sortRows([], 3)]).toEqual([0, 1, 2]);
});

test("text orders by UTF-8 bytes, not by UTF-16 units", () => {
  // U+FF5E is one unit above every surrogate, and yet a smaller code point than U+1F600.
  const column = columnOfModel(typeOf("utf8"), ["😀", "～", "z", "é", "a", ""]);
  expect([...sortRows([{ column }], 6)]).toEqual([5, 4, 2, 3, 1, 0]);
});

test("columns of different batches are compared, and columns of different types refused", () => {
  const one = columnOfModel(typeOf("uint64"), [2n ** 63n]);
  const other = columnOfModel(typeOf("uint64"), [null, 1n]);
  const order = keyOrder({ column: one }, other);
  expect([order(0, 0) > 0, order(0, 1) > 0]).toEqual([true, true]);
  expect(() => valueOrder(one, columnOfModel(typeOf("int64"), [1n]))).toThrow(/uint64 is not compared with int64/);
});
