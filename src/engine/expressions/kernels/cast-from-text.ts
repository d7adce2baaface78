import { assertNever, InvariantError } from "../../base/assert.ts";
import type { ParseFault } from "../../data/parse-fault.ts";
import { dateOfText, lastDate, timestampOfText } from "../../data/temporal-parse.ts";
import { decodeUtf8 } from "../../data/text.ts";
import { type LogicalType, typeName } from "../../data/types.ts";
import { type WordPair, wordOfBigInt } from "../../data/words.ts";
import { divideRounded, fitsPrecision, powerOfTen, writeBig } from "../decimal-words.ts";
import { type DecimalType, type IntType, intRange } from "../expr-type.ts";
import type { Kernel, MakeKernel } from "../kernel.ts";
import { Bytes, Doubles, type TextVec, type Vec, vecKind, WORDS_PER_ROW, Words, wordAt } from "../vec.ts";

/** Text as values. Spaces around a value do not matter; anything else that is not one value of the type is a row error. */

/** Why a text is no value of the type; `null`: it is one, and written. */
type Fault = "is no" | "is beyond" | "is more precise than" | null;
type Parse = (text: string, row: number) => Fault;

const SHOWN = 60;

export function fromText(to: LogicalType): MakeKernel {
  return (): Kernel => {
    const { begin, parse, finish } = target(to);
    return ([x], frame) => {
      const vec = x as TextVec;
      begin(frame.rows);
      for (let i = 0; i < frame.rows; i++) {
        if (!frame.wants(i)) continue;
        const word = wordAt(vec, i);
        const text = decodeUtf8(vec.bytes, vec.offsets[word], vec.offsets[word + 1]);
        const fault = parse(text.trim(), i);
        if (fault === null) continue;
        const shown = JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
        frame.fail(i, () => `${shown} ${fault} ${typeName(to)}`);
      }
      return finish();
    };
  };
}

interface Target {
  begin(rows: number): void;
  parse: Parse;
  finish(): Vec;
}

function target(to: LogicalType): Target {
  switch (to.kind) {
    case "boolean":
      return booleans();
    case "int":
      return ints(to);
    case "float":
      return floats(to.bits);
    case "decimal":
      return decimals(to);
    case "date":
      return words("int", (text, out, row) => {
        const fault = dateOfText(text);
        if (fault === "none") out[row] = lastDate();
        return temporalFault(fault);
      });
    case "timestamp":
      return words("long", (text, out, row) => {
        const fault = timestampOfText(text, to.unit, pair);
        out[2 * row] = pair.lo;
        out[2 * row + 1] = pair.hi;
        return temporalFault(fault);
      });
    case "utf8":
    case "binary":
      throw new InvariantError(`text becomes ${to.kind} without parsing`);
    default:
      return assertNever(to);
  }
}

const pair: WordPair = { lo: 0, hi: 0 };

function words(kind: "int" | "long" | "decimal", parse: (text: string, out: Int32Array, row: number) => Fault): Target {
  const room = new Words();
  let values: Int32Array = new Int32Array(0);
  return {
    begin: (rows) => {
      values = room.take(rows * WORDS_PER_ROW[kind]);
    },
    parse: (text, row) => parse(text, values, row),
    finish: () => ({ kind, values, step: 1, nulls: null }),
  };
}

const TEMPORAL: Readonly<Record<ParseFault, Fault>> = {
  none: null,
  malformed: "is no",
  "out-of-range": "is beyond",
  "too-precise": "is more precise than",
};

const temporalFault = (fault: ParseFault): Fault => TEMPORAL[fault];

const TRUE = new Set(["true", "t", "yes", "y", "on", "1"]);
const FALSE = new Set(["false", "f", "no", "n", "off", "0"]);

function booleans(): Target {
  const room = new Bytes();
  let values: Uint8Array = new Uint8Array(0);
  return {
    begin: (rows) => {
      values = room.take(rows);
    },
    parse: (text, row) => {
      const word = text.toLowerCase();
      values[row] = TRUE.has(word) ? 1 : 0;
      return TRUE.has(word) || FALSE.has(word) ? null : "is no";
    },
    finish: () => ({ kind: "bool", values, step: 1, nulls: null }),
  };
}

const INTEGER = /^[+-]?\d{1,40}$/;

function ints(to: IntType): Target {
  const [least, greatest] = intRange(to);
  const kind = vecKind(to) as "int" | "long";
  return words(kind, (text, out, row) => {
    if (!INTEGER.test(text)) return "is no";
    const value = BigInt(text.startsWith("+") ? text.slice(1) : text);
    if (value < least || value > greatest) return "is beyond";
    if (kind === "int") out[row] = Number(value);
    else {
      out[2 * row] = wordOfBigInt(value, 0);
      out[2 * row + 1] = wordOfBigInt(value, 1);
    }
    return null;
  });
}

const FLOAT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const NOT_FINITE = /^([+-]?)(?:(inf|infinity)|nan)$/i;

function floats(bits: 32 | 64): Target {
  const room = new Doubles();
  let values: Float64Array = new Float64Array(0);
  return {
    begin: (rows) => {
      values = room.take(rows);
    },
    parse: (text, row) => {
      const named = NOT_FINITE.exec(text);
      if (named === null && !FLOAT.test(text)) return "is no";
      const infinite = named?.[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
      const value = named === null ? Number(text) : named[2] === undefined ? Number.NaN : infinite;
      values[row] = bits === 32 ? Math.fround(value) : value;
      return named === null && !Number.isFinite(values[row]) ? "is beyond" : null;
    },
    finish: () => ({ kind: "double", values, step: 1, nulls: null }),
  };
}

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;
const MOST_DIGITS = 200;

/** Digits behind the scale are rounded, halves away from zero. */
function decimals(to: DecimalType): Target {
  return words("decimal", (text, out, row) => {
    const [, sign, whole = "", fraction = "", exponent = "0"] = DECIMAL.exec(text) ?? [];
    if (sign === undefined || whole + fraction === "" || text.length > MOST_DIGITS) return "is no";
    const digits = BigInt(`${sign === "-" ? "-" : ""}${whole}${fraction}`);
    const shift = to.scale - fraction.length + Number(exponent);
    const value = shift >= 0 ? shiftUp(digits, shift) : shiftDown(digits, -shift);
    if (!fitsPrecision(value, to.precision)) return "is beyond";
    writeBig(value, out, 4 * row);
    return null;
  });
}

const shiftUp = (digits: bigint, by: number): bigint => (digits === 0n ? 0n : digits * 10n ** BigInt(by));
const shiftDown = (digits: bigint, by: number): bigint =>
  divideRounded(digits, by <= 38 ? powerOfTen(by) : 10n ** BigInt(by));
