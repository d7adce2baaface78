import { Message, type RecordBatch, RecordBatchReader } from "apache-arrow";
import { errorText, WeirError } from "../base/errors.ts";
import type { ReadableFile } from "../base/files.ts";
import { schemaFromArrow } from "../data/arrow/arrow-types.ts";
import { fromArrow } from "../data/arrow/from-arrow.ts";
import { Batch } from "../data/batch.ts";
import { type Column, isNull } from "../data/column.ts";
import { nullColumn } from "../data/column-builder.ts";
import { sliceBatch } from "../data/kernels/slice.ts";
import type { Field, Schema } from "../data/schema.ts";
import { sameType, typeName, typeOf } from "../data/types.ts";
import { columnFault } from "./arrow-check.ts";
import { type IpcMessage, ipcMessages } from "./arrow-messages.ts";
import { rescueSchema } from "./bad-rows.ts";
import type { BatchReader, ReadResult } from "./batch-reader.ts";
import type { RecordPlace } from "./record-decoder.ts";

/**
 * Columns of an Arrow file or stream.
 * @throws WeirError `wrong-format`, `file-damaged`, `unsupported-type`, `duplicate-columns`
 */
export async function readArrowSchema(file: ReadableFile): Promise<Schema> {
  const messages = ipcMessages(file, () => undefined);
  const first = await messages.next();
  await messages.return(undefined);
  return schemaOf(first.done === true ? undefined : first.value, file.name);
}

function schemaOf(message: IpcMessage | undefined, file: string): Schema {
  const decoded = message === undefined ? undefined : Message.decode(message.bytes[1] as Uint8Array);
  if (decoded?.isSchema() !== true) throw damaged(file, "it has no schema");
  try {
    return schemaFromArrow(decoded.header());
  } catch (error) {
    throw error instanceof WeirError ? error.at({ file }) : damaged(file, errorText(error));
  }
}

function damaged(file: string, what: string): WeirError {
  return new WeirError({
    code: "file-damaged",
    domain: "data",
    file,
    message: `the Arrow file is damaged or cut off: ${what}`,
    hint: "write or copy it again",
  });
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
  const unended = () =>
    options.note?.("the Arrow stream ends without its end mark; it may have been cut off between two batches");
  const messages = ipcMessages(file, unended);
  const first = await messages.next();
  const message = first.done === true ? undefined : first.value;
  const found = schemaOf(message, file.name);
  return new ArrowReader(file, message as IpcMessage, messages, found, options);
}

/** Column of the file by column of the schema. */
function columnsOf(found: Schema, { schema, extraFields }: ArrowReaderOptions, file: string): number[] {
  const problems = schema.fields.flatMap(({ name, type }) => {
    const field = found.field(name);
    if (field === undefined) return [`it has no column ${JSON.stringify(name)}`];
    if (sameType(field.type, type)) return [];
    return [`${JSON.stringify(name)} is ${typeName(field.type)}, not ${typeName(type)}`];
  });
  const extra = found.names.filter((name) => schema.indexOf(name) < 0);
  if (extra.length > 0 && extraFields === "refuse") {
    problems.push(`the schema does not name its column ${extra.map((name) => JSON.stringify(name)).join(", ")}`);
  }
  if (problems.length > 0) {
    throw new WeirError({
      code: "schema-mismatch",
      domain: "data",
      file,
      message: `the file does not have the columns of the schema: ${problems.join("; ")}`,
      hint: `its columns are ${found}`,
    });
  }
  return schema.names.map((name) => found.indexOf(name));
}

class ArrowReader implements BatchReader {
  private readonly file: ReadableFile;
  private readonly options: ArrowReaderOptions;
  /** Schema of the file, and its column by column of the output. */
  private readonly found: Schema;
  private readonly columns: readonly number[];
  private readonly schema: Schema;
  private readonly batches: AsyncIterator<RecordBatch>;
  /** What went wrong in the record batch that is waited for. */
  private failure: WeirError | undefined;
  /** What ended the file's messages. */
  private fault: WeirError | undefined;
  private fetching: Promise<void> | undefined;
  private fetched: Batch | undefined;
  private isWaiting = false;
  /** The record batch being cut, and the rows of it that were given out. */
  private current: Batch | undefined;
  private cut = 0;
  /** Rows before `current`; of the rows before the place to begin at, those in batches that were left out. */
  private before = 0;
  private skipped = 0;

  constructor(
    file: ReadableFile,
    first: IpcMessage,
    rest: AsyncGenerator<IpcMessage>,
    found: Schema,
    options: ArrowReaderOptions,
  ) {
    this.file = file;
    this.options = options;
    this.found = found;
    this.columns = columnsOf(found, options, file.name);
    this.schema = rescueSchema(options.schema, options.rescueColumn);
    this.batches = this.decoded(first, rest);
  }

  next(): ReadResult {
    if (this.current !== undefined) return this.slice(this.current);
    if (!this.isWaiting) {
      this.isWaiting = true;
      return { kind: "wait", ready: this.fetch() };
    }
    if (this.failure !== undefined) throw this.failure;
    const { fetched } = this;
    return fetched === undefined ? { kind: "end" } : this.slice(this.begin(fetched));
  }

  close(): void {
    // A file that was only read can lose nothing by failing to close.
    this.file.close().catch(() => undefined);
  }

  /** Makes a record batch the current one, and reads the next one ahead. */
  private begin(fetched: Batch): Batch {
    this.isWaiting = false;
    this.fetched = undefined;
    this.fetching = undefined;
    this.before = Math.max(this.before, this.skipped);
    this.cut = Math.max(0, (this.options.from?.records ?? 0) - this.before);
    this.current = fetched;
    void this.fetch();
    return fetched;
  }

  private slice(current: Batch): ReadResult {
    const to = Math.min(this.cut + this.options.batchRows, current.rowCount);
    const batch = sliceBatch(current, this.cut, to);
    this.cut = to;
    const records = this.before + to;
    if (to === current.rowCount) {
      this.before += to;
      this.current = undefined;
    }
    return { kind: "rows", rows: { batch, bad: [], next: { records, offset: 0, line: 0 } } };
  }

  private fetch(): Promise<void> {
    this.fetching ??= this.fetchNext();
    return this.fetching;
  }

  private async fetchNext(): Promise<void> {
    try {
      for (let next = await this.batches.next(); next.done !== true; next = await this.batches.next()) {
        if (next.value.numRows === 0) continue;
        this.fetched = this.convert(next.value);
        return;
      }
    } catch (error) {
      const fault = error instanceof WeirError ? error.at({ file: this.file.name }) : undefined;
      this.failure = fault ?? damaged(this.file.name, errorText(error));
    }
  }

  private convert(batch: RecordBatch): Batch {
    const all = fromArrow(batch, this.found);
    const columns: Column[] = this.columns.map((index) => all.columns[index] as Column);
    columns.forEach((column, slot) => {
      const { name, nullable } = this.options.schema.fields[slot] as Field;
      const fault = columnFault(column);
      if (fault !== undefined) throw damaged(this.file.name, `${fault}, in the column ${JSON.stringify(name)}`);
      if (!nullable) this.refuseNulls(column, name);
    });
    if (this.options.rescueColumn !== undefined) columns.push(nullColumn(typeOf("utf8"), all.rowCount));
    return new Batch(this.schema, all.rowCount, columns);
  }

  private refuseNulls(column: Column, field: string): void {
    if (column.nullCount === 0 && column.encoding !== "dictionary") return;
    for (let row = 0; row < column.length; row++) {
      if (!isNull(column, row)) continue;
      throw new WeirError({
        code: "null-in-not-null",
        domain: "data",
        file: this.file.name,
        field,
        message: "NULL in a column that is not null",
        hint: "let the column be NULL in the schema",
      });
    }
  }

  private async *decoded(first: IpcMessage, rest: AsyncGenerator<IpcMessage>): AsyncGenerator<RecordBatch> {
    const reader = await RecordBatchReader.from(this.pieces(first, rest));
    yield* await reader.open();
    if (this.fault !== undefined) throw this.fault;
    const wanted = this.options.from?.records ?? 0;
    if (this.skipped < wanted && this.before < wanted) throw this.changed(wanted);
  }

  /**
   * Bytes for the library's reader, without batches that lie before the place to begin at. It reads ahead, so a fault
   * ends the bytes and is told when the batches before it have been given out.
   */
  private async *pieces(first: IpcMessage, rest: AsyncGenerator<IpcMessage>): AsyncGenerator<Uint8Array> {
    yield* first.bytes;
    const wanted = this.options.from?.records ?? 0;
    let hasBegun = false;
    try {
      for await (const { kind, rows, bytes } of rest) {
        if (kind === "batch" && !hasBegun && this.skipped + rows <= wanted) {
          this.skipped += rows;
          continue;
        }
        hasBegun ||= kind === "batch";
        yield* bytes;
      }
    } catch (error) {
      this.fault = error instanceof WeirError ? error : damaged(this.file.name, errorText(error));
    }
  }

  private changed(wanted: number): WeirError {
    return new WeirError({
      code: "file-changed",
      domain: "data",
      file: this.file.name,
      message: `the file has ${this.skipped} rows, and reading is to go on behind row ${wanted}`,
      hint: "put back the file that the checkpoint was taken with, or start without the checkpoint",
    });
  }
}
