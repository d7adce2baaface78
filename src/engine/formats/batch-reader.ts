import type { DecodedRows } from "./record-decoder.ts";

/** What a reader has next. */
export type ReadResult =
  | { readonly kind: "rows"; readonly rows: DecodedRows }
  /** Bytes are on their way. `ready` never rejects: what went wrong is thrown by the next `next`. */
  | { readonly kind: "wait"; readonly ready: Promise<void> }
  | { readonly kind: "end" };

/**
 * A file as batches, whatever its format. `next` is synchronous and must not be called before the `ready` of a wait settled. The sequence
 * of results is a function of the file alone (D-50): a block that arrived early is waited for all the same.
 */
export interface BatchReader {
  /**
   * @throws WeirError naming the file and the place
   */
  next(): ReadResult;
  close(): void;
}
