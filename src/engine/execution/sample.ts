import type { Batch } from "../data/batch.ts";
import { retain } from "../data/kernels/copy.ts";
import { sliceBatch } from "../data/kernels/slice.ts";
import { packBatch } from "./pack-batch.ts";
import type { PackedBatch } from "./protocol.ts";

/** Rows of a sample, at most: as many as somebody reads. */
export const SAMPLE_ROWS = 40;

/** The first rows of a batch for somebody who looks, as plain data of their own: nothing of the batch is kept. */
export function sampleOf(batch: Batch): PackedBatch {
  return packBatch(retain(batch.rowCount <= SAMPLE_ROWS ? batch : sliceBatch(batch, 0, SAMPLE_ROWS)));
}
