import { divideRounded, powerOfTen } from "../decimal-words.ts";

const DIGITS = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/**
 * A finite float as an unscaled decimal by the digits that the language writes for it, rounded, halves away from zero; `undefined`
 * when it has far more digits than any decimal.
 */
export function decimalOfDouble(value: number, scale: number): bigint | undefined {
  const match = DIGITS.exec(String(value));
  if (match === null) return undefined;
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  const unscaled = BigInt(`${sign}${whole}${fraction}`);
  const shift = scale - fraction.length + Number(exponent);
  if (shift >= 0) return shift > 38 && unscaled !== 0n ? undefined : unscaled * powerOfTen(Math.min(shift, 38));
  return -shift > 38 ? 0n : divideRounded(unscaled, powerOfTen(-shift));
}
