import { assertNever } from "../base/assert.ts";
import type { ReadableFile } from "../base/files.ts";
import type { BatchReader } from "./batch-reader.ts";
import type { FileFormat } from "./file-format.ts";
import { openTextReader, type TextReaderOptions } from "./text-reader.ts";

export interface ReaderOptions extends TextReaderOptions {
  /** Something that is no error, but that the person should know. */
  readonly note?: ((message: string) => void) | undefined;
}

/**
 * Opens a file of any format as batches. The code of the large formats is loaded when it is first used.
 * @throws WeirError naming the file
 */
export async function openReader(format: FileFormat, file: ReadableFile, options: ReaderOptions): Promise<BatchReader> {
  switch (format) {
    case "csv":
    case "ndjson":
      return openTextReader(format, file, options);
    case "arrow":
      return (await import("./arrow-file.ts")).openArrowReader(file, options);
    case "parquet":
      return (await import("./parquet-file.ts")).openParquetReader(file, options);
    default:
      return assertNever(format);
  }
}
