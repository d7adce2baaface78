import { assert, assertNever } from "../base/assert.ts";
import { bitAt, type Column, type DictionaryColumn, type FixedColumn, isNull, type VarColumn } from "./column.ts";
import { stripDecimal, stripInstant, stripped } from "./key-canonical.ts";
import type { LogicalType } from "./types.ts";

/**
 * Composite keys as bytes, one to one: two rows have the same bytes just when their keys are equal by logical value
 * (architecture, section 5). Every value is a tag and a payload whose length the tag or a length prefix tells, so no value can run into
 * the next one:
 *
 *     NULL
 *     boolean     1 byte
 *     integer     8 bytes, two's complement, of every width; uint64 from 2^63 on has a tag of its own
 *     float       8 bytes of the float64, −0 as 0, every NaN as the same one
 *     decimal     scale, 16 bytes, without trailing zeros behind the point
 *     date        4 bytes
 *     timestamp   unit, 8 bytes, in the coarsest unit that holds it
 *     utf8 and binary  4 bytes of length, bytes
 *
 * Numbers are little-endian.
 */
export const KeyTag = {
  null: 0,
  boolean: 1,
  integer: 2,
  largeInteger: 3,
  float: 4,
  decimal: 5,
  date: 6,
  timestamp: 7,
  utf8: 8,
  binary: 9,
} as const;

/** Key i is `bytes[offsets[i] … offsets[i + 1])`. */
export interface EncodedKeys {
  readonly offsets: Int32Array;
  readonly bytes: Uint8Array;
}

let offsets = new Int32Array(1025);
let cursors = new Int32Array(1024);
let bytes = new Uint8Array(0);
let view = new DataView(bytes.buffer);

/** Keys of rows 0…rowCount. The result lies in memory that the next call uses again. */
export function encodeKeys(columns: readonly Column[], rowCount: number): EncodedKeys {
  if (cursors.length < rowCount) {
    offsets = new Int32Array(rowCount + 1);
    cursors = new Int32Array(rowCount);
  }
  offsets.fill(0, 0, rowCount + 1);
  for (const column of columns) addSizes(column, rowCount);
  for (let row = 0; row < rowCount; row++) {
    cursors[row] = offsets[row] as number;
    offsets[row + 1] = (offsets[row + 1] as number) + (offsets[row] as number);
  }
  const size = offsets[rowCount] as number;
  if (bytes.length < size) {
    bytes = new Uint8Array(2 * size);
    view = new DataView(bytes.buffer);
  }
  for (const column of columns) writeColumn(column, rowCount);
  return { offsets, bytes };
}

/** Bytes of a value that is not NULL, without its tag; text has its own length besides. */
function payloadSize(type: LogicalType): number {
  switch (type.kind) {
    case "boolean":
      return 1;
    case "date":
    case "utf8":
    case "binary":
      return 4;
    case "int":
    case "float":
      return 8;
    case "timestamp":
      return 9;
    case "decimal":
      return 17;
    default:
      return assertNever(type);
  }
}

/** Adds the size of row i to `offsets[i + 1]`. */
function addSizes(column: Column, rowCount: number): void {
  assert(column.length >= rowCount, "as many values as rows");
  const size = 1 + payloadSize(column.type);
  const hasNull = mayBeNull(column);
  for (let row = 0; row < rowCount; row++) {
    const own = hasNull && isNull(column, row) ? 1 : size + textLength(column, row);
    offsets[row + 1] = (offsets[row + 1] as number) + own;
  }
}

const mayBeNull = (column: Column): boolean =>
  column.nullCount > 0 || (column.encoding === "dictionary" && column.dictionary.nullCount > 0);

function textLength(column: Column, row: number): number {
  if (column.encoding === "var") return (column.offsets[row + 1] as number) - (column.offsets[row] as number);
  return column.encoding === "dictionary" ? textLength(column.dictionary, column.codes[row] as number) : 0;
}

/** Appends the column's values to the keys: row i from `cursors[i]`, which moves on. */
function writeColumn(column: Column, rowCount: number): void {
  const write = valueWriter(column);
  const hasNull = mayBeNull(column);
  for (let row = 0; row < rowCount; row++) {
    const at = cursors[row] as number;
    if (hasNull && isNull(column, row)) {
      bytes[at] = KeyTag.null;
      cursors[row] = at + 1;
    } else cursors[row] = write(row, at);
  }
}

/** Writes the value of a row at a place and answers where it ends. */
type ValueWriter = (row: number, at: number) => number;

function valueWriter(column: Column): ValueWriter {
  switch (column.encoding) {
    case "fixed":
      return fixedWriter(column);
    case "bits":
      return (row, at) => {
        bytes[at] = KeyTag.boolean;
        bytes[at + 1] = bitAt(column.values, row) ? 1 : 0;
        return at + 2;
      };
    case "var":
      return textWriter(column, null);
    case "dictionary":
      return textWriter(column.dictionary, column);
    default:
      return assertNever(column);
  }
}

function textWriter(words: VarColumn, coded: DictionaryColumn | null): ValueWriter {
  const tag = words.type.kind === "utf8" ? KeyTag.utf8 : KeyTag.binary;
  return (row, at) => {
    const word = coded === null ? row : (coded.codes[row] as number);
    const from = words.offsets[word] as number;
    const length = (words.offsets[word + 1] as number) - from;
    bytes[at] = tag;
    view.setInt32(at + 1, length, true);
    for (let i = 0; i < length; i++) bytes[at + 5 + i] = words.bytes[from + i] as number;
    return at + 5 + length;
  };
}

function pair(tag: number, lo: number, hi: number, at: number): number {
  bytes[at] = tag;
  view.setInt32(at + 1, lo, true);
  view.setInt32(at + 5, hi, true);
  return at + 9;
}

function fixedWriter({ type, values }: FixedColumn): ValueWriter {
  switch (type.kind) {
    case "int":
      return type.bits === 64 ? longWriter(values as Int32Array, type.signed) : shortWriter(values);
    case "float":
      return (row, at) => {
        const value = values[row] as number;
        bytes[at] = KeyTag.float;
        // Adding 0 makes 0 of −0.
        view.setFloat64(at + 1, Number.isNaN(value) ? Number.NaN : value + 0, true);
        return at + 9;
      };
    case "decimal":
      return (row, at) => {
        bytes[at] = KeyTag.decimal;
        bytes[at + 1] = stripDecimal(values, 4 * row, type.scale);
        for (let word = 0; word < 4; word++) view.setInt32(at + 2 + 4 * word, stripped[word] as number, true);
        return at + 18;
      };
    case "timestamp":
      return (row, at) => {
        const unit = stripInstant(values[2 * row] as number, values[2 * row + 1] as number, type.unit);
        bytes[at] = KeyTag.timestamp;
        return pair(unit, stripped[0] as number, stripped[1] as number, at + 1);
      };
    default:
      return (row, at) => {
        bytes[at] = KeyTag.date;
        view.setInt32(at + 1, values[row] as number, true);
        return at + 5;
      };
  }
}

function shortWriter(values: ArrayLike<number>): ValueWriter {
  return (row, at) => {
    const value = values[row] as number;
    return pair(KeyTag.integer, value | 0, value < 0 ? -1 : 0, at);
  };
}

function longWriter(words: Int32Array, signed: boolean): ValueWriter {
  return (row, at) => {
    const hi = words[2 * row + 1] as number;
    const tag = signed || hi >= 0 ? KeyTag.integer : KeyTag.largeInteger;
    return pair(tag, words[2 * row] as number, hi, at);
  };
}
