import * as arrow from "apache-arrow";
import { assertNever } from "../../base/assert.ts";
import type { Batch } from "../batch.ts";
import { bytesForBits, copyBits } from "../bits.ts";
import type { Bits, Column, FixedValues, VarColumn } from "../column.ts";
import { copyColumn } from "../kernels/copy.ts";
import { plainText } from "../kernels/plain.ts";
import type { Schema } from "../schema.ts";
import { bytesOf } from "../storage.ts";
import { typeToArrow } from "./arrow-types.ts";
import { isShared } from "./shared.ts";

export interface ToArrowOptions {
  /**
   * `keep` (default): dictionary columns stay so, with the column's position as the dictionary's id. `plain`: they become text,
   * so that all batches have one schema whatever their dictionaries.
   */
  readonly dictionaries?: "keep" | "plain";
}

/** The schema of what `toArrow` makes of batches without dictionary columns. */
export function schemaToArrow(schema: Schema): arrow.Schema {
  return new arrow.Schema(
    schema.fields.map(({ name, type, nullable }) => new arrow.Field(name, typeToArrow(type), nullable)),
  );
}

/**
 * The batch as an Arrow record batch over the same buffers; only what lies in shared memory is copied (P-01), and bitmaps that
 * start within a byte. Event times stay behind.
 */
export function toArrow(batch: Batch, { dictionaries = "keep" }: ToArrowOptions = {}): arrow.RecordBatch {
  const children = batch.columns.map((column, index) => {
    const plain = column.encoding === "dictionary" && dictionaries === "plain" ? plainText(column) : column;
    return dataOf(isShared(plain) ? copyColumn(plain) : plain, index);
  });
  const schema = new arrow.Schema(
    batch.schema.fields.map(({ name, nullable }, index) => {
      return new arrow.Field(name, (children[index] as arrow.Data).type, nullable);
    }),
  );
  const type = new arrow.Struct(schema.fields);
  const data = arrow.makeData({ type, length: batch.rowCount, nullCount: 0, children });
  return new arrow.RecordBatch(schema, data);
}

function dataOf(column: Column, index: number): arrow.Data {
  const { length, nullCount } = column;
  const nullBitmap = bitmapOf(column);
  switch (column.encoding) {
    case "fixed": {
      // The makers differ in their declarations only: each takes bytes and looks at them through its own kind of array.
      const type = typeToArrow(column.type) as arrow.Int;
      return arrow.makeData({ type, length, nullCount, nullBitmap, data: alignedBytes(column.values) });
    }
    case "bits": {
      const data = bitsFromZero(column.values, length);
      return arrow.makeData({ type: new arrow.Bool(), length, nullCount, nullBitmap, data });
    }
    case "var":
      return textData(column);
    case "dictionary": {
      const words = dictionaryVector(column.dictionary);
      const type = new arrow.Dictionary(words.type, new arrow.Int32(), index);
      return arrow.makeData({ type, length, nullCount, nullBitmap, data: column.codes, dictionary: words });
    }
    default:
      return assertNever(column);
  }
}

function textData(column: VarColumn): arrow.Data {
  const { length, nullCount, offsets, bytes } = column;
  const type = typeToArrow(column.type) as arrow.Utf8;
  return arrow.makeData({ type, length, nullCount, nullBitmap: bitmapOf(column), valueOffsets: offsets, data: bytes });
}

const vectors = new WeakMap<VarColumn, arrow.Vector>();

/** One vector for each dictionary, so that a writer sees that batches share it. */
function dictionaryVector(dictionary: VarColumn): arrow.Vector {
  const known = vectors.get(dictionary);
  if (known !== undefined) return known;
  const vector = new arrow.Vector([textData(dictionary)]);
  vectors.set(dictionary, vector);
  return vector;
}

const bitmapOf = ({ nullCount, validity, length }: Column): Uint8Array | undefined =>
  nullCount === 0 || validity === null ? undefined : bitsFromZero(validity, length);

function bitsFromZero(source: Bits, count: number): Uint8Array {
  const from = source.bitOffset >> 3;
  return (source.bitOffset & 7) === 0
    ? source.bits.subarray(from, from + bytesForBits(count))
    : copyBits(source, count).bits;
}

/** 64-bit values need a start at a multiple of 8 (P-54). */
function alignedBytes(values: FixedValues): Uint8Array {
  const bytes = bytesOf(values);
  return (bytes.byteOffset & 7) === 0 ? bytes : bytes.slice();
}
