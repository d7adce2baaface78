import { assert } from "../../base/assert.ts";
import { Batch } from "../batch.ts";
import { bytesForBits, orBits, setBits } from "../bits.ts";
import { BytesInterner } from "../bytes-interner.ts";
import {
  type BitColumn,
  type Column,
  type DictionaryColumn,
  type FixedColumn,
  isNull,
  type Validity,
  type VarColumn,
} from "../column.ts";
import { continues } from "../dictionary-growth.ts";
import { elementsPerRow, newFixedValues, newTextBytes } from "../storage.ts";
import { sameType } from "../types.ts";
import { copyBatch } from "./copy.ts";
import { plainText } from "./plain.ts";

/**
 * All rows of the batches, one behind the other, in private memory. The batches have one schema. Event times are kept where any
 * batch has them; rows of the others have none (NaN).
 */
export function concatBatches(batches: readonly Batch[]): Batch {
  const [first] = batches;
  assert(first !== undefined, "at least one batch");
  assert(
    batches.every((batch) => batch.schema.equals(first.schema)),
    "batches of one schema",
  );
  if (batches.length === 1) return copyBatch(first);
  const rowCount = batches.reduce((sum, batch) => sum + batch.rowCount, 0);
  const columns = first.columns.map((_, c) => concatColumns(batches.map((batch) => batch.columns[c] as Column)));
  return new Batch(first.schema, rowCount, columns, concatTimes(batches, rowCount), false);
}

function concatTimes(batches: readonly Batch[], rowCount: number): Float64Array | null {
  if (batches.every((batch) => batch.eventTimes === null)) return null;
  const times = new Float64Array(rowCount).fill(Number.NaN);
  let at = 0;
  for (const batch of batches) {
    if (batch.eventTimes !== null) times.set(batch.eventTimes, at);
    at += batch.rowCount;
  }
  return times;
}

/**
 * Columns of one type as one. Dictionary columns stay so: where dictionaries differ, and one is not just the others grown, their words get new codes by value, because
 * a code means something only with its own dictionary (P-42). One plain text column among them makes the result plain.
 */
export function concatColumns(columns: readonly Column[]): Column {
  const [first] = columns;
  assert(first !== undefined, "at least one column");
  assert(
    columns.every((column) => sameType(column.type, first.type)),
    "columns of one type",
  );
  if (first.encoding === "fixed") return concatFixed(columns as readonly FixedColumn[]);
  if (first.encoding === "bits") return concatBits(columns as readonly BitColumn[]);
  const texts = columns as readonly (VarColumn | DictionaryColumn)[];
  return isAllDictionaries(texts) ? concatDictionaries(texts) : concatTexts(texts.map(asPlain));
}

const isAllDictionaries = (columns: readonly Column[]): columns is readonly DictionaryColumn[] =>
  columns.every((column) => column.encoding === "dictionary");

const asPlain = (column: VarColumn | DictionaryColumn): VarColumn =>
  column.encoding === "dictionary" ? plainText(column) : column;

function common(columns: readonly Column[]) {
  const length = columns.reduce((sum, column) => sum + column.length, 0);
  const nullCount = columns.reduce((sum, column) => sum + column.nullCount, 0);
  const type = (columns[0] as Column).type;
  return { type, length, nullCount, validity: nullCount === 0 ? null : concatValidity(columns, length) };
}

function concatValidity(columns: readonly Column[], length: number): Validity {
  const bits = new Uint8Array(bytesForBits(length));
  let at = 0;
  for (const column of columns) {
    if (column.nullCount === 0 || column.validity === null) setBits(bits, at, column.length);
    else orBits(column.validity, column.length, bits, at);
    at += column.length;
  }
  return { bits, bitOffset: 0 };
}

function concatFixed(columns: readonly FixedColumn[]): FixedColumn {
  const shared = common(columns);
  const values = newFixedValues(shared.type, shared.length);
  let at = 0;
  for (const column of columns) {
    values.set(column.values, at);
    at += column.length * elementsPerRow(column.type);
  }
  return { encoding: "fixed", ...shared, values };
}

function concatBits(columns: readonly BitColumn[]): BitColumn {
  const shared = common(columns);
  const bits = new Uint8Array(bytesForBits(shared.length));
  let at = 0;
  for (const column of columns) {
    orBits(column.values, column.length, bits, at);
    at += column.length;
  }
  return { encoding: "bits", ...shared, values: { bits, bitOffset: 0 } };
}

function concatTexts(columns: readonly VarColumn[]): VarColumn {
  const shared = common(columns);
  const offsets = new Int32Array(shared.length + 1);
  const sizes = columns.map((column) => (column.offsets[column.length] as number) - (column.offsets[0] as number));
  const bytes = newTextBytes(sizes.reduce((sum, size) => sum + size, 0));
  let row = 0;
  let end = 0;
  columns.forEach((column, c) => {
    const base = column.offsets[0] as number;
    for (let i = 1; i <= column.length; i++) offsets[row + i] = (column.offsets[i] as number) - base + end;
    bytes.set(column.bytes.subarray(base, column.offsets[column.length]), end);
    row += column.length;
    end += sizes[c] as number;
  });
  return { encoding: "var", ...shared, offsets, bytes };
}

function concatDictionaries(columns: readonly DictionaryColumn[]): DictionaryColumn {
  const shared = common(columns);
  const codes = new Int32Array(shared.length);
  const { dictionary } = columns.reduce((a, b) => (b.dictionary.length > a.dictionary.length ? b : a));
  if (columns.every((column) => column.dictionary === dictionary || continues(dictionary, column.dictionary))) {
    let at = 0;
    for (const column of columns) {
      codes.set(column.codes, at);
      at += column.length;
    }
    return { encoding: "dictionary", ...shared, codes, dictionary };
  }
  return mergeDictionaries(columns, codes);
}

function mergeDictionaries(columns: readonly DictionaryColumn[], codes: Int32Array): DictionaryColumn {
  const words = new BytesInterner();
  const bits = new Uint8Array(bytesForBits(codes.length));
  let at = 0;
  let nullCount = 0;
  for (const column of columns) {
    const newCodes = internWords(words, column.dictionary);
    for (let row = 0; row < column.length; row++, at++) {
      if (isNull(column, row)) nullCount++;
      else {
        codes[at] = newCodes[column.codes[row] as number] as number;
        bits[at >> 3] = (bits[at >> 3] as number) | (1 << (at & 7));
      }
    }
  }
  const { type } = columns[0] as DictionaryColumn;
  const validity = nullCount === 0 ? null : { bits, bitOffset: 0 };
  return {
    encoding: "dictionary",
    type,
    length: codes.length,
    nullCount,
    validity,
    codes,
    dictionary: words.words(type),
  };
}

/** New code by old code. */
function internWords(words: BytesInterner, dictionary: VarColumn): Int32Array {
  const { offsets, bytes, length } = dictionary;
  const codes = new Int32Array(length);
  for (let code = 0; code < length; code++) {
    if (!isNull(dictionary, code)) {
      codes[code] = words.intern(bytes, offsets[code] as number, offsets[code + 1] as number);
    }
  }
  return codes;
}
