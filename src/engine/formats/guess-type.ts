import { dateOfText, timestampOfText } from "../data/temporal-parse.ts";
import { type LogicalType, type TimeUnit, typeOf } from "../data/types.ts";
import type { WordPair } from "../data/words.ts";

/**
 * The narrowest type that keeps every sampled text exactly (D-42): a text that the type would write differently, such as a
 * leading zero, an explicit plus or a 19th digit of a float, rules the type out. Trailing zeros of a fraction and the
 * zone of an instant are not kept.
 */

const INTEGER = /^-?(0|[1-9]\d*)$/;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const NOT_FINITE = new Set(["NaN", "Infinity", "-Infinity"]);
const BOOLEANS = new Set(["true", "false", "True", "False", "TRUE", "FALSE"]);
const FRACTION = /[.,](\d+)/;

const INT64_MAX = 2n ** 63n - 1n;
const UINT64_MAX = 2n ** 64n - 1n;

/** The type for texts of csv; `utf8` when no other keeps them all, also when there are none. */
export function guessFromText(texts: readonly string[]): LogicalType {
  if (texts.length === 0) return typeOf("utf8");
  if (texts.every((text) => BOOLEANS.has(text))) return typeOf("boolean");
  return guessFromNumbers(texts) ?? guessFromTimes(texts) ?? typeOf("utf8");
}

/** The type for the texts of numbers; `undefined` when none keeps every digit. */
export function guessFromNumbers(texts: readonly string[]): LogicalType | undefined {
  if (texts.every((text) => INTEGER.test(text) && text !== "-0")) return integerType(texts) ?? decimalType(texts);
  const numbers = texts.filter((text) => !NOT_FINITE.has(text));
  if (numbers.length === 0 || !numbers.every((text) => NUMBER.test(text))) return undefined;
  if (numbers.every(isExactDouble)) return typeOf("float64");
  return numbers.length === texts.length ? decimalType(numbers) : undefined;
}

function integerType(texts: readonly string[]): LogicalType | undefined {
  let least = 0n;
  let greatest = 0n;
  for (const text of texts) {
    if (text.length > 21) return undefined;
    const value = BigInt(text);
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  if (least >= -INT64_MAX - 1n && greatest <= INT64_MAX) return typeOf("int64");
  return least === 0n && greatest <= UINT64_MAX ? typeOf("uint64") : undefined;
}

/** Whether a double, written with the digits that tell it from its neighbours, is the same number. */
function isExactDouble(text: string): boolean {
  const value = Number(text);
  return Number.isFinite(value) && canonical(text) === canonical(String(value));
}

/** Sign, digits without zeros at either end, and the power of ten: equal for texts of one number. */
function canonical(text: string): string {
  const [mantissa = "", power = "0"] = text.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  const kept = digits.replace(/0+$/, "");
  if (kept === "") return "0";
  return `${text.startsWith("-") ? "-" : ""}${kept}e${Number(power) - fraction.length + digits.length - kept.length}`;
}

function decimalType(texts: readonly string[]): LogicalType | undefined {
  let whole = 1;
  let scale = 0;
  for (const text of texts) {
    if (/[eE]/.test(text)) return undefined;
    const [before = "", after = ""] = text.replace("-", "").split(".");
    whole = Math.max(whole, before.length);
    scale = Math.max(scale, after.length);
  }
  return whole + scale <= 38 ? { kind: "decimal", precision: 38, scale } : undefined;
}

const scratch: WordPair = { lo: 0, hi: 0 };

/** date where every text is one, a timestamp where all are dates or times; `undefined` otherwise. */
export function guessFromTimes(texts: readonly string[]): LogicalType | undefined {
  if (texts.length === 0) return undefined;
  if (texts.every((text) => dateOfText(text) === "none")) return typeOf("date");
  const digits = Math.max(...texts.map((text) => FRACTION.exec(text)?.[1]?.length ?? 0));
  const unit: TimeUnit = digits <= 3 ? "ms" : digits <= 6 ? "us" : "ns";
  const all = texts.every((text) => timestampOfText(text, unit, scratch) === "none");
  return all ? { kind: "timestamp", unit } : undefined;
}
