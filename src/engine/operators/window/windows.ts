import type { Assignment } from "./assignment.ts";

/** The rows of a batch as their windows need them. */
export interface Rows {
  /** Number of the key, by row. */
  readonly ids: Int32Array;
  /** How many keys there are. */
  readonly keys: number;
  /** By row; NaN is no time and always late. */
  readonly times: Float64Array;
}

/** Pairs of windows and keys as a snapshot has them, one in each place of every array. */
export interface Pairs {
  /** Number of the key. */
  readonly key: Int32Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly flags: Int32Array;
}

/** Which windows are open, for one of the two ways of making windows. */
export interface Windows {
  /** Windows that a row is in at most. */
  readonly perRow: number;
  /** Whether a row makes one pair of a row and a slot at most, else one for each of its windows. */
  readonly single: boolean;
  /** Open pairs of a window and a key, at most. */
  readonly pairs: number;
  /** Gives rows [from, to) their slots; what is late for every window goes to the assignment's late rows. */
  assign(rows: Rows, from: number, to: number, watermark: number, out: Assignment): void;
  /** The values of the rows of the last `assign` are in. */
  settle(): void;
  /** Slots that got allowed late rows, each once; what was told in the meantime is not among them. */
  corrections(watermark: number): Int32Array;
  /** Slots with a result to tell at this time, by (window start, key). +∞: all. */
  due(watermark: number): Int32Array;
  /** Closes what fired and can take no more rows (D-20). +∞: all. */
  expire(watermark: number): void;
  /** Closes the oldest pairs by (window start, key) until `limit` are open, sparing those that batch `spared` touched. Answers how many. */
  evict(limit: number, spared: number): number;
  /** Closes everything without a result. */
  clear(): void;
  /** Opens pairs of which none is open. Answers their slots. */
  place(pairs: Pairs, keys: number, watermark: number): Int32Array;
  /** Windows of keys for which time had come to different points stand side by side from now on: each is kept by itself. */
  standApart?(): void;
}
