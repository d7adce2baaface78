import { AsyncByteQueue, RecordBatchFileWriter, RecordBatchStreamWriter } from "apache-arrow";
import { assert } from "../base/assert.ts";
import { schemaToArrow, toArrow } from "../data/arrow/to-arrow.ts";
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
export function arrowEncoder(schema: Schema, form: "file" | "stream"): BatchEncoder {
  const pieces = new Pieces();
  const writer = form === "file" ? new RecordBatchFileWriter() : new RecordBatchStreamWriter();
  return {
    start: () => {
      writer.reset(pieces, schemaToArrow(schema));
      return pieces.take();
    },
    encode: (batch) => {
      writer.write(toArrow(batch, { dictionaries: "plain" }));
      const bytes = pieces.take();
      // The library closes itself without a word when a batch has another schema.
      assert(bytes.length > 0, "a batch of the schema that the file was begun with");
      return bytes;
    },
    end: () => {
      writer.finish();
      return pieces.take();
    },
  };
}
