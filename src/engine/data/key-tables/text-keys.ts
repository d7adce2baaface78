import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import { bytesForBits } from "../bits.ts";
import { BytesInterner } from "../bytes-interner.ts";
import { bitAt, type Column, type DictionaryColumn, isNull, type VarColumn } from "../column.ts";
import { WordNumbers } from "../dictionary-growth.ts";
import { copyColumn } from "../kernels/copy.ts";
import { hashRows } from "../kernels/hash.ts";
import { takeColumn, takeText } from "../kernels/take.ts";
import { heapOf } from "../state-arrays.ts";
import type { LogicalType } from "../types.ts";
import { type KernelHeap, kernelHeap } from "../wasm/kernel-heap.ts";
import { takeWords } from "../wasm/take-words.ts";
import type { KeyTable } from "./key-table.ts";

let hashes = new Uint32Array(0);

/** Keys of one text column. Words of a dictionary are looked up once, not once a row. */
export class TextKeyTable implements KeyTable {
  private readonly type: LogicalType;
  private keys = new BytesInterner(kernelHeap);
  private nullId = -1;
  /** By code of a dictionary the number + 1, 0 for words not met yet. */
  private wordIds = new WordNumbers();

  constructor(type: LogicalType) {
    this.type = type;
  }

  get size(): number {
    return this.keys.size;
  }

  idsOf(columns: readonly Column[], rowCount: number, out: Int32Array, grow: boolean): void {
    const [column] = columns;
    if (column?.encoding === "dictionary") this.dictionaryIds(column, rowCount, out, grow);
    else {
      assert(column?.encoding === "var", "a column of text");
      this.plainIds(column, rowCount, out, grow);
    }
  }

  private plainIds(column: VarColumn, rowCount: number, out: Int32Array, grow: boolean): void {
    const { offsets, bytes, validity, nullCount } = column;
    if (nullCount === 0) {
      this.keys.numbers(column, rowCount, grow, out);
      return;
    }
    if (hashes.length < rowCount) hashes = new Uint32Array(rowCount);
    hashRows([column], rowCount, hashes);
    const { keys } = this;
    for (let row = 0; row < rowCount; row++) {
      const start = offsets[row] as number;
      const end = offsets[row + 1] as number;
      if (validity !== null && !bitAt(validity, row)) out[row] = this.idOfNull(grow);
      else if (grow) out[row] = keys.intern(bytes, start, end, hashes[row] as number);
      else out[row] = keys.find(bytes, start, end, hashes[row] as number);
    }
  }

  private dictionaryIds(column: DictionaryColumn, rowCount: number, out: Int32Array, grow: boolean): void {
    const { codes, validity, dictionary } = column;
    const table = this.wordIds.of(dictionary);
    if (grow && validity === null && knownIds(codes, table, rowCount, out)) return;
    for (let row = 0; row < rowCount; row++) {
      if (validity !== null && !bitAt(validity, row)) out[row] = this.idOfNull(grow);
      else {
        const code = codes[row] as number;
        const known = table[code] as number;
        out[row] = known !== 0 ? known - 1 : this.idOfWord(dictionary, code, table, grow);
      }
    }
  }

  private idOfWord(dictionary: VarColumn, code: number, table: Int32Array, grow: boolean): number {
    if (isNull(dictionary, code)) return this.idOfNull(grow);
    const { bytes, offsets } = dictionary;
    const start = offsets[code] as number;
    const end = offsets[code + 1] as number;
    const id = grow ? this.keys.intern(bytes, start, end) : this.keys.find(bytes, start, end);
    table[code] = id + 1;
    return id;
  }

  private idOfNull(grow: boolean): number {
    if (this.nullId < 0 && grow) this.nullId = this.keys.addHole();
    return this.nullId;
  }

  columns(ids: Int32Array): Column[] {
    const words = this.keys.words(this.type);
    const heap = this.nullId < 0 ? heapOf(words.bytes, ids.length) : undefined;
    if (heap !== undefined) return [takeWords(heap, words, ids)];
    return [takeColumn(this.nullId < 0 ? words : withNull(words, this.nullId), ids)];
  }

  snapshot(ids: Int32Array | null): SnapshotValue {
    const words = this.keys.words(this.type);
    // A copy: the words themselves move when their number grows.
    const { offsets, bytes } = ids === null ? (copyColumn(words) as VarColumn) : takeText(words, ids);
    return { offsets, bytes, nullId: ids === null ? this.nullId : ids.indexOf(this.nullId) };
  }

  keep(ids: Int32Array): void {
    if (ids.length === this.size) {
      this.keys.renumber(ids);
      this.nullId = ids.indexOf(this.nullId);
      this.wordIds = new WordNumbers();
      return;
    }
    const kept = this.snapshot(ids);
    this.release();
    this.keys = new BytesInterner(kernelHeap);
    this.nullId = -1;
    this.wordIds = new WordNumbers();
    this.restore(kept);
  }

  release(): void {
    this.keys.release();
  }

  restore(saved: SnapshotValue): void {
    const { offsets, bytes, nullId } = saved as { readonly [key: string]: SnapshotValue };
    assert(offsets instanceof Int32Array && bytes instanceof Uint8Array, "a snapshot of keys");
    const length = offsets.length - 1;
    if (nullId === -1) {
      const words: VarColumn = {
        encoding: "var",
        type: this.type,
        length,
        nullCount: 0,
        validity: null,
        offsets,
        bytes,
      };
      this.keys.numbers(words, length, true, new Int32Array(length));
      return;
    }
    for (let id = 0; id < length; id++) {
      if (id === nullId) this.nullId = this.keys.addHole();
      else this.keys.intern(bytes, offsets[id] as number, offsets[id + 1] as number);
    }
  }
}

/** Numbers by codes, for words that have one. False where some have none yet. */
function knownIds(codes: Int32Array, table: Int32Array, rowCount: number, out: Int32Array): boolean {
  const heap = table.length <= rowCount ? heapOf(out, rowCount) : undefined;
  if (heap !== undefined) return knownIdsByKernel(heap, codes, table, rowCount, out);
  let any = 0;
  // No call in the loop, which would make each row look again where the arrays are.
  for (let row = 0; row < rowCount; row++) {
    const id = (table[codes[row] as number] as number) - 1;
    any |= id;
    out[row] = id;
  }
  return any >= 0;
}

function knownIdsByKernel(
  heap: KernelHeap,
  codes: Int32Array,
  table: Int32Array,
  rowCount: number,
  out: Int32Array,
): boolean {
  const [source, ids] = [heap.words(rowCount), heap.words(table.length)];
  source.set(codes.length === rowCount ? codes : codes.subarray(0, rowCount));
  ids.set(table);
  const [from, by, to] = [source.byteOffset, ids.byteOffset, out.byteOffset];
  const any = heap.kernels.numbersOfCodes(from, by, table.length, rowCount, to);
  heap.release(source);
  heap.release(ids);
  return any >= 0;
}

function withNull(words: VarColumn, nullId: number): VarColumn {
  const bits = new Uint8Array(bytesForBits(words.length)).fill(0xff);
  bits[nullId >> 3] = (bits[nullId >> 3] as number) & ~(1 << (nullId & 7));
  return { ...words, nullCount: 1, validity: { bits, bitOffset: 0 } };
}
