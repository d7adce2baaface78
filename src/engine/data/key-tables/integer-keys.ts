import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import { bytesForBits, countOnes } from "../bits.ts";
import { bitAt, type Column, type FixedColumn } from "../column.ts";
import { gatherPairs } from "../kernels/gather.ts";
import { giveBack, newWords } from "../state-arrays.ts";
import { newFixedValues } from "../storage.ts";
import { type LogicalType, wordsPerValue } from "../types.ts";
import { WordInterner } from "../word-interner.ts";
import type { KeyTable } from "./key-table.ts";

let widened = new Int32Array(0);

/** Keys of one column of whole numbers, dates or timestamps, by their 64 bits. */
export class IntegerKeyTable implements KeyTable {
  private readonly type: LogicalType;
  private readonly keys = new WordInterner();
  private nullId = -1;

  constructor(type: LogicalType) {
    this.type = type;
  }

  get size(): number {
    return this.keys.size;
  }

  idsOf(columns: readonly Column[], rowCount: number, out: Int32Array, grow: boolean): void {
    const [column] = columns;
    assert(column?.encoding === "fixed", "a column of whole numbers");
    const { keys } = this;
    const { validity, values } = column;
    if (validity === null && values instanceof Int32Array && wordsPerValue(column.type) === 0 && keys.isShort) {
      keys.numbersOfInts(values, rowCount, grow, out);
      return;
    }
    const words = wordsOf(column, rowCount);
    if (validity === null) {
      keys.numbers(words, rowCount, grow, out);
      return;
    }
    for (let row = 0; row < rowCount; row++) {
      const lo = words[2 * row] as number;
      const hi = words[2 * row + 1] as number;
      if (!bitAt(validity, row)) out[row] = this.idOfNull(grow);
      else out[row] = grow ? keys.intern(lo, hi) : keys.find(lo, hi);
    }
  }

  private idOfNull(grow: boolean): number {
    if (this.nullId < 0 && grow) this.nullId = this.keys.addHole();
    return this.nullId;
  }

  columns(ids: Int32Array): Column[] {
    const { type } = this;
    const { length } = ids;
    const values = newFixedValues(type, length);
    const known = this.keys.values;
    if (wordsPerValue(type) === 2) gatherPairs(known, ids, 0, length, values as Int32Array);
    else for (let row = 0; row < length; row++) values[row] = known[2 * (ids[row] as number)] as number;
    const validity = this.nullId < 0 ? null : bitsWithout(ids, this.nullId);
    const nullCount = validity === null ? 0 : length - countOnes(validity, 0, length);
    const bits = nullCount === 0 || validity === null ? null : { bits: validity, bitOffset: 0 };
    return [{ encoding: "fixed", type, length, nullCount, validity: bits, values }];
  }

  snapshot(ids: Int32Array | null): SnapshotValue {
    const { values } = this.keys;
    if (ids === null) return { words: values.slice(0, 2 * this.size), nullId: this.nullId };
    const words = new Int32Array(2 * ids.length);
    gatherPairs(values, ids, 0, ids.length, words);
    return { words, nullId: ids.indexOf(this.nullId) };
  }

  keep(ids: Int32Array): void {
    this.nullId = ids.indexOf(this.nullId);
    this.keys.keep(ids, this.nullId);
  }

  release(): void {
    this.keys.release();
  }

  restore(saved: SnapshotValue): void {
    const { words, nullId } = saved as { readonly [key: string]: SnapshotValue };
    assert(words instanceof Int32Array, "a snapshot of keys");
    if (nullId === -1) {
      const numbers = newWords(words.length / 2);
      this.keys.numbers(words, numbers.length, true, numbers);
      giveBack(numbers);
      return;
    }
    for (let id = 0; 2 * id < words.length; id++) {
      if (id === nullId) this.nullId = this.keys.addHole();
      else this.keys.intern(words[2 * id] as number, words[2 * id + 1] as number);
    }
  }
}

/** A bit for each number that is not `hole`. */
function bitsWithout(ids: Int32Array, hole: number): Uint8Array {
  const bits = new Uint8Array(bytesForBits(ids.length));
  for (let row = 0; row < ids.length; row++) {
    if (ids[row] !== hole) bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
  }
  return bits;
}

/** Values as 64 bits, so that there is one loop for every width; scratch memory where they are narrower. */
export function wordsOf({ type, values }: FixedColumn, rowCount: number): Int32Array {
  if (wordsPerValue(type) === 2) return values as Int32Array;
  if (widened.length < 2 * rowCount) widened = new Int32Array(2 * rowCount);
  const out = widened;
  for (let row = 0; row < rowCount; row++) {
    const value = values[row] as number;
    out[2 * row] = value;
    out[2 * row + 1] = value < 0 ? -1 : 0;
  }
  return out;
}
