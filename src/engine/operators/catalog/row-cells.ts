import { assert } from "../../base/assert.ts";
import type { Field, Schema } from "../../data/schema.ts";
import type { Cell } from "../../data/stored-cell.ts";
import { cellOf, Misfit } from "./cells.ts";

// Apart from the zod schema of inline rows, so that a worker that runs them loads no zod.

/** A row as the document writes it: values in the order of the columns, or by name. */
export type InlineRow = readonly unknown[] | Readonly<Record<string, unknown>>;

export function valueAt(row: InlineRow, field: Field, index: number): unknown {
  if (Array.isArray(row)) return row[index];
  return Object.hasOwn(row, field.name) ? (row as Record<string, unknown>)[field.name] : null;
}

/** Inline rows as cells in the order of the columns; a missing one is NULL. The rows fit: `checkRows` found nothing. */
export function rowsOf(schema: Schema, rows: readonly InlineRow[]): Cell[][] {
  return rows.map((row) =>
    schema.fields.map((field, index) => {
      const cell = cellOf(valueAt(row, field, index), field);
      assert(!(cell instanceof Misfit), `an inline row does not fit column ${field.name}`);
      return cell;
    }),
  );
}
