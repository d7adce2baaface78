import fc from "fast-check";
import { expect, test } from "vitest";
import type { Batch } from "../data/batch.ts";
import type { Schema } from "../data/schema.ts";
import { arbitraryBatch, arbitraryTypes, type ModelCell, modelOf } from "../testing/arbitrary-batches.ts";
import { dictionaryBatch, textBatch, textColumn } from "../testing/sample-batches.ts";
import { RowPool } from "./row-pool.ts";

type Row = readonly [time: number, ...cells: ModelCell[]];

function rowsOf(batch: Batch): Row[] {
  const { cells, times } = modelOf(batch);
  return Array.from(
    { length: batch.rowCount },
    (_, row): Row => [times?.[row] ?? Number.NaN, ...cells.map((column) => column[row] as ModelCell)],
  );
}

test("a pool answers any of its rows, of every type and mix of encodings, also when it has forgotten some (D-44)", () => {
  const steps = arbitraryTypes.chain((types) =>
    fc.array(fc.tuple(arbitraryBatch(types, 12), fc.infiniteStream(fc.nat()), fc.constantFrom(null, 0, 5)), {
      minLength: 1,
      maxLength: 5,
    }),
  );
  fc.assert(
    fc.property(steps, (all) => {
      const [of] = all.map(([{ batch }]) => batch.schema);
      const pool = new RowPool(of as Schema);
      let rows: Row[] = [];
      for (const [{ batch }, picks, kept] of all) {
        expect(pool.add(batch)).toBe(rows.length);
        rows.push(...rowsOf(batch));
        expect(pool.size).toBe(rows.length);
        expect(rowsOf(pool.all())).toEqual(rows);
        if (rows.length === 0) continue;
        const some = Int32Array.from({ length: 5 }, () => (picks.next().value as number) % rows.length);
        const taken = Array.from(some, (row) => rows[row] as Row);
        expect(rowsOf(pool.take(some))).toEqual(taken);
        if (kept === null) continue;
        pool.compact(some.subarray(0, kept));
        rows = taken.slice(0, kept);
      }
    }),
    { seed: 44, numRuns: 150 },
  );
});

test("text stays codes of a dictionary until plain text comes, and words of forgotten rows go (P-42)", () => {
  const first = dictionaryBatch([0, 1], textColumn(["x", "y"]));
  const pool = new RowPool(first.schema);
  pool.add(first);
  pool.add(dictionaryBatch([1, 0], textColumn(["z", "x"])));
  const [column] = pool.all().columns;
  if (column?.encoding !== "dictionary") throw new Error("dictionaries stay dictionaries");
  expect([...column.codes]).toEqual([0, 1, 0, 2]);
  pool.compact(Int32Array.of(3));
  const [kept] = pool.all().columns;
  expect(kept?.encoding === "dictionary" && kept.dictionary.length).toBe(1);
  pool.add(textBatch(["y"]));
  expect(pool.all().columns[0]?.encoding).toBe("var");
  expect(modelOf(pool.all()).cells).toEqual([["z", "y"]]);
});
