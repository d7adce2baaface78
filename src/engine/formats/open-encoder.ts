import type { Schema } from "../data/schema.ts";
import type { BatchEncoder } from "./batch-encoder.ts";
import { CsvEncoder, type CsvWriteOptions } from "./csv-writer.ts";
import type { FileFormat } from "./file-format.ts";
import { NdjsonEncoder } from "./ndjson-writer.ts";
import type { ParquetWriteOptions } from "./parquet-writer.ts";

export interface EncoderOptions {
  readonly csv: CsvWriteOptions;
  /** Arrow: a file has its footer only at its end, a stream can be read up to any batch. */
  readonly arrow: "file" | "stream";
  readonly parquet: ParquetWriteOptions;
}

/** Makes the encoder of each file that is written. Loads the code of the format. */
export async function encoderFactory(
  format: FileFormat,
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
    case "parquet": {
      const { ParquetEncoder } = await import("./parquet-writer.ts");
      return () => new ParquetEncoder(schema, options.parquet);
    }
  }
}
