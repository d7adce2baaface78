import { decimalToBigInt, wordsToNumber } from "./words.ts";

/** Decimals as text: `-12.30`, with all digits of the scale. */
export function formatDecimal(words: ArrayLike<number>, at: number, scale: number): string {
  const unscaled = unscaledText(words, at);
  if (scale === 0) return unscaled;
  const sign = unscaled.startsWith("-") ? "-" : "";
  const digits = unscaled.slice(sign.length).padStart(scale + 1, "0");
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function unscaledText(words: ArrayLike<number>, at: number): string {
  const word1 = words[at + 1] as number;
  const extension = word1 >> 31;
  const short = words[at + 2] === extension && words[at + 3] === extension && word1 >= -2097152 && word1 < 2097152;
  return String(short ? wordsToNumber(words[at] as number, word1) : decimalToBigInt(words, at));
}

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;
/** More than any decimal has with its exponent; what is longer has digits that are lost. */
const MAX_DIGITS = 200;

/** The unscaled value of a decimal number; a text when it is no value of decimal(precision, scale). Nothing is rounded. */
export function parseDecimal(
  text: string,
  precision: number,
  scale: number,
): bigint | "malformed" | "too-precise" | "out-of-range" {
  const match = DECIMAL.exec(text);
  if (match === null || text.length > MAX_DIGITS) return "malformed";
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  if (whole === "" && fraction === "") return "malformed";
  const shift = scale - fraction.length + Number(exponent);
  let unscaled = BigInt(whole + fraction);
  if (unscaled === 0n) return 0n;
  if (shift >= 0) unscaled *= 10n ** BigInt(shift);
  else {
    const divisor = 10n ** BigInt(-shift);
    if (unscaled % divisor !== 0n) return "too-precise";
    unscaled /= divisor;
  }
  if (unscaled >= 10n ** BigInt(precision)) return "out-of-range";
  return sign === "-" ? -unscaled : unscaled;
}
