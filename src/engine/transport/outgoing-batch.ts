import { assert } from "../base/assert.ts";
import { WeirError } from "../base/errors.ts";
import { Batch } from "../data/batch.ts";
import type { Column, VarColumn } from "../data/column.ts";
import type { BufferMemory } from "../data/column-buffers.ts";
import { plainText } from "../data/kernels/plain.ts";
import { sliceBatch } from "../data/kernels/slice.ts";
import type { Schema } from "../data/schema.ts";
import { DictionarySeats, MAX_DICTIONARY_ENTRIES, type Seating } from "./dictionary-seats.ts";
import { entriesFrom, FrameWriter } from "./frame.ts";
import { MAX_RING_BYTES } from "./ring-layout.ts";

/** The frame that is to be sent next. */
export interface NextFrame {
  readonly cargo: "data" | "dictionary";
  readonly bytes: number;
  /** 0 for a dictionary. */
  readonly rows: number;
}

/**
 * The batch that is on its way over an edge, frame by frame: first the dictionaries that the reader lacks, then the rows,
 * in slices where the whole is larger than half the ring. Only a single row may take more than that, up to the ring.
 */
export class OutgoingBatch {
  private readonly frames: FrameWriter;
  private readonly seats: DictionarySeats;
  private readonly ringBytes: number;
  private readonly edgeName: string;
  private readonly seatOf: (dictionary: VarColumn) => number;

  private source: Batch | null = null;
  /** `source` as it goes over the edge: with dictionaries that are too large made plain. */
  private rows: Batch | null = null;
  private sentRows = 0;
  private untouched = true;
  private piece: Batch | null = null;
  private dictionary: { readonly column: VarColumn; readonly seating: Seating; readonly entries: VarColumn } | null =
    null;
  private nextFrame: NextFrame | null = null;

  constructor(schema: Schema, memory: BufferMemory, edgeName: string) {
    this.frames = new FrameWriter(schema, memory);
    // Twice the columns: what one batch needs never drives out what it needs as well.
    this.seats = new DictionarySeats(Math.max(8, 2 * schema.length));
    this.ringBytes = memory.bytes.length;
    this.edgeName = edgeName;
    this.seatOf = (dictionary) => this.seats.find(dictionary);
  }

  /**
   * The next frame of this batch. A batch of which a frame is written must be offered until all are.
   *
   * @throws WeirError `row-too-large`
   */
  next(batch: Batch): NextFrame {
    if (batch !== this.source) {
      assert(this.untouched, `edge ${this.edgeName}: a batch that is half sent must be offered again`);
      this.source = batch;
      this.rows = this.prepare(batch);
      this.sentRows = 0;
      this.plan(this.rows);
    }
    return this.nextFrame as NextFrame;
  }

  /** Writes the next frame to byte `at` of the ring. */
  write(at: number): void {
    this.untouched = false;
    if (this.dictionary !== null) {
      const { entries, seating } = this.dictionary;
      this.frames.writeDictionary(entries, at, seating.seat, seating.from);
    } else if (this.piece !== null) {
      this.frames.writeBatch(this.piece, at, this.seatOf);
    }
  }

  /** To be called once the frame is published. The frame after it, or null when that was the last one of the batch. */
  advance(): NextFrame | null {
    const { dictionary, piece, rows } = this;
    assert(rows !== null && piece !== null, "there is a batch to go on with");
    if (dictionary !== null) this.seats.sit(dictionary.seating.seat, dictionary.column);
    else this.sentRows += piece.rowCount;
    if (dictionary === null && this.sentRows === rows.rowCount) this.drop();
    else this.plan(rows);
    return this.nextFrame;
  }

  /** Whether some, but not all of a batch's frames are written. */
  get halfSent(): boolean {
    return !this.untouched;
  }

  /** Forgets the batch: it is written, or nobody will read it. */
  drop(): void {
    this.source = null;
    this.rows = null;
    this.piece = null;
    this.dictionary = null;
    this.nextFrame = null;
    this.untouched = true;
  }

  private plan(rows: Batch): void {
    this.piece = rows;
    this.dictionary = this.missingDictionary(rows.columns);
    if (this.dictionary !== null) {
      const bytes = this.frames.measureDictionary(this.dictionary.entries);
      this.nextFrame = { cargo: "dictionary", bytes, rows: 0 };
      return;
    }
    const most = this.ringBytes >> 1;
    let piece = sliceBatch(rows, this.sentRows, rows.rowCount);
    let bytes = this.frames.measureBatch(piece);
    if (bytes > most) {
      piece = sliceBatch(rows, this.sentRows, this.sentRows + this.rowsWithin(piece, bytes, most));
      bytes = this.frames.measureBatch(piece);
      if (bytes > this.ringBytes) this.refuse(bytes);
    }
    this.piece = piece;
    this.nextFrame = { cargo: "data", bytes, rows: piece.rowCount };
  }

  /**
   * How many leading rows make a frame of at most `most` bytes, where all make one of `bytes`; not always all that would fit, and 1 where not
   * even one does. Rows of a column are much alike, so the second or third guess is right.
   */
  private rowsWithin(batch: Batch, bytes: number, most: number): number {
    let rows = batch.rowCount;
    for (let size = bytes; size > most && rows > 1; size = this.frames.measureBatch(sliceBatch(batch, 0, rows))) {
      rows = Math.min(rows - 1, Math.max(1, Math.floor((rows * most) / size)));
    }
    return rows;
  }

  private missingDictionary(columns: readonly Column[]): OutgoingBatch["dictionary"] {
    for (const column of columns) {
      if (column.encoding !== "dictionary" || this.seats.find(column.dictionary) >= 0) continue;
      const seating = this.seats.choose(column.dictionary);
      return { column: column.dictionary, seating, entries: entriesFrom(column.dictionary, seating.from) };
    }
    return null;
  }

  private prepare(batch: Batch): Batch {
    if (!batch.columns.some((column) => this.isUnwieldy(column))) return batch;
    const columns = batch.columns.map((column) =>
      column.encoding === "dictionary" && this.isUnwieldy(column) ? plainText(column) : column,
    );
    return new Batch(batch.schema, batch.rowCount, columns, batch.eventTimes, batch.borrowed);
  }

  /** A dictionary of more than 65,536 entries or a quarter of the ring does not go over an edge. */
  private isUnwieldy(column: Column): boolean {
    if (column.encoding !== "dictionary") return false;
    const { length, offsets } = column.dictionary;
    const bytes = (offsets[length] as number) - (offsets[0] as number) + 4 * (length + 1);
    return length > MAX_DICTIONARY_ENTRIES || bytes > this.ringBytes >> 2;
  }

  private refuse(bytes: number): never {
    const row = this.sentRows + 1;
    this.drop();
    throw new WeirError({
      code: "row-too-large",
      domain: "data",
      edge: this.edgeName,
      row,
      message: `row ${row} of a batch takes ${bytes} bytes on edge ${this.edgeName}, whose ring holds ${this.ringBytes}`,
      hint:
        bytes <= MAX_RING_BYTES
          ? "raise settings.ringBudgetMiB (a ring has up to 4 MiB), or drop the long column before this edge"
          : "no ring has more than 4 MiB: drop the long column before this edge, or run the graph in the lab",
    });
  }
}
