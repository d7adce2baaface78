const ZERO = 48;
const PLUS = 43;
const MINUS = 45;

/** What the last `parseExponent` read; beyond a million it stands still, which is far out of every range. */
export const exponent = { value: 0 };

/** `[eE][+-]?[0-9]+`, all of bytes [start, end), into `exponent`. */
export function parseExponent(bytes: Uint8Array, start: number, end: number): boolean {
  if (((bytes[start] as number) | 32) !== 101) return false;
  let at = start + 1;
  const sign = bytes[at];
  if (sign === MINUS || sign === PLUS) at++;
  if (at >= end) return false;
  let value = 0;
  for (; at < end; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit < 0 || digit > 9) return false;
    value = Math.min(value * 10 + digit, 1_000_000);
  }
  exponent.value = sign === MINUS ? -value : value;
  return true;
}
