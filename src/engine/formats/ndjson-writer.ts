import type { Batch } from "../data/batch.ts";
import { ndjsonOf } from "../data/json-rows.ts";
import type { BatchEncoder } from "./batch-encoder.ts";

/** One JSON object a line, every digit of every value (graph-format, section 3); read back by `ndjsonDecoder`. */
export class NdjsonEncoder implements BatchEncoder {
  start(): Uint8Array {
    return new Uint8Array(0);
  }

  encode(batch: Batch): Uint8Array {
    return ndjsonOf(batch);
  }

  end(): Uint8Array {
    return new Uint8Array(0);
  }
}
