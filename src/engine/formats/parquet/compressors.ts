import { gzipSync } from "fflate";
import { snappyCompress } from "hyparquet-writer/src/snappy.js";
import { assertNever } from "../../base/assert.ts";

export type Compression = "UNCOMPRESSED" | "SNAPPY" | "GZIP";

/** The result is the caller's only until the next call. */
export function compressorOf(compression: Compression): (bytes: Uint8Array) => Uint8Array {
  switch (compression) {
    case "UNCOMPRESSED":
      return (bytes) => bytes;
    case "SNAPPY":
      return snappyCompress;
    case "GZIP":
      // A file of the same rows has the same bytes: no time stamp.
      return (bytes) => gzipSync(bytes, { mtime: 0 });
    default:
      return assertNever(compression);
  }
}
