import type { Batch } from "../data/batch.ts";
import type { Column } from "../data/column.ts";
import type { TurnMemory } from "../data/turn-memory.ts";
import type { LogicalType } from "../data/types.ts";
import { compile } from "./compile.ts";
import type { RowErrors } from "./frame.ts";
import { without } from "./masks.ts";
import { Run } from "./run.ts";
import { columnOf } from "./store.ts";
import type { Typed } from "./typed.ts";
import { type BoolVec, Bytes, type DoubleVec, type Vec } from "./vec.ts";

/**
 * Expressions over the columns of one schema, compiled once and evaluated batch by batch. All see the same columns, and a
 * row in which any of them fails is one row error (D-25). What it holds lies in closures and lasts from one evaluation to the
 * next only: it is no state.
 */
export interface Program {
  /** Rows that failed; the failing call has given NULL for them (P-40). Results are good until the next evaluation. */
  evaluate(batch: Batch): RowErrors;
  /** The values of expression `index`: the batch's own column where it is one, else in memory of the turn, if there is such, or private. */
  column(index: number, memory?: TurnMemory): Column;
  /** A byte a row, 1 where condition `index` is true: NULL is not (three-valued logic). Until the next evaluation it is the caller's. */
  truth(index: number): Uint8Array;
  /** The columns of the batch, some of them copied to where kernels work. Until the next evaluation. */
  placed(): readonly Column[];
  /** The values of a float expression, NaN for NULL, in private memory. */
  numbers(index: number): Float64Array<ArrayBuffer>;
}

export function createProgram(nodes: readonly Typed[]): Program {
  const evaluates = nodes.map(compile);
  const run = new Run();
  const truths = new Bytes();
  let vecs: Vec[] = [];
  let columns: readonly Column[] = [];
  return {
    evaluate: (batch) => {
      columns = batch.columns;
      run.begin(batch);
      vecs = evaluates.map((evaluate, index) => {
        const { first } = run.errors;
        const vec = evaluate(run);
        if (run.errors.first !== first) run.errors.expression = index;
        return vec;
      });
      return run.errors;
    },
    column: (index, memory) => {
      const node = nodes[index] as Typed;
      if (node.kind === "column") return columns[node.index] as Column;
      return columnOf(vecs[index] as Vec, node.type as LogicalType, run.rows, memory);
    },
    placed: () => run.placed(),
    truth: (index) => truthOf(vecs[index] as BoolVec, run.rows, truths),
    numbers: (index) => numbersOf(vecs[index] as DoubleVec, run.rows),
  };
}

function truthOf({ values, nulls, step }: BoolVec, rows: number, room: Bytes): Uint8Array {
  if (nulls === null && step === 1) return values;
  const out = room.take(rows);
  if (nulls === null) out.fill(values[0] as number, 0, rows);
  else if (step === 1) without(values, nulls, out, rows);
  else for (let i = 0, p = 0; i < rows; i++, p += step) out[i] = (values[p] as number) & ((nulls[p] as number) ^ 1);
  return out;
}

function numbersOf({ values, nulls, step }: DoubleVec, rows: number): Float64Array<ArrayBuffer> {
  const out = new Float64Array(rows);
  for (let i = 0, p = 0; i < rows; i++, p += step) out[i] = nulls?.[p] === 1 ? Number.NaN : (values[p] as number);
  return out;
}
