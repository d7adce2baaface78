import type { ReadableFile } from "../base/files.ts";
import type { BatchReader } from "./batch-reader.ts";
import { openTextReader, type TextReaderOptions } from "./text-reader.ts";

export interface ReaderOptions extends TextReaderOptions {
  /** Something that is no error, but that the person should know. */
  readonly note?: ((message: string) => void) | undefined;
}

/**
 * Opens a file of any format as batches. The code of the large formats is loaded when it is first used.
 * @throws WeirError naming the file
 */
export async function openReader(
  format: "csv" | "ndjson" | "arrow",
  file: ReadableFile,
  options: ReaderOptions,
): Promise<BatchReader> {
  if (format !== "arrow") return openTextReader(format, file, options);
  return (await import("./arrow-file.ts")).openArrowReader(file, options);
}
