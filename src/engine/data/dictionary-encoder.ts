import { bytesForBits } from "./bits.ts";
import { BytesInterner } from "./bytes-interner.ts";
import type { DictionaryColumn } from "./column.ts";
import type { FieldPlaces } from "./storage.ts";
import type { LogicalType } from "./types.ts";

/** A dictionary pays where every word stands for so many rows. */
const ROWS_PER_WORD = 4;
/** After so many rows it has to, … */
const TRIAL_ROWS = 32_768;
/** … and after so many, no more than three of four rows may have brought a new word. */
const FIRST_ROWS = 4096;
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
  /** Rows that the words stand for, without NULLs. */
  private rowsBefore = 0;
  /** Of the open column; −1 is NULL. */
  private codes = new Int32Array(0);
  private rows = 0;
  private nulls = 0;

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
  append(source: Uint8Array, start: number, end: number): void {
    if (this.words !== null) this.codes[this.rows++] = this.words.intern(source, start, end);
  }

  /** As `TextBuilder.appendRun`, which see. */
  appendRun(source: DataView, places: FieldPlaces, from: number, stride: number, count: number, kind: number): number {
    const taken = this.words?.internRun(source, places, from, stride, count, kind, this.codes, this.rows) ?? 0;
    this.rows += taken;
    return taken;
  }

  /** The column; `undefined` where it is to be plain. */
  finish(): DictionaryColumn | undefined {
    const { type, words, rows: length, nulls: nullCount } = this;
    if (words === null) return undefined;
    if (words.size > MAX_WORDS || words.byteLength > MAX_BYTES) {
      this.startAnew(this.rowsBefore >= LASTING_ROWS_PER_WORD * words.size);
      return undefined;
    }
    this.rowsBefore += length - nullCount;
    if (words.size === 0) return undefined;
    if (ROWS_PER_WORD * words.size > this.rowsBefore) {
      if (isHopeless(this.rowsBefore, words.size)) this.startAnew(false);
      return undefined;
    }
    const codes = length === this.codes.length ? this.codes : this.codes.slice(0, length);
    const validity = nullCount === 0 ? null : { bits: validBits(codes), bitOffset: 0 };
    return { encoding: "dictionary", type, length, nullCount, validity, codes, dictionary: words.words(type) };
  }

  private startAnew(pays: boolean): void {
    this.words = pays ? new BytesInterner() : null;
    this.rowsBefore = 0;
  }
}

const isHopeless = (rows: number, words: number): boolean =>
  rows >= TRIAL_ROWS || (rows >= FIRST_ROWS && 4 * words > 3 * rows);

/** Bits of the rows whose code is one; the codes of the others become 0. */
function validBits(codes: Int32Array): Uint8Array {
  const bits = new Uint8Array(bytesForBits(codes.length));
  for (let row = 0; row < codes.length; row++) {
    if ((codes[row] as number) >= 0) bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
    else codes[row] = 0;
  }
  return bits;
}
