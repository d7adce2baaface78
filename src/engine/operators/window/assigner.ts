import { floorDiv } from "../../base/event-time.ts";

/** Windows of one size, one every `slide` milliseconds, shifted by `offset`. Tumbling ones slide by their size. */
export interface Grid {
  readonly size: number;
  readonly slide: number;
  readonly offset: number;
}

/** The windows of all times in [from, to): they start at `first`, `first` + slide, …, `last`. */
export interface Stretch {
  readonly first: number;
  readonly last: number;
  readonly from: number;
  readonly to: number;
}

/** The stretch around a time: where no window begins and none ends. Right for negative times too. */
export function stretchAt({ size, slide, offset }: Grid, time: number): Stretch {
  const last = floorDiv(time - offset, slide) * slide + offset;
  // The least start that is greater than time − size.
  const first = (floorDiv(time - size - offset, slide) + 1) * slide + offset;
  return { first, last, from: Math.max(last, first - slide + size), to: Math.min(last + slide, first + size) };
}

/** Windows that a row is in at most. */
export const windowsPerRow = ({ size, slide }: Grid): number => Math.ceil(size / slide);
