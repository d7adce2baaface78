import { assert, InvariantError } from "../base/assert.ts";
import type { Batch } from "../data/batch.ts";
import type { Schema } from "../data/schema.ts";
import type { TurnMemory } from "../data/turn-memory.ts";
import { typeName } from "../data/types.ts";
import { checkExpression } from "../expressions/check-expression.ts";
import { createProgram } from "../expressions/program.ts";
import { type CellValue, cellValue } from "./batch-values.ts";

/** An expression over a batch, as a test compares it. */
export interface Evaluated {
  readonly type: string;
  readonly values: readonly CellValue[];
  /** Row numbers that failed. */
  readonly failed: readonly number[];
  /** Of the first of them. */
  readonly message: string | undefined;
}

export function evaluateOver(batch: Batch, text: string, memory?: TurnMemory): Evaluated {
  const checked = checkExpression(text, batch.schema);
  if (checked.kind === "faults") throw new InvariantError(`${text}: ${checked.faults.map(({ message }) => message)}`);
  const program = createProgram([checked.node]);
  const errors = program.evaluate(batch);
  const column = program.column(0, memory);
  assert(column.length === batch.rowCount, "as many values as rows");
  return {
    type: typeName(checked.type),
    values: Array.from({ length: batch.rowCount }, (_, row) => cellValue(column, row)),
    failed: Array.from({ length: batch.rowCount }, (_, row) => row).filter((row) => errors.mask?.[row] === 1),
    message: errors.first?.message,
  };
}

/** What is wrong with an expression: place, message and hint of every fault. */
export function faultsOf(text: string, schema: Schema): string[] {
  const checked = checkExpression(text, schema);
  if (checked.kind === "ok") return [];
  return checked.faults.map(({ from, to, message, hint }) => {
    const what = hint === undefined ? message : `${message}; ${hint}`;
    return `${from}-${to} ${what}`;
  });
}
