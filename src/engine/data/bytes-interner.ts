import type { VarColumn } from "./column.ts";
import { hashRows } from "./kernels/hash.ts";
import { murmurBytes, murmurWords } from "./kernels/murmur.ts";
import { takeText } from "./kernels/take.ts";
import { ranksOf } from "./ranks.ts";
import { heapOf } from "./state-arrays.ts";
import {
  type ArrayMaker,
  bytesUnder,
  type FieldPlaces,
  PRIVATE,
  sameWords,
  WORD_BYTES,
  wordAccess,
} from "./storage.ts";
import { type LogicalType, typeOf } from "./types.ts";
import type { KernelHeap } from "./wasm/kernel-heap.ts";
import { takeWords } from "./wasm/take-words.ts";
import { LINES } from "./word-lines.ts";
import { homeGroup, PAIRS, type SlotLayout } from "./word-slots.ts";
import { WordStore } from "./word-store.ts";

const BINARY = typeOf("binary");
const NOTHING = new Uint8Array(0);
/** For fewer rows the calls cost more than the loop. */
const FEW_ROWS = 64;
/** Words of what a kernel is told of the table, and of its own behind that. */
const TABLE_WORDS = 8 + 2 * 256;

let hashes = new Uint32Array(0);
let oneKind = new Uint8Array(0);

/**
 * Gives byte strings numbers 0, 1, 2… in the order in which they first appear. Open addressing with linear probing, see word-slots.ts and
 * word-lines.ts. Words are only ever appended, so columns over them stay as they are; on a heap only until the next word is added.
 */
export class BytesInterner {
  private readonly heapForMany: (() => KernelHeap | undefined) | undefined;
  private heap: KernelHeap | undefined = undefined;
  private storage: ArrayMaker = PRIVATE;
  private readonly store = new WordStore();
  private slots: Int32Array = new Int32Array(256);
  private layout: SlotLayout = PAIRS;

  /**
   * @param heapForMany the heap of kernels that are to work on the table, if there is one: asked for once there are many rows, because a heap takes
   * milliseconds. `release` must then be called in the end
   */
  constructor(heapForMany?: () => KernelHeap | undefined) {
    this.heapForMany = heapForMany;
  }

  get size(): number {
    return this.store.count;
  }

  get byteLength(): number {
    return this.store.byteLength;
  }

  /** The number of bytes [start, end), which is a new one where the bytes are. `hash` is their `murmurBytes`. */
  intern(source: Uint8Array, start: number, end: number, hash = murmurBytes(source, start, end)): number {
    const place = this.placeOf(source, start, end, hash | 0);
    const known = this.slots[place] as number;
    return known !== 0 ? known - 1 : this.append(place, source, start, end, hash | 0);
  }

  /**
   * `intern` for texts [starts[at], ends[at]) of `source` with `at` going up by `stride`, up to `count` of them, as long as `kinds[at]` is `kind`.
   * Writes their numbers to `out` from `to` on and answers how many it took.
   */
  internRun(
    source: DataView,
    { starts, ends, kinds }: FieldPlaces,
    from: number,
    stride: number,
    count: number,
    kind: number,
    out: Int32Array,
    to: number,
  ): number {
    let { slots } = this;
    let { view, offsets } = this.store;
    const isPairs = this.layout === PAIRS;
    let taken = 0;
    for (let at = from; taken < count && kinds[at] === kind; at += stride, taken++) {
      const start = starts[at] as number;
      const end = ends[at] as number;
      let number = -1;
      if (isPairs && end + WORD_BYTES <= source.byteLength) {
        const hash = murmurWords(source, start, end);
        const mask = slots.length - 1;
        for (let slot = homeGroup(hash, slots, 2); ; slot = (slot + 2) & mask) {
          number = (slots[slot + 1] as number) - 1;
          if (number < 0) break;
          const place = offsets[number] as number;
          if (slots[slot] !== hash || (offsets[number + 1] as number) - place !== end - start) continue;
          if (sameWords(view, place, source, start, end)) break;
        }
      }
      if (number < 0) {
        number = this.intern(bytesUnder(source), start, end);
        ({ slots } = this);
        ({ view, offsets } = this.store);
      }
      out[to + taken] = number;
    }
    return taken;
  }

  /** The number of bytes [start, end), or −1. */
  find(source: Uint8Array, start: number, end: number, hash = murmurBytes(source, start, end)): number {
    return (this.slots[this.placeOf(source, start, end, hash | 0)] as number) - 1;
  }

  /** The same for a whole column without NULLs: `intern` for each row if `grow`, else `find`. */
  numbers(column: VarColumn, rowCount: number, grow: boolean, out: Int32Array): void {
    const heap = rowCount > FEW_ROWS ? this.moved() : undefined;
    if (heap !== undefined) {
      this.numbersByKernel(heap, column, rowCount, grow, out);
      return;
    }
    const { offsets, bytes } = column;
    if (grow) {
      if (oneKind.length < rowCount) oneKind = new Uint8Array(rowCount);
      const places = { starts: offsets, ends: offsets.subarray(1), kinds: oneKind };
      this.internRun(wordAccess(bytes), places, 0, 1, rowCount, 0, out, 0);
      return;
    }
    if (hashes.length < rowCount) hashes = new Uint32Array(rowCount);
    hashRows([column], rowCount, hashes);
    for (let row = 0; row < rowCount; row++) {
      out[row] = this.find(bytes, offsets[row] as number, offsets[row + 1] as number, hashes[row] as number);
    }
  }

  /** The heap on which the table lies, from now on if need be. */
  private moved(): KernelHeap | undefined {
    if (this.heap !== undefined || this.heapForMany === undefined) return this.heap;
    const heap = this.heapForMany();
    if (heap === undefined) return undefined;
    this.heap = heap;
    this.storage = heap;
    const { slots } = this;
    this.store.moveTo(heap);
    this.layout = LINES;
    // As many lines as there were pairs.
    this.slots = heap.words((LINES.words / PAIRS.words) * slots.length).fill(0);
    this.fillFrom(slots);
    return heap;
  }

  private numbersByKernel(heap: KernelHeap, column: VarColumn, rowCount: number, grow: boolean, out: Int32Array): void {
    const base = column.offsets[0] as number;
    const end = column.offsets[rowCount] as number;
    const offsets = heap.words(rowCount + 1);
    const bytes = heap.bytes(end - base);
    const inPlace = heapOf(out, rowCount) !== undefined;
    const ids = inPlace ? out : heap.words(rowCount);
    const table = heap.words(TABLE_WORDS);
    offsets.set(column.offsets.length === rowCount + 1 ? column.offsets : column.offsets.subarray(0, rowCount + 1));
    bytes.set(column.bytes.subarray(base, end));
    const [told, lengths] = [table.byteOffset, offsets.byteOffset];
    try {
      for (let row = 0; row < rowCount; ) {
        this.describe(table);
        // Addresses wrap around, so that offsets need not start at 0.
        const text = (bytes.byteOffset - base) | 0;
        row = heap.kernels.internText(told, lengths, text, row, rowCount, grow ? 1 : 0, ids.byteOffset);
        this.store.count = table[0] as number;
        if (row < rowCount) this.makeRoom((offsets[row + 1] as number) - (offsets[row] as number));
      }
      if (!inPlace) out.set(ids);
    } finally {
      for (const array of [offsets, bytes, table]) heap.release(array);
      if (!inPlace) heap.release(ids);
    }
  }

  private describe(table: Int32Array): void {
    const { count, offsets, bytes } = this.store;
    table[0] = count;
    table[1] = Math.clz32(this.slots.length / this.layout.words - 1);
    table[2] = this.slots.byteOffset;
    table[3] = offsets.byteOffset;
    table[4] = Math.min(this.layout.most(this.slots), offsets.length - 1);
    table[5] = bytes.byteOffset;
    table[6] = bytes.length;
  }

  /** A number that no bytes have, empty among the words: for NULL. At most one. */
  addHole(): number {
    this.makeRoom(0);
    return this.store.push(NOTHING, 0, 0);
  }

  /** All words in order of their numbers. The same object as long as no word is added. */
  words(type: LogicalType): VarColumn {
    return this.store.columnOf(type);
  }

  /** What had the number `order[i]` gets the number i: all of them, each once. */
  renumber(order: Int32Array): void {
    const words = this.words(BINARY);
    const taken = this.heap === undefined ? takeText(words, order) : takeWords(this.heap, words, order);
    this.store.replace(taken);
    this.layout.renumber(this.slots, ranksOf(order), this.store.offsets);
  }

  /** Gives its memory back, where it is on a heap. Neither the table nor a column over its words may be used again. */
  release(): void {
    this.store.release();
    this.storage.release(this.slots);
  }

  /** Where the number of these bytes is in `slots`, or belongs. */
  private placeOf(source: Uint8Array, start: number, end: number, hash: number): number {
    return this.layout.placeOf(this.slots, source, start, end, hash, this.store);
  }

  private append(place: number, source: Uint8Array, start: number, end: number, hash: number): number {
    const { slots } = this;
    this.makeRoom(end - start);
    const number = this.store.push(source, start, end);
    const at = slots === this.slots ? place : this.layout.emptyPlace(this.slots, hash);
    this.layout.fill(this.slots, at, hash, number, this.store);
    return number;
  }

  /** With what is in pairs. */
  private fillFrom(pairs: Int32Array): void {
    const { layout, slots, store } = this;
    for (let at = 0; at < pairs.length; at += 2) {
      const [hash, number] = [pairs[at] as number, (pairs[at + 1] as number) - 1];
      if (number >= 0) layout.fill(slots, layout.emptyPlace(slots, hash), hash, number, store);
    }
  }

  /** For one more word of so many bytes. */
  private makeRoom(bytes: number): void {
    if (this.size >= this.layout.most(this.slots)) this.growSlots();
    this.store.makeRoom(bytes);
  }

  private growSlots(): void {
    const old = this.slots;
    this.slots = this.storage.words(2 * old.length).fill(0);
    if (this.heap === undefined) this.fillFrom(old);
    else {
      const shift = Math.clz32(this.slots.length / LINES.words - 1);
      this.heap.kernels.moveText(old.byteOffset, old.byteOffset + old.byteLength, this.slots.byteOffset, shift);
    }
    this.storage.release(old);
  }
}
