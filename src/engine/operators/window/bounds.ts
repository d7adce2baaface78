import type { Column } from "../../data/column.ts";
import { msColumn } from "./ms-column.ts";
import type { Slots } from "./slots.ts";

/** Bounds of the windows of some results, by row. */
export interface Bounds {
  readonly starts: Column;
  readonly ends: Column;
  /** Event time of a result: the end − 1 (D-29). */
  readonly times: Float64Array;
  /** The window, where all are of one. */
  readonly window: { readonly start: number; readonly end: number } | undefined;
}

/** @param before of results that went out just now: nobody changes them, so that batches of one window share theirs */
export function boundsOf(slots: Slots, results: Int32Array, before: Bounds | undefined): Bounds {
  const { length } = results;
  const window = slots.windowOf(results);
  if (window !== undefined && before?.times.length === length) {
    if (before.window?.start === window.start && before.window.end === window.end) return before;
  }
  const [starts, ends, times] = [new Float64Array(length), new Float64Array(length), new Float64Array(length)];
  slots.bounds(results, starts, ends);
  for (let row = 0; row < length; row++) times[row] = (ends[row] as number) - 1;
  return { starts: msColumn(starts), ends: msColumn(ends), times, window };
}
