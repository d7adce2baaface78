import { InvariantError } from "../base/assert.ts";
import type { VarColumn } from "../data/column.ts";
import { longerBytes, longerDoubles, longerWords } from "../data/wasm/kernel-arrays.ts";
import { type ExprType, exprTypeName } from "./expr-type.ts";

/**
 * Values on their way through an expression, a row each. `step` 0: one value stands for all rows, and every array holds one row; so
 * a kernel reads row i at `i * step`. `nulls` has a byte a row, 1 where the row is NULL; `null`: none is. The value of a NULL
 * row is arbitrary. A vector's arrays belong to the node that made it and are good until its next evaluation.
 */
interface Common {
  readonly step: 0 | 1;
  nulls: Uint8Array | null;
}

/** 1 is true, 0 is false. */
export interface BoolVec extends Common {
  readonly kind: "bool";
  readonly values: Uint8Array;
}

/** int8 to int32, uint8, uint16, and dates as days. */
export interface IntVec extends Common {
  readonly kind: "int";
  readonly values: Int32Array;
}

/** int64, uint64, uint32, timestamps and durations: two words a row, low word first. */
export interface LongVec extends Common {
  readonly kind: "long";
  readonly values: Int32Array;
}

export interface DoubleVec extends Common {
  readonly kind: "double";
  readonly values: Float64Array;
}

/** Four words a row, lowest first, two's complement. */
export interface DecimalVec extends Common {
  readonly kind: "decimal";
  readonly values: Int32Array;
}

/**
 * utf8 and binary. Without `codes` row i is word i, else word `codes[i]`. `words` are the words' column where it lasts longer than an
 * evaluation: a dictionary.
 */
export interface TextVec extends Common {
  readonly kind: "text";
  readonly offsets: Int32Array;
  readonly bytes: Uint8Array;
  readonly codes: Int32Array | null;
  readonly words: VarColumn | null;
}

export type Vec = BoolVec | IntVec | LongVec | DoubleVec | DecimalVec | TextVec;
export type VecKind = Vec["kind"];

/** How values of a type are held. A bare NULL is a boolean NULL. */
export function vecKind(type: ExprType): VecKind {
  switch (type.kind) {
    case "boolean":
    case "null":
      return "bool";
    case "int":
      return type.bits === 64 || (type.bits === 32 && !type.signed) ? "long" : "int";
    case "date":
      return "int";
    case "float":
      return "double";
    case "decimal":
      return "decimal";
    case "utf8":
    case "binary":
      return "text";
    case "timestamp":
    case "duration":
      return "long";
    default:
      throw new InvariantError(`${exprTypeName(type)} has no values`);
  }
}

/** 32-bit words per row of `values`. */
export const WORDS_PER_ROW = { int: 1, long: 2, decimal: 4 } as const;

/** The number of the word of row i. */
export function wordAt(vec: TextVec, row: number): number {
  return vec.codes === null ? row * vec.step : (vec.codes[row] as number);
}

export const isNullAt = (vec: Vec, row: number): boolean => vec.nulls !== null && vec.nulls[row * vec.step] === 1;

/** Room for an array of the same node, kept from one evaluation to the next. Bytes may be read and written in whole words. */
export class Bytes {
  private array: Uint8Array = new Uint8Array(0);

  /** @param rows that it serves, if not one a byte */
  take(length: number, rows = length): Uint8Array {
    if (this.array.length < length) this.array = longerBytes(length, this.array, rows);
    return this.array;
  }

  zeros(length: number): Uint8Array {
    return this.take(length).fill(0, 0, length);
  }
}

/** Four bytes at a time, as many as hold so many; `null` where they do not lie so. */
export function wordsOver({ buffer, byteOffset, length }: Uint8Array, bytes: number): Int32Array | null {
  const words = (bytes + 3) >> 2;
  return (byteOffset & 3) === 0 && 4 * words <= length ? new Int32Array(buffer, byteOffset, words) : null;
}

export class Words {
  private array: Int32Array = new Int32Array(0);

  take(length: number): Int32Array {
    if (this.array.length < length) this.array = longerWords(length, this.array);
    return this.array;
  }
}

export class Doubles {
  private array: Float64Array = new Float64Array(0);

  take(length: number): Float64Array {
    if (this.array.length < length) this.array = longerDoubles(length, this.array);
    return this.array;
  }
}

const NO_BYTES = new Uint8Array(0);

/** The NULL of a kind, for all rows. */
export function nullVec(kind: VecKind): Vec {
  const common = { step: 0, nulls: Uint8Array.of(1) } as const;
  switch (kind) {
    case "bool":
      return { kind, values: new Uint8Array(1), ...common };
    case "double":
      return { kind, values: new Float64Array(1), ...common };
    case "text":
      return { kind, offsets: new Int32Array(2), bytes: NO_BYTES, codes: null, words: null, ...common };
    default:
      return { kind, values: new Int32Array(WORDS_PER_ROW[kind]), ...common };
  }
}
