import { Message, type RecordBatch, RecordBatchReader } from "apache-arrow";
import { errorText, WeirError } from "../base/errors.ts";
import type { ReadableFile } from "../base/files.ts";
import { type ArrowColumns, columnsFromArrow } from "../data/arrow/arrow-types.ts";
import { fromArrow } from "../data/arrow/from-arrow.ts";
import type { Batch } from "../data/batch.ts";
import { damaged, type IpcMessage, ipcMessages } from "./arrow-messages.ts";

export interface FetchedBatch {
  /** Rows of the record batches before it. */
  readonly before: number;
  readonly batch: Batch;
}

export interface ArrowSessionOptions {
  /** Something that is no error, but that the person should know. */
  readonly note?: ((message: string) => void) | undefined;
}

/** The first message, which is the schema. */
interface Start {
  readonly message: IpcMessage;
  readonly columns: ArrowColumns;
}

/**
 * One pass over an Arrow file or stream, from the record batch that holds the first row wanted. Between the file's messages and the
 * batches stands the library's reader, which keeps the dictionaries.
 */
export class ArrowSession {
  private readonly file: ReadableFile;
  private readonly wanted: number;
  private readonly messages: AsyncGenerator<IpcMessage>;
  private readonly batches: AsyncGenerator<RecordBatch>;
  private first: Promise<Start> | undefined;
  /** Rows of the record batches that were left out, and of those before the next one. */
  private skipped = 0;
  private before = 0;
  /** What ended the messages. */
  private fault: WeirError | undefined;

  /** @param wanted rows before the first one wanted; the record batches that hold only such rows are left out */
  constructor(file: ReadableFile, options: ArrowSessionOptions, wanted: number) {
    this.file = file;
    this.wanted = wanted;
    this.messages = ipcMessages(file, () =>
      options.note?.("the Arrow stream ends without its end mark; it may have been cut off between two batches"),
    );
    this.batches = this.decoded();
  }

  /** @throws WeirError `wrong-format`, `file-empty`, `file-damaged`, `duplicate-columns` */
  async columns(): Promise<ArrowColumns> {
    return (await this.begin()).columns;
  }

  /**
   * The next batch with rows, of the columns that the engine has a type for; `undefined` at the end.
   * @throws WeirError naming the file
   */
  async next(): Promise<FetchedBatch | undefined> {
    const { schema, places } = await this.columns();
    for (let next = await this.batches.next(); next.done !== true; next = await this.batches.next()) {
      if (next.value.numRows === 0) continue;
      const before = Math.max(this.before, this.skipped);
      this.before = before + next.value.numRows;
      return { before, batch: fromArrow(next.value, schema, places) };
    }
    return undefined;
  }

  /** What was thrown, as an error of this file. */
  faultOf(error: unknown): WeirError {
    return error instanceof WeirError ? error.at({ file: this.file.name }) : damaged(this.file.name, errorText(error));
  }

  private begin(): Promise<Start> {
    this.first ??= this.readSchema();
    return this.first;
  }

  private async readSchema(): Promise<Start> {
    const { value, done } = await this.messages.next();
    const message = done === true ? undefined : (value as IpcMessage);
    const decoded = message === undefined ? undefined : Message.decode(message.bytes[1] as Uint8Array);
    if (message === undefined || decoded?.isSchema() !== true) throw damaged(this.file.name, "it has no schema");
    try {
      return { message, columns: columnsFromArrow(decoded.header()) };
    } catch (error) {
      throw this.faultOf(error);
    }
  }

  private async *decoded(): AsyncGenerator<RecordBatch> {
    const reader = await RecordBatchReader.from(this.pieces());
    yield* await reader.open();
    if (this.fault !== undefined) throw this.fault;
    if (Math.max(this.before, this.skipped) < this.wanted) throw this.changed();
  }

  /**
   * Bytes for the library's reader. It reads ahead, so a fault ends the bytes and is told when the batches before it have
   * been given out.
   */
  private async *pieces(): AsyncGenerator<Uint8Array> {
    yield* (await this.begin()).message.bytes;
    let hasBegun = false;
    try {
      for await (const { kind, rows, bytes } of this.messages) {
        if (kind === "batch" && !hasBegun && this.skipped + rows <= this.wanted) {
          this.skipped += rows;
          continue;
        }
        hasBegun ||= kind === "batch";
        yield* bytes;
      }
    } catch (error) {
      this.fault = this.faultOf(error);
    }
  }

  private changed(): WeirError {
    return new WeirError({
      code: "file-changed",
      domain: "data",
      file: this.file.name,
      message: `the file has ${this.skipped} rows, and reading is to go on behind row ${this.wanted}`,
      hint: "put back the file that the checkpoint was taken with, or start without the checkpoint",
    });
  }
}
