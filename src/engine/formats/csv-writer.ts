import { csvHeader, csvOf } from "../data/csv-rows.ts";
import type { Schema } from "../data/schema.ts";
import type { BatchEncoder } from "./batch-encoder.ts";

/** csv with `\n` as line end, read back by `csvDecoder` value by value, NULL and '' apart (D-40). */
export function csvEncoder(
  schema: Schema,
  { delimiter, header }: { readonly delimiter: string; readonly header: boolean },
): BatchEncoder {
  return {
    start: () => (header ? csvHeader(schema, { delimiter }) : new Uint8Array(0)),
    encode: (batch) => csvOf(batch, { delimiter }),
    end: () => new Uint8Array(0),
  };
}
