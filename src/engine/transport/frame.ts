import { assert } from "../base/assert.ts";
import { Batch } from "../data/batch.ts";
import type { Column, VarColumn } from "../data/column.ts";
import {
  type BufferMemory,
  bufferCount,
  bufferSizes,
  bufferSkews,
  columnOver,
  type Encoding,
  writeBuffers,
} from "../data/column-buffers.ts";
import { copyColumn } from "../data/kernels/copy.ts";
import { sliceColumn } from "../data/kernels/slice.ts";
import type { Schema } from "../data/schema.ts";
import { DictionaryPool } from "./dictionary-seats.ts";
import { LINE_BYTES } from "./ring-layout.ts";

/**
 * Batches as bytes. A frame is a header of 32-bit words and the raw buffers; the schema is known to both sides.
 *
 *     batch:      rows, whether there are event times, 0; per column: encoding and seat, NULLs; per buffer: start, bytes
 *     dictionary: entries, seat, first entry; type, NULLs; per buffer: start, bytes
 *
 * Buffers of a line or more start on a line, smaller ones at a multiple of 8, both skewed as the source is (see
 * `bufferSkews`). Starts count from the beginning of the ring's data area.
 */
const HEADER_WORDS = 3;
const COLUMN_WORDS = 2;
const BUFFER_WORDS = 2;
const MAX_BUFFERS_PER_COLUMN = 3;

const ENCODINGS = ["fixed", "bits", "var", "dictionary"] as const satisfies Encoding[];
const ENCODING_BITS = 2;
const UTF8 = { kind: "utf8" } as const;
const BINARY = { kind: "binary" } as const;

const ENCODING_CODE: Readonly<Record<Encoding, number>> = { fixed: 0, bits: 1, var: 2, dictionary: 3 };

/** Schemas that differ have, but for one chance in four billion, different fingerprints; never 0. */
export function schemaFingerprint(schema: Schema): number {
  let hash = 0x811c9dc5;
  const text = JSON.stringify([schema.names, schema.toString()]);
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash | 0 || 1;
}

/** Measures a frame, then writes it. One object serves an edge for all its batches; it holds the last frame measured. */
export class FrameWriter {
  private readonly memory: BufferMemory;
  private readonly sizes: Int32Array;
  private readonly skews: Int32Array;
  private readonly starts: Int32Array;

  constructor(schema: Schema, memory: BufferMemory) {
    this.memory = memory;
    const buffers = MAX_BUFFERS_PER_COLUMN * Math.max(1, schema.length) + 1;
    this.sizes = new Int32Array(buffers);
    this.skews = new Int32Array(buffers);
    this.starts = new Int32Array(buffers);
  }

  /** Bytes of the frame for these rows. */
  measureBatch(batch: Batch): number {
    let buffers = 0;
    for (const column of batch.columns) {
      bufferSkews(column, this.skews, buffers);
      buffers = bufferSizes(column, this.sizes, buffers);
    }
    if (batch.eventTimes !== null) {
      this.skews[buffers] = 0;
      this.sizes[buffers++] = batch.eventTimes.byteLength;
    }
    return this.place(batch.columns.length, buffers);
  }

  /** Bytes of the frame for a dictionary, or for a part of one. */
  measureDictionary(entries: VarColumn): number {
    bufferSkews(entries, this.skews, 0);
    return this.place(1, bufferSizes(entries, this.sizes, 0));
  }

  /** Writes the batch that was measured last to byte `at`; `seatOf` tells where its dictionaries sit. */
  writeBatch(batch: Batch, at: number, seatOf: (dictionary: VarColumn) => number): void {
    const { words, doubles } = this.memory;
    const { columns, eventTimes } = batch;
    let w = at >> 2;
    words[w] = batch.rowCount;
    words[w + 1] = eventTimes === null ? 0 : 1;
    w += HEADER_WORDS;
    for (const column of columns) {
      const seat = column.encoding === "dictionary" ? seatOf(column.dictionary) : 0;
      words[w] = ENCODING_CODE[column.encoding] | (seat << ENCODING_BITS);
      words[w + 1] = column.nullCount;
      w += COLUMN_WORDS;
    }
    let buffers = 0;
    for (const column of columns) buffers += bufferCount(column.encoding);
    this.writeTable(w, at, eventTimes === null ? buffers : buffers + 1);
    let b = 0;
    for (const column of columns) b = writeBuffers(column, this.memory, this.starts, b);
    if (eventTimes !== null) doubles.set(eventTimes, (this.starts[b] as number) >> 3);
  }

  /** Writes the entries that were measured last: those of a dictionary in `seat` from entry `from` on. */
  writeDictionary(entries: VarColumn, at: number, seat: number, from: number): void {
    const { words } = this.memory;
    const w = at >> 2;
    words[w] = entries.length;
    words[w + 1] = seat;
    words[w + 2] = from;
    words[w + HEADER_WORDS] = ENCODING_CODE.var | ((entries.type.kind === "binary" ? 1 : 0) << ENCODING_BITS);
    words[w + HEADER_WORDS + 1] = entries.nullCount;
    this.writeTable(w + HEADER_WORDS + COLUMN_WORDS, at, MAX_BUFFERS_PER_COLUMN);
    writeBuffers(entries, this.memory, this.starts, 0);
  }

  /** Places the buffers from the beginning of a frame on, and answers the frame's bytes. */
  private place(columns: number, buffers: number): number {
    let end = 4 * (HEADER_WORDS + COLUMN_WORDS * columns + BUFFER_WORDS * buffers);
    for (let b = 0; b < buffers; b++) {
      const size = this.sizes[b] as number;
      const align = size < LINE_BYTES ? 8 : LINE_BYTES;
      const start = ((end + align - 1) & -align) + (this.skews[b] as number);
      this.starts[b] = start;
      end = start + size;
    }
    return end;
  }

  private writeTable(w: number, at: number, buffers: number): void {
    const { words } = this.memory;
    const { starts, sizes } = this;
    for (let b = 0; b < buffers; b++) {
      starts[b] = (starts[b] as number) + at;
      words[w + 2 * b] = starts[b] as number;
      words[w + 2 * b + 1] = sizes[b] as number;
    }
  }
}

/** Reads frames in place. */
export class FrameReader {
  private readonly schema: Schema;
  private readonly memory: BufferMemory;
  private readonly starts: Int32Array;
  private readonly sizes: Int32Array;
  private readonly seats: VarColumn[] = [];
  private readonly pools: DictionaryPool[] = [];

  constructor(schema: Schema, memory: BufferMemory) {
    this.schema = schema;
    this.memory = memory;
    this.starts = new Int32Array(MAX_BUFFERS_PER_COLUMN);
    this.sizes = new Int32Array(MAX_BUFFERS_PER_COLUMN);
  }

  /** The batch at byte `at`, borrowed: its columns are views of the slot. Dictionaries are the reader's own. */
  readBatch(at: number): Batch {
    const { words, bytes } = this.memory;
    const { fields } = this.schema;
    const w = at >> 2;
    const rowCount = words[w] as number;
    let table = w + HEADER_WORDS + COLUMN_WORDS * fields.length;
    const columns = new Array<Column>(fields.length);
    for (let c = 0; c < fields.length; c++) {
      const head = w + HEADER_WORDS + COLUMN_WORDS * c;
      const code = words[head] as number;
      const encoding = ENCODINGS[code & 3] as Encoding;
      table = this.readTable(table, bufferCount(encoding));
      const shape = {
        type: (fields[c] as (typeof fields)[number]).type,
        encoding,
        length: rowCount,
        nullCount: words[head + 1] as number,
        dictionary: encoding === "dictionary" ? this.seats[code >> ENCODING_BITS] : undefined,
      };
      columns[c] = columnOver(shape, bytes, this.starts, this.sizes, 0);
    }
    const eventTimes =
      words[w + 1] === 0 ? null : new Float64Array(bytes.buffer, bytes.byteOffset + (words[table] as number), rowCount);
    return new Batch(this.schema, rowCount, columns, eventTimes, true);
  }

  /** Takes the dictionary at byte `at` over into private memory: it outlives its slot. */
  readDictionary(at: number): void {
    const { words, bytes } = this.memory;
    const w = at >> 2;
    const seat = words[w + 1] as number;
    const from = words[w + 2] as number;
    this.readTable(w + HEADER_WORDS + COLUMN_WORDS, MAX_BUFFERS_PER_COLUMN);
    const head = w + HEADER_WORDS;
    const shape = {
      type: (words[head] as number) >> ENCODING_BITS === 0 ? UTF8 : BINARY,
      encoding: "var",
      length: words[w] as number,
      nullCount: words[head + 1] as number,
    } as const;
    const entries = columnOver(shape, bytes, this.starts, this.sizes, 0) as VarColumn;
    if (from === 0) this.pools[seat] = new DictionaryPool();
    else assert(this.seats[seat]?.length === from, "a dictionary continues the one in its seat");
    this.seats[seat] =
      entries.nullCount > 0 ? (copyColumn(entries) as VarColumn) : (this.pools[seat] as DictionaryPool).append(entries);
  }

  private readTable(table: number, buffers: number): number {
    const { words } = this.memory;
    for (let b = 0; b < buffers; b++) {
      this.starts[b] = words[table + 2 * b] as number;
      this.sizes[b] = words[table + 2 * b + 1] as number;
    }
    return table + BUFFER_WORDS * buffers;
  }
}

/** The entries of a dictionary that its reader lacks. */
export function entriesFrom(dictionary: VarColumn, from: number): VarColumn {
  return from === 0 ? dictionary : (sliceColumn(dictionary, from, dictionary.length) as VarColumn);
}
