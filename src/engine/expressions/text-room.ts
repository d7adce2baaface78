import { WeirError } from "../base/errors.ts";
import { encodeInto } from "../data/text.ts";
import type { TextVec } from "./vec.ts";

const MAX_BYTES = 2 ** 31 - 1;

/** Text that a node writes row by row; its room is kept from one evaluation to the next. */
export class TextRoom {
  private offsets = new Int32Array(1);
  private bytes = new Uint8Array(1024);
  private row = 0;
  private end = 0;

  begin(rows: number): void {
    if (this.offsets.length <= rows) this.offsets = new Int32Array(rows + 1);
    this.row = 0;
    this.end = 0;
  }

  /** @throws WeirError `column-too-large` */
  private reserve(bytes: number): void {
    const needed = this.end + bytes;
    if (needed <= this.bytes.length) return;
    if (needed > MAX_BYTES) {
      throw new WeirError({
        code: "column-too-large",
        domain: "data",
        message: "the text of an expression takes more than 2 GiB a batch",
        hint: "use smaller batches",
      });
    }
    const grown = new Uint8Array(Math.min(2 * needed, MAX_BYTES));
    grown.set(this.bytes.subarray(0, this.end));
    this.bytes = grown;
  }

  /** More bytes of the row. */
  add(source: Uint8Array, start: number, end: number): void {
    const length = end - start;
    this.reserve(length);
    const { bytes } = this;
    const at = this.end;
    if (length < 32) for (let i = 0; i < length; i++) bytes[at + i] = source[start + i] as number;
    else bytes.set(source.subarray(start, end), at);
    this.end = at + length;
  }

  addString(text: string): void {
    this.reserve(3 * text.length);
    this.end = encodeInto(text, this.bytes, this.end);
  }

  /** Lets a writer put at most `most` bytes at a place; it answers where they end. */
  write(most: number, writer: (target: Uint8Array, at: number) => number): void {
    this.reserve(most);
    this.end = writer(this.bytes, this.end);
  }

  /** The row is complete. */
  close(): void {
    this.row++;
    this.offsets[this.row] = this.end;
  }

  finish(): TextVec {
    return { kind: "text", offsets: this.offsets, bytes: this.bytes, codes: null, words: null, step: 1, nulls: null };
  }
}
