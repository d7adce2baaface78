import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryBatch, arbitraryTypes, modelOf } from "../../testing/arbitrary-batches.ts";
import { dictionaryBatch, textBatch, textColumn } from "../../testing/sample-batches.ts";
import { isNull } from "../column.ts";
import { concatBatches, concatColumns } from "./concat.ts";

test("concatenated batches hold all rows in order, for every type and mix of encodings (D-44)", () => {
  const models = arbitraryTypes.chain((types) => fc.array(arbitraryBatch(types, 12), { minLength: 1, maxLength: 4 }));
  fc.assert(
    fc.property(models, (parts) => {
      const rows = parts.reduce((sum, { batch }) => sum + batch.rowCount, 0);
      const joined = concatBatches(parts.map(({ batch }) => batch));
      const hasTimes = parts.some(({ times }) => times !== null);
      expect(joined.rowCount).toBe(rows);
      expect(modelOf(joined)).toEqual({
        cells: joined.columns.map((_, c) => parts.flatMap(({ cells }) => cells[c] ?? [])),
        times: hasTimes ? parts.flatMap(({ times, batch }) => times ?? Array(batch.rowCount).fill(Number.NaN)) : null,
      });
    }),
  );
});

test("words of different dictionaries get one code each: x 2, y 1, z 1, w 1, NULL a group (P-42)", () => {
  const first = dictionaryBatch([0, 1], textColumn(["x", "y"]));
  const second = dictionaryBatch([0, 1], textColumn(["z", "x"]));
  const third = dictionaryBatch([2, 3], textColumn(["z", "x", "w", null]));
  const joined = concatBatches([first, second, third]);
  const [column] = joined.columns;
  if (column?.encoding !== "dictionary") throw new Error("dictionaries stay dictionaries");
  const groups = new Map<number | null, number>();
  for (let row = 0; row < joined.rowCount; row++) {
    const group = isNull(column, row) ? null : (column.codes[row] as number);
    groups.set(group, (groups.get(group) ?? 0) + 1);
  }
  expect([...groups.values()]).toEqual([2, 1, 1, 1, 1]);
  expect(modelOf(joined).cells).toEqual([["x", "y", "z", "x", "w", null]]);
});

test("one dictionary object is kept; with plain text among them the result is plain", () => {
  const dictionary = textColumn(["x", "y"]);
  const [a] = dictionaryBatch([0, 1], dictionary).columns;
  const [b] = dictionaryBatch([1], dictionary).columns;
  const [plain] = textBatch(["y"]).columns;
  if (a === undefined || b === undefined || plain === undefined) throw new Error("columns");
  const joined = concatColumns([a, b]);
  expect(joined.encoding === "dictionary" && joined.dictionary).toBe(dictionary);
  expect(concatColumns([a, plain, b]).encoding).toBe("var");
});
