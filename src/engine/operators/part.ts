import type { Part } from "../core/stages.ts";
import { Batch } from "../data/batch.ts";
import type { Column } from "../data/column.ts";
import { takeBatch } from "../data/kernels/take.ts";
import { type Field, Schema } from "../data/schema.ts";

/** The input of an operator that has one. */
const IN = "in";

/** What `KeyIndex.add` asks, for keys of these columns of an input; undefined: all are owned. */
export function ownKeys(part: Part<Batch> | undefined, input: Schema, places: readonly number[]) {
  if (part === undefined) return undefined;
  const schema = new Schema(places.map((place) => input.fields[place] as Field));
  return (columns: readonly Column[], count: number) => part.owns(new Batch(schema, count, columns), IN);
}

/** Places of the rows that are the task's, in order. */
export function ownRows(part: Part<Batch> | undefined, rows: Batch, port = IN): Int32Array {
  const all = Int32Array.from({ length: rows.rowCount }, (_, row) => row);
  const owned = part?.owns(rows, port);
  return owned === undefined ? all : all.filter((row) => owned[row] === 1);
}

/** The rows that are the task's. */
export const ownBatch = (part: Part<Batch> | undefined, rows: Batch): Batch =>
  part === undefined ? rows : takeBatch(rows, ownRows(part, rows));
