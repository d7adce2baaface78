import { Batch } from "../data/batch.ts";
import type { BitColumn, Column, DictionaryColumn, FixedColumn, VarColumn } from "../data/column.ts";
import { columnBuilder } from "../data/column-builder.ts";
import { Schema } from "../data/schema.ts";
import { newFixedValues } from "../data/storage.ts";
import { encodeUtf8 } from "../data/text.ts";
import { type LogicalType, TYPE_NAMES, typeOf } from "../data/types.ts";

/** Batches for tests, made by plain loops so that the same arguments always give the same rows. */

/** Every type, one nullable column each. */
export const EVERY_TYPE = new Schema(
  [...TYPE_NAMES, "decimal(38,4)"].map((name, i) => ({ name: `c${i}`, type: typeOf(name), nullable: true })),
);

export const TEXT_ONLY = new Schema([{ name: "text", type: typeOf("utf8"), nullable: true }]);

/** The columns that benchmarks move: text, int64, float64. */
export const KEY_TIME_VALUE = new Schema([
  { name: "k", type: typeOf("utf8"), nullable: false },
  { name: "ts", type: typeOf("int64"), nullable: false },
  { name: "v", type: typeOf("float64"), nullable: false },
]);

/** ASCII, umlauts, surrogate pairs, combining marks, NUL, a byte order mark, quotes, line ends, nothing at all. */
export const TEXTS: readonly string[] = [
  "",
  "a",
  "plain ascii, long enough to be no short string at all: 0123456789",
  "Grüße, Zoë",
  "日本語テキスト",
  "👩‍👩‍👧‍👦 and 🏴󠁧󠁢󠁳󠁣󠁴󠁿",
  "e\u0301 is not \u00e9",
  "nul \u0000 inside",
  "\ufeffbyte order mark",
  'quote " comma , line\r\nend\n',
  "\u{10ffff}",
];

/** `rows` rows of every type; every `nullEvery`-th value of a column is NULL (0: none), shifted from column to column. */
export function everyTypeBatch(rows: number, seed = 0, nullEvery = 3): Batch {
  const columns = EVERY_TYPE.fields.map(({ type }, c) => sampleColumn(type, rows, seed + c, nullEvery));
  return new Batch(EVERY_TYPE, rows, columns, sampleTimes(rows, seed));
}

/** Whole milliseconds, the fifth of every seven rows without. */
export function sampleTimes(rows: number, seed: number): Float64Array {
  return Float64Array.from({ length: rows }, (_, row) =>
    row % 7 === 4 ? Number.NaN : 1_700_000_000_000 + 13 * row + seed,
  );
}

export function textColumn(texts: readonly (string | null)[], type: LogicalType = typeOf("utf8")): VarColumn {
  const builder = columnBuilder(type, texts.length);
  if (builder.kind !== "text") throw new TypeError("text is utf8 or binary");
  for (const text of texts) {
    if (text === null) builder.appendNull();
    else builder.appendBytes(encodeUtf8(text));
  }
  return builder.finish();
}

export function textBatch(texts: readonly (string | null)[]): Batch {
  return new Batch(TEXT_ONLY, texts.length, [textColumn(texts)]);
}

export function dictionaryBatch(codes: readonly number[], dictionary: VarColumn): Batch {
  return new Batch(TEXT_ONLY, codes.length, [dictionaryColumn(codes, dictionary)]);
}

export function dictionaryColumn(codes: readonly number[], dictionary: VarColumn): DictionaryColumn {
  return {
    encoding: "dictionary",
    type: dictionary.type,
    length: codes.length,
    nullCount: 0,
    validity: null,
    codes: Int32Array.from(codes),
    dictionary,
  };
}

/** A batch of `KEY_TIME_VALUE`: keys of 4 to 12 letters out of a thousand. */
export function keyTimeValueBatch(rows: number, seed: number): Batch {
  const keys = textColumn(Array.from({ length: rows }, (_, row) => keyWord(scatter(row, seed) % 1000)));
  const times = new Int32Array(2 * rows);
  const values = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    const time = 1_700_000_000_000 + Math.floor(row / 100);
    times[2 * row] = (time % 2 ** 32) | 0;
    times[2 * row + 1] = Math.floor(time / 2 ** 32);
    values[row] = scatter(row, seed + 1) / 2 ** 32;
  }
  const plain = { length: rows, nullCount: 0, validity: null } as const;
  return new Batch(KEY_TIME_VALUE, rows, [
    keys,
    { encoding: "fixed", type: typeOf("int64"), ...plain, values: times },
    { encoding: "fixed", type: typeOf("float64"), ...plain, values },
  ]);
}

function keyWord(number: number): string {
  return `${number.toString(36).padStart(4, "k")}${"abcdefgh".slice(0, number % 9)}`;
}

/** A 32-bit number that looks random and is the same every time. */
function scatter(row: number, seed: number): number {
  let hash = Math.imul(row + 1, 0x9e3779b1) ^ Math.imul(seed + 7, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
}

function sampleColumn(type: LogicalType, rows: number, seed: number, nullEvery: number): Column {
  const isNullRow = (row: number): boolean => nullEvery > 0 && (row + seed) % nullEvery === 0;
  if (type.kind === "utf8" || type.kind === "binary") {
    const texts = Array.from({ length: rows }, (_, row) =>
      isNullRow(row) ? null : (TEXTS[(row * 5 + seed) % TEXTS.length] as string),
    );
    return textColumn(texts, type);
  }
  const nulls = nullBits(rows, isNullRow);
  const common = { type, length: rows, ...nulls };
  return type.kind === "boolean" ? booleans(common, rows, seed) : numbers(common, rows, seed);
}

type Common = Pick<FixedColumn, "type" | "length" | "nullCount" | "validity">;

function booleans(common: Common, rows: number, seed: number): BitColumn {
  const bits = new Uint8Array((rows + 7) >> 3);
  for (let row = 0; row < rows; row++)
    if (scatter(row, seed) % 2 === 1) bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
  return { encoding: "bits", ...common, values: { bits, bitOffset: 0 } };
}

/** Every pattern of bits that an integer can have; for floats also NaN, −0 and the infinities. */
function numbers(common: Common, rows: number, seed: number): FixedColumn {
  const values = newFixedValues(common.type, rows);
  const special = common.type.kind === "float" ? [Number.NaN, -0, Number.POSITIVE_INFINITY, Number.MIN_VALUE] : [];
  for (let i = 0; i < values.length; i++) values[i] = special[i % 9] ?? scatter(i, seed) - 2 ** 31;
  return { encoding: "fixed", ...common, values };
}

function nullBits(rows: number, isNullRow: (row: number) => boolean): Pick<FixedColumn, "nullCount" | "validity"> {
  const bits = new Uint8Array((rows + 7) >> 3).fill(0xff);
  let nullCount = 0;
  for (let row = 0; row < rows; row++) {
    if (!isNullRow(row)) continue;
    nullCount++;
    bits[row >> 3] = (bits[row >> 3] as number) & ~(1 << (row & 7));
  }
  return { nullCount, validity: nullCount === 0 ? null : { bits, bitOffset: 0 } };
}
