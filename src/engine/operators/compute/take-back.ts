import { WeirError } from "../../base/errors.ts";
import { bytesForBits, copyBits, nullsIn } from "../../data/bits.ts";
import {
  bitAt,
  type Column,
  type FixedColumn,
  type FixedValues,
  type Validity,
  type VarColumn,
} from "../../data/column.ts";
import type { Field } from "../../data/schema.ts";
import { bytesPerRow, fixedValuesAt, newTextBytes } from "../../data/storage.ts";
import { decodeUtf8, isUtf8 } from "../../data/text.ts";
import { typeName } from "../../data/types.ts";
import { BATCH, BATCH_BYTES, COLUMN, COLUMN_BYTES, typeCells, typeText } from "./abi.ts";
import { firstTooLarge } from "./decimal-limit.ts";
import { ABI_VERSION } from "./module-shape.ts";

/** No batch has more rows; a module that says so has lost its way. */
const MOST_ROWS = 1 << 22;
const MESSAGE_BYTES = 2000;

/** What a module gave back, checked and copied to memory of its own. */
export interface TakenBack {
  readonly rows: number;
  readonly columns: readonly Column[];
  /** For each row the row that came in of which it was made; `undefined`: row i was made of row i. */
  readonly origins: Int32Array | undefined;
}

const misbehaved = (message: string, place: { readonly row?: number } = {}): WeirError =>
  new WeirError({
    code: "module-output",
    domain: "data",
    ...place,
    message,
    hint: "the module does not keep to docs/compute.md, or the output columns of the node are not those that it writes",
  });

/**
 * The batch at `pointer` of a module's memory. Nothing in it is believed: every pointer, length, offset, bit and text is checked.
 *
 * @param rowsIn rows that the module was given
 * @param mayChangeRows whether another number of rows needs no `origins`
 * @throws WeirError `module-output` with what is wrong with it, `module-error` with what the module says itself
 */
export function takeBack(
  buffer: ArrayBufferLike,
  pointer: number,
  fields: readonly Field[],
  rowsIn: number,
  mayChangeRows: boolean,
): TakenBack {
  const memory = new OutputMemory(buffer);
  if (pointer === 0) throw misbehaved("the function returned no batch");
  memory.check(pointer, BATCH_BYTES, "the batch that the function returned");
  const cell = (offset: number): number => memory.u32(pointer + offset);
  const version = cell(BATCH.version);
  if (version !== ABI_VERSION) throw misbehaved(`the batch has version ${version}, and ${ABI_VERSION} is spoken here`);
  if (cell(BATCH.message) !== 0) throw moduleError(memory, cell(BATCH.message), cell(BATCH.messageBytes));
  const columns = cell(BATCH.columns);
  if (columns !== fields.length) throw misbehaved(`the batch has ${columns} columns, not ${fields.length}`);
  const rows = cell(BATCH.rows);
  if (rows > MOST_ROWS) throw misbehaved(`the batch has ${rows} rows, and ${MOST_ROWS} are the most`);
  const origins = originsAt(memory, cell(BATCH.origins), rows, rowsIn);
  if (origins === undefined && rows !== rowsIn && !mayChangeRows) {
    throw misbehaved(`the module made ${rows} rows of ${rowsIn} and does not say which of which (origins)`);
  }
  const table = cell(BATCH.table);
  memory.check(table, COLUMN_BYTES * columns, "the table of columns");
  return {
    rows,
    origins,
    columns: fields.map((field, index) => new ColumnTaker(memory, table + COLUMN_BYTES * index, field, rows).take()),
  };
}

function moduleError(memory: OutputMemory, pointer: number, length: number): WeirError {
  memory.check(pointer, length, "the module's message");
  const text = decodeUtf8(memory.bytes, pointer, pointer + Math.min(length, MESSAGE_BYTES));
  return new WeirError({ code: "module-error", domain: "data", message: `the module says: ${text}` });
}

function originsAt(memory: OutputMemory, pointer: number, rows: number, rowsIn: number): Int32Array | undefined {
  if (pointer === 0) return undefined;
  const bytes = memory.copy(pointer, 4 * rows, "origins");
  const origins = new Int32Array(bytes.buffer, 0, rows);
  const wrong = origins.findIndex((origin) => origin < 0 || origin >= rowsIn);
  if (wrong < 0) return origins;
  const origin = (origins[wrong] as number) >>> 0;
  throw misbehaved(`a row says that it was made of row ${origin} of ${rowsIn} (counted from 0)`, { row: wrong + 1 });
}

/** The module's memory as it is after the call. */
class OutputMemory {
  readonly bytes: Uint8Array;
  private readonly cells: DataView;

  constructor(buffer: ArrayBufferLike) {
    this.bytes = new Uint8Array(buffer);
    this.cells = new DataView(buffer);
  }

  check(pointer: number, length: number, what: string): void {
    const { byteLength } = this.bytes;
    if (pointer + length <= byteLength) return;
    throw misbehaved(`${what} (${length} bytes at ${pointer}) lies outside of the memory of ${byteLength} bytes`);
  }

  u32(pointer: number): number {
    return this.cells.getUint32(pointer, true);
  }

  copy(pointer: number, length: number, what: string): Uint8Array<ArrayBuffer> {
    this.check(pointer, length, what);
    return Uint8Array.from(this.bytes.subarray(pointer, pointer + length));
  }
}

class ColumnTaker {
  private readonly memory: OutputMemory;
  private readonly at: number;
  private readonly field: Field;
  private readonly rows: number;

  constructor(memory: OutputMemory, at: number, field: Field, rows: number) {
    this.memory = memory;
    this.at = at;
    this.field = field;
    this.rows = rows;
  }

  take(): Column {
    const { field } = this;
    const wanted = typeCells(field.type);
    const given = { code: this.cell(COLUMN.type), detail: this.cell(COLUMN.detail) };
    if (given.code !== wanted.code || given.detail !== wanted.detail) {
      throw this.wrong(`is ${typeText(given)}, not ${typeName(field.type)}`);
    }
    const validity = this.validity();
    const nullCount = nullsIn(validity, 0, this.rows);
    if (nullCount > 0 && !field.nullable) {
      throw this.wrong(
        "has a NULL and may have none",
        firstRow(this.rows, (row) => validity !== null && !bitAt(validity, row)),
      );
    }
    const common = { type: field.type, length: this.rows, nullCount, validity: nullCount === 0 ? null : validity };
    switch (field.type.kind) {
      case "utf8":
      case "binary":
        return { encoding: "var", ...common, ...this.text(field.type.kind) };
      case "boolean": {
        const bits = this.data(bytesForBits(this.rows));
        return { encoding: "bits", ...common, values: copyBits({ bits, bitOffset: 0 }, this.rows) };
      }
      default:
        return this.fixed(common);
    }
  }

  private cell(offset: number): number {
    return this.memory.u32(this.at + offset);
  }

  private wrong(what: string, row?: number): WeirError {
    const message = `column ${JSON.stringify(this.field.name)} of the module ${what}`;
    return misbehaved(message, row === undefined ? {} : { row: row + 1 });
  }

  private buffer(pointer: number, length: number, what: string): Uint8Array<ArrayBuffer> {
    if (pointer === 0 && length > 0) throw this.wrong(`has no ${what}`);
    return this.memory.copy(pointer, length, `the ${what} of column ${JSON.stringify(this.field.name)}`);
  }

  private validity(): Validity {
    const pointer = this.cell(COLUMN.validity);
    if (pointer === 0) return null;
    const bits = this.buffer(pointer, bytesForBits(this.rows), "validity");
    return copyBits({ bits, bitOffset: 0 }, this.rows);
  }

  private data(wanted: number): Uint8Array<ArrayBuffer> {
    const length = this.cell(COLUMN.dataBytes);
    if (length !== wanted) throw this.wrong(`has ${length} bytes of data for ${this.rows} rows, not ${wanted}`);
    return this.buffer(this.cell(COLUMN.data), length, "data");
  }

  private fixed(common: Omit<FixedColumn, "encoding" | "values">): Column {
    const { type } = this.field;
    const bytes = this.data(this.rows * bytesPerRow(type));
    const values = fixedValuesAt(type, bytes.buffer, 0, this.rows);
    if (type.kind === "float") oneNaN(values);
    if (type.kind === "decimal") {
      const row = firstTooLarge(values as Int32Array, common.validity, type.precision);
      if (row !== undefined) throw this.wrong(`has a number of more than ${type.precision} digits`, row);
    }
    return { encoding: "fixed", ...common, values };
  }

  private text(kind: "utf8" | "binary"): Pick<VarColumn, "offsets" | "bytes"> {
    const { rows } = this;
    const raw = this.buffer(this.cell(COLUMN.offsets), 4 * (rows + 1), "offsets");
    const offsets = new Int32Array(raw.buffer, 0, rows + 1);
    const length = this.cell(COLUMN.dataBytes);
    const data = this.buffer(this.cell(COLUMN.data), length, "data");
    if ((offsets[0] as number) < 0) throw this.wrong("has a negative offset", 0);
    const back = firstRow(rows, (row) => (offsets[row + 1] as number) < (offsets[row] as number));
    if (back !== undefined) throw this.wrong("has offsets that go back", back);
    const end = offsets[rows] as number;
    if (end > length) throw this.wrong(`has offsets up to ${end} and ${length} bytes of data`);
    if (kind === "utf8") this.checkText(offsets, data);
    const bytes = newTextBytes(length);
    bytes.set(data);
    return { offsets, bytes };
  }

  private checkText(offsets: Int32Array, data: Uint8Array): void {
    const bad = (row: number): boolean => !isUtf8(data, offsets[row] as number, offsets[row + 1] as number);
    const row = firstRow(this.rows, bad);
    if (row !== undefined) throw this.wrong("has text that is not UTF-8", row);
  }
}

/** The first of the rows for which it holds. */
function firstRow(rows: number, holds: (row: number) => boolean): number | undefined {
  for (let row = 0; row < rows; row++) if (holds(row)) return row;
  return undefined;
}

/** Which of the many NaNs a module computes is up to the machine: here it is always the same one (D-50). */
function oneNaN(values: FixedValues): void {
  for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i])) values[i] = Number.NaN;
}
