/**
 * Arithmetic modulo the prime P = 2^31 − 1 in exact doubles. Equal rational numbers have equal residues, whatever unit or
 * scale they are written in, and 2^32 ≡ 2, so that the words of a long integer are simply added with weights 1, 2, 4, 8.
 */
const P = 2147483647;
const TWO_31 = 2147483648;

/** `value` modulo P, in 0…P − 1; exact for integers within ±2^52. */
export function residue(value: number): number {
  const quotient = Math.floor(value / TWO_31);
  const r = value - quotient * TWO_31 + quotient;
  return r < 0 ? r + P : r >= P ? r - P : r;
}

/** a·b modulo P, for 0 ≤ a, b < P. */
export function multiplyMod(a: number, b: number): number {
  const high = residue(a * (b >>> 16));
  return residue(high * 65536 + a * (b & 0xffff));
}

export function powerMod(base: number, exponent: number): number {
  let power = 1;
  for (let i = 0; i < exponent; i++) power = multiplyMod(power, base);
  return power;
}

export const INVERSE_OF_10 = 1503238553;
