import type { WeirError } from "../base/errors.ts";
import type { ReadableFile } from "../base/files.ts";
import { type ArrowColumns, refuseUnknownTypes } from "../data/arrow/arrow-types.ts";
import { Batch } from "../data/batch.ts";
import type { Column } from "../data/column.ts";
import { nullColumn } from "../data/column-builder.ts";
import { sliceBatch } from "../data/kernels/slice.ts";
import type { Field, Schema } from "../data/schema.ts";
import { typeOf } from "../data/types.ts";
import { columnFault } from "./arrow-check.ts";
import { damaged } from "./arrow-messages.ts";
import { ArrowSession, type FetchedBatch } from "./arrow-session.ts";
import { refuseNulls, refuseOtherColumns } from "./asked-columns.ts";
import { rescueSchema } from "./bad-rows.ts";
import type { BatchReader, ReadResult } from "./batch-reader.ts";
import type { RecordPlace } from "./record-decoder.ts";

/**
 * Columns of an Arrow file or stream.
 * @throws WeirError `wrong-format`, `file-damaged`, `unsupported-type`, `duplicate-columns`
 */
export async function readArrowSchema(file: ReadableFile): Promise<Schema> {
  const session = new ArrowSession(file, {}, 0);
  const columns = await session.columns();
  refuseTypes(columns, session);
  return columns.schema;
}

function refuseTypes(columns: ArrowColumns, session: ArrowSession): void {
  try {
    refuseUnknownTypes(columns);
  } catch (error) {
    throw session.faultOf(error);
  }
}

export interface ArrowReaderOptions {
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
 * Opens an Arrow IPC file or stream: one record batch in memory and one read ahead, cut into batches of `batchRows`. Dictionary
 * columns stay so; each batch has its own dictionary (P-42).
 * @throws WeirError as `readArrowSchema`, and `schema-mismatch`
 */
export async function openArrowReader(file: ReadableFile, options: ArrowReaderOptions): Promise<BatchReader> {
  const session = new ArrowSession(file, options, options.from?.records ?? 0);
  const found = await session.columns();
  const { schema, extraFields } = options;
  // Columns that nobody asks for may be of any type.
  if (extraFields === "refuse" || schema.names.some((name) => found.refused.has(name))) refuseTypes(found, session);
  refuseOtherColumns(found.schema, options, file.name);
  const columns = schema.names.map((name) => found.schema.indexOf(name));
  return new ArrowReader(file, options, columns, session);
}

/** A record batch on its way: what came of it, once `ready` has settled. It is shared by all who wait for it. */
interface Fetching {
  readonly ready: Promise<void>;
  outcome(): Outcome | undefined;
}

type Outcome =
  | { readonly kind: "batch"; readonly batch: FetchedBatch }
  | { readonly kind: "end" }
  | { readonly kind: "failed"; readonly error: WeirError };

/** The outcome is kept where a keyframe of the lab, which copies what it reaches, shares it: the batch is for both. */
function startFetching(session: ArrowSession, convert: (batch: Batch) => Batch): Fetching {
  let outcome: Outcome | undefined;
  const ready = session.next().then(
    (fetched) => {
      try {
        outcome =
          fetched === undefined
            ? { kind: "end" }
            : { kind: "batch", batch: { before: fetched.before, batch: convert(fetched.batch) } };
      } catch (error) {
        outcome = { kind: "failed", error: session.faultOf(error) };
      }
    },
    (error: unknown) => {
      outcome = { kind: "failed", error: session.faultOf(error) };
    },
  );
  return { ready, outcome: () => outcome };
}

class ArrowReader implements BatchReader {
  private readonly file: ReadableFile;
  private readonly options: ArrowReaderOptions;
  /** Column of the file by column of the output. */
  private readonly columns: readonly number[];
  private readonly schema: Schema;
  /** Reads for one reader: a copy of that reader, in a keyframe of the lab, begins another one where it stands. */
  private session: { readonly reads: ArrowSession; readonly reader: ArrowReader };
  private fetching: Fetching | undefined;
  private isWaiting = false;
  /** The record batch being cut, and the rows of it that were given out. */
  private current: FetchedBatch | undefined;
  private cut = 0;
  /** Rows given out, and those of the record batches before the one to be fetched next. */
  private records: number;
  private ahead: number;

  constructor(file: ReadableFile, options: ArrowReaderOptions, columns: readonly number[], reads: ArrowSession) {
    this.file = file;
    this.options = options;
    this.columns = columns;
    this.schema = rescueSchema(options.schema, options.rescueColumn);
    this.session = Object.freeze({ reads, reader: this });
    this.records = options.from?.records ?? 0;
    this.ahead = this.records;
  }

  next(): ReadResult {
    if (this.current !== undefined) return this.slice(this.current);
    if (!this.isWaiting) {
      this.isWaiting = true;
      return { kind: "wait", ready: this.fetch().ready };
    }
    const outcome = this.fetching?.outcome();
    switch (outcome?.kind) {
      case "batch":
        return this.slice(this.begin(outcome.batch));
      case "failed":
        throw outcome.error;
      default:
        return { kind: "end" };
    }
  }

  close(): void {
    // A file that was only read can lose nothing by failing to close.
    this.file.close().catch(() => undefined);
  }

  /** Makes a record batch the current one, and reads the next one ahead. */
  private begin(fetched: FetchedBatch): FetchedBatch {
    this.isWaiting = false;
    this.fetching = undefined;
    this.current = fetched;
    this.cut = this.records - fetched.before;
    this.ahead = fetched.before + fetched.batch.rowCount;
    this.fetch();
    return fetched;
  }

  private slice({ before, batch }: FetchedBatch): ReadResult {
    const to = Math.min(this.cut + this.options.batchRows, batch.rowCount);
    const rows = sliceBatch(batch, this.cut, to);
    this.cut = to;
    this.records = before + to;
    if (to === batch.rowCount) this.current = undefined;
    return { kind: "rows", rows: { batch: rows, bad: [], next: { records: this.records, offset: 0, line: 0 } } };
  }

  private fetch(): Fetching {
    if (this.fetching !== undefined) return this.fetching;
    if (this.session.reader !== this) {
      const reads = new ArrowSession(this.file, this.options, this.ahead);
      this.session = Object.freeze({ reads, reader: this });
    }
    this.fetching = startFetching(this.session.reads, (batch) => this.convert(batch));
    return this.fetching;
  }

  private convert(all: Batch): Batch {
    const columns: Column[] = this.columns.map((index) => all.columns[index] as Column);
    columns.forEach((column, slot) => {
      const { name, nullable } = this.options.schema.fields[slot] as Field;
      const fault = columnFault(column);
      if (fault !== undefined) throw damaged(this.file.name, `${fault}, in the column ${JSON.stringify(name)}`);
      if (!nullable) refuseNulls(column, name);
    });
    if (this.options.rescueColumn !== undefined) columns.push(nullColumn(typeOf("utf8"), all.rowCount));
    return new Batch(this.schema, all.rowCount, columns);
  }
}
