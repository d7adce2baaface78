import { ndjsonOf } from "../data/json-rows.ts";
import type { BatchEncoder } from "./batch-encoder.ts";

/** One JSON object a line, every digit of every value (graph-format, section 3); read back by `ndjsonDecoder`. */
export function ndjsonEncoder(): BatchEncoder {
  return {
    start: () => new Uint8Array(0),
    encode: (batch) => ndjsonOf(batch),
    end: () => new Uint8Array(0),
  };
}
