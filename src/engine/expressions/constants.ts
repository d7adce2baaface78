import { columnBuilder, type TextBuilder } from "../data/column-builder.ts";
import { dateOfText, lastDate, timestampOfText } from "../data/temporal-parse.ts";
import { decodeUtf8 } from "../data/text.ts";
import type { TimeUnit } from "../data/types.ts";
import { type WordPair, wordOfBigInt } from "../data/words.ts";
import { fitsPrecision, powerOfTen, writeBig } from "./decimal-words.ts";
import {
  BOOLEAN,
  DATE,
  type DecimalType,
  decimal,
  duration,
  type ExprType,
  FLOAT64,
  INT64,
  type IntType,
  intRange,
  MAX_PRECISION,
  NULL_TYPE,
  timestamp,
  UTF8,
} from "./expr-type.ts";
import { ExpressionError, type Span } from "./fault.ts";
import type { ConstantNode, Literal, Typed } from "./typed.ts";
import { nullVec, type TextVec, type Vec, vecKind, WORDS_PER_ROW } from "./vec.ts";

/** Constants as nodes, and what a literal is in the place where it stands. */

export function constant(type: ExprType, vec: Vec, { from, to }: Span, literal?: Literal): ConstantNode {
  return { kind: "constant", type, vec, literal, nullable: vec.nulls !== null, mayFail: false, from, to };
}

export function nullConstant(type: ExprType, span: Span): ConstantNode {
  return constant(type, nullVec(vecKind(type)), span);
}

export const bareNull = (span: Span): ConstantNode => nullConstant(NULL_TYPE, span);

export function booleanConstant(value: boolean, span: Span): ConstantNode {
  return constant(BOOLEAN, { kind: "bool", values: Uint8Array.of(value ? 1 : 0), step: 0, nulls: null }, span);
}

/** A value of int, date, timestamp or duration. */
function wholeConstant(type: ExprType, value: bigint, span: Span, literal?: Literal): ConstantNode {
  const kind = vecKind(type) as "int" | "long";
  const values = new Int32Array(WORDS_PER_ROW[kind]);
  for (let word = 0; word < values.length; word++) values[word] = wordOfBigInt(value, word);
  return constant(type, { kind, values, step: 0, nulls: null }, span, literal);
}

function decimalConstant(type: DecimalType, unscaled: bigint, span: Span, literal?: Literal): ConstantNode {
  const values = new Int32Array(4);
  writeBig(unscaled, values, 0);
  return constant(type, { kind: "decimal", values, step: 0, nulls: null }, span, literal);
}

export function doubleConstant(value: number, span: Span, literal?: Literal): ConstantNode {
  return constant(FLOAT64, { kind: "double", values: Float64Array.of(value), step: 0, nulls: null }, span, literal);
}

/** The words are those of a dictionary, so that a column of a constant is one. */
export function textConstant(value: string, span: Span): ConstantNode {
  const builder = columnBuilder(UTF8, 1) as TextBuilder;
  builder.appendString(value);
  const words = builder.finish();
  const { offsets, bytes } = words;
  const vec: Vec = { kind: "text", offsets, bytes, codes: null, words, step: 0, nulls: null };
  return constant(UTF8, vec, span, { kind: "text", value });
}

export function durationConstant(nanoseconds: bigint, span: Span): ConstantNode {
  const units: readonly [TimeUnit, bigint][] = [
    ["s", 1_000_000_000n],
    ["ms", 1_000_000n],
    ["us", 1_000n],
    ["ns", 1n],
  ];
  const [unit, length] = units.find(([, each]) => nanoseconds % each === 0n) ?? ["ns", 1n];
  const count = nanoseconds / length;
  if (BigInt.asIntN(64, count) !== count) throw new ExpressionError(span, "the interval is longer than any time");
  return wholeConstant(duration(unit), count, span);
}

const NUMBER = /^(-?)(\d*)\.?(\d*)(?:e[+-]?\d+)?$/i;

/**
 * `12` is int64 where it fits, else decimal; `1.50` is decimal(3,2); `1e3` is float64.
 *
 * @throws ExpressionError for more digits than a decimal has
 */
export function numberConstant(text: string, span: Span): ConstantNode {
  if (/e/i.test(text)) return doubleConstant(floatOfLiteral(text, span), span);
  const [, sign = "", whole = "", fraction = ""] = NUMBER.exec(text) ?? [];
  const unscaled = BigInt(`${sign}${whole}${fraction}`);
  const literal: Literal = { kind: "number", unscaled, scale: fraction.length };
  if (!text.includes(".") && BigInt.asIntN(64, unscaled) === unscaled) {
    return wholeConstant(INT64, unscaled, span, literal);
  }
  if (fraction.length > MAX_PRECISION || !fitsPrecision(unscaled, MAX_PRECISION)) {
    const hint = `write ${text}e0 for the nearest float64`;
    throw new ExpressionError(span, `a decimal has at most ${MAX_PRECISION} digits`, { hint });
  }
  return decimalConstant(decimalOfLiteral(literal), unscaled, span, literal);
}

/** Never an infinity or a zero that was not written. */
function floatOfLiteral(text: string, span: Span): number {
  const value = Number(text);
  const isZero = !/[1-9]/.test(text.split(/e/i)[0] as string);
  if (Number.isFinite(value) && (value !== 0 || isZero)) return value;
  const hint = "write CAST('Infinity' AS float64), or 0e0";
  throw new ExpressionError(span, `${text} is out of range for float64`, { hint });
}

/** The smallest decimal type that has the number. */
function decimalOfLiteral({ unscaled, scale }: Literal & { kind: "number" }): DecimalType {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).length;
  return decimal(Math.max(digits, scale), scale);
}

/** The constant with the opposite sign; `undefined` for what is no number that was written. */
export function negated(node: Typed, span: Span): ConstantNode | undefined {
  if (node.kind !== "constant" || node.literal?.kind !== "number") return undefined;
  const { unscaled, scale } = node.literal;
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  const point = digits.length - scale;
  const fraction = scale === 0 ? "" : `.${digits.slice(point)}`;
  return numberConstant(`${unscaled > 0n ? "-" : ""}${digits.slice(0, point)}${fraction}`, span);
}

/**
 * What a literal is beside a value of the type: `5` beside an int32 is an int32, `1.5` beside a float64 is a float64,
 * `'2024-06-01'` beside a timestamp is one. `undefined`: it stays what it is.
 *
 * @throws ExpressionError for a text beside a time that is no time
 */
export function literalAs(node: Typed, type: ExprType): ConstantNode | undefined {
  if (node.kind !== "constant" || node.literal === undefined) return undefined;
  const { literal } = node;
  if (literal.kind === "text") return timeOfText(literal.value, type, node);
  switch (type.kind) {
    case "int":
      return intOfLiteral(literal, type, node);
    case "float":
      return doubleConstant(numberOf(literal), node, literal);
    case "decimal": {
      const own = decimalOfLiteral(literal);
      return own.scale > type.scale
        ? decimalConstant(own, literal.unscaled, node, literal)
        : decimalAt(literal, type, node);
    }
    default:
      return undefined;
  }
}

/** An integer literal as the smallest decimal that it is; other nodes as they are. */
export function literalAsDecimal(node: Typed): Typed {
  if (node.kind !== "constant" || node.type.kind !== "int" || node.literal?.kind !== "number") return node;
  const { literal } = node;
  return literal.scale > 0 ? node : decimalConstant(decimalOfLiteral(literal), literal.unscaled, node, literal);
}

/** The nearest float. */
function numberOf({ unscaled, scale }: Literal & { kind: "number" }): number {
  return Number(`${unscaled}e-${scale}`);
}

function intOfLiteral(literal: Literal & { kind: "number" }, type: IntType, span: Span): ConstantNode | undefined {
  const divisor = powerOfTen(literal.scale);
  if (literal.unscaled % divisor !== 0n) return undefined;
  const value = literal.unscaled / divisor;
  const [least, greatest] = intRange(type);
  return value < least || value > greatest ? undefined : wholeConstant(type, value, span, literal);
}

function decimalAt(literal: Literal & { kind: "number" }, type: DecimalType, span: Span): ConstantNode {
  const unscaled = literal.unscaled * powerOfTen(type.scale - literal.scale);
  const digits = String(unscaled < 0n ? -unscaled : unscaled).length;
  if (digits > MAX_PRECISION) return decimalConstant(decimalOfLiteral(literal), literal.unscaled, span, literal);
  const own = decimal(Math.max(digits, type.scale), type.scale);
  return decimalConstant(own.precision <= type.precision ? type : own, unscaled, span, literal);
}

const pair: WordPair = { lo: 0, hi: 0 };

function timeOfText(text: string, type: ExprType, span: Span): ConstantNode | undefined {
  if (type.kind === "date") return dateConstant(text, span);
  return type.kind === "timestamp" ? timestampConstant(text, type.unit, span) : undefined;
}

/** @throws ExpressionError */
export function dateConstant(text: string, span: Span): ConstantNode {
  if (dateOfText(text.trim()) === "none") return wholeConstant(DATE, BigInt(lastDate()), span);
  throw new ExpressionError(span, `${JSON.stringify(text)} is no date`, { hint: "write it as 2024-06-01" });
}

/**
 * In the unit given, or in a finer one where the text has more digits than that.
 *
 * @throws ExpressionError
 */
export function timestampConstant(text: string, unit: TimeUnit, span: Span): ConstantNode {
  const units: readonly TimeUnit[] = ["s", "ms", "us", "ns"];
  for (const finer of units.slice(units.indexOf(unit))) {
    const fault = timestampOfText(text.trim(), finer, pair);
    if (fault === "too-precise") continue;
    if (fault !== "none") break;
    const values = Int32Array.of(pair.lo, pair.hi);
    return constant(timestamp(finer), { kind: "long", values, step: 0, nulls: null }, span);
  }
  const hint = "write it as 2024-06-01T12:30:00Z; without a zone it is UTC";
  throw new ExpressionError(span, `${JSON.stringify(text)} is no timestamp`, { hint });
}

/** The text of a constant that is not NULL; `undefined` for any other node. */
export function constantText(node: Typed): string | undefined {
  if (node.kind !== "constant" || node.vec.kind !== "text" || node.vec.nulls !== null) return undefined;
  const { offsets, bytes }: TextVec = node.vec;
  return decodeUtf8(bytes, offsets[0], offsets[1]);
}

/** A constant int64 or smaller that is not NULL, as a number where it is a safe one; `undefined` for any other node. */
export function constantInteger(node: Typed): number | undefined {
  if (node.kind !== "constant" || node.type.kind !== "int" || node.vec.nulls !== null) return undefined;
  const { values, kind } = node.vec as Extract<Vec, { kind: "int" | "long" }>;
  if (kind === "int") return values[0];
  const value = (values[1] as number) * 4294967296 + ((values[0] as number) >>> 0);
  return Number.isSafeInteger(value) ? value : undefined;
}
