// The batch interface of Weir, version 1, for modules in AssemblyScript: copy this file beside yours and export again what has
// to be exported:  export { weir_abi_v1, weir_alloc } from "./weir";
// docs/compute.md describes what lies where. A module runs each batch in fresh memory, so nothing is ever freed here.

/** Says which version of the interface the module speaks. */
export function weir_abi_v1(): void {}

/** Memory for what comes in. The stub runtime gives multiples of 16. */
export function weir_alloc(bytes: usize): usize {
  return heap.alloc(bytes);
}

const BATCH_BYTES: usize = 32;
const COLUMN_BYTES: usize = 40;

export namespace Type {
  export const BOOLEAN: u32 = 1;
  export const INT32: u32 = 4;
  export const INT64: u32 = 5;
  export const FLOAT64: u32 = 11;
  export const UTF8: u32 = 12;
}

/** The batch that came in. */
@unmanaged
export class Batch {
  version: u32;
  rows: u32;
  columns: u32;
  table: usize;
  origins: usize;
  message: usize;
  messageBytes: u32;
  reserved: u32;

  column(index: u32): Column {
    return changetype<Column>(this.table + <usize>index * COLUMN_BYTES);
  }
}

/** One column of a batch. */
@unmanaged
export class Column {
  type: u32;
  detail: u32;
  name: usize;
  nameBytes: u32;
  nulls: u32;
  validity: usize;
  offsets: usize;
  data: usize;
  dataBytes: u32;
  reserved: u32;

  isNull(row: u32): bool {
    return this.validity != 0 && ((load<u8>(this.validity + (row >> 3)) >> (<u8>row & 7)) & 1) == 0;
  }

  f64(row: u32): f64 {
    return load<f64>(this.data + (row << 3));
  }

  i64(row: u32): i64 {
    return load<i64>(this.data + (row << 3));
  }

  /** Where the text of a row begins, and how many bytes it has. */
  textAt(row: u32): usize {
    return this.data + load<u32>(this.offsets + (row << 2));
  }

  textBytes(row: u32): u32 {
    return load<u32>(this.offsets + (row << 2) + 4) - load<u32>(this.offsets + (row << 2));
  }
}

/** A batch of so many rows to give back, whose columns are then filled. */
export function newBatch(rows: u32, columns: u32): Batch {
  const batch = changetype<Batch>(heap.alloc(BATCH_BYTES));
  memory.fill(changetype<usize>(batch), 0, BATCH_BYTES);
  batch.version = 1;
  batch.rows = rows;
  batch.columns = columns;
  batch.table = heap.alloc(<usize>columns * COLUMN_BYTES);
  memory.fill(batch.table, 0, <usize>columns * COLUMN_BYTES);
  return batch;
}

/** A batch that says what is wrong with the input, and ends the run. */
export function failed(message: string): Batch {
  const batch = newBatch(0, 0);
  const text = String.UTF8.encode(message);
  batch.message = changetype<usize>(text);
  batch.messageBytes = text.byteLength;
  return batch;
}

/** Says for each row of which row that came in it was made; needed where their number changes. Filled with `setOrigin`. */
export function withOrigins(batch: Batch): void {
  batch.origins = heap.alloc(batch.rows << 2);
}

export function setOrigin(batch: Batch, row: u32, origin: u32): void {
  store<u32>(batch.origins + (row << 2), origin);
}

/** A column of numbers of 8 bytes. */
export class F64Writer {
  private column: Column;

  constructor(batch: Batch, index: u32) {
    this.column = batch.column(index);
    this.column.type = Type.FLOAT64;
    this.column.dataBytes = batch.rows << 3;
    this.column.data = heap.alloc(this.column.dataBytes);
    this.column.validity = allValid(batch.rows);
  }

  set(row: u32, value: f64): void {
    store<f64>(this.column.data + (row << 3), value);
  }

  setNull(row: u32): void {
    this.set(row, 0);
    clearBit(this.column.validity, row);
  }
}

/** A column of text, written row by row from the first to the last; no row is longer than `most` bytes. */
export class TextWriter {
  private column: Column;
  private row: u32 = 0;

  constructor(batch: Batch, index: u32, most: u32) {
    this.column = batch.column(index);
    this.column.type = Type.UTF8;
    this.column.offsets = heap.alloc((batch.rows + 1) << 2);
    store<u32>(this.column.offsets, 0);
    this.column.data = heap.alloc(batch.rows * most);
    this.column.validity = allValid(batch.rows);
  }

  /** Where the text of the next row is to be put; `push` then says how long it is. */
  get next(): usize {
    return this.column.data + this.column.dataBytes;
  }

  push(bytes: u32): void {
    this.column.dataBytes += bytes;
    this.row++;
    store<u32>(this.column.offsets + (this.row << 2), this.column.dataBytes);
  }

  pushNull(): void {
    clearBit(this.column.validity, this.row);
    this.push(0);
  }
}

function allValid(rows: u32): usize {
  const bytes = (rows + 7) >> 3;
  const bits = heap.alloc(bytes);
  memory.fill(bits, 0xff, bytes);
  return bits;
}

function clearBit(bits: usize, row: u32): void {
  const at = bits + (row >> 3);
  store<u8>(at, load<u8>(at) & ~(<u8>1 << (<u8>row & 7)));
}
