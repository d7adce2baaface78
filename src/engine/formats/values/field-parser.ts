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
import { parseDecimal } from "../../data/decimal-parse.ts";
import type { ParseFault } from "../../data/parse-fault.ts";
import { FRACTION_DIGITS } from "../../data/temporal.ts";
import { lastDate, parseDate, parseTimestamp } from "../../data/temporal-parse.ts";
import { isUtf8 } from "../../data/text.ts";
import type { LogicalType, TimeUnit } from "../../data/types.ts";
import { divideWords, lastRemainder, multiplyAdd, type WordPair, wordsToNumber } from "../../data/words.ts";
import { FieldKind } from "../field-block.ts";
import { asciiText } from "./ascii.ts";
import { canonicalTimestamp } from "./canonical-timestamp.ts";
import { Misfit } from "./misfit.ts";
import { float, parseFloat32, parseFloat64 } from "./parse-float.ts";
import { type IntegerRange, integer, parseInteger, parseInteger64, rangeOf } from "./parse-integer.ts";

/** csv: every value is text. json: values have types of their own. */
export type Notation = "csv" | "json";

export interface FieldParserOptions {
  readonly notation: Notation;
  /** Unit of bare numbers in timestamp columns (D-42). */
  readonly timestampUnit: TimeUnit;
}

/**
 * Parses fields of one column. Its state is its builder's and its own, in no closure, so that a keyframe of the lab can
 * copy it.
 */
export interface FieldParser {
  readonly builder: ColumnBuilder;
  /**
   * Parses the bytes of a field of kind `kind` and appends the value to the builder; appends nothing when it answers a misfit.
   * @param isWellFormed the bytes are known to be well-formed UTF-8
   */
  append(bytes: Uint8Array, start: number, end: number, kind: number, isWellFormed: boolean): Misfit;
}

const bit = (...kinds: number[]): number => kinds.reduce((mask, kind) => mask | (1 << kind), 0);
/** What is being parsed; nothing of it outlives a call. */
const words: WordPair = { lo: 0, hi: 0 };
const quad = new Int32Array(4);

const MISFIT_OF: Readonly<Record<ParseFault, Misfit>> = {
  none: Misfit.none,
  malformed: Misfit.malformed,
  "out-of-range": Misfit.outOfRange,
  "too-precise": Misfit.tooPrecise,
};

const TEXT = bit(FieldKind.text, FieldKind.escaped);

/**
 * Bit k: a field of kind k may be a value of the type; others are `mistyped`. JSON has text for what it has no notation for, and for
 * 64-bit integers, which other programs would round.
 */
export function kindsOf(type: LogicalType, notation: Notation): number {
  if (notation === "csv") return TEXT;
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
  switch (type.kind) {
    case "boolean":
      return new BooleanParser(builder as BooleanBuilder);
    case "int":
      return type.bits === 64
        ? new Integer64Parser(builder as WordBuilder, type.signed)
        : new IntegerParser(builder as NumberBuilder, rangeOf(type.bits, type.signed));
    case "float":
      return new FloatParser(builder as NumberBuilder, type.bits, options.notation);
    case "decimal":
      return new DecimalParser(builder as DecimalBuilder, type.precision, type.scale);
    case "utf8":
      return new TextParser(builder as TextBuilder);
    case "binary":
      return new BinaryParser(builder as TextBuilder);
    case "date":
      return new DateParser(builder as NumberBuilder);
    case "timestamp":
      return new TimestampParser(builder as WordBuilder, type.unit, options);
    default:
      return assertNever(type);
  }
}

/** true and false, for csv in any case. */
class BooleanParser implements FieldParser {
  readonly builder: BooleanBuilder;

  constructor(builder: BooleanBuilder) {
    this.builder = builder;
  }

  append(bytes: Uint8Array, start: number, end: number): Misfit {
    const length = end - start;
    if (length !== 4 && length !== 5) return Misfit.malformed;
    const text = asciiText(bytes, start, end).toLowerCase();
    if (text !== "true" && text !== "false") return Misfit.malformed;
    this.builder.append(text === "true");
    return Misfit.none;
  }
}

class IntegerParser implements FieldParser {
  readonly builder: NumberBuilder;
  private readonly range: IntegerRange;

  constructor(builder: NumberBuilder, range: IntegerRange) {
    this.builder = builder;
    this.range = range;
  }

  append(bytes: Uint8Array, start: number, end: number): Misfit {
    const misfit = parseInteger(bytes, start, end, this.range);
    if (misfit === Misfit.none) this.builder.append(integer.value);
    return misfit;
  }
}

class Integer64Parser implements FieldParser {
  readonly builder: WordBuilder;
  private readonly signed: boolean;

  constructor(builder: WordBuilder, signed: boolean) {
    this.builder = builder;
    this.signed = signed;
  }

  append(bytes: Uint8Array, start: number, end: number): Misfit {
    const misfit = parseInteger64(bytes, start, end, this.signed, words);
    if (misfit === Misfit.none) this.builder.append(words.lo, words.hi);
    return misfit;
  }
}

class FloatParser implements FieldParser {
  readonly builder: NumberBuilder;
  private readonly bits: 32 | 64;
  private readonly notation: Notation;

  constructor(builder: NumberBuilder, bits: 32 | 64, notation: Notation) {
    this.builder = builder;
    this.bits = bits;
    this.notation = notation;
  }

  append(bytes: Uint8Array, start: number, end: number, kind: number): Misfit {
    const misfit = this.bits === 64 ? parseFloat64(bytes, start, end) : parseFloat32(bytes, start, end);
    if (misfit !== Misfit.none) return misfit;
    // In JSON text stands only for what is no JSON number.
    if (this.notation === "json" && kind !== FieldKind.number && Number.isFinite(float.value)) return Misfit.mistyped;
    this.builder.append(float.value);
    return Misfit.none;
  }
}

class DecimalParser implements FieldParser {
  readonly builder: DecimalBuilder;
  private readonly precision: number;
  private readonly scale: number;

  constructor(builder: DecimalBuilder, precision: number, scale: number) {
    this.builder = builder;
    this.precision = precision;
    this.scale = scale;
  }

  append(bytes: Uint8Array, start: number, end: number): Misfit {
    const fault = parseDecimal(bytes, start, end, this.precision, this.scale, quad);
    if (fault !== "none") return MISFIT_OF[fault];
    this.builder.append(quad[0] as number, quad[1] as number, quad[2] as number, quad[3] as number);
    return Misfit.none;
  }
}

class TextParser implements FieldParser {
  readonly builder: TextBuilder;

  constructor(builder: TextBuilder) {
    this.builder = builder;
  }

  append(bytes: Uint8Array, start: number, end: number, _kind: number, isWellFormed: boolean): Misfit {
    if (!isWellFormed && !isUtf8(bytes, start, end)) return Misfit.notUtf8;
    this.builder.appendBytes(bytes, start, end);
    return Misfit.none;
  }
}

/** base64 */
class BinaryParser implements FieldParser {
  readonly builder: TextBuilder;

  constructor(builder: TextBuilder) {
    this.builder = builder;
  }

  append(bytes: Uint8Array, start: number, end: number): Misfit {
    const decoded = fromBase64(asciiText(bytes, start, end));
    if (decoded === undefined) return Misfit.malformed;
    this.builder.appendBytes(decoded);
    return Misfit.none;
  }
}

class DateParser implements FieldParser {
  readonly builder: NumberBuilder;

  constructor(builder: NumberBuilder) {
    this.builder = builder;
  }

  append(bytes: Uint8Array, start: number, end: number): Misfit {
    const fault = parseDate(bytes, start, end);
    if (fault !== "none") return MISFIT_OF[fault];
    this.builder.append(lastDate());
    return Misfit.none;
  }
}

/** ISO 8601, or a bare number of `timestampUnit`: in csv any integer, in JSON a number. */
class TimestampParser implements FieldParser {
  readonly builder: WordBuilder;
  private readonly unit: TimeUnit;
  private readonly notation: Notation;
  /** A bare number times 10^power is one of the column's unit. */
  private readonly power: number;

  constructor(builder: WordBuilder, unit: TimeUnit, { notation, timestampUnit }: FieldParserOptions) {
    this.builder = builder;
    this.unit = unit;
    this.notation = notation;
    this.power = FRACTION_DIGITS[unit] - FRACTION_DIGITS[timestampUnit];
  }

  append(bytes: Uint8Array, start: number, end: number, kind: number): Misfit {
    const misfit = canonicalTimestamp(bytes, start, end, this.unit, words)
      ? Misfit.none
      : this.parse(bytes, start, end, kind);
    if (misfit === Misfit.none) this.builder.append(words.lo, words.hi);
    return misfit;
  }

  private parse(bytes: Uint8Array, start: number, end: number, kind: number): Misfit {
    const fault = kind === FieldKind.number ? "malformed" : parseTimestamp(bytes, start, end, this.unit, words);
    if (fault !== "malformed" || (this.notation === "json" && kind !== FieldKind.number)) return MISFIT_OF[fault];
    const misfit = parseInteger64(bytes, start, end, true, words);
    return misfit === Misfit.none ? shiftUnit(words, this.power) : misfit;
  }
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
