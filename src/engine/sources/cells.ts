import { Batch } from "../data/batch.ts";
import type { Column } from "../data/column.ts";
import { columnBuilder } from "../data/column-builder.ts";
import type { Schema } from "../data/schema.ts";
import { appendCell, type Cell } from "../data/stored-cell.ts";

/** Inline rows, cells in the order of the columns, as one batch. Every digit of a 64-bit integer stays (P-02). */
export function batchOfCells(schema: Schema, rows: readonly (readonly Cell[])[]): Batch {
  const columns = schema.fields.map(({ type }, index): Column => {
    const builder = columnBuilder(type, rows.length);
    for (const row of rows) appendCell(builder, row[index] ?? null);
    return builder.finish();
  });
  return new Batch(schema, rows.length, columns);
}
