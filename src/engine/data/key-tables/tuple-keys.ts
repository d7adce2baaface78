import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Column } from "../column.ts";
import { grownWords, newWords } from "../state-arrays.ts";
import { WordInterner } from "../word-interner.ts";
import type { KeyTable } from "./key-table.ts";

const NONE = new Int32Array(0);
/** Numbers of values of one column, of rows, and pairs of them: for the batch that is looked at. */
const scratch = { values: newWords(1), pairs: new Int32Array(0) };

/**
 * Keys of several columns: each column has a table of its own, which numbers its values, and pairs of numbers are numbered in turn, those of the
 * first two columns, then these with the third one's, and so on.
 */
export class TupleKeyTable implements KeyTable {
  private readonly columnTables: readonly KeyTable[];
  /** By column but the first. */
  private readonly pairs: readonly WordInterner[];

  /** @param columnTables at least two, which are this table's own from now on */
  constructor(columnTables: readonly KeyTable[]) {
    assert(columnTables.length > 1, "keys of several columns");
    this.columnTables = columnTables;
    this.pairs = columnTables.slice(1).map(() => new WordInterner());
  }

  get size(): number {
    return this.pairs.at(-1)?.size ?? 0;
  }

  idsOf(columns: readonly Column[], rowCount: number, out: Int32Array, grow: boolean): void {
    reserve(rowCount);
    this.columnTables.forEach((table, c) => {
      if (c === 0) table.idsOf(columns.slice(0, 1), rowCount, out, grow);
      else {
        table.idsOf(columns.slice(c, c + 1), rowCount, scratch.values, grow);
        this.pairUp(c - 1, rowCount, out, grow);
      }
    });
  }

  /** Numbers `out` with those of the next column. A number that is missing makes a pair that is missing, too. */
  private pairUp(level: number, rowCount: number, out: Int32Array, grow: boolean): void {
    const { values, pairs } = scratch;
    for (let row = 0; row < rowCount; row++) {
      pairs[2 * row] = out[row] as number;
      pairs[2 * row + 1] = values[row] as number;
    }
    this.pairs[level]?.numbers(pairs, rowCount, grow, out);
  }

  columns(ids: Int32Array): Column[] {
    return this.split(ids).flatMap((of, c) => this.columnTables[c]?.columns(of) ?? []);
  }

  firstColumn(ids: Int32Array): Column[] {
    let rest = ids;
    for (const { values } of this.pairs.toReversed()) rest = wordsAt(values, rest, 0);
    return this.columnTables[0]?.columns(rest) ?? [];
  }

  /** Numbers of the values of each column of these keys. */
  private split(ids: Int32Array): Int32Array[] {
    const parts: Int32Array[] = [];
    let rest = ids;
    for (const { values } of this.pairs.toReversed()) {
      parts.unshift(wordsAt(values, rest, 1));
      rest = wordsAt(values, rest, 0);
    }
    return [rest, ...parts];
  }

  snapshot(ids: Int32Array | null): SnapshotValue {
    const all = ids ?? Int32Array.from({ length: this.size }, (_, id) => id);
    return this.split(all).map((of, c): SnapshotValue => {
      const table = this.columnTables[c] as KeyTable;
      const { live, numbers } = counted(of, table.size);
      return { values: table.snapshot(live), numbers };
    });
  }

  restore(saved: SnapshotValue): void {
    assert(Array.isArray(saved) && saved.length === this.columnTables.length, "a snapshot of keys");
    const parts = saved.map((part: SnapshotValue, c) => {
      const { values, numbers } = part as { readonly [key: string]: SnapshotValue };
      assert(values !== undefined && numbers instanceof Int32Array, "the values of a key's column");
      this.columnTables[c]?.restore(values);
      return numbers;
    });
    this.pairAll(parts);
  }

  keep(ids: Int32Array): void {
    const parts = this.split(ids).map((of, c) => {
      const table = this.columnTables[c] as KeyTable;
      const { live, numbers } = counted(of, table.size);
      table.keep(live);
      return numbers;
    });
    for (const pairs of this.pairs) pairs.keep(NONE, -1);
    this.pairAll(parts);
  }

  /** Numbers keys from 0 on by the numbers of the values of each column, where there is no key yet. */
  private pairAll([first, ...more]: readonly Int32Array[]): void {
    const ids = first?.slice() ?? NONE;
    reserve(ids.length);
    more.forEach((numbers, level) => {
      scratch.values.set(numbers);
      this.pairUp(level, ids.length, ids, true);
    });
  }

  release(): void {
    for (const table of this.columnTables) table.release?.();
    for (const pairs of this.pairs) pairs.release();
  }
}

function reserve(rows: number): void {
  if (rows > scratch.values.length) scratch.values = grownWords(scratch.values, rows);
  if (2 * rows > scratch.pairs.length) scratch.pairs = new Int32Array(2 * rows);
}

/** The first or the second word of these pairs. */
function wordsAt(pairs: Int32Array, ids: Int32Array, word: 0 | 1): Int32Array {
  const words = new Int32Array(ids.length);
  for (let i = 0; i < words.length; i++) words[i] = pairs[2 * (ids[i] as number) + word] as number;
  return words;
}

/** The numbers that occur, in the order in which they do, and for each number which of these it is. */
function counted(ids: Int32Array, size: number): { live: Int32Array; numbers: Int32Array } {
  const places = new Int32Array(size).fill(-1);
  const live: number[] = [];
  const numbers = ids.map((id) => {
    if (places[id] === -1) places[id] = live.push(id) - 1;
    return places[id] as number;
  });
  return { live: Int32Array.from(live), numbers };
}
