import type { Batch } from "../data/batch.ts";
import { rowsOf } from "../data/row-codec.ts";

/** Rows as sorted JSON lines of text cells: for comparing what came out, in whatever order. */
export function rowText(batches: readonly Batch[]): string[] {
  const lines: string[] = [];
  for (const batch of batches) {
    for (const row of rowsOf(batch)) lines.push(JSON.stringify(row.map((cell) => (cell === null ? null : String(cell)))));
  }
  return lines.sort();
}
