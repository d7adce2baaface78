import type { Batch } from "../data/batch.ts";
import { rowsOf } from "../data/row-codec.ts";

/** Rows as JSON lines of text cells, in their order. */
export function rowLines(batches: readonly Batch[]): string[] {
  const lines: string[] = [];
  for (const batch of batches) {
    for (const row of rowsOf(batch))
      lines.push(JSON.stringify(row.map((cell) => (cell === null ? null : String(cell)))));
  }
  return lines;
}

/** The same sorted: for comparing what came out, in whatever order. */
export function rowText(batches: readonly Batch[]): string[] {
  return rowLines(batches).sort();
}
