import { assertNever } from "../../base/assert.ts";
import { fromBase64 } from "../../data/base64.ts";
import {
  type BooleanBuilder,
  type ColumnBuilder,
  columnBuilder,
  type DecimalBuilder,
  type NumberBuilder,
  type TextBuilder,
  type WordBuilder,
} from "../../data/column-builder.ts";
import { lastDate, parseDate, parseTimestamp, type TemporalFault } from "../../data/temporal-parse.ts";
import { isUtf8 } from "../../data/text.ts";
import type { LogicalType, TimeUnit } from "../../data/types.ts";
import { divideWords, lastRemainder, multiplyAdd, type WordPair, wordsToNumber } from "../../data/words.ts";
import { FieldKind } from "../field-block.ts";
import { asciiText, skipBlanks, trimBlanks } from "./ascii.ts";
import { canonicalTimestamp } from "./canonical-timestamp.ts";
import { Misfit } from "./misfit.ts";
import { parseDecimal } from "./parse-decimal.ts";
import { float, parseFloat32, parseFloat64 } from "./parse-float.ts";
import { integer, parseInteger, parseInteger64, rangeOf } from "./parse-integer.ts";

/** csv: every value is text. json: values have types of their own. */
export type Notation = "csv" | "json";

export interface FieldParserOptions {
  readonly notation: Notation;
  /** Unit of bare numbers in timestamp columns (D-42). */
  readonly timestampUnit: TimeUnit;
}

/** Parses the bytes of one field and appends the value to its column's builder; appends nothing when it answers a misfit. */
export type AppendField = (bytes: Uint8Array, start: number, end: number, kind: number) => Misfit;

export interface FieldParser {
  readonly builder: ColumnBuilder;
  readonly append: AppendField;
  /** The same for bytes that are known to be ASCII. */
  readonly appendAscii: AppendField;
  /** Bit k: a field of kind k may be a value of the column; other kinds are `mistyped`. */
  readonly kinds: number;
}

const bit = (...kinds: number[]): number => kinds.reduce((mask, kind) => mask | (1 << kind), 0);
const TEXT = bit(FieldKind.text, FieldKind.escaped);

/** JSON kinds by type: text for what JSON has no notation for, and for 64-bit integers, which other programs would round. */
function jsonKinds(type: LogicalType): number {
  switch (type.kind) {
    case "boolean":
      return bit(FieldKind.true, FieldKind.false);
    case "int":
      return type.bits === 64 ? bit(FieldKind.number) | TEXT : bit(FieldKind.number);
    case "float":
    case "decimal":
    case "timestamp":
      return bit(FieldKind.number) | TEXT;
    case "utf8":
    case "binary":
    case "date":
      return TEXT;
    default:
      return assertNever(type);
  }
}

export function fieldParser(type: LogicalType, options: FieldParserOptions): FieldParser {
  const builder = columnBuilder(type);
  const append = appender(type, builder, options);
  if (type.kind === "utf8") return { builder, append, appendAscii: asciiTexts(builder as TextBuilder), kinds: TEXT };
  if (options.notation === "json") return { builder, append, appendAscii: append, kinds: jsonKinds(type) };
  const trimming = type.kind === "binary" ? append : trimmed(append);
  return { builder, append: trimming, appendAscii: trimming, kinds: TEXT };
}

/** Blanks around a csv value belong to it only in text. */
function trimmed(append: AppendField): AppendField {
  return (bytes, start, end, kind) => {
    const from = skipBlanks(bytes, start, end);
    return append(bytes, from, trimBlanks(bytes, from, end), kind);
  };
}

function appender(type: LogicalType, builder: ColumnBuilder, options: FieldParserOptions): AppendField {
  switch (type.kind) {
    case "boolean":
      return booleans(builder as BooleanBuilder);
    case "int":
      return type.bits === 64
        ? integers64(builder as WordBuilder, type.signed)
        : integers(builder as NumberBuilder, type.bits, type.signed);
    case "float":
      return floats(builder as NumberBuilder, type.bits, options.notation);
    case "decimal":
      return decimals(builder as DecimalBuilder, type.precision, type.scale);
    case "utf8":
      return texts(builder as TextBuilder);
    case "binary":
      return binaries(builder as TextBuilder);
    case "date":
      return dates(builder as NumberBuilder);
    case "timestamp":
      return timestamps(builder as WordBuilder, type.unit, options);
    default:
      return assertNever(type);
  }
}

/** true and false, for csv in any case. */
function booleans(builder: BooleanBuilder): AppendField {
  return (bytes, start, end) => {
    const length = end - start;
    if (length !== 4 && length !== 5) return Misfit.malformed;
    const text = asciiText(bytes, start, end).toLowerCase();
    if (text !== "true" && text !== "false") return Misfit.malformed;
    builder.append(text === "true");
    return Misfit.none;
  };
}

function integers(builder: NumberBuilder, bits: 8 | 16 | 32, signed: boolean): AppendField {
  const range = rangeOf(bits, signed);
  return (bytes, start, end) => {
    const misfit = parseInteger(bytes, start, end, range);
    if (misfit === Misfit.none) builder.append(integer.value);
    return misfit;
  };
}

function integers64(builder: WordBuilder, signed: boolean): AppendField {
  const words: WordPair = { lo: 0, hi: 0 };
  return (bytes, start, end) => {
    const misfit = parseInteger64(bytes, start, end, signed, words);
    if (misfit === Misfit.none) builder.append(words.lo, words.hi);
    return misfit;
  };
}

function floats(builder: NumberBuilder, bits: 32 | 64, notation: Notation): AppendField {
  const parse = bits === 32 ? parseFloat32 : parseFloat64;
  return (bytes, start, end, kind) => {
    const misfit = parse(bytes, start, end);
    if (misfit !== Misfit.none) return misfit;
    // In JSON text stands only for what is no JSON number.
    if (notation === "json" && kind !== FieldKind.number && Number.isFinite(float.value)) return Misfit.mistyped;
    builder.append(float.value);
    return Misfit.none;
  };
}

function decimals(builder: DecimalBuilder, precision: number, scale: number): AppendField {
  const words = new Int32Array(4);
  return (bytes, start, end) => {
    const misfit = parseDecimal(bytes, start, end, precision, scale, words);
    if (misfit === Misfit.none) {
      builder.append(words[0] as number, words[1] as number, words[2] as number, words[3] as number);
    }
    return misfit;
  };
}

function texts(builder: TextBuilder): AppendField {
  return (bytes, start, end) => {
    if (!isUtf8(bytes, start, end)) return Misfit.notUtf8;
    builder.appendBytes(bytes, start, end);
    return Misfit.none;
  };
}

function asciiTexts(builder: TextBuilder): AppendField {
  return (bytes, start, end) => {
    builder.appendBytes(bytes, start, end);
    return Misfit.none;
  };
}

function binaries(builder: TextBuilder): AppendField {
  return (bytes, start, end) => {
    const decoded = fromBase64(asciiText(bytes, start, end));
    if (decoded === undefined) return Misfit.malformed;
    builder.appendBytes(decoded);
    return Misfit.none;
  };
}

const TEMPORAL_MISFIT: Readonly<Record<TemporalFault, Misfit>> = {
  none: Misfit.none,
  malformed: Misfit.malformed,
  "out-of-range": Misfit.outOfRange,
  "too-precise": Misfit.tooPrecise,
};

function dates(builder: NumberBuilder): AppendField {
  return (bytes, start, end) => {
    const fault = parseDate(bytes, start, end);
    if (fault !== "none") return TEMPORAL_MISFIT[fault];
    builder.append(lastDate());
    return Misfit.none;
  };
}

const UNIT_POWER: Readonly<Record<TimeUnit, number>> = { s: 0, ms: 3, us: 6, ns: 9 };

/** ISO 8601, or a bare number of `timestampUnit`: in csv any integer, in JSON a number. */
function timestamps(builder: WordBuilder, unit: TimeUnit, options: FieldParserOptions): AppendField {
  const words: WordPair = { lo: 0, hi: 0 };
  const power = UNIT_POWER[unit] - UNIT_POWER[options.timestampUnit];
  return (bytes, start, end, kind) => {
    if (canonicalTimestamp(bytes, start, end, unit, words)) {
      builder.append(words.lo, words.hi);
      return Misfit.none;
    }
    const fault = kind === FieldKind.number ? "malformed" : parseTimestamp(bytes, start, end, unit, words);
    let misfit = TEMPORAL_MISFIT[fault];
    if (fault === "malformed" && (options.notation === "csv" || kind === FieldKind.number)) {
      misfit = parseInteger64(bytes, start, end, true, words);
      if (misfit === Misfit.none) misfit = shiftUnit(words, power);
    }
    if (misfit === Misfit.none) builder.append(words.lo, words.hi);
    return misfit;
  };
}

/** Multiplies by 10^power exactly, or says why not. */
function shiftUnit(words: WordPair, power: number): Misfit {
  if (power === 0) return Misfit.none;
  if (power > 0) {
    const value = wordsToNumber(words.lo, words.hi);
    if (!Number.isSafeInteger(value)) return Misfit.outOfRange;
    return multiplyAdd(value, 10 ** power, 0, words) ? Misfit.none : Misfit.outOfRange;
  }
  for (let left = -power; left > 0; left -= 3) {
    const quotient = divideWords(words.lo, words.hi, 1000);
    if (lastRemainder() !== 0) return Misfit.tooPrecise;
    if (!Number.isSafeInteger(quotient)) return Misfit.outOfRange;
    multiplyAdd(quotient, 1, 0, words);
  }
  return Misfit.none;
}
