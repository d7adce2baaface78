import type { Schema } from "../data/schema.ts";
import type { BatchEncoder } from "./batch-encoder.ts";
import { csvEncoder } from "./csv-writer.ts";
import { ndjsonEncoder } from "./ndjson-writer.ts";

export interface EncoderOptions {
  readonly csv: { readonly delimiter: string; readonly header: boolean };
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
      return () => csvEncoder(schema, options.csv);
    case "ndjson":
      return () => ndjsonEncoder();
    case "arrow": {
      const { arrowEncoder } = await import("./arrow-writer.ts");
      return () => arrowEncoder(schema, options.arrow);
    }
  }
}
