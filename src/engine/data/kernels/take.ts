import { assertNever } from "../../base/assert.ts";
import { Batch } from "../batch.ts";
import { countOnes } from "../bits.ts";
import type { Column, FixedColumn, FixedValues, Validity, VarColumn } from "../column.ts";
import { elementsPerRow, newFixedValues, newTextBytes, wordAccess } from "../storage.ts";
import * as gather from "./gather.ts";

/**
 * Rows `rows[from]`, …, `rows[to − 1]` in this order, also repeated ones, as a column of its own memory. Dictionaries are shared.
 */
export function takeColumn(column: Column, rows: Int32Array, from = 0, to = rows.length): Column {
  const length = to - from;
  const validity = takeValidity(column, rows, from, to);
  const nullCount = validity === null ? 0 : length - countOnes(validity.bits, 0, length);
  const common = { type: column.type, length, nullCount, validity: nullCount === 0 ? null : validity };
  switch (column.encoding) {
    case "fixed":
      return { encoding: "fixed", ...common, values: takeValues(column, rows, from, to) };
    case "bits":
      return {
        encoding: "bits",
        ...common,
        values: { bits: gather.gatherBits(column.values, rows, from, to), bitOffset: 0 },
      };
    case "var":
      return { encoding: "var", ...common, ...takeText(column, rows, from, to) };
    case "dictionary": {
      const codes = new Int32Array(length);
      gather.gather32(column.codes, rows, from, to, codes);
      return { encoding: "dictionary", ...common, codes, dictionary: column.dictionary };
    }
    default:
      return assertNever(column);
  }
}

/** The rows of a batch in the given order; private, event times along with them. */
export function takeBatch(batch: Batch, rows: Int32Array, from = 0, to = rows.length): Batch {
  const columns = batch.columns.map((column) => takeColumn(column, rows, from, to));
  let eventTimes: Float64Array | null = null;
  if (batch.eventTimes !== null) {
    eventTimes = new Float64Array(to - from);
    gather.gatherFloat64(batch.eventTimes, rows, from, to, eventTimes);
  }
  return new Batch(batch.schema, to - from, columns, eventTimes, false);
}

function takeValidity(column: Column, rows: Int32Array, from: number, to: number): Validity {
  if (column.nullCount === 0 || column.validity === null) return null;
  return { bits: gather.gatherBits(column.validity, rows, from, to), bitOffset: 0 };
}

function takeValues(column: FixedColumn, rows: Int32Array, from: number, to: number): FixedValues {
  const { type, values } = column;
  const out = newFixedValues(type, to - from);
  const words = elementsPerRow(type);
  if (words === 4) gather.gatherQuads(values as Int32Array, rows, from, to, out as Int32Array);
  else if (words === 2) gather.gatherPairs(values as Int32Array, rows, from, to, out as Int32Array);
  else if (values instanceof Float64Array) gather.gatherFloat64(values, rows, from, to, out as Float64Array);
  else if (values.BYTES_PER_ELEMENT === 4) gather.gather32(as32(values), rows, from, to, as32(out));
  else if (values.BYTES_PER_ELEMENT === 2) gather.gather16(as16(values), rows, from, to, as16(out));
  else gather.gather8(as8(values), rows, from, to, as8(out));
  return out;
}

const as32 = (values: FixedValues): Int32Array =>
  values instanceof Int32Array ? values : new Int32Array(values.buffer, values.byteOffset, values.length);
const as16 = (values: FixedValues): Uint16Array =>
  values instanceof Uint16Array ? values : new Uint16Array(values.buffer, values.byteOffset, values.length);
const as8 = (values: FixedValues): Uint8Array =>
  values instanceof Uint8Array ? values : new Uint8Array(values.buffer, values.byteOffset, values.length);

function takeText(column: VarColumn, rows: Int32Array, from: number, to: number): Pick<VarColumn, "offsets" | "bytes"> {
  const offsets = new Int32Array(to - from + 1);
  const bytes = newTextBytes(gather.gatherOffsets(column.offsets, rows, from, to, offsets));
  gather.gatherText(column.offsets, column.bytes, wordAccess(column.bytes), rows, from, to, wordAccess(bytes));
  return { offsets, bytes };
}
