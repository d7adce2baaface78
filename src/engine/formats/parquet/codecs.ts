import { gunzipSync } from "fflate";
import { decodeLz4Block } from "../compression/lz4.ts";
import { decodeSnappy } from "../compression/snappy.ts";
import { decodeZstd } from "../compression/zstd.ts";

/** `size` bytes out of a page. */
export type Decompressor = (input: Uint8Array, size: number) => Uint8Array;

const DECOMPRESSORS: Readonly<Record<string, Decompressor>> = {
  UNCOMPRESSED: (input) => input,
  SNAPPY: decodeSnappy,
  GZIP: (input) => gunzipSync(input),
  ZSTD: decodeZstd,
  LZ4_RAW: (input, size) => {
    const output = new Uint8Array(size);
    return output.subarray(0, decodeLz4Block(input, 0, input.length, output, 0));
  },
};

/** Names of the codecs that can be read, for messages. */
export const READABLE_CODECS = Object.keys(DECOMPRESSORS)
  .map((name) => name.toLowerCase())
  .join(", ");

/** `undefined` for a codec that cannot be read. */
export const decompressorOf = (codec: string): Decompressor | undefined =>
  Object.hasOwn(DECOMPRESSORS, codec) ? DECOMPRESSORS[codec] : undefined;
