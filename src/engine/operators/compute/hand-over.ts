import { bitAt, type Column, type FixedColumn, type VarColumn } from "../../data/column.ts";
import { BufferMemory, bufferSizes, writeBuffers } from "../../data/column-buffers.ts";
import { plainText } from "../../data/kernels/plain.ts";
import type { Field } from "../../data/schema.ts";
import { bytesPerRow, newTextBytes } from "../../data/storage.ts";
import { encodeUtf8 } from "../../data/text.ts";
import { BATCH, BATCH_BYTES, COLUMN, COLUMN_BYTES, typeCells } from "./abi.ts";
import { ABI_VERSION } from "./module-shape.ts";

const aligned = (bytes: number): number => (bytes + 7) & ~7;

/**
 * A batch on its way into a module's memory: how many bytes it takes, and how to write them. The same rows give the same bytes: text is plain, and
 * what lies under a NULL is 0, so that a module which reads it can tell nothing.
 */
export class HandOver {
  /** Bytes of the whole, to ask the module for. */
  readonly bytes: number;
  private readonly rows: number;
  private readonly columns: readonly Column[];
  private readonly fields: readonly Field[];
  private readonly names: readonly Uint8Array[];
  /** Where each name begins, from the start of the whole. */
  private readonly nameStarts: number[] = [];
  /** Lengths of all buffers, and where each begins. */
  private readonly sizes: number[] = [];
  private readonly starts: number[] = [];

  constructor(rows: number, columns: readonly Column[], fields: readonly Field[]) {
    this.rows = rows;
    this.columns = columns.map(laidOpen);
    this.fields = fields;
    this.names = fields.map(({ name }) => encodeUtf8(name));
    let end = BATCH_BYTES + COLUMN_BYTES * columns.length;
    for (const name of this.names) {
      this.nameStarts.push(end);
      end = aligned(end + name.length);
    }
    let at = 0;
    for (const column of this.columns) at = bufferSizes(column, this.sizes, at);
    for (const size of this.sizes) {
      this.starts.push(end);
      end = aligned(end + size);
    }
    this.bytes = end;
  }

  /** Writes the batch to `pointer`, a multiple of 8 with room for `bytes`. */
  write(buffer: ArrayBufferLike, pointer: number): void {
    const bytes = new Uint8Array(buffer, pointer, this.bytes);
    const cells = new DataView(buffer, pointer, this.bytes);
    const memory = new BufferMemory(bytes);
    cells.setUint32(BATCH.version, ABI_VERSION, true);
    cells.setUint32(BATCH.rows, this.rows, true);
    cells.setUint32(BATCH.columns, this.columns.length, true);
    cells.setUint32(BATCH.table, pointer + BATCH_BYTES, true);
    let buffers = 0;
    this.columns.forEach((column, index) => {
      const next = writeBuffers(column, memory, this.starts, buffers);
      bytes.set(this.names[index] as Uint8Array, this.nameStarts[index]);
      this.describe(cells, index, buffers, pointer);
      if (column.nullCount > 0) clearNulls(column, bytes, this.starts[buffers + 1] as number);
      buffers = next;
    });
  }

  /** `first`: index of the column's first buffer. */
  private describe(cells: DataView, index: number, first: number, pointer: number): void {
    const { nullCount, encoding } = this.columns[index] as Column;
    const { type } = this.fields[index] as Field;
    const { code, detail } = typeCells(type);
    const data = first + (encoding === "var" ? 2 : 1);
    const at = BATCH_BYTES + COLUMN_BYTES * index;
    const put = (cell: number, value: number) => cells.setUint32(at + cell, value, true);
    const place = (buffer: number): number => pointer + (this.starts[buffer] as number);
    put(COLUMN.type, code);
    put(COLUMN.detail, detail);
    put(COLUMN.name, pointer + (this.nameStarts[index] as number));
    put(COLUMN.nameBytes, (this.names[index] as Uint8Array).length);
    put(COLUMN.nulls, nullCount);
    put(COLUMN.validity, nullCount === 0 ? 0 : place(first));
    put(COLUMN.offsets, encoding === "var" ? place(first + 1) : 0);
    put(COLUMN.data, place(data));
    put(COLUMN.dataBytes, this.sizes[data] as number);
  }
}

/** As a module can read it: a dictionary as plain text, and no text under a NULL. */
function laidOpen(column: Column): Column {
  if (column.encoding === "dictionary") return plainText(column);
  return column.encoding === "var" && hidesText(column) ? withoutHidden(column) : column;
}

function hidesText({ validity, offsets, length, nullCount }: VarColumn): boolean {
  if (validity === null || nullCount === 0) return false;
  for (let row = 0; row < length; row++) {
    if (!bitAt(validity, row) && offsets[row + 1] !== offsets[row]) return true;
  }
  return false;
}

function withoutHidden(column: VarColumn): VarColumn {
  const { validity, offsets, bytes, length } = column;
  const shortened = new Int32Array(length + 1);
  const kept = newTextBytes((offsets[length] as number) - (offsets[0] as number));
  let end = 0;
  for (let row = 0; row < length; row++) {
    if (validity === null || bitAt(validity, row)) {
      const [from, to] = [offsets[row] as number, offsets[row + 1] as number];
      for (let i = from; i < to; i++) kept[end++] = bytes[i] as number;
    }
    shortened[row + 1] = end;
  }
  return { ...column, offsets: shortened, bytes: kept };
}

/** Zeroes what lies under the NULLs of a column whose values were written to `at`. */
function clearNulls(column: Column, bytes: Uint8Array, at: number): void {
  if (column.encoding === "bits") clearBits(column.validity, column.length, bytes, at);
  else if (column.encoding === "fixed") clearValues(column, bytes, at);
}

function clearBits(validity: Column["validity"], length: number, bytes: Uint8Array, at: number): void {
  if (validity === null) return;
  for (let row = 0; row < length; row++) {
    const byte = at + (row >> 3);
    if (!bitAt(validity, row)) bytes[byte] = (bytes[byte] as number) & ~(1 << (row & 7));
  }
}

function clearValues({ validity, length, type }: FixedColumn, bytes: Uint8Array, at: number): void {
  if (validity === null) return;
  const width = bytesPerRow(type);
  for (let row = 0; row < length; row++) {
    if (!bitAt(validity, row)) bytes.fill(0, at + width * row, at + width * (row + 1));
  }
}
