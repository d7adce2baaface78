import { Field, Float64, Int64, makeData, RecordBatch, Schema, Struct, Utf8 } from "apache-arrow";
import type { Batch, Column } from "../../src/engine/parts.ts";

const SCHEMA = new Schema([
  new Field("k", new Utf8(), false),
  new Field("ts", new Int64(), false),
  new Field("v", new Float64(), false),
]);
const ROW = new Struct(SCHEMA.fields);

/** The same rows, over the same buffers, as Arrow's own object. Only of text keys. */
export function recordBatchOf(batch: Batch): RecordBatch {
  const length = batch.rowCount;
  const plain = { length, nullCount: 0 };
  const { offsets, bytes, times, values } = partsOf(batch);
  const children = [
    makeData({ type: new Utf8(), ...plain, valueOffsets: offsets, data: bytes }),
    makeData({ type: new Int64(), ...plain, data: new BigInt64Array(times.buffer, times.byteOffset, length) }),
    makeData({ type: new Float64(), ...plain, data: values }),
  ];
  return new RecordBatch(SCHEMA, makeData({ type: ROW, ...plain, children }));
}

export interface RowObject {
  readonly k: string;
  readonly ts: number;
  readonly v: number;
}

/** The same rows as objects; times as numbers, which costs less than BigInt. */
export function rowObjectsOf(batch: Batch): RowObject[] {
  const { offsets, bytes, times, values } = partsOf(batch);
  const decoder = new TextDecoder();
  return Array.from(values, (v, row) => ({
    k: decoder.decode(bytes.subarray(offsets[row], offsets[row + 1])),
    ts: (times[2 * row + 1] as number) * 2 ** 32 + ((times[2 * row] as number) >>> 0),
    v,
  }));
}

function partsOf({ columns: [key, time, value] }: Batch) {
  if (key?.encoding !== "var") throw new TypeError("only text keys go this way");
  return { offsets: key.offsets, bytes: key.bytes, times: wordsOf(time), values: doublesOf(value) };
}

function wordsOf(column: Column | undefined): Int32Array {
  if (column?.encoding === "fixed" && column.values instanceof Int32Array) return column.values;
  throw new TypeError("int64 is stored as words");
}

function doublesOf(column: Column | undefined): Float64Array {
  if (column?.encoding === "fixed" && column.values instanceof Float64Array) return column.values;
  throw new TypeError("float64 is stored as such");
}
