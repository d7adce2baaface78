import type { Schema } from "../data/schema.ts";
import type { BatchEncoder } from "./batch-encoder.ts";
import { CsvEncoder, type CsvWriteOptions } from "./csv-writer.ts";
import { NdjsonEncoder } from "./ndjson-writer.ts";

export interface EncoderOptions {
  readonly csv: CsvWriteOptions;
  /** Arrow: a file has its footer only at its end, a stream can be read up to any batch. */
  readonly arrow: "file" | "stream";
}

/** Makes the encoder of each file that is written. Loads the code of the format. */
export async function encoderFactory(
  format: "csv" | "ndjson" | "arrow",
  schema: Schema,
  options: EncoderOptions,
): Promise<() => BatchEncoder> {
  switch (format) {
    case "csv":
      return () => new CsvEncoder(schema, options.csv);
    case "ndjson":
      return () => new NdjsonEncoder();
    case "arrow": {
      const { ArrowEncoder } = await import("./arrow-writer.ts");
      return () => new ArrowEncoder(schema, options.arrow);
    }
  }
}
