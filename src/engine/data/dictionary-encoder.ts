import { bytesForBits } from "./bits.ts";
import { BytesInterner } from "./bytes-interner.ts";
import type { DictionaryColumn } from "./column.ts";
import type { LogicalType } from "./types.ts";

/** A dictionary pays where every word stands for so many rows. */
const ROWS_PER_WORD = 4;
/** After so many rows it has to. */
const TRIAL_ROWS = 32_768;
/** Bounds of a dictionary: with its offsets it is less than a quarter of a ring of 1 MiB, so that edges take it. */
const MAX_WORDS = 16_384;
const MAX_BYTES = 128 << 10;
/** A dictionary that is full is followed by another one if every word of it stood for so many rows. */
const LASTING_ROWS_PER_WORD = 16;

/**
 * Text as dictionary columns as long as that pays, for sources: keys are then hashed and compared once a word instead of once a row, and
 * edges carry codes. All columns share one dictionary, which only grows, until it is full: the same object while no word
 * is added, a longer one over the same buffers after it (`continues`).
 *
 * Text that repeats too little comes out plain, for good once enough rows have shown it. How a column is encoded is no part of its
 * type, so nothing but speed depends on it.
 */
export class DictionaryEncoder {
  private readonly type: LogicalType;
  /** `null`: it does not pay. */
  private words: BytesInterner | null = new BytesInterner();
  /** Rows that the words stand for. */
  private rowsBefore = 0;
  /** Of the open column; −1 is NULL. */
  private codes = new Int32Array(0);
  private rows = 0;
  private nulls = 0;
  private isFull = false;

  constructor(type: LogicalType) {
    this.type = type;
  }

  /** Begins a column of at most `rows` rows, forgetting an open one. False: it is to be plain. */
  begin(rows: number): boolean {
    if (this.words === null) return false;
    this.codes = new Int32Array(rows);
    this.rows = 0;
    this.nulls = 0;
    return true;
  }

  appendNull(): void {
    this.codes[this.rows++] = -1;
    this.nulls++;
  }

  /** Bytes [start, end) of `source`, well-formed UTF-8. */
  append(source: DataView, start: number, end: number): void {
    const { words } = this;
    if (words === null || this.isFull) return;
    this.codes[this.rows++] = words.internIn(source, start, end);
    this.isFull = words.size > MAX_WORDS || words.byteLength > MAX_BYTES;
  }

  /** The column; `undefined` where it is to be plain. */
  finish(): DictionaryColumn | undefined {
    const { type, words, rows: length, nulls: nullCount } = this;
    if (words === null) return undefined;
    if (this.isFull) {
      this.startAnew(this.rowsBefore >= LASTING_ROWS_PER_WORD * words.size);
      return undefined;
    }
    this.rowsBefore += length;
    if (words.size === 0) return undefined;
    if (ROWS_PER_WORD * words.size > this.rowsBefore) {
      if (this.rowsBefore >= TRIAL_ROWS) this.startAnew(false);
      return undefined;
    }
    const codes = length === this.codes.length ? this.codes : this.codes.slice(0, length);
    const validity = nullCount === 0 ? null : { bits: validBits(codes), bitOffset: 0 };
    return { encoding: "dictionary", type, length, nullCount, validity, codes, dictionary: words.words(type) };
  }

  private startAnew(pays: boolean): void {
    this.words = pays ? new BytesInterner() : null;
    this.rowsBefore = 0;
    this.isFull = false;
  }
}

/** Bits of the rows whose code is one; the codes of the others become 0. */
function validBits(codes: Int32Array): Uint8Array {
  const bits = new Uint8Array(bytesForBits(codes.length));
  for (let row = 0; row < codes.length; row++) {
    if ((codes[row] as number) >= 0) bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
    else codes[row] = 0;
  }
  return bits;
}
