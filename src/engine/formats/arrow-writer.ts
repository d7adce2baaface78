import { AsyncByteQueue, RecordBatchFileWriter, RecordBatchStreamWriter, type RecordBatchWriter } from "apache-arrow";
import { assert } from "../base/assert.ts";
import { schemaToArrow, toArrow } from "../data/arrow/to-arrow.ts";
import type { Batch } from "../data/batch.ts";
import type { Schema } from "../data/schema.ts";
import type { BatchEncoder } from "./batch-encoder.ts";

/** Takes what the library writes, which by itself it would hand on only asynchronously. */
class Pieces extends AsyncByteQueue {
  private pieces: Uint8Array[] = [];

  override write(bytes: Uint8Array): void {
    // The library writes small views of other types, too: lengths as Int32Array.
    if (bytes.byteLength > 0)
      this.pieces.push(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength).slice());
  }

  take(): Uint8Array {
    const taken = new Uint8Array(this.pieces.reduce((sum, piece) => sum + piece.length, 0));
    let at = 0;
    for (const piece of this.pieces) {
      taken.set(piece, at);
      at += piece.length;
    }
    this.pieces = [];
    return taken;
  }
}

/**
 * Arrow IPC as a file (with a footer) or a stream, uncompressed. Dictionary columns are written as text: a file can hold one dictionary
 * a column, and batches come with theirs.
 */
export class ArrowEncoder implements BatchEncoder {
  private readonly schema: Schema;
  private readonly pieces = new Pieces();
  private readonly writer: RecordBatchWriter;

  constructor(schema: Schema, form: "file" | "stream") {
    this.schema = schema;
    this.writer = form === "file" ? new RecordBatchFileWriter() : new RecordBatchStreamWriter();
  }

  start(): Uint8Array {
    this.writer.reset(this.pieces, schemaToArrow(this.schema));
    return this.pieces.take();
  }

  encode(batch: Batch): Uint8Array {
    this.writer.write(toArrow(batch, { dictionaries: "plain" }));
    const bytes = this.pieces.take();
    // The library closes itself without a word when a batch has another schema.
    assert(bytes.length > 0, "a batch of the schema that the file was begun with");
    return bytes;
  }

  end(): Uint8Array {
    this.writer.finish();
    return this.pieces.take();
  }
}
