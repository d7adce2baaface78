import { assert, assertNever } from "../base/assert.ts";
import { fromBase64 } from "./base64.ts";
import type { ColumnBuilder } from "./column-builder.ts";
import { decimalOfText } from "./decimal-parse.ts";
import type { ParseFault } from "./parse-fault.ts";
import { dateOfText, lastDate, timestampOfText } from "./temporal-parse.ts";
import type { LogicalType, TimeUnit } from "./types.ts";
import { type WordPair, wordsToBigInt } from "./words.ts";

/**
 * A value in the form that its column stores: number for int8…int32, uint8…uint32, floats and date (days);
 * bigint for int64, uint64, timestamp (in the column's unit) and decimal (unscaled); bytes for binary.
 */
export type Cell = null | boolean | number | bigint | string | Uint8Array;

/** Why a value is none of a type. */
export class Unfit {
  readonly why: Exclude<ParseFault, "none">;
  constructor(why: Unfit["why"]) {
    this.why = why;
  }
}

/** Half of a character, which UTF-8 cannot write: any two would become the same. */
const LONE_SURROGATE = /\p{Surrogate}/u;

const MALFORMED = new Unfit("malformed");
const OUT_OF_RANGE = new Unfit("out-of-range");

/**
 * A value of the language, other than NULL, as a column of the type stores it. Integers may be number, bigint or text, floats and decimals
 * text as well, timestamps ISO 8601 text or an integer of the column's unit, dates text or days, binary bytes or base64. It
 * must say exactly one value: nothing is rounded but floats.
 */
export function storedCell(value: unknown, type: LogicalType): Exclude<Cell, null> | Unfit {
  switch (type.kind) {
    case "boolean":
      return typeof value === "boolean" ? value : MALFORMED;
    case "utf8":
      return typeof value === "string" && !LONE_SURROGATE.test(value) ? value : MALFORMED;
    case "binary":
      return value instanceof Uint8Array ? value : (typeof value === "string" && fromBase64(value)) || MALFORMED;
    case "int": {
      const whole = wholeIn(value, type.bits, type.signed);
      return type.bits === 64 || whole instanceof Unfit ? whole : Number(whole);
    }
    case "float":
      return floatOf(value);
    case "decimal":
      return decimalOf(value, type.precision, type.scale);
    case "date":
      return dateOf(value);
    case "timestamp":
      return timestampOf(value, type.unit);
    default:
      return assertNever(type);
  }
}

/** Appends a cell in the form that the builder's column stores. */
export function appendCell(builder: ColumnBuilder, cell: Cell): void {
  if (cell === null) {
    builder.appendNull();
    return;
  }
  switch (builder.kind) {
    case "number":
      assert(typeof cell === "number", "a number");
      builder.append(cell);
      return;
    case "words":
    case "decimal":
      assert(typeof cell === "bigint", "a bigint");
      builder.appendBigInt(cell);
      return;
    case "boolean":
      assert(typeof cell === "boolean", "a boolean");
      builder.append(cell);
      return;
    case "text":
      if (typeof cell === "string") builder.appendString(cell);
      else {
        assert(cell instanceof Uint8Array, "bytes");
        builder.appendBytes(cell);
      }
      return;
    default:
      assertNever(builder);
  }
}

function wholeOf(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === "string" && /^[+-]?\d{1,40}$/.test(value) ? BigInt(value.replace(/^\+/, "")) : undefined;
}

function wholeIn(value: unknown, bits: number, signed: boolean): bigint | Unfit {
  const whole = wholeOf(value);
  if (whole === undefined) return MALFORMED;
  const wrapped = signed ? BigInt.asIntN(bits, whole) : BigInt.asUintN(bits, whole);
  return wrapped === whole ? whole : OUT_OF_RANGE;
}

const FLOAT = /^(?:NaN|[+-]?(?:Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?))$/;

function floatOf(value: unknown): number | Unfit {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  return typeof value === "string" && FLOAT.test(value) ? Number(value) : MALFORMED;
}

function decimalOf(value: unknown, precision: number, scale: number): bigint | Unfit {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "bigint") return MALFORMED;
  const unscaled = decimalOfText(String(value), precision, scale);
  return typeof unscaled === "bigint" ? unscaled : new Unfit(unscaled);
}

function dateOf(value: unknown): number | Unfit {
  const days = wholeIn(value, 32, true);
  if (days !== MALFORMED) return days instanceof Unfit ? days : Number(days);
  if (typeof value !== "string") return MALFORMED;
  const fault = dateOfText(value);
  return fault === "none" ? lastDate() : new Unfit(fault);
}

const words: WordPair = { lo: 0, hi: 0 };

function timestampOf(value: unknown, unit: TimeUnit): bigint | Unfit {
  const count = wholeIn(value, 64, true);
  if (count !== MALFORMED || typeof value !== "string") return count;
  const fault = timestampOfText(value, unit, words);
  return fault === "none" ? wordsToBigInt([words.lo, words.hi], 0, true) : new Unfit(fault);
}
