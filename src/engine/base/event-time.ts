/**
 * Event time inside the engine: whole milliseconds since 1970-01-01 UTC, floored from finer units.
 *
 * What a stream says about time is one of three things, and saying nothing is a fourth (D-3):
 * a time, "I am idle", or END, the end of time. They are values of a type, never magic numbers.
 */
export type TimeMark =
  | { readonly kind: "time"; readonly ms: number }
  | { readonly kind: "idle" }
  | { readonly kind: "end" };

export const IDLE: TimeMark = { kind: "idle" };
export const END: TimeMark = { kind: "end" };
export const timeMark = (ms: number): TimeMark => ({ kind: "time", ms });

/** Rounds toward minus infinity, also for negative `a`; exact within ±2^53. */
export function floorDiv(a: number, n: number): number {
  return Math.floor(a / n);
}
