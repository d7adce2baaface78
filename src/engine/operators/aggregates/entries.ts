import type { Batch } from "../../data/batch.ts";

/** Rows and the slots that they belong to: entry i is row `rows[i]` (`null`: row i) and goes to `slots[i]`. */
export interface Entries {
  readonly batch: Batch;
  readonly times: Float64Array;
  readonly count: number;
  readonly rows: Int32Array | null;
  readonly slots: Int32Array;
}
