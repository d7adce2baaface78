import { assert } from "../../base/assert.ts";
import type { SnapshotValue } from "../../base/snapshot-value.ts";
import type { Column } from "../column.ts";
import { RecordInterner } from "../record-interner.ts";
import type { LogicalType } from "../types.ts";
import type { KeyTable } from "./key-table.ts";
import { IntegerPart, type KeyPart, TextPart } from "./tuple-parts.ts";

/** Bits of the word that says which of a key's whole numbers are NULL. */
export const MOST_TUPLE_COLUMNS = 32;

const NONE = new Int32Array(0);
/** Records of the rows of the batch that is looked at. */
let scratch = new Int32Array(0);

/** One column of such keys: text, or whole numbers that fit 64 bits, for which there is a table. */
export interface TupleColumn {
  readonly type: LogicalType;
  readonly makeTable: () => KeyTable;
}

/**
 * Keys of several columns. A key is a record of words: which of its whole numbers are NULL, then for each column the 64 bits of a whole number, or the
 * number of a text. So a row is looked for once, whatever columns there are.
 */
export class TupleKeyTable implements KeyTable {
  private readonly tupleColumns: readonly TupleColumn[];
  private readonly parts: readonly KeyPart[];
  private readonly width: number;
  private readonly records: RecordInterner;

  constructor(columns: readonly TupleColumn[]) {
    assert(columns.length <= MOST_TUPLE_COLUMNS, "a bit for each column");
    this.tupleColumns = columns;
    let width = 1;
    this.parts = columns.map(({ type, makeTable }, c) => {
      const isText = type.kind === "utf8" || type.kind === "binary";
      const part = isText ? new TextPart(makeTable(), width) : new IntegerPart(type, width, 1 << c);
      width += part.words;
      return part;
    });
    this.width = width;
    this.records = new RecordInterner(width);
  }

  get size(): number {
    return this.records.size;
  }

  idsOf(columns: readonly Column[], rowCount: number, out: Int32Array, grow: boolean): void {
    const { width, parts } = this;
    if (scratch.length < width * rowCount) scratch = new Int32Array(width * rowCount);
    const words = scratch;
    for (let at = 0; at < width * rowCount; at += width) words[at] = 0;
    const rows = { words, width, count: rowCount };
    for (let c = 0; c < parts.length; c++) parts[c]?.write(columns[c] as Column, rows, grow);
    this.records.numbers(words, rowCount, grow, out);
  }

  columns(ids: Int32Array): Column[] {
    return this.parts.map((part) => part.column(this.records.values, this.width, ids));
  }

  firstColumn(ids: Int32Array): Column[] {
    return this.parts.slice(0, 1).map((part) => part.column(this.records.values, this.width, ids));
  }

  /** For each column its different values, and for each key which of them it has. */
  snapshot(ids: Int32Array | null): SnapshotValue {
    const all = ids ?? Int32Array.from({ length: this.size }, (_, id) => id);
    return this.columns(all).map((column, c): SnapshotValue => {
      const table = this.makeTable(c);
      const numbers = new Int32Array(all.length);
      table.idsOf([column], all.length, numbers, true);
      const values = table.snapshot(null);
      table.release?.();
      return { values, numbers };
    });
  }

  restore(saved: SnapshotValue): void {
    assert(Array.isArray(saved) && saved.length === this.parts.length, "a snapshot of keys");
    let count = 0;
    const columns = saved.flatMap((part: SnapshotValue, c) => {
      const { values, numbers } = part as { readonly [key: string]: SnapshotValue };
      assert(values !== undefined && numbers instanceof Int32Array, "the values of a key's column");
      const table = this.makeTable(c);
      table.restore(values);
      const column = table.columns(numbers);
      table.release?.();
      count = numbers.length;
      return column;
    });
    this.idsOf(columns, count, new Int32Array(count), true);
  }

  private makeTable(c: number): KeyTable {
    return (this.tupleColumns[c] as TupleColumn).makeTable();
  }

  keep(ids: Int32Array): void {
    this.records.keep(ids, (words, count) => {
      for (const part of this.parts) part.keep({ words, width: this.width, count });
    });
  }

  release(): void {
    this.records.keep(NONE);
    for (const part of this.parts) part.release();
  }
}
