import { WeirError } from "../base/errors.ts";

/**
 * Checks the metadata of Arrow IPC before the library decodes it: every offset lies in the bytes, and every vector fits into them. The
 * library trusts lengths, so a damaged one would have it allocate, or loop, for ever.
 *
 * A flatbuffer is tables that point forward to other tables. A table can be shared, so the tables visited are counted.
 */
export class FlatbufferFault extends Error {
  override readonly name = "FlatbufferFault";
}

const HEADER_SCHEMA = 1;
const HEADER_DICTIONARY = 2;
const HEADER_BATCH = 3;
const TYPE_UNION = 14;
/** Types that are younger than the library. */
const UNKNOWN_TYPES: Readonly<Record<number, string>> = { 22: "RunEndEncoded", 25: "ListView", 26: "LargeListView" };
const MAX_DEPTH = 64;

function unreadable(name: Uint8Array, type: string): WeirError {
  return new WeirError({
    code: "unsupported-type",
    domain: "data",
    message: `column ${JSON.stringify(new TextDecoder().decode(name))} is of Arrow's type ${type}, which keeps the file from being read`,
    hint: "leave the column out or convert it where the data is written",
  });
}

class Checker {
  private readonly view: DataView;
  private tables = 0;

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The place that a forward offset at `at` points to. */
  target(at: number): number {
    return this.table(at + this.view.getUint32(at, true));
  }

  /** `at` as a table whose virtual table lies in the bytes. */
  private table(at: number): number {
    this.tables++;
    if (this.tables > this.view.byteLength) throw new FlatbufferFault("the metadata repeats itself");
    const vtable = at - this.view.getInt32(at, true);
    const size = this.view.getUint16(vtable, true);
    if (size < 4 || vtable + size > this.view.byteLength)
      throw new FlatbufferFault("a table lies outside of the metadata");
    return at;
  }

  /** Place of a table's field; 0 when it is left out. */
  field(table: number, index: number): number {
    const vtable = table - this.view.getInt32(table, true);
    const slot = 4 + 2 * index;
    if (slot + 2 > this.view.getUint16(vtable, true)) return 0;
    const offset = this.view.getUint16(vtable + slot, true);
    if (offset === 0) return 0;
    if (table + offset >= this.view.byteLength) throw new FlatbufferFault("a field lies outside of the metadata");
    return table + offset;
  }

  byte(table: number, index: number): number {
    const at = this.field(table, index);
    return at === 0 ? 0 : this.view.getUint8(at);
  }

  subtable(table: number, index: number): number {
    const at = this.field(table, index);
    return at === 0 ? 0 : this.target(at);
  }

  /** Place and length of a vector of elements of `size` bytes; none is empty. */
  vector(table: number, index: number, size: number): { readonly at: number; readonly length: number } {
    const field = this.field(table, index);
    if (field === 0) return { at: 0, length: 0 };
    const at = field + this.view.getUint32(field, true);
    const length = this.view.getUint32(at, true);
    if (at + 4 + length * size > this.view.byteLength) throw new FlatbufferFault("a list is longer than the metadata");
    return { at: at + 4, length };
  }

  tablesIn(table: number, index: number, each: (table: number) => void): void {
    const { at, length } = this.vector(table, index, 4);
    for (let i = 0; i < length; i++) each(this.target(at + 4 * i));
  }

  keyValues(table: number, index: number): void {
    this.tablesIn(table, index, (pair) => {
      this.vector(pair, 0, 1);
      this.vector(pair, 1, 1);
    });
  }

  schema(table: number): void {
    if (this.byte(table, 0) !== 0) throw new FlatbufferFault("the file is big-endian");
    this.tablesIn(table, 1, (field) => this.columnType(field, 0));
    this.keyValues(table, 2);
    this.vector(table, 3, 8);
  }

  private columnType(field: number, depth: number): void {
    if (depth > MAX_DEPTH) throw new FlatbufferFault("the columns are nested too deep");
    const name = this.vector(field, 0, 1);
    const type = this.subtable(field, 3);
    if (type === 0) throw new FlatbufferFault("a column has no type");
    const kind = this.byte(field, 2);
    const unknown = UNKNOWN_TYPES[kind];
    if (unknown !== undefined)
      throw unreadable(new Uint8Array(this.view.buffer, this.view.byteOffset + name.at, name.length), unknown);
    if (kind === TYPE_UNION) this.vector(type, 1, 4);
    const dictionary = this.subtable(field, 4);
    if (dictionary !== 0) this.subtable(dictionary, 1);
    this.tablesIn(field, 5, (child) => this.columnType(child, depth + 1));
    this.keyValues(field, 6);
  }

  batch(table: number): void {
    this.vector(table, 1, 16);
    this.vector(table, 2, 16);
    this.subtable(table, 3);
    this.vector(table, 4, 8);
  }
}

/** @throws FlatbufferFault */
function check(bytes: Uint8Array, walk: (checker: Checker) => void): void {
  try {
    walk(new Checker(bytes));
  } catch (error) {
    if (error instanceof RangeError) throw new FlatbufferFault("the metadata points outside of itself");
    throw error;
  }
}

/** The metadata of one IPC message. @throws FlatbufferFault, WeirError `unsupported-type` */
export function checkMessage(bytes: Uint8Array): void {
  check(bytes, (checker) => {
    const message = checker.target(0);
    const kind = checker.byte(message, 1);
    const header = checker.subtable(message, 2);
    checker.keyValues(message, 4);
    if (header === 0) throw new FlatbufferFault("a message has no header");
    if (kind === HEADER_SCHEMA) checker.schema(header);
    else if (kind === HEADER_BATCH) checker.batch(header);
    else if (kind === HEADER_DICTIONARY) {
      const data = checker.subtable(header, 1);
      if (data === 0) throw new FlatbufferFault("a dictionary has no data");
      checker.batch(data);
    } else throw new FlatbufferFault(`there is no message of kind ${kind}`);
  });
}

/** The footer of an IPC file. @throws FlatbufferFault, WeirError `unsupported-type` */
export function checkFooter(bytes: Uint8Array): void {
  check(bytes, (checker) => {
    const footer = checker.target(0);
    const schema = checker.subtable(footer, 1);
    if (schema === 0) throw new FlatbufferFault("the footer has no schema");
    checker.schema(schema);
    checker.vector(footer, 2, 24);
    checker.vector(footer, 3, 24);
  });
}
