import { bytesForBits } from "./bits.ts";
import { BytesInterner } from "./bytes-interner.ts";
import type { DictionaryColumn, VarColumn } from "./column.ts";
import { TextBuilder } from "./column-builder.ts";
import { encodeInto } from "./text.ts";
import type { LogicalType } from "./types.ts";

/** Beyond this many words a dictionary is no help, and goes over no edge. */
const MAX_WORDS = 65_536;
/** Rows after which the share of new words is judged. */
const TRIAL_ROWS = 512;

/**
 * Text as dictionary columns, for sources: keys are then hashed and compared once a word instead of once a row. All batches of
 * the builder share one dictionary, which only grows. Text that repeats too little (more than one word for every two rows, or too
 * many words) comes out plain from then on.
 */
export class DictionaryBuilder {
  readonly kind = "dictionary";
  readonly type: LogicalType;
  private readonly words = new BytesInterner();
  private readonly plain: TextBuilder;
  private codes: Int32Array;
  /** Rows of the open batch while it is dictionary-encoded; −1 stands for NULL. */
  private rows = 0;
  private nulls = 0;
  private rowsBefore = 0;
  private isPlain = false;
  private scratch = new Uint8Array(256);
  private partial = 0;

  constructor(type: LogicalType, capacity = 1024) {
    this.type = type;
    this.plain = new TextBuilder(type, 8);
    this.codes = new Int32Array(Math.max(capacity, 8));
  }

  get length(): number {
    return this.isPlain ? this.plain.length : this.rows;
  }

  appendNull(): void {
    if (this.isPlain) this.plain.appendNull();
    else {
      this.nulls++;
      this.code(-1);
    }
  }

  appendString(text: string): void {
    if (this.isPlain) this.plain.appendString(text);
    else {
      this.room(3 * text.length);
      this.word(this.scratch, 0, encodeInto(text, this.scratch, 0));
    }
  }

  /** Bytes [start, end) of `source`, well-formed UTF-8, behind the parts of this row that came before. */
  appendBytes(source: Uint8Array, start = 0, end = source.length): void {
    if (this.isPlain) this.plain.appendBytes(source, start, end);
    else if (this.partial === 0) this.word(source, start, end);
    else {
      this.part(source, start, end);
      const length = this.partial;
      this.partial = 0;
      this.word(this.scratch, 0, length);
    }
  }

  /** Some bytes of the row that the next `appendBytes` completes. */
  part(source: Uint8Array, start: number, end: number): void {
    if (this.isPlain) this.plain.part(source, start, end);
    else {
      this.room(this.partial + end - start);
      this.scratch.set(source.subarray(start, end), this.partial);
      this.partial += end - start;
    }
  }

  /** Forgets the rows from `length` on; their words stay in the dictionary. */
  truncate(length: number): void {
    this.partial = 0;
    this.plain.truncate(length);
    for (let row = length; row < this.rows; row++) if ((this.codes[row] as number) < 0) this.nulls--;
    this.rows = Math.min(this.rows, length);
  }

  finish(): DictionaryColumn | VarColumn {
    const seen = this.rowsBefore + this.rows;
    if (!this.isPlain && seen >= TRIAL_ROWS && this.words.size * 2 > seen) this.becomePlain();
    if (this.isPlain) return this.plain.finish();
    const { type, rows: length, nulls: nullCount } = this;
    const codes = this.codes.slice(0, length);
    const validity = nullCount === 0 ? null : { bits: validBits(codes), bitOffset: 0 };
    this.rowsBefore += length;
    this.rows = 0;
    this.nulls = 0;
    return { encoding: "dictionary", type, length, nullCount, validity, codes, dictionary: this.words.words(type) };
  }

  private room(bytes: number): void {
    if (bytes <= this.scratch.length) return;
    const grown = new Uint8Array(2 * bytes);
    grown.set(this.scratch);
    this.scratch = grown;
  }

  private word(source: Uint8Array, start: number, end: number): void {
    if (this.words.size >= MAX_WORDS && this.words.find(source, start, end) < 0) {
      this.becomePlain();
      this.plain.appendBytes(source, start, end);
    } else this.code(this.words.intern(source, start, end));
  }

  private code(code: number): void {
    if (this.rows === this.codes.length) {
      const grown = new Int32Array(2 * this.rows);
      grown.set(this.codes);
      this.codes = grown;
    }
    this.codes[this.rows] = code;
    this.rows++;
  }

  private becomePlain(): void {
    const { offsets, bytes } = this.words.words(this.type);
    for (let row = 0; row < this.rows; row++) {
      const code = this.codes[row] as number;
      if (code < 0) this.plain.appendNull();
      else this.plain.appendBytes(bytes, offsets[code], offsets[code + 1]);
    }
    this.isPlain = true;
    this.rows = 0;
    this.nulls = 0;
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
