import type { Batch } from "../batch.ts";
import { retain } from "./copy.ts";
import { sliceBatch } from "./slice.ts";

/** The first rows of a batch, as the caller's own: nothing of the batch is kept. */
export function firstRows(batch: Batch, rows: number): Batch {
  return retain(batch.rowCount <= rows ? batch : sliceBatch(batch, 0, rows));
}
