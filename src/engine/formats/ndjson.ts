import type { Schema } from "../data/schema.ts";
import type { TimeUnit } from "../data/types.ts";
import { rescueSchema } from "./bad-rows.ts";
import { BlockParser } from "./block-parser.ts";
import { NdjsonScanner } from "./ndjson-scanner.ts";
import { RecordDecoder, type RecordPlace } from "./record-decoder.ts";

export interface NdjsonDecoderOptions {
  readonly schema: Schema;
  /** Fields that are no columns: bad rows (D-41), or passed over. */
  readonly extraFields: "refuse" | "ignore";
  readonly timestampUnit: TimeUnit;
  readonly batchRows: number;
  /** Name of the rescue column; `undefined`: bad rows are not kept. */
  readonly rescueColumn?: string | undefined;
  /** Where the bytes begin that will be pushed. */
  readonly start: RecordPlace;
  readonly file: string;
}

export function ndjsonDecoder(options: NdjsonDecoderOptions): RecordDecoder {
  const { schema, extraFields, timestampUnit, batchRows, rescueColumn, start, file } = options;
  return new RecordDecoder({
    schema: rescueSchema(schema, rescueColumn),
    width: schema.length,
    scanner: new NdjsonScanner(schema, { extraFields }, start.line),
    parser: new BlockParser(schema, { notation: "json", timestampUnit }, rescueColumn !== undefined),
    batchRows,
    start,
    file,
  });
}
