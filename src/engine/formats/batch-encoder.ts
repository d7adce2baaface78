import type { Batch } from "../data/batch.ts";

/** A file being written: `start` once, `encode` for every batch, `end` once. The bytes are the caller's to keep. */
export interface BatchEncoder {
  start(): Uint8Array;
  encode(batch: Batch): Uint8Array;
  end(): Uint8Array;
}
