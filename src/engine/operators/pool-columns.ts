import { assert } from "../base/assert.ts";
import { bytesForBits, orBits, setBits } from "../data/bits.ts";
import { BytesInterner } from "../data/bytes-interner.ts";
import {
  type Bits,
  bitAt,
  type Column,
  type DictionaryColumn,
  type FixedValues,
  type Validity,
  type VarColumn,
} from "../data/column.ts";
import { WordNumbers } from "../data/dictionary-growth.ts";
import { plainText } from "../data/kernels/plain.ts";
import { takeColumn } from "../data/kernels/take.ts";
import { elementsPerRow, newFixedValues, newTextBytes } from "../data/storage.ts";
import type { LogicalType } from "../data/types.ts";

/** One column of a pool: rows are appended in place, so that those of many batches lie in one piece of memory, where one loop takes any of them. */
export interface PoolColumn {
  append(column: Column): void;
  /** The rows so far, until the next `append`; the arrays may go on behind them. */
  view(): Column;
  /** Keeps these rows alone, in this order. */
  keep(rows: Int32Array): void;
}

export function poolColumn(type: LogicalType): PoolColumn {
  if (type.kind === "utf8" || type.kind === "binary") return new TextPool(type);
  return type.kind === "boolean" ? new BitPool(type) : new FixedPool(type);
}

const FEWEST = 64;

/** Room for up to so many elements is kept for rows that come, however few stay. */
const MANY = 1 << 16;

/** Room for `needed` elements, where there is some for `now`. */
const roomFor = (needed: number, now: number): number => Math.max(needed, 2 * now, FEWEST);

/** Bits that are appended. */
class PoolBits {
  private bits = new Uint8Array(0);

  private reserve(count: number): void {
    const needed = bytesForBits(count);
    if (needed <= this.bits.length) return;
    const grown = new Uint8Array(roomFor(needed, this.bits.length));
    grown.set(this.bits);
    this.bits = grown;
  }

  append(source: Bits, count: number, at: number): void {
    this.reserve(at + count);
    orBits(source, count, this.bits, at);
  }

  appendOnes(count: number, at: number): void {
    this.reserve(at + count);
    setBits(this.bits, at, count);
  }

  get view(): Bits {
    return { bits: this.bits, bitOffset: 0 };
  }
}

/** Which rows are NULL; takes no memory as long as none is. */
class PoolNulls {
  length = 0;
  nullCount = 0;
  private valid: PoolBits | null = null;

  append({ length, nullCount, validity }: Column): void {
    if (nullCount > 0 && this.valid === null) {
      this.valid = new PoolBits();
      this.valid.appendOnes(this.length, 0);
    }
    if (nullCount > 0 && validity !== null) this.valid?.append(validity, length, this.length);
    else this.valid?.appendOnes(length, this.length);
    this.length += length;
    this.nullCount += nullCount;
  }

  get validity(): Validity {
    return this.nullCount === 0 ? null : (this.valid?.view ?? null);
  }
}

class FixedPool implements PoolColumn {
  private readonly type: LogicalType;
  private nulls = new PoolNulls();
  private values: FixedValues;

  constructor(type: LogicalType) {
    this.type = type;
    this.values = newFixedValues(type, 0);
  }

  append(column: Column): void {
    assert(column.encoding === "fixed", "a column of the pool's type");
    const each = elementsPerRow(this.type);
    const at = this.nulls.length * each;
    const count = column.length * each;
    if (at + count > this.values.length) {
      const grown = newFixedValues(this.type, roomFor(at + count, this.values.length) / each);
      grown.set(this.values.subarray(0, at));
      this.values = grown;
    }
    this.values.set(column.values.length === count ? column.values : column.values.subarray(0, count), at);
    this.nulls.append(column);
  }

  view(): Column {
    const { type, values } = this;
    const { length, nullCount, validity } = this.nulls;
    return { encoding: "fixed", type, length, nullCount, validity, values };
  }

  keep(rows: Int32Array): void {
    const kept = takeColumn(this.view(), rows);
    this.nulls = new PoolNulls();
    if (this.values.length > MANY) this.values = newFixedValues(this.type, 0);
    this.append(kept);
  }
}

class BitPool implements PoolColumn {
  private readonly type: LogicalType;
  private nulls = new PoolNulls();
  private values = new PoolBits();

  constructor(type: LogicalType) {
    this.type = type;
  }

  append(column: Column): void {
    assert(column.encoding === "bits", "a column of the pool's type");
    this.values.append(column.values, column.length, this.nulls.length);
    this.nulls.append(column);
  }

  view(): Column {
    const { length, nullCount, validity } = this.nulls;
    return { encoding: "bits", type: this.type, length, nullCount, validity, values: this.values.view };
  }

  keep(rows: Int32Array): void {
    const kept = takeColumn(this.view(), rows);
    this.nulls = new PoolNulls();
    this.values = new PoolBits();
    this.append(kept);
  }
}

/** Text stays codes of a dictionary as long as nothing else comes. */
class TextPool implements PoolColumn {
  private readonly type: LogicalType;
  private rows: CodePool | PlainPool | null = null;

  constructor(type: LogicalType) {
    this.type = type;
  }

  append(column: Column): void {
    assert(column.encoding === "var" || column.encoding === "dictionary", "a column of the pool's type");
    if (column.encoding === "var") this.plain().append(column);
    else if (column.dictionary.nullCount > 0 || this.rows instanceof PlainPool) this.plain().append(plainText(column));
    else {
      this.rows ??= new CodePool(this.type);
      this.rows.append(column);
    }
  }

  private plain(): PlainPool {
    if (this.rows instanceof PlainPool) return this.rows;
    const plain = new PlainPool(this.type);
    if (this.rows !== null) plain.append(plainText(this.rows.view()));
    this.rows = plain;
    return plain;
  }

  view(): Column {
    return (this.rows ?? this.plain()).view();
  }

  keep(rows: Int32Array): void {
    const kept = takeColumn(this.view(), rows);
    // Words that no row has any more go with the dictionary.
    if (!(this.rows instanceof PlainPool && this.rows.clear())) this.rows = null;
    if (kept.length > 0) this.append(kept);
  }
}

class PlainPool {
  private readonly type: LogicalType;
  private nulls = new PoolNulls();
  private offsets = new Int32Array(FEWEST);
  private bytes = newTextBytes(0);

  constructor(type: LogicalType) {
    this.type = type;
  }

  append(column: VarColumn): void {
    const { length: at } = this.nulls;
    const { length, offsets: from } = column;
    const base = from[0] as number;
    const end = from[length] as number;
    this.reserve(at + length, end - base);
    const { offsets } = this;
    const shift = (offsets[at] as number) - base;
    for (let row = 1; row <= length; row++) offsets[at + row] = (from[row] as number) + shift;
    this.bytes.set(column.bytes.subarray(base, end), base + shift);
    this.nulls.append(column);
  }

  /** Forgets all rows and keeps the memory, if that is not too much. Answers whether it did. */
  clear(): boolean {
    if (this.bytes.length > MANY) return false;
    this.nulls = new PoolNulls();
    return true;
  }

  private reserve(rows: number, bytes: number): void {
    if (rows >= this.offsets.length) {
      const grown = new Int32Array(roomFor(rows + 1, this.offsets.length));
      grown.set(this.offsets);
      this.offsets = grown;
    }
    const used = this.offsets[this.nulls.length] as number;
    if (used + bytes <= this.bytes.length) return;
    const grown = newTextBytes(roomFor(used + bytes, this.bytes.length));
    grown.set(this.bytes.subarray(0, used));
    this.bytes = grown;
  }

  view(): VarColumn {
    const { type, offsets, bytes } = this;
    const { length, nullCount, validity } = this.nulls;
    return { encoding: "var", type, length, nullCount, validity, offsets, bytes };
  }
}

/** Codes of a dictionary of its own, in which the words of all dictionaries that come meet (P-42). */
class CodePool {
  private readonly type: LogicalType;
  private readonly nulls = new PoolNulls();
  private codes = new Int32Array(0);
  private readonly words = new BytesInterner();
  /** By code of a dictionary that came the own code + 1, 0 for words not met yet. */
  private readonly numbers = new WordNumbers();

  constructor(type: LogicalType) {
    this.type = type;
  }

  append(column: DictionaryColumn): void {
    const { length: at } = this.nulls;
    const { length, dictionary } = column;
    if (at + length > this.codes.length) {
      const grown = new Int32Array(roomFor(at + length, this.codes.length));
      grown.set(this.codes.subarray(0, at));
      this.codes = grown;
    }
    const table = this.numbers.of(dictionary);
    const { codes } = this;
    const { offsets, bytes } = dictionary;
    const validity = column.nullCount > 0 ? column.validity : null;
    for (let row = 0; row < length; row++) {
      if (validity !== null && !bitAt(validity, row)) continue;
      const code = column.codes[row] as number;
      let number = table[code] as number;
      if (number === 0) {
        number = this.words.intern(bytes, offsets[code] as number, offsets[code + 1] as number) + 1;
        table[code] = number;
      }
      codes[at + row] = number - 1;
    }
    this.nulls.append(column);
  }

  view(): DictionaryColumn {
    const { type, codes } = this;
    const { length, nullCount, validity } = this.nulls;
    return { encoding: "dictionary", type, length, nullCount, validity, codes, dictionary: this.words.words(type) };
  }
}
