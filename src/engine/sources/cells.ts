import { assert, assertNever } from "../base/assert.ts";
import { Batch } from "../data/batch.ts";
import type { Column } from "../data/column.ts";
import { type ColumnBuilder, columnBuilder } from "../data/column-builder.ts";
import type { Schema } from "../data/schema.ts";
import type { Cell } from "../operators/catalog.ts";

/** Inline rows, cells in the order of the columns, as one batch. Every digit of a 64-bit integer stays (P-02). */
export function batchOfCells(schema: Schema, rows: readonly (readonly Cell[])[]): Batch {
  const columns = schema.fields.map(({ type }, index): Column => {
    const builder = columnBuilder(type, rows.length);
    for (const row of rows) appendCell(builder, row[index] ?? null);
    return builder.finish();
  });
  return new Batch(schema, rows.length, columns);
}

/** A cell has the form that its column stores (see `Cell`). */
function appendCell(builder: ColumnBuilder, cell: Cell): void {
  if (cell === null) {
    builder.appendNull();
    return;
  }
  switch (builder.kind) {
    case "number":
      assert(typeof cell === "number", "a number");
      builder.append(cell);
      return;
    case "words":
    case "decimal":
      assert(typeof cell === "bigint", "a bigint");
      builder.appendBigInt(cell);
      return;
    case "boolean":
      assert(typeof cell === "boolean", "a boolean");
      builder.append(cell);
      return;
    case "text":
      if (typeof cell === "string") builder.appendString(cell);
      else {
        assert(cell instanceof Uint8Array, "bytes");
        builder.appendBytes(cell);
      }
      return;
    default:
      assertNever(builder);
  }
}
