import { assert } from "../../base/assert.ts";
import { bitAt, type Column } from "../../data/column.ts";
import {
  BooleanBuilder,
  type ColumnBuilder,
  DecimalBuilder,
  NumberBuilder,
  TextBuilder,
  WordBuilder,
} from "../../data/column-builder.ts";
import { compareBytes, compareFloats, compareLongs } from "../../data/kernels/compare.ts";
import { grownNumbers, grownWords, newNumbers, newWords } from "../../data/state-arrays.ts";
import { type LogicalType, wordsPerValue } from "../../data/types.ts";

/**
 * One value of a type by slot: for min and max, first and last. None is ever NULL; which slots hold one is known to the owner. Comparisons are by
 * the total order (D-26).
 */
export interface ValueStore {
  reserve(slots: number): void;
  set(slot: number, column: Column, row: number): void;
  /** Slot `into` gets the value of `from`. */
  copy(into: number, from: number): void;
  /** Lets go of what the values of slots `from`…`to` − 1 need beyond their places. */
  clear(from: number, to: number): void;
  /** The value in a column against that in a slot: negative, 0 or positive. */
  compare(column: Column, row: number, slot: number): number;
  compareSlots(a: number, b: number): number;
  append(builder: ColumnBuilder, slot: number): void;
}

export function valueStore(type: LogicalType): ValueStore {
  if (type.kind === "utf8" || type.kind === "binary") return new BytesValues();
  return wordsPerValue(type) > 0 ? new WordValues(type) : new NumberValues();
}

/** Everything that a double holds exactly: integers up to 32 bits, floats, dates, booleans. */
export class NumberValues implements ValueStore {
  values = newNumbers(1);

  reserve(slots: number): void {
    this.values = grownNumbers(this.values, slots);
  }

  set(slot: number, column: Column, row: number): void {
    this.values[slot] = numberAt(column, row);
  }

  copy(into: number, from: number): void {
    this.values[into] = this.values[from] as number;
  }

  clear(): void {}

  compare(column: Column, row: number, slot: number): number {
    return compareFloats(numberAt(column, row), this.values[slot] as number);
  }

  compareSlots(a: number, b: number): number {
    return compareFloats(this.values[a] as number, this.values[b] as number);
  }

  append(builder: ColumnBuilder, slot: number): void {
    const value = this.values[slot] as number;
    if (builder instanceof BooleanBuilder) builder.append(value === 1);
    else if (builder instanceof NumberBuilder) builder.append(value);
  }
}

function numberAt(column: Column, row: number): number {
  if (column.encoding === "bits") return bitAt(column.values, row) ? 1 : 0;
  assert(column.encoding === "fixed", "a column of numbers");
  return column.values[row] as number;
}

/** 64-bit integers, timestamps, decimals. */
export class WordValues implements ValueStore {
  readonly size: number;
  readonly signed: boolean;
  words: Int32Array;

  constructor(type: LogicalType) {
    this.size = wordsPerValue(type);
    this.signed = type.kind !== "int" || type.signed;
    this.words = newWords(this.size);
  }

  reserve(slots: number): void {
    this.words = grownWords(this.words, slots * this.size);
  }

  set(slot: number, column: Column, row: number): void {
    const values = wordsIn(column);
    for (let w = 0; w < this.size; w++) this.words[slot * this.size + w] = values[row * this.size + w] as number;
  }

  copy(into: number, from: number): void {
    this.words.copyWithin(into * this.size, from * this.size, (from + 1) * this.size);
  }

  clear(): void {}

  compare(column: Column, row: number, slot: number): number {
    return this.order(wordsIn(column), row, this.words, slot);
  }

  compareSlots(a: number, b: number): number {
    return this.order(this.words, a, this.words, b);
  }

  private order(x: Int32Array, i: number, y: Int32Array, j: number): number {
    if (this.size === 2) return compareLongs(x, 2 * i, y, 2 * j, this.signed);
    return compareLongs(x, 4 * i + 2, y, 4 * j + 2, true) || compareLongs(x, 4 * i, y, 4 * j, false);
  }

  append(builder: ColumnBuilder, slot: number): void {
    const { words } = this;
    const at = slot * this.size;
    if (builder instanceof WordBuilder) builder.append(words[at] as number, words[at + 1] as number);
    else if (builder instanceof DecimalBuilder) {
      builder.append(words[at] as number, words[at + 1] as number, words[at + 2] as number, words[at + 3] as number);
    }
  }
}

function wordsIn(column: Column): Int32Array {
  assert(column.encoding === "fixed" && column.values instanceof Int32Array, "a column of words");
  return column.values;
}

const NOTHING = new Uint8Array(0);

/** Text and binary. */
class BytesValues implements ValueStore {
  private values: Uint8Array[] = [NOTHING];

  reserve(slots: number): void {
    while (this.values.length < slots) this.values.push(NOTHING);
  }

  set(slot: number, column: Column, row: number): void {
    const { bytes, start, end } = spanAt(column, row);
    this.values[slot] = bytes.slice(start, end);
  }

  copy(into: number, from: number): void {
    this.values[into] = this.values[from] as Uint8Array;
  }

  clear(from: number, to: number): void {
    this.values.fill(NOTHING, from, to);
  }

  compare(column: Column, row: number, slot: number): number {
    const { bytes, start, end } = spanAt(column, row);
    const value = this.values[slot] as Uint8Array;
    return compareBytes(bytes, start, end, value, 0, value.length);
  }

  compareSlots(a: number, b: number): number {
    const x = this.values[a] as Uint8Array;
    const y = this.values[b] as Uint8Array;
    return compareBytes(x, 0, x.length, y, 0, y.length);
  }

  append(builder: ColumnBuilder, slot: number): void {
    if (builder instanceof TextBuilder) builder.appendBytes(this.values[slot] as Uint8Array);
  }
}

interface Span {
  bytes: Uint8Array;
  start: number;
  end: number;
}

const span: Span = { bytes: NOTHING, start: 0, end: 0 };

/** Where the bytes of a row are; the next call uses the answer again. */
function spanAt(column: Column, row: number): Span {
  const words = column.encoding === "dictionary" ? column.dictionary : column;
  const word = column.encoding === "dictionary" ? (column.codes[row] as number) : row;
  assert(words.encoding === "var", "a column of text");
  span.bytes = words.bytes;
  span.start = words.offsets[word] as number;
  span.end = words.offsets[word + 1] as number;
  return span;
}
