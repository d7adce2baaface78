import type { FileMetaData, RowGroup } from "hyparquet";
import { ByteWriter } from "hyparquet-writer/src/bytewriter.js";
import { writeMetadata } from "hyparquet-writer/src/metadata.js";
import { assert } from "../base/assert.ts";
import { Batch } from "../data/batch.ts";
import { concatBatches } from "../data/kernels/concat.ts";
import { retain } from "../data/kernels/copy.ts";
import { sliceBatch } from "../data/kernels/slice.ts";
import type { Schema } from "../data/schema.ts";
import type { BatchEncoder } from "./batch-encoder.ts";
import { ColumnWriter } from "./parquet/column-writer.ts";
import type { Compression } from "./parquet/compressors.ts";

export interface ParquetWriteOptions {
  readonly compression: "snappy" | "gzip" | "none";
  /** A row group has no more rows. */
  readonly rowGroupRows: number;
}

const CODECS = { snappy: "SNAPPY", gzip: "GZIP", none: "UNCOMPRESSED" } as const satisfies Record<string, Compression>;
/** Small batches are joined up to this many rows a page. */
const PAGE_ROWS = 8192;
/** A row group ends early when its pages have this many bytes. */
const GROUP_BYTES = 64 << 20;
const MAGIC = Uint8Array.of(0x50, 0x41, 0x52, 0x31);

/**
 * A Parquet file: a row group is written when it is full, so no more than one is in memory. Read back, it has the same values in the same
 * types, but for seconds, which become milliseconds. A file that was not ended cannot be read: its footer comes last.
 */
export class ParquetEncoder implements BatchEncoder {
  private readonly schema: Schema;
  private readonly rowGroupRows: number;
  private readonly columns: readonly ColumnWriter[];
  private readonly groups: RowGroup[] = [];
  /** Batches that are to be a page, and their rows. */
  private pending: Batch[] = [];
  private pendingRows = 0;
  private groupRows = 0;
  /** Bytes written so far. */
  private offset = 0;

  constructor(schema: Schema, options: ParquetWriteOptions) {
    this.schema = schema;
    this.rowGroupRows = options.rowGroupRows;
    this.columns = schema.fields.map((field) => new ColumnWriter(field, CODECS[options.compression]));
  }

  start(): Uint8Array {
    this.offset = MAGIC.length;
    return MAGIC.slice();
  }

  encode(batch: Batch): Uint8Array {
    assert(batch.schema.equals(this.schema), "a batch of the schema that the file was begun with");
    const kept = retain(batch);
    const groups: Uint8Array[] = [];
    for (let from = 0; from < kept.rowCount; ) {
      const to = Math.min(kept.rowCount, from + this.rowGroupRows - this.groupRows - this.pendingRows);
      const rows = sliceBatch(kept, from, to);
      this.pending.push(new Batch(this.schema, to - from, rows.columns));
      this.pendingRows += to - from;
      from = to;
      if (this.groupRows + this.pendingRows === this.rowGroupRows) groups.push(this.closeGroup());
      else if (this.pendingRows >= PAGE_ROWS) groups.push(this.closePage());
    }
    return joined(groups);
  }

  end(): Uint8Array {
    const last = this.closeGroup();
    const writer = new ByteWriter();
    writeMetadata(writer, this.metadata());
    return joined([last, writer.getBytes(), MAGIC]);
  }

  /** The group's bytes where they are enough. */
  private closePage(): Uint8Array {
    this.writePages();
    const bytes = this.columns.reduce((sum, column) => sum + column.byteLength, 0);
    return bytes < GROUP_BYTES ? new Uint8Array(0) : this.closeGroup();
  }

  private writePages(): void {
    if (this.pendingRows === 0) return;
    const { columns } = concatBatches(this.pending);
    this.columns.forEach((column, c) => {
      const rows = columns[c];
      if (rows !== undefined) column.write(rows);
    });
    this.groupRows += this.pendingRows;
    this.pending = [];
    this.pendingRows = 0;
  }

  private closeGroup(): Uint8Array {
    this.writePages();
    if (this.groupRows === 0) return new Uint8Array(0);
    const pieces: Uint8Array[] = [];
    let plain = 0n;
    const chunks = this.columns.map((column) => {
      const found = column.finish(this.offset);
      for (const piece of found.pieces) {
        pieces.push(piece);
        this.offset += piece.length;
      }
      plain += found.chunk.meta_data?.total_uncompressed_size ?? 0n;
      return found.chunk;
    });
    this.groups.push({ columns: chunks, total_byte_size: plain, num_rows: BigInt(this.groupRows) });
    this.groupRows = 0;
    return joined(pieces);
  }

  private metadata(): FileMetaData {
    const root = { name: "weir", num_children: this.schema.length };
    return {
      version: 2,
      schema: [root, ...this.columns.map(({ element }) => element)],
      num_rows: this.groups.reduce((sum, { num_rows: rows }) => sum + rows, 0n),
      row_groups: this.groups,
      metadata_length: 0,
      created_by: "weir",
    };
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
