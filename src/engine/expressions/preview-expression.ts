import type { Batch } from "../data/batch.ts";
import { type CellValue, cell } from "../data/row-codec.ts";
import type { LogicalType } from "../data/types.ts";
import { checkExpression, type Wanted } from "./check-expression.ts";
import type { ExpressionFault } from "./fault.ts";
import type { RowError } from "./frame.ts";
import { createProgram } from "./program.ts";

/** What an expression gives for some rows, to be shown while it is written. */
export type ExpressionPreview =
  | { readonly kind: "faults"; readonly faults: readonly ExpressionFault[] }
  | {
      readonly kind: "values";
      readonly type: LogicalType;
      /** A row each; NULL also where the row failed. */
      readonly values: readonly CellValue[];
      /** Numbers of the rows that failed, from 0. */
      readonly failed: readonly number[];
      /** What failed first in row order. */
      readonly firstError: RowError | undefined;
    };

/** Evaluates an expression over the rows of a batch. Throws nothing, whatever the text. */
export function previewExpression(text: string, batch: Batch, wanted: Wanted = "value"): ExpressionPreview {
  const checked = checkExpression(text, batch.schema, wanted);
  if (checked.kind === "faults") return checked;
  const program = createProgram([checked.node]);
  const { mask, first } = program.evaluate(batch);
  const column = program.column(0);
  const rows = Array.from({ length: batch.rowCount }, (_, row) => row);
  return {
    kind: "values",
    type: checked.type,
    values: rows.map((row) => cell(column, row)),
    failed: mask === null ? [] : rows.filter((row) => mask[row] === 1),
    firstError: first ?? undefined,
  };
}
