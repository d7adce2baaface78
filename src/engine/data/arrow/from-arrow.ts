import * as arrow from "apache-arrow";
import { assert } from "../../base/assert.ts";
import { WeirError } from "../../base/errors.ts";
import { Batch } from "../batch.ts";
import { nullsIn } from "../bits.ts";
import { type Column, type FixedColumn, isNull, type Validity, type VarColumn } from "../column.ts";
import { nullColumn } from "../column-builder.ts";
import { concatColumns } from "../kernels/concat.ts";
import { copyColumn } from "../kernels/copy.ts";
import { takeColumn } from "../kernels/take.ts";
import type { Schema } from "../schema.ts";
import { bytesOf, elementsPerRow, fixedValuesAt } from "../storage.ts";
import type { LogicalType } from "../types.ts";
import { schemaFromArrow, typeFromArrow } from "./arrow-types.ts";
import { damaged } from "./damaged.ts";
import { isShared } from "./shared.ts";
import { largeText, viewText } from "./text-layouts.ts";
import { widenDecimals, widenHalfs } from "./widen.ts";

/**
 * The rows of an Arrow record batch over the same buffers. Copied is what lies in shared memory (P-01), and what Arrow lays out
 * otherwise: large and view text, codes of other widths than 32 bits, float16, short decimals. Slices keep their offsets.
 *
 * @param schema what `schemaFromArrow` made of the batch's schema, for a run of batches
 * @param places which of the batch's columns each field is; without it all of them in their order
 * @throws WeirError `unsupported-type`, `duplicate-columns`, `arrow-damaged` naming the column
 */
export function fromArrow(
  batch: arrow.RecordBatch,
  schema: Schema = schemaFromArrow(batch.schema),
  places: readonly number[] = [...schema.fields.keys()],
): Batch {
  const columns = schema.fields.map((field, index): Column => {
    const data = batch.data.children[places[index] as number];
    assert(data !== undefined && data.length === batch.numRows, "as many values as rows");
    try {
      const column = columnFromArrow(data, field.type);
      if (column.nullCount > 0 && !field.nullable) throw damaged("it holds NULL, and its schema says not null");
      return isShared(column) ? copyColumn(column) : column;
    } catch (error) {
      throw error instanceof WeirError ? error.at({ field: field.name }) : error;
    }
  });
  return new Batch(schema, batch.numRows, columns);
}

function columnFromArrow(data: arrow.Data, type: LogicalType): Column {
  const { DataType } = arrow;
  if (DataType.isDictionary(data.type)) return fromDictionary(data, type);
  if (DataType.isNull(data.type)) return nullColumn(type, data.length);
  const common = { type, length: data.length, ...nullsOf(data) };
  if (DataType.isBool(data.type)) {
    const bits = data.values as Uint8Array;
    if (8 * bits.length < data.offset + data.length) throw damaged("it has too few values");
    return { encoding: "bits", ...common, values: { bits, bitOffset: data.offset } };
  }
  if (type.kind === "utf8" || type.kind === "binary") return checked({ ...common, ...textOf(data), encoding: "var" });
  return { encoding: "fixed", ...common, values: fixedOf(data, type) };
}

function nullsOf(data: arrow.Data): { nullCount: number; validity: Validity } {
  const bits = data.nullBitmap as Uint8Array | undefined;
  if (bits === undefined || bits.length === 0) return { nullCount: 0, validity: null };
  if (8 * bits.length < data.offset + data.length) throw damaged("its validity is too short");
  const validity = { bits, bitOffset: data.offset };
  const nullCount = nullsIn(validity, 0, data.length);
  return nullCount === 0 ? { nullCount, validity: null } : { nullCount, validity };
}

function fixedOf(data: arrow.Data, type: LogicalType): FixedColumn["values"] {
  const values = data.values as FixedColumn["values"];
  if (arrow.DataType.isFloat(data.type) && data.type.precision === arrow.Precision.HALF) {
    return widenHalfs(values as Uint16Array, data.length);
  }
  if (arrow.DataType.isDecimal(data.type) && data.type.bitWidth < 128) {
    return widenDecimals(bytesOf(values), data.type.bitWidth, data.length);
  }
  const elements = data.length * elementsPerRow(type);
  const { buffer, byteOffset, byteLength } = values;
  const own = fixedValuesAt(type, buffer, byteOffset, 0);
  if (byteLength < elements * own.BYTES_PER_ELEMENT) throw damaged("it has too few values");
  return fixedValuesAt(type, buffer, byteOffset, data.length);
}

/** Offsets and bytes of a text or binary column, of whatever layout. */
function textOf(data: arrow.Data): Pick<VarColumn, "offsets" | "bytes"> {
  const { DataType } = arrow;
  const { type, length } = data;
  if (DataType.isUtf8View(type) || DataType.isBinaryView(type)) return viewText(data);
  const bytes = (data.values as Uint8Array | undefined) ?? new Uint8Array(0);
  if (DataType.isFixedSizeBinary(type)) {
    return { bytes, offsets: Int32Array.from({ length: length + 1 }, (_, row) => row * type.byteWidth) };
  }
  if (DataType.isLargeUtf8(type) || DataType.isLargeBinary(type)) return largeText(data, bytes);
  const offsets = data.valueOffsets as Int32Array | undefined;
  // Arrow lets a column without rows leave out its offsets.
  if (offsets === undefined || offsets.length === 0) return { bytes, offsets: new Int32Array(length + 1) };
  return { bytes, offsets: offsets.length === length + 1 ? offsets : offsets.subarray(0, length + 1) };
}

/** Fails where the offsets of a file are nonsense: nothing behind this door looks at them again. */
function checked(column: VarColumn): VarColumn {
  const { offsets, bytes, length } = column;
  if (offsets.length !== length + 1) throw damaged("it has too few offsets");
  let before = offsets[0] as number;
  let falls = before < 0;
  for (let row = 1; row <= length; row++) {
    const next = offsets[row] as number;
    falls ||= next < before;
    before = next;
  }
  if (falls || before > bytes.length) throw damaged("its offsets are wrong");
  return column;
}

const dictionaries = new WeakMap<arrow.Vector, Column>();

/** The words of a vector, one object as long as it is the same vector: a delta makes a new one (P-42). */
function wordsOf(vector: arrow.Vector, type: LogicalType): Column {
  const known = dictionaries.get(vector);
  if (known !== undefined) return known;
  const chunks = vector.data.map((data) => columnFromArrow(data, type));
  const joined =
    chunks.length === 1 ? (chunks[0] as Column) : chunks.length === 0 ? nullColumn(type, 0) : concatColumns(chunks);
  const words = isShared(joined) ? copyColumn(joined) : joined;
  dictionaries.set(vector, words);
  return words;
}

function fromDictionary(data: arrow.Data, type: LogicalType): Column {
  const { length, dictionary } = data;
  if (dictionary === undefined) throw damaged("its dictionary is missing");
  const valueType = typeFromArrow(dictionary.type);
  assert(valueType !== undefined, "a dictionary of a type that the schema has");
  const words = wordsOf(dictionary, type);
  const nulls = nullsOf(data);
  const codes = codesOf(data);
  checkCodes(codes, length, nulls.validity, words.length);
  if (words.encoding === "var") {
    return { encoding: "dictionary", type, length, ...nulls, codes, dictionary: words };
  }
  return looked(words, { type, length, ...nulls, values: codes, encoding: "fixed" });
}

/** Values of a dictionary of anything but text, row by row. */
function looked(words: Column, codes: FixedColumn): Column {
  if (words.length === 0) return nullColumn(words.type, codes.length);
  const rows = Int32Array.from({ length: codes.length }, (_, row) =>
    isNull(codes, row) ? 0 : (codes.values[row] as number),
  );
  const values = takeColumn(words, rows);
  if (codes.nullCount === 0) return values;
  const bits = new Uint8Array((codes.length + 7) >> 3);
  let nullCount = 0;
  for (let row = 0; row < codes.length; row++) {
    if (isNull(codes, row) || isNull(values, row)) nullCount++;
    else bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
  }
  return { ...values, nullCount, validity: { bits, bitOffset: 0 } };
}

function codesOf(data: arrow.Data): Int32Array {
  const codes = data.values as FixedColumn["values"] | BigInt64Array | BigUint64Array;
  if (codes.length < data.length) throw damaged("it has too few codes");
  if (codes instanceof Int32Array) return codes.length === data.length ? codes : codes.subarray(0, data.length);
  const out = new Int32Array(data.length);
  for (let row = 0; row < out.length; row++) out[row] = Number(codes[row]);
  return out;
}

function checkCodes(codes: Int32Array, length: number, validity: Validity, words: number): void {
  const column = { encoding: "fixed", type: { kind: "date" }, length, nullCount: 0, validity, values: codes } as const;
  for (let row = 0; row < length; row++) {
    const code = codes[row] as number;
    if ((code < 0 || code >= words) && !isNull(column, row)) throw damaged("a code is not in its dictionary");
  }
}
