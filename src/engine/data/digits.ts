/** Digits of whole numbers straight to bytes, with no string on the way. */

const ZERO = 48;
const BILLION = 1e9;

/** More than the longest text of a safe integer. */
export const MAX_INTEGER_BYTES = 20;

/** Writes a safe integer to `target` from `at` and answers where it ends. */
export function writeInteger(value: number, target: Uint8Array, at: number): number {
  if (value >= 0) return writeNatural(value, target, at);
  target[at] = 45;
  return writeNatural(-value, target, at + 1);
}

function writeNatural(value: number, target: Uint8Array, at: number): number {
  if (value < BILLION) return writePadded(value, digitCount(value), target, at);
  const high = Math.floor(value / BILLION);
  return writePadded(value - high * BILLION, 9, target, writeNatural(high, target, at));
}

/** Writes `count` digits of a whole number below 2^31, zeros in front. */
export function writePadded(value: number, count: number, target: Uint8Array, at: number): number {
  let rest = value | 0;
  for (let i = at + count - 1; i >= at; i--) {
    const next = (rest / 10) | 0;
    target[i] = ZERO + rest - next * 10;
    rest = next;
  }
  return at + count;
}

function digitCount(value: number): number {
  let count = 1;
  for (let limit = 10; value >= limit; limit *= 10) count++;
  return count;
}
