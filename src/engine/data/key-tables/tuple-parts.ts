import { assert } from "../../base/assert.ts";
import { bytesForBits, countOnes } from "../bits.ts";
import { bitAt, type Column, type Validity } from "../column.ts";
import { grownWords, newWords } from "../state-arrays.ts";
import { newFixedValues } from "../storage.ts";
import { type LogicalType, wordsPerValue } from "../types.ts";
import { wordsOf } from "./integer-keys.ts";
import type { KeyTable } from "./key-table.ts";

/** Records of so many words each, one behind the other; the first word of each has a bit for each whole number that is NULL. */
export interface Records {
  readonly words: Int32Array;
  readonly width: number;
  readonly count: number;
}

/** What a column has in the records of keys. */
export interface KeyPart {
  /** How many. */
  readonly words: number;
  /** Puts the values of the first rows of a column into as many records. One that is not there and is not to be is one that no key has. */
  write(column: Column, rows: Records, grow: boolean): void;
  /** The values of these records. */
  column(words: Int32Array, width: number, ids: Int32Array): Column;
  /** There are only these records from now on, which it may change. */
  keep(records: Records): void;
  release(): void;
}

/** Whole numbers, dates or timestamps, by their 64 bits. */
export class IntegerPart implements KeyPart {
  readonly words = 2;
  private readonly type: LogicalType;
  private readonly at: number;
  private readonly bit: number;
  private hasNulls = false;

  /**
   * @param at its place in a record
   * @param bit of a record's first word, for NULL
   */
  constructor(type: LogicalType, at: number, bit: number) {
    this.type = type;
    this.at = at;
    this.bit = bit;
  }

  write(column: Column, { words, width, count }: Records): void {
    assert(column.encoding === "fixed", "a column of whole numbers");
    const values = wordsOf(column, count);
    const { at, bit } = this;
    spreadPairs(values, count, words, width, at);
    const { validity } = column;
    if (validity === null) return;
    for (let row = 0, first = 0; row < count; row++, first += width) {
      if (bitAt(validity, row)) continue;
      this.hasNulls = true;
      words[first] = (words[first] as number) | bit;
      words[first + at] = 0;
      words[first + at + 1] = 0;
    }
  }

  column(words: Int32Array, width: number, ids: Int32Array): Column {
    const { type, at } = this;
    const { length } = ids;
    const values = newFixedValues(type, length);
    if (wordsPerValue(type) === 2) pairsAt(words, width, at, ids, values as Int32Array);
    else for (let i = 0; i < length; i++) values[i] = words[(ids[i] as number) * width + at] as number;
    const validity = this.hasNulls ? this.validity(words, width, ids) : null;
    const nullCount = validity === null ? 0 : length - countOnes(validity.bits, 0, length);
    return { encoding: "fixed", type, length, nullCount, validity: nullCount === 0 ? null : validity, values };
  }

  private validity(words: Int32Array, width: number, ids: Int32Array): NonNullable<Validity> {
    const bits = new Uint8Array(bytesForBits(ids.length));
    for (let i = 0; i < ids.length; i++) {
      const isNull = ((words[(ids[i] as number) * width] as number) & this.bit) !== 0;
      if (!isNull) bits[i >> 3] = (bits[i >> 3] as number) | (1 << (i & 7));
    }
    return { bits, bitOffset: 0 };
  }

  keep(): void {}

  release(): void {}
}

// Loops of their own, which see one kind of array each.

function spreadPairs(values: Int32Array, count: number, out: Int32Array, width: number, at: number): void {
  for (let row = 0, to = at; row < count; row++, to += width) {
    out[to] = values[2 * row] as number;
    out[to + 1] = values[2 * row + 1] as number;
  }
}

function pairsAt(words: Int32Array, width: number, at: number, ids: Int32Array, out: Int32Array): void {
  for (let i = 0; i < ids.length; i++) {
    const from = (ids[i] as number) * width + at;
    out[2 * i] = words[from] as number;
    out[2 * i + 1] = words[from + 1] as number;
  }
}

/** Words are forgotten when most have no key any more, but not for a few. */
const FEW_WORDS = 1024;

/** Numbers of the rows' texts, of any part. */
let numbers = newWords(1);

/** Text, by the numbers of a table of its own. */
export class TextPart implements KeyPart {
  readonly words = 1;
  private readonly table: KeyTable;
  private readonly at: number;

  constructor(table: KeyTable, at: number) {
    this.table = table;
    this.at = at;
  }

  write(column: Column, { words, width, count }: Records, grow: boolean): void {
    if (numbers.length < count) numbers = grownWords(numbers, count);
    this.table.idsOf([column], count, numbers, grow);
    for (let row = 0, to = this.at; row < count; row++, to += width) words[to] = numbers[row] as number;
  }

  column(words: Int32Array, width: number, ids: Int32Array): Column {
    const found = new Int32Array(ids.length);
    for (let i = 0; i < ids.length; i++) found[i] = words[(ids[i] as number) * width + this.at] as number;
    return this.table.columns(found)[0] as Column;
  }

  keep({ words, width, count }: Records): void {
    const { size } = this.table;
    if (size <= FEW_WORDS || size <= 2 * count) return;
    const places = new Int32Array(size).fill(-1);
    const live = new Int32Array(count);
    let found = 0;
    for (let i = 0, at = this.at; i < count; i++, at += width) {
      const number = words[at] as number;
      if (places[number] === -1) {
        live[found] = number;
        places[number] = found++;
      }
      words[at] = places[number] as number;
    }
    this.table.keep(live.subarray(0, found));
  }

  release(): void {
    this.table.release?.();
  }
}
