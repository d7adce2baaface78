import { WeirError } from "../base/errors.ts";
import type { VarColumn } from "./column.ts";
import { murmurBytes } from "./kernels/murmur.ts";
import type { LogicalType } from "./types.ts";

const MAX_BYTES = 2 ** 31 - 1;
const NOTHING = new Uint8Array(0);

/**
 * Gives byte strings numbers 0, 1, 2… in the order in which they first appear. Open addressing with linear probing; at most half
 * full. Words are only ever appended, so columns over them stay as they are.
 */
export class BytesInterner {
  private count = 0;
  private offsets = new Int32Array(65);
  private bytes = new Uint8Array(1024);
  private hashes = new Int32Array(64);
  /** Number + 1 of the word in a slot, or 0. */
  private slots = new Int32Array(128);
  private column: VarColumn | null = null;
  private hole = -1;

  get size(): number {
    return this.count;
  }

  get byteLength(): number {
    return this.offsets[this.count] as number;
  }

  /** The number of bytes [start, end), which is a new one where the bytes are. `hash` is their `murmurBytes`. */
  intern(source: Uint8Array, start: number, end: number, hash = murmurBytes(source, start, end)): number {
    const slot = this.slotOf(source, start, end, hash | 0);
    const known = this.slots[slot] as number;
    return known !== 0 ? known - 1 : this.append(slot, source, start, end, hash | 0);
  }

  /** The number of bytes [start, end), or −1. */
  find(source: Uint8Array, start: number, end: number, hash = murmurBytes(source, start, end)): number {
    return (this.slots[this.slotOf(source, start, end, hash | 0)] as number) - 1;
  }

  /** A number that no bytes have, empty among the words: for NULL. At most one. */
  addHole(): number {
    this.hole = this.count;
    return this.push(NOTHING, 0, 0, 0);
  }

  /** All words in order of their numbers. The same object as long as no word is added. */
  words(type: LogicalType): VarColumn {
    if (this.column !== null && this.column.length === this.count) return this.column;
    const { count: length } = this;
    const offsets = this.offsets.subarray(0, length + 1);
    const bytes = this.bytes.subarray(0, offsets[length]);
    this.column = { encoding: "var", type, length, nullCount: 0, validity: null, offsets, bytes };
    return this.column;
  }

  private slotOf(source: Uint8Array, start: number, end: number, hash: number): number {
    const { slots, hashes } = this;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const number = (slots[slot] as number) - 1;
      if (number < 0 || (hashes[number] === hash && this.is(number, source, start, end))) return slot;
      slot = (slot + 1) & mask;
    }
  }

  private is(number: number, source: Uint8Array, start: number, end: number): boolean {
    const { bytes } = this;
    const from = this.offsets[number] as number;
    const length = end - start;
    if ((this.offsets[number + 1] as number) - from !== length) return false;
    for (let i = 0; i < length; i++) if (bytes[from + i] !== source[start + i]) return false;
    return true;
  }

  private append(slot: number, source: Uint8Array, start: number, end: number, hash: number): number {
    const number = this.push(source, start, end, hash);
    this.slots[slot] = number + 1;
    if (2 * this.count > this.slots.length) this.growSlots();
    return number;
  }

  private push(source: Uint8Array, start: number, end: number, hash: number): number {
    const number = this.count;
    if (number === this.hashes.length) this.growWords();
    const from = this.offsets[number] as number;
    this.reserve(from + end - start);
    for (let i = start, at = from; i < end; i++, at++) this.bytes[at] = source[i] as number;
    this.offsets[number + 1] = from + end - start;
    this.hashes[number] = hash;
    this.count = number + 1;
    return number;
  }

  private reserve(bytes: number): void {
    if (bytes <= this.bytes.length) return;
    if (bytes > MAX_BYTES) {
      const hint = "use fewer or shorter keys";
      throw new WeirError({ code: "too-many-keys", domain: "task", message: "keys take more than 2 GiB", hint });
    }
    const grown = new Uint8Array(Math.min(Math.max(2 * this.bytes.length, bytes), MAX_BYTES));
    grown.set(this.bytes.subarray(0, this.byteLength));
    this.bytes = grown;
  }

  private growWords(): void {
    const hashes = new Int32Array(2 * this.count);
    hashes.set(this.hashes);
    this.hashes = hashes;
    const offsets = new Int32Array(2 * this.count + 1);
    offsets.set(this.offsets);
    this.offsets = offsets;
  }

  private growSlots(): void {
    const slots = new Int32Array(2 * this.slots.length);
    const mask = slots.length - 1;
    for (let number = 0; number < this.count; number++) {
      if (number === this.hole) continue;
      let slot = (this.hashes[number] as number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.slots = slots;
  }
}
