import type { BadRow } from "../formats/bad-rows.ts";
import type { BatchReader } from "../formats/batch-reader.ts";
import type { RecordPlace } from "../formats/record-decoder.ts";
import { batchRows, type CellValue } from "./batch-values.ts";

export interface ReadAll {
  readonly rows: CellValue[][];
  readonly bad: BadRow[];
  readonly sizes: number[];
  readonly places: RecordPlace[];
  /** Times that the reader waited. */
  readonly waits: number;
  /** What it threw, if it did, after the rows before. */
  readonly error: unknown;
}

/** Reads a reader to its end, or to its error. */
export async function readAll(reader: BatchReader): Promise<ReadAll> {
  const read = { rows: [] as CellValue[][], bad: [] as BadRow[], sizes: [] as number[], places: [] as RecordPlace[] };
  let waits = 0;
  try {
    for (;;) {
      const next = reader.next();
      if (next.kind === "end") return { ...read, waits, error: undefined };
      if (next.kind === "wait") {
        waits++;
        await next.ready;
        continue;
      }
      read.rows.push(...batchRows(next.rows.batch));
      read.bad.push(...next.rows.bad);
      read.sizes.push(next.rows.batch.rowCount);
      read.places.push(next.rows.next);
    }
  } catch (error) {
    return { ...read, waits, error };
  } finally {
    reader.close();
  }
}
