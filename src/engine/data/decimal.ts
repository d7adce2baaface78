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
