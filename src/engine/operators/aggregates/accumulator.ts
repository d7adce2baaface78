import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Column } from "../../data/column.ts";
import { gatherFloat64 } from "../../data/kernels/gather.ts";
import type { Feed } from "./feed.ts";

/**
 * One aggregate over many groups at once: its state is dense arrays by slot, and a slot is a number that the operator gives to a group for as
 * long as it is open. Slot 0 is nobody's. A slot that is cleared holds what a new group holds. What lies in cells is made and cleared with them.
 */
export interface Accumulator {
  /** Whether entries may come in parts. Else all of a feed come at once. */
  readonly inParts: boolean;
  /** There are slots 0…slots − 1 from now on. */
  reserve?(slots: number): void;
  /** Takes entries `from`…`to` − 1 of a feed. */
  add(feed: Feed, from: number, to: number): void;
  /** Takes what `from` holds into `into` as well. */
  merge(into: number, from: number): void;
  /** Slots `from`…`to` − 1. */
  clear?(from: number, to: number): void;
  /** The results of these slots, in this order. @throws WeirError `aggregate-overflow` by way of `fail` */
  results(slots: Int32Array, fail: OverflowReport): Column;
  /** A deep copy of these slots. */
  save(slots: Int32Array): SnapshotValue;
  /** The same into as many slots, which are clear. */
  load(saved: SnapshotValue, slots: Int32Array): void;
}

/** Ends the run because the result of a slot does not fit its type (D-25). */
export type OverflowReport = (slot: number) => never;

/** Float64 values by slot. */
export function takeNumbers(values: Float64Array, slots: Int32Array): Float64Array {
  const taken = new Float64Array(slots.length);
  gatherFloat64(values, slots, 0, slots.length, taken);
  return taken;
}

/** The other way round. */
export function putNumbers(values: Float64Array, slots: Int32Array, into: Float64Array): void {
  for (let i = 0; i < slots.length; i++) if ((slots[i] as number) >= 0) into[slots[i] as number] = values[i] as number;
}

export const grownNumbers = (values: Float64Array, length: number): Float64Array<ArrayBuffer> => {
  const grown = new Float64Array(length);
  grown.set(values);
  return grown;
};

export const grownWords = (values: Int32Array, length: number): Int32Array<ArrayBuffer> => {
  const grown = new Int32Array(length);
  grown.set(values);
  return grown;
};
