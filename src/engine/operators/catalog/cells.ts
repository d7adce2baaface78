import type { Field } from "../../data/schema.ts";
import { type LogicalType, type TimeUnit, typeName } from "../../data/types.ts";

/**
 * A value of inline data in the form that its column stores: number for int8…int32, uint8…uint32, floats and date (days);
 * bigint for int64, uint64, timestamp (in the column's unit) and decimal (unscaled); bytes for binary.
 */
export type Cell = null | boolean | number | bigint | string | Uint8Array;

/** Why a value does not fit, to stand behind the name of its column: `is not a whole number`. */
export class Misfit {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

/**
 * The value as its column stores it. Numbers that JSON cannot hold exactly come as bigint or text (`parseJson`); text is
 * taken for every type but boolean, and must say exactly one value: nothing is rounded but floats.
 */
export function cellOf(value: unknown, field: Field): Cell | Misfit {
  if (value === null || value === undefined) return field.nullable ? null : new Misfit("must not be NULL");
  switch (field.type.kind) {
    case "boolean":
      return typeof value === "boolean" ? value : misfit(value, field.type);
    case "utf8":
      return typeof value === "string" ? value : misfit(value, field.type);
    case "int":
      return intCell(value, field.type);
    case "float":
      return floatCell(value, field.type);
    case "decimal":
      return decimalCell(value, field.type);
    case "date":
      return dateCell(value, field.type);
    case "timestamp":
      return timestampCell(value, field.type);
    case "binary":
      return binaryCell(value, field.type);
  }
}

const SHOWN = 40;

function misfit(value: unknown, type: LogicalType, why = ""): Misfit {
  const text = typeof value === "bigint" ? String(value) : (JSON.stringify(value) ?? String(value));
  const short = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return new Misfit(`is ${typeName(type)}, and ${short} is none${why}`);
}

function wholeNumber(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === "string" && /^[+-]?\d{1,40}$/.test(value) ? BigInt(value.replace(/^\+/, "")) : undefined;
}

function intCell(value: unknown, type: LogicalType & { kind: "int" }): Cell | Misfit {
  const whole = wholeNumber(value);
  if (whole === undefined) return misfit(value, type);
  const fits = type.signed ? BigInt.asIntN(type.bits, whole) === whole : BigInt.asUintN(type.bits, whole) === whole;
  if (!fits) return misfit(value, type, ": out of range");
  return type.bits === 64 ? whole : Number(whole);
}

const NOT_FINITE = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);

const DECIMAL_TEXT = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

function floatCell(value: unknown, type: LogicalType): Cell | Misfit {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "string") return misfit(value, type);
  const named = NOT_FINITE.get(value);
  if (named !== undefined) return named;
  return DECIMAL_TEXT.test(value) && /\d/.test(value) ? Number(value) : misfit(value, type);
}

function decimalCell(value: unknown, type: LogicalType & { kind: "decimal" }): Cell | Misfit {
  const text = typeof value === "number" || typeof value === "bigint" ? String(value) : value;
  const match = typeof text === "string" ? DECIMAL_TEXT.exec(text) : null;
  if (match === null) return misfit(value, type);
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  const digits = whole + fraction;
  if (digits === "" || digits.length > 100) return misfit(value, type);
  const shift = type.scale - fraction.length + Number(exponent);
  const unscaled = shiftDigits(digits, shift);
  if (unscaled === undefined) return misfit(value, type, `: more than ${type.scale} decimal places`);
  if (unscaled.length > type.precision) return misfit(value, type, ": too many digits");
  return sign === "-" ? -BigInt(unscaled) : BigInt(unscaled);
}

/** digits · 10^shift without leading zeros; `undefined` when that would drop a digit that is not 0. */
function shiftDigits(digits: string, shift: number): string | undefined {
  const significant = digits.replace(/^0+(?=\d)/, "");
  if (significant === "0" || /^0+$/.test(significant)) return "0";
  if (shift >= 0) return shift > 100 ? "9".repeat(101) : significant + "0".repeat(shift);
  const kept = significant.length + shift;
  const dropped = kept <= 0 ? significant : significant.slice(kept);
  if (/[^0]/.test(dropped)) return undefined;
  return significant.slice(0, kept);
}

const DATE = /^(\d{4,6}|[+-]\d{6})-(\d{2})-(\d{2})$/;
const TIMESTAMP =
  /^(\d{4,6}|[+-]\d{6})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s?(Z|z|[+-]\d{2}(?::?\d{2})?))?)?$/;

/** Days since 1970-01-01 of a date of the Gregorian calendar; `undefined` when there is no such date. */
function daysOf(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const real = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return real ? date.getTime() / 86_400_000 : undefined;
}

function dateCell(value: unknown, type: LogicalType): Cell | Misfit {
  const match = typeof value === "string" ? DATE.exec(value) : null;
  if (match !== null) return daysOf(Number(match[1]), Number(match[2]), Number(match[3])) ?? misfit(value, type);
  const days = wholeNumber(value);
  return days !== undefined && BigInt.asIntN(32, days) === days ? Number(days) : misfit(value, type);
}

const DIGITS: Readonly<Record<TimeUnit, number>> = { s: 0, ms: 3, us: 6, ns: 9 };

function timestampCell(value: unknown, type: LogicalType & { kind: "timestamp" }): Cell | Misfit {
  const whole = wholeNumber(value) ?? timestampText(value, type.unit);
  if (whole === undefined) return misfit(value, type);
  return BigInt.asIntN(64, whole) === whole ? whole : misfit(value, type, ": out of range");
}

/** Count of `unit` since 1970-01-01 UTC; text without a zone is UTC (D-42). Digits finer than the unit are no value of it. */
function timestampText(value: unknown, unit: TimeUnit): bigint | undefined {
  const match = typeof value === "string" ? TIMESTAMP.exec(value) : null;
  if (match === null) return undefined;
  const days = daysOf(Number(match[1]), Number(match[2]), Number(match[3]));
  const hour = Number(match[4] ?? 0);
  const minute = Number(match[5] ?? 0);
  const second = Number(match[6] ?? 0);
  if (days === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  const fraction = (match[7] ?? "").padEnd(9, "0");
  const digits = DIGITS[unit];
  if (/[^0]/.test(fraction.slice(digits))) return undefined;
  const seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offsetSeconds(match[8]);
  return BigInt(seconds) * 10n ** BigInt(digits) + BigInt(fraction.slice(0, digits) || "0");
}

function offsetSeconds(zone: string | undefined): number {
  if (zone === undefined || zone === "Z" || zone === "z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", "") || "0");
  return (zone.startsWith("-") ? -60 : 60) * (hours * 60 + minutes);
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function binaryCell(value: unknown, type: LogicalType): Cell | Misfit {
  if (typeof value !== "string" || !BASE64.test(value)) return misfit(value, type, ": give base64");
  return Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
}
