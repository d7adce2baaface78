import { encodeInto } from "./text.ts";

/** Bytes that grow at their end; the room stays from one `take` to the next. */
export class ByteBuffer {
  private bytes = new Uint8Array(4096);
  /** How many bytes were written. */
  end = 0;

  /** Bytes with room for `more` behind `end`, where a writer may go on and then set `end`. */
  room(more: number): Uint8Array {
    if (this.end + more > this.bytes.length) {
      const grown = new Uint8Array(Math.max(2 * this.bytes.length, this.end + more));
      grown.set(this.bytes.subarray(0, this.end));
      this.bytes = grown;
    }
    return this.bytes;
  }

  byte(value: number): void {
    this.room(1)[this.end] = value;
    this.end++;
  }

  text(text: string): void {
    this.end = encodeInto(text, this.room(3 * text.length), this.end);
  }

  append(source: Uint8Array, from = 0, to = source.length): void {
    const length = to - from;
    const bytes = this.room(length);
    const at = this.end;
    if (length < 32) for (let i = 0; i < length; i++) bytes[at + i] = source[from + i] as number;
    else bytes.set(source.subarray(from, to), at);
    this.end = at + length;
  }

  /** A copy of what was written; the buffer is empty after it. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.bytes.slice(0, this.end);
    this.end = 0;
    return taken;
  }
}
