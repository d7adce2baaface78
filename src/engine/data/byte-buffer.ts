import { encodeInto } from "./text.ts";

/** Bytes that grow at their end; the room stays from one `take` to the next. */
export class ByteBuffer {
  private bytes = new Uint8Array(4096);
  private end = 0;

  get length(): number {
    return this.end;
  }

  private room(more: number): Uint8Array {
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

  /** Lets `write` put at most `most` bytes behind the end; it answers where they end. */
  fill(most: number, write: (target: Uint8Array, at: number) => number): void {
    this.end = write(this.room(most), this.end);
  }

  /** A copy of what was written; the buffer is empty after it. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.bytes.slice(0, this.end);
    this.end = 0;
    return taken;
  }
}
