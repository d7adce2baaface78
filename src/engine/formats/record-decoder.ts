import { WeirError } from "../base/errors.ts";
import { Batch } from "../data/batch.ts";
import type { Schema } from "../data/schema.ts";
import { isUtf8 } from "../data/text.ts";
import type { BadRow } from "./bad-rows.ts";
import type { BlockParser } from "./block-parser.ts";
import { blockCapacity, FieldBlock } from "./field-block.ts";

/** Where a record begins. Counts what came before it: `offset` bytes, `records` records, and `line − 1` lines. */
export interface RecordPlace {
  readonly records: number;
  readonly offset: number;
  readonly line: number;
}

export const START: RecordPlace = { records: 0, offset: 0, line: 1 };

/** Some records of a file: rows of those that fit, and the others. */
export interface DecodedRows {
  readonly batch: Batch;
  readonly bad: readonly BadRow[];
  /** Place of the first record behind these: where a restore goes on (P-18). */
  readonly next: RecordPlace;
}

/** Finds records in bytes: `CsvScanner`, `NdjsonScanner`. */
export interface RecordScanner {
  /** Line of the next record. */
  readonly nextLine: number;
  scan(block: FieldBlock, at: number, end: number, last: boolean): number;
}

export interface RecordDecoderOptions {
  /** Columns of the batches, the rescue column included. */
  readonly schema: Schema;
  /** Fields that the scanner sets. */
  readonly width: number;
  readonly scanner: RecordScanner;
  readonly parser: BlockParser;
  readonly batchRows: number;
  /** Place of the first byte that will be pushed. */
  readonly start: RecordPlace;
  /** For messages. */
  readonly file: string;
}

/** A batch ends early when its records have this many bytes. */
const BATCH_BYTES = 4 << 20;
/** One record may have this many bytes; an unclosed quote would otherwise take all memory. */
const MAX_RECORD_BYTES = 64 << 20;

/**
 * Bytes in pieces of any size in, batches out. What comes out does not depend on the pieces (D-40): a batch ends after
 * `batchRows` records or with the record that brings its bytes to 4 MiB, and at the end.
 *
 * A record that is not whole is read again from its start when more bytes are there; while it is long that waits until its bytes
 * have doubled, so that the work stays linear.
 */
export class RecordDecoder {
  private readonly options: RecordDecoderOptions;
  private readonly block: FieldBlock;
  private buffer = new Uint8Array(0);
  private length = 0;
  /** Of the record to be read next. */
  private at = 0;
  /** Offset in the file of the buffer's first byte. */
  private bufferOffset: number;
  private records: number;
  /** The scanner found no whole record in fewer bytes than this. */
  private wanted = 0;
  private ended = false;

  constructor(options: RecordDecoderOptions) {
    this.options = options;
    this.block = new FieldBlock(options.width, blockCapacity(options.width, options.batchRows));
    this.bufferOffset = options.start.offset;
    this.records = options.start.records;
  }

  /** More bytes, which are copied. */
  push(bytes: Uint8Array): void {
    if (this.length + bytes.length > this.buffer.length) this.makeRoom(bytes.length);
    this.buffer.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Moves what is still needed to the front, into a larger buffer where it fills more than half of this one. */
  private makeRoom(count: number): void {
    const { block, buffer } = this;
    const start = block.records > 0 ? (block.recordStarts[0] as number) : this.at;
    const needed = this.length - start + count;
    if (2 * needed > buffer.length) {
      this.buffer = new Uint8Array(2 * needed);
      this.buffer.set(buffer.subarray(start, this.length));
    } else {
      buffer.copyWithin(0, start, this.length);
    }
    block.shift(start);
    this.length -= start;
    this.at -= start;
    this.wanted -= start;
    this.bufferOffset += start;
  }

  /** No more bytes will come. */
  end(): void {
    this.ended = true;
  }

  /** Ended, and every record was given out. */
  get finished(): boolean {
    return this.ended && this.at === this.length && this.block.records === 0;
  }

  /**
   * The next batch; `undefined` when it takes more bytes, or when all is `finished`.
   * @throws WeirError `record-too-large`
   */
  next(): DecodedRows | undefined {
    const { block } = this;
    block.bytes = this.buffer;
    while (!this.isFull()) {
      if (!this.scanRecord()) break;
    }
    const isDone = this.isFull() || (this.ended && this.at === this.length);
    return isDone && block.records > 0 ? this.take() : undefined;
  }

  /** What was read so far, also where it fills no batch: for a source that must not wait for more. */
  flush(): DecodedRows | undefined {
    return this.next() ?? (this.block.records > 0 ? this.take() : undefined);
  }

  private isFull(): boolean {
    const { records, capacity, recordStarts } = this.block;
    return records === capacity || (records > 0 && this.at - (recordStarts[0] as number) >= BATCH_BYTES);
  }

  private scanRecord(): boolean {
    const { at, length, ended } = this;
    if (at === length || (length < this.wanted && !ended)) return false;
    const next = this.options.scanner.scan(this.block, at, length, ended);
    const size = (next < 0 ? length : next) - at;
    if (size > MAX_RECORD_BYTES) throw this.tooLarge(next);
    if (next < 0) {
      this.wanted = at + Math.min(2 * size, MAX_RECORD_BYTES + 1);
      return false;
    }
    this.at = next;
    return true;
  }

  private take(): DecodedRows {
    const { block, options } = this;
    // Then every field is, because fields begin and end beside ASCII.
    block.isWellFormed = isUtf8(this.buffer, block.recordStarts[0] as number, this.at);
    const { rowCount, columns, bad } = options.parser.parse(block, this.records);
    this.records += block.records;
    block.reset();
    return { batch: new Batch(options.schema, rowCount, columns), bad, next: this.place };
  }

  private get place(): RecordPlace {
    return { records: this.records, offset: this.bufferOffset + this.at, line: this.options.scanner.nextLine };
  }

  private tooLarge(next: number): WeirError {
    const { block } = this;
    const line = next < 0 ? this.options.scanner.nextLine : block.lines[block.records - 1];
    return new WeirError({
      code: "record-too-large",
      domain: "data",
      file: this.options.file,
      line,
      message: `a record has more than ${MAX_RECORD_BYTES >> 20} MiB`,
      hint: "look for a quote or a line end that is missing",
    });
  }
}
