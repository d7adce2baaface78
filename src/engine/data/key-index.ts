import { assert } from "../base/assert.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import type { Column } from "./column.ts";
import { EncodedKeyTable } from "./key-tables/encoded-keys.ts";
import { IntegerKeyTable } from "./key-tables/integer-keys.ts";
import type { KeyTable } from "./key-tables/key-table.ts";
import { TextKeyTable } from "./key-tables/text-keys.ts";
import { MOST_TUPLE_COLUMNS, TupleKeyTable } from "./key-tables/tuple-keys.ts";
import { type LogicalType, sameType, typeName } from "./types.ts";

/**
 * Numbers 0, 1, 2… for keys, in the order in which they first appear, the same for the same key over all batches: so that an
 * operator keeps its state in plain arrays. Keys are equal by logical value (architecture, section 5): NULL is one key, 0 = −0, all
 * NaN are one, a dictionary word is the plain word, 5 is 5 in every width, an instant in every unit.
 */
export class KeyIndex {
  private readonly types: readonly LogicalType[];
  private table: KeyTable;
  private readonly makeTable: () => KeyTable;

  /**
   * @param types of the key's columns, as `columns` gives them back
   * @param others types of further inputs whose keys meet in this index: the other side of a join
   */
  constructor(types: readonly LogicalType[], ...others: readonly (readonly LogicalType[])[]) {
    for (const other of others) {
      assert(other.length === types.length, "keys of as many columns");
      other.forEach((type, c) => {
        const own = types[c] as LogicalType;
        assert(comparableKeys(own, type), `keys of ${typeName(own)} and of ${typeName(type)} never meet`);
      });
    }
    this.types = types;
    this.makeTable = () => tableFor(types, others);
    this.table = this.makeTable();
  }

  /** How many keys there are. */
  get size(): number {
    return this.table.size;
  }

  /** Columns of a key. */
  get width(): number {
    return this.types.length;
  }

  /** Numbers of the keys of rows 0…rowCount into `out`; new keys get new numbers. */
  idsOf(columns: readonly Column[], rowCount: number, out: Int32Array): void {
    this.table.idsOf(columns, rowCount, out, true);
  }

  /** The same without taking in new keys: they are −1. */
  find(columns: readonly Column[], rowCount: number, out: Int32Array): void {
    this.table.idsOf(columns, rowCount, out, false);
  }

  /** The keys with these numbers as columns, in the index's types. A key that came in by a finer type must fit them. */
  columns(ids: Int32Array): Column[] {
    return this.table.columns(ids);
  }

  /** The first one of these columns. */
  firstColumn(ids: Int32Array): Column | undefined {
    return (this.table.firstColumn?.(ids) ?? this.table.columns(ids))[0];
  }

  /** Forgets all keys but `live`, which get the numbers 0, 1, 2… in this order. */
  compact(live: Int32Array): void {
    this.table.keep(live);
    assert(this.size === live.length, "each key once");
  }

  /** These keys, which count from 0 in a restored index; else all by their numbers. */
  snapshot(ids: Int32Array | null = null): SnapshotValue {
    return this.table.snapshot(ids);
  }

  restore(saved: SnapshotValue): void {
    this.table.release?.();
    this.table = this.makeTable();
    this.table.restore(saved);
  }

  /**
   * Takes in the keys of a snapshot beside its own.
   * @param owns tells of keys as columns which of them, 1 or 0; left out: all
   * @returns their numbers, by their places in the snapshot; −1 for those that are left out
   */
  add(saved: SnapshotValue, owns?: (columns: readonly Column[], count: number) => Uint8Array): Int32Array {
    if (owns === undefined && this.size === 0) {
      this.restore(saved);
      return Int32Array.from({ length: this.size }, (_, id) => id);
    }
    const other = this.makeTable();
    other.restore(saved);
    const places = Int32Array.from({ length: other.size }, (_, place) => place);
    const owned = owns?.(other.columns(places), places.length);
    const taken = owned === undefined ? places : places.filter((place) => owned[place] === 1);
    const ids = new Int32Array(taken.length);
    this.idsOf(other.columns(taken), taken.length, ids);
    other.release?.();
    const numbers = new Int32Array(places.length).fill(-1);
    taken.forEach((place, i) => {
      numbers[place] = ids[i] as number;
    });
    return numbers;
  }

  toString(): string {
    return `${this.size} keys of ${this.types.map(typeName).join(", ")}`;
  }
}

/** Whether values of the two types can be the same key. */
export function comparableKeys(a: LogicalType, b: LogicalType): boolean {
  return a.kind === b.kind;
}

function tableFor(types: readonly LogicalType[], others: readonly (readonly LogicalType[])[]): KeyTable {
  const direct = types.map((type, c) =>
    directTable(
      type,
      others.map((other) => other[c] as LogicalType),
    ),
  );
  const tables = direct.filter((make) => make !== undefined);
  if (tables.length === 0 || tables.length < types.length || tables.length > MOST_TUPLE_COLUMNS)
    return new EncodedKeyTable(types);
  const [first] = tables;
  if (first !== undefined && tables.length === 1) return first();
  return new TupleKeyTable(tables.map((makeTable, c) => ({ type: types[c] as LogicalType, makeTable })));
}

/** Makes a table for one column whose values need not be encoded; `undefined` where they must. */
function directTable(type: LogicalType, others: readonly LogicalType[]): (() => KeyTable) | undefined {
  if (type.kind === "utf8" || type.kind === "binary") return () => new TextKeyTable(type);
  if ([type, ...others].every((each) => isInteger(each, type))) return () => new IntegerKeyTable(type);
  return undefined;
}

/** Whether 64 bits tell values of the two types apart. */
function isInteger(type: LogicalType, other: LogicalType): boolean {
  if (type.kind === "timestamp" || type.kind === "date") return sameType(type, other);
  return type.kind === "int" && (sameType(type, other) || (isSignedLong(type) && isSignedLong(other)));
}

/** A whole number that fits int64. */
const isSignedLong = (type: LogicalType): boolean => type.kind === "int" && (type.signed || type.bits < 64);
