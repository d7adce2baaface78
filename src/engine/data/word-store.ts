import { WeirError } from "../base/errors.ts";
import type { VarColumn } from "./column.ts";
import { type ArrayMaker, PRIVATE, wordAccess } from "./storage.ts";
import type { LogicalType } from "./types.ts";

const MAX_BYTES = 2 ** 30;

/** Byte strings one behind the other, by numbers 0, 1, 2… Arrays are new ones when they have to be longer. */
export class WordStore {
  count = 0;
  offsets: Int32Array = new Int32Array(65);
  bytes = PRIVATE.bytes(1024);
  /** Of `bytes`, by words. */
  view = wordAccess(this.bytes);
  private storage: ArrayMaker = PRIVATE;
  private column: VarColumn | null = null;

  get byteLength(): number {
    return this.offsets[this.count] as number;
  }

  is(number: number, source: Uint8Array, start: number, end: number): boolean {
    const { bytes } = this;
    const from = this.offsets[number] as number;
    const length = end - start;
    if ((this.offsets[number + 1] as number) - from !== length) return false;
    for (let i = 0; i < length; i++) if (bytes[from + i] !== source[start + i]) return false;
    return true;
  }

  /** Bytes [start, end) as the next one, for which there is room. Answers its number. */
  push(source: Uint8Array, start: number, end: number): number {
    const number = this.count;
    const from = this.offsets[number] as number;
    for (let i = start, at = from; i < end; i++, at++) this.bytes[at] = source[i] as number;
    this.offsets[number + 1] = from + end - start;
    this.count = number + 1;
    return number;
  }

  /** For one more of so many bytes. */
  makeRoom(bytes: number): void {
    const needed = this.byteLength + bytes;
    const isFull = this.count === this.offsets.length - 1;
    if (!isFull && needed <= this.bytes.length) return;
    if (needed > MAX_BYTES) {
      const hint = "use fewer or shorter keys";
      throw new WeirError({ code: "too-many-keys", domain: "task", message: "keys take more than a GiB", hint });
    }
    const room = needed <= this.bytes.length ? this.bytes.length : Math.max(2 * this.bytes.length, needed);
    this.take(this.offsets, this.bytes, isFull ? 2 * this.count + 1 : this.offsets.length, Math.min(room, MAX_BYTES));
  }

  /** All in order of their numbers. The same object as long as there is no further one. */
  columnOf(type: LogicalType): VarColumn {
    if (this.column !== null && this.column.length === this.count) return this.column;
    const { count: length } = this;
    const offsets = this.offsets.subarray(0, length + 1);
    const bytes = this.bytes.subarray(0, offsets[length]);
    this.column = { encoding: "var", type, length, nullCount: 0, validity: null, offsets, bytes };
    return this.column;
  }

  /** Lies there from now on. */
  moveTo(storage: ArrayMaker): void {
    const { offsets, bytes } = this;
    this.storage = storage;
    this.set(offsets, bytes, offsets.length, bytes.length);
  }

  /** The same words with other numbers. */
  replace({ offsets, bytes }: VarColumn): void {
    this.take(offsets, bytes, this.offsets.length, this.bytes.length);
  }

  release(): void {
    for (const array of [this.offsets, this.bytes]) this.storage.release(array);
  }

  private take(offsets: Int32Array, bytes: Uint8Array, mostWords: number, mostBytes: number): void {
    const before = [this.offsets, this.bytes];
    this.set(offsets, bytes, mostWords, mostBytes);
    for (const array of before) this.storage.release(array);
  }

  private set(offsets: Int32Array, bytes: Uint8Array, mostWords: number, mostBytes: number): void {
    const { byteLength } = this;
    this.offsets = this.storage.words(mostWords);
    this.offsets.set(offsets);
    this.bytes = this.storage.bytes(mostBytes);
    this.bytes.set(bytes.subarray(0, byteLength));
    this.view = wordAccess(this.bytes);
    this.column = null;
  }
}
