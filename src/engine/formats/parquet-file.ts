import { errorText, WeirError } from "../base/errors.ts";
import type { ReadableFile } from "../base/files.ts";
import { Batch } from "../data/batch.ts";
import type { Column } from "../data/column.ts";
import { nullColumn } from "../data/column-builder.ts";
import type { Field, Schema } from "../data/schema.ts";
import { typeOf } from "../data/types.ts";
import { refuseNulls, refuseOtherColumns } from "./asked-columns.ts";
import { rescueSchema } from "./bad-rows.ts";
import type { BatchReader, ReadResult } from "./batch-reader.ts";
import { decompressorOf } from "./parquet/codecs.ts";
import { type ChunkBytes, ColumnCursor } from "./parquet/column-cursor.ts";
import {
  damaged,
  type Footer,
  type Group,
  type ParquetColumn,
  readFooter,
  schemaOfFooter,
  unreadableCodec,
} from "./parquet/footer.ts";
import type { RecordPlace } from "./record-decoder.ts";

/**
 * Columns of a Parquet file.
 * @throws WeirError `wrong-format`, `file-empty`, `file-damaged`, `file-encrypted`, `file-needed`, `unsupported-type`, `duplicate-columns`
 */
export async function readParquetSchema(file: ReadableFile): Promise<Schema> {
  return schemaOfFooter(await readFooter(file), file.name);
}

export interface ParquetReaderOptions {
  /** Columns that are wanted, in their order; their types must be those of the file. */
  readonly schema: Schema;
  readonly extraFields: "refuse" | "ignore";
  readonly batchRows: number;
  readonly rescueColumn?: string | undefined;
  readonly from?: RecordPlace | undefined;
  /** Something that is no error, but that the person should know. */
  readonly note?: ((message: string) => void) | undefined;
}

/**
 * Opens a Parquet file. In memory are the bytes of the wanted columns of one row group, as they lie in the file, and one decoded page of
 * each. Text that repeats stays dictionary-encoded, with one dictionary a row group (P-42).
 *
 * A place counts rows, from which its row group and the row in it follow, because the footer says how many rows each has.
 * @throws WeirError as `readParquetSchema`, and `schema-mismatch`, `unsupported-codec`, `file-changed`
 */
export async function openParquetReader(file: ReadableFile, options: ParquetReaderOptions): Promise<BatchReader> {
  const footer = await readFooter(file);
  const columns = wantedColumns(footer, file.name, options);
  for (const { name, note } of columns) {
    if (note !== undefined) options.note?.(`the column ${JSON.stringify(name)} is ${note}`);
  }
  for (const { chunks } of footer.groups) {
    for (const { leaf } of columns) {
      const codec = chunks[leaf]?.codec ?? "unknown";
      if (decompressorOf(codec) === undefined) throw unreadableCodec(file.name, codec);
    }
  }
  const records = options.from?.records ?? 0;
  if (records > footer.rows) {
    throw new WeirError({
      code: "file-changed",
      domain: "data",
      file: file.name,
      message: `the file has ${footer.rows} rows, and reading is to go on behind row ${records}`,
      hint: "put back the file that the checkpoint was taken with, or start without the checkpoint",
    });
  }
  return new ParquetReader(file, footer, columns, options);
}

function wantedColumns(footer: Footer, file: string, options: ParquetReaderOptions): ParquetColumn[] {
  const { schema, extraFields } = options;
  const asked = schema.names.filter((name) => footer.refused.has(name));
  if (asked.length > 0 || (extraFields === "refuse" && footer.refused.size > 0)) schemaOfFooter(footer, file);
  const found = schemaOfFooter({ ...footer, refused: new Map() }, file);
  refuseOtherColumns(found, options, file);
  return schema.names.map((name) => footer.columns[found.indexOf(name)] as ParquetColumn);
}

/** The bytes of a row group on their way: what came of them, once `ready` has settled. They are shared by all who wait. */
interface Fetching {
  readonly ready: Promise<void>;
  outcome(): Outcome | undefined;
}

type Outcome =
  | { readonly kind: "chunks"; readonly chunks: readonly ChunkBytes[] }
  | { readonly kind: "failed"; readonly error: WeirError };

/** The outcome is kept where a keyframe of the lab, which copies what it reaches, shares it. */
function startFetching(file: ReadableFile, columns: readonly ParquetColumn[], group: Group): Fetching {
  let outcome: Outcome | undefined;
  const ready = readChunks(file, columns, group).then(
    (chunks) => {
      outcome = { kind: "chunks", chunks };
    },
    (error: unknown) => {
      outcome = { kind: "failed", error: faultOf(error, file.name) };
    },
  );
  return { ready, outcome: () => outcome };
}

async function readChunks(file: ReadableFile, columns: readonly ParquetColumn[], group: Group): Promise<ChunkBytes[]> {
  const chunks: ChunkBytes[] = [];
  for (const column of columns) {
    const chunk = group.chunks[column.leaf];
    const decompress = chunk === undefined ? undefined : decompressorOf(chunk.codec);
    if (chunk === undefined || decompress === undefined) throw damaged(file.name, "a column is missing");
    const bytes = await file.read(chunk.offset, chunk.length);
    if (bytes.length < chunk.length) throw damaged(file.name, "it is shorter than its footer says");
    chunks.push(Object.freeze({ column, bytes, decompress, rows: group.rows }));
  }
  return chunks;
}

function faultOf(error: unknown, file: string): WeirError {
  return error instanceof WeirError ? error.at({ file }) : damaged(file, errorText(error));
}

class ParquetReader implements BatchReader {
  private readonly file: ReadableFile;
  /** Frozen, because it never changes and keyframes share it. */
  private readonly footer: Readonly<Footer>;
  private readonly columns: readonly ParquetColumn[];
  private readonly options: ParquetReaderOptions;
  private readonly schema: Schema;
  /** The row group being read, and the rows of it that were given out. */
  private group: number;
  private given: number;
  private cursors: ColumnCursor[] | undefined;
  private fetching: Fetching | undefined;

  constructor(file: ReadableFile, footer: Footer, columns: readonly ParquetColumn[], options: ParquetReaderOptions) {
    this.file = file;
    this.footer = Object.freeze(footer);
    this.columns = columns;
    this.options = options;
    this.schema = rescueSchema(options.schema, options.rescueColumn);
    const records = options.from?.records ?? 0;
    const group = footer.groups.findIndex(({ before, rows }) => records < before + rows);
    this.group = group < 0 ? footer.groups.length : group;
    this.given = records - (footer.groups[this.group]?.before ?? records);
  }

  next(): ReadResult {
    this.passEmptyGroups();
    const group = this.footer.groups[this.group];
    if (group === undefined) return { kind: "end" };
    if (this.cursors === undefined) {
      if (this.fetching === undefined) {
        this.fetching = startFetching(this.file, this.columns, group);
        return { kind: "wait", ready: this.fetching.ready };
      }
      this.begin(this.fetching);
    }
    return this.take(group);
  }

  close(): void {
    // A file that was only read can lose nothing by failing to close.
    this.file.close().catch(() => undefined);
  }

  private passEmptyGroups(): void {
    while (this.footer.groups[this.group]?.rows === 0) this.group++;
  }

  private begin(fetching: Fetching): void {
    const outcome = fetching.outcome();
    if (outcome === undefined) throw new TypeError("`next` is called when what it waited for is there");
    if (outcome.kind === "failed") throw outcome.error;
    this.fetching = undefined;
    this.cursors = outcome.chunks.map((chunk) => new ColumnCursor(chunk));
    const { given } = this;
    if (given > 0) this.cursors.forEach((cursor, c) => this.naming(c, () => cursor.skip(given)));
  }

  private take({ before, rows }: Group): ReadResult {
    const count = Math.min(this.options.batchRows, rows - this.given);
    const cursors = this.cursors ?? [];
    const columns = cursors.map((cursor, c): Column => {
      const column = this.naming(c, () => cursor.take(count));
      const { name, nullable } = this.options.schema.fields[c] as Field;
      if (!nullable) refuseNulls(column, name);
      return column;
    });
    if (this.options.rescueColumn !== undefined) columns.push(nullColumn(typeOf("utf8"), count));
    this.given += count;
    const records = before + this.given;
    if (this.given === rows) {
      this.cursors = undefined;
      this.group++;
      this.given = 0;
    }
    const batch = new Batch(this.schema, count, columns);
    return { kind: "rows", rows: { batch, bad: [], next: { records, offset: 0, line: 0 } } };
  }

  /** What goes wrong in a page is told with its column and row group. */
  private naming<T>(column: number, read: () => T): T {
    try {
      return read();
    } catch (error) {
      const name = this.columns[column]?.name ?? "";
      const what = `${errorText(error)}, in the column ${JSON.stringify(name)} of row group ${this.group + 1}`;
      throw error instanceof WeirError ? error : damaged(this.file.name, what).at({ field: name });
    }
  }
}
