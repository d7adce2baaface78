import type { Batch } from "../data/batch.ts";
import { csvHeader, csvOf } from "../data/csv-rows.ts";
import type { Schema } from "../data/schema.ts";
import type { BatchEncoder } from "./batch-encoder.ts";

export interface CsvWriteOptions {
  readonly delimiter: string;
  readonly header: boolean;
}

/** csv with `\n` as line end, read back by `csvDecoder` value by value, NULL and '' apart (D-40). */
export class CsvEncoder implements BatchEncoder {
  private readonly schema: Schema;
  private readonly options: CsvWriteOptions;

  constructor(schema: Schema, options: CsvWriteOptions) {
    this.schema = schema;
    this.options = options;
  }

  start(): Uint8Array {
    return this.options.header ? csvHeader(this.schema, this.options) : new Uint8Array(0);
  }

  encode(batch: Batch): Uint8Array {
    return csvOf(batch, this.options);
  }

  end(): Uint8Array {
    return new Uint8Array(0);
  }
}
