import * as arrow from "apache-arrow";
import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryBatch, arbitraryTypes, modelOf, modelRows } from "../testing/arbitrary-batches.ts";
import { dictionaryColumn, everyTypeBatch, TEXTS, textColumn } from "../testing/sample-batches.ts";
import { isShared } from "./arrow/shared.ts";
import { fromArrow, schemaFromArrow, schemaToArrow, toArrow } from "./arrow-door.ts";
import { Batch } from "./batch.ts";
import type { Column, FixedColumn } from "./column.ts";
import { rowsOf } from "./row-codec.ts";
import { bytesOf, fixedValuesAt } from "./storage.ts";

const models = arbitraryTypes.chain((types) => arbitraryBatch(types));
const vectorBatch = (columns: Record<string, arrow.Vector>): arrow.RecordBatch =>
  new arrow.Table(columns).batches[0] as arrow.RecordBatch;
const range = (count: number): number[] => [...Array(count).keys()];

test("a batch goes out to Arrow and comes back with every row, for every type, slice and encoding (D-44)", () => {
  fc.assert(
    fc.property(models, fc.constantFrom("keep", "plain"), (model, dictionaries) => {
      const out = toArrow(model.batch, { dictionaries });
      const back = fromArrow(out);
      expect(back.schema.toString()).toBe(model.batch.schema.toString());
      expect(modelOf(back).cells).toEqual(model.cells);
      expect(back.rowCount).toBe(model.batch.rowCount);
    }),
  );
});

test("it stays the same through the IPC format, read from any offset of a larger buffer (P-54)", () => {
  fc.assert(
    fc.property(models, fc.nat(9), (model, offset) => {
      fc.pre(model.batch.columns.length > 0);
      const ipc = arrow.tableToIPC(new arrow.Table([toArrow(model.batch)]), "stream");
      const larger = new Uint8Array(ipc.length + offset);
      larger.set(ipc, offset);
      const batches = arrow.tableFromIPC(larger.subarray(offset)).batches.map((each) => fromArrow(each));
      const rows = batches.flatMap((batch) => rowsOf(batch));
      expect(rows).toEqual(rowsOf(model.batch));
    }),
  );
});

test("slices of Arrow batches keep their value: NULL bitmaps, booleans and offsets that start anywhere (D-44)", () => {
  fc.assert(
    fc.property(models, fc.nat(24), fc.nat(24), (model, a, b) => {
      const to = Math.min(Math.max(a, b), model.batch.rowCount);
      const from = Math.min(a, b, to);
      const slice = toArrow(model.batch).slice(from, to);
      const rows = range(to - from).map((row) => from + row);
      expect(modelOf(fromArrow(slice)).cells).toEqual(modelRows(model, rows).cells);
    }),
  );
});

test("nothing is copied where the layouts agree", () => {
  const batch = everyTypeBatch(40);
  const out = toArrow(batch);
  const back = fromArrow(out);
  batch.columns.forEach((column, c) => {
    const again = back.columns[c] as Column;
    if (column.encoding === "fixed" && again.encoding === "fixed")
      expect(again.values.buffer).toBe(column.values.buffer);
    if (column.encoding === "var" && again.encoding === "var") expect(again.bytes.buffer).toBe(column.bytes.buffer);
  });
});

test("what lies in shared memory is copied out before it meets Arrow, both ways (P-01)", () => {
  const batch = everyTypeBatch(40);
  const shareBytes = (bytes: Uint8Array): Uint8Array => {
    const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
    copy.set(bytes);
    return copy;
  };
  const shareWords = (words: Int32Array): Int32Array => {
    const copy = new Int32Array(new SharedArrayBuffer(words.byteLength));
    copy.set(words);
    return copy;
  };
  const shared = batch.columns.map((column): Column => {
    if (column.encoding === "var")
      return { ...column, offsets: shareWords(column.offsets), bytes: shareBytes(column.bytes) };
    if (column.encoding === "bits")
      return { ...column, values: { ...column.values, bits: shareBytes(column.values.bits) } };
    const { buffer } = shareBytes(bytesOf((column as FixedColumn).values));
    return { ...(column as FixedColumn), values: fixedValuesAt(column.type, buffer, 0, column.length) };
  });
  expect(shared.every(isShared)).toBe(true);
  const out = toArrow(new Batch(batch.schema, 40, shared, null, true));
  const buffers = out.data.children.flatMap((data) => [data.values, data.valueOffsets, data.nullBitmap]);
  for (const buffer of buffers) if (buffer !== undefined) expect(buffer.buffer).toBeInstanceOf(ArrayBuffer);
  expect(modelOf(fromArrow(out)).cells).toEqual(modelOf(batch).cells);
  const text = shared.find(({ encoding, type }) => encoding === "var" && type.kind === "utf8");
  if (text?.encoding !== "var") throw new Error("a column of text");
  const { length, offsets: valueOffsets, bytes: data } = text;
  const theirs = arrow.makeData({ type: new arrow.Utf8(), length, nullCount: 0, valueOffsets, data });
  const [column] = fromArrow(vectorBatch({ t: new arrow.Vector([theirs]) })).columns;
  expect(column !== undefined && isShared(column)).toBe(false);
});

test("timestamps keep their 64 bits and their unit, before 1970 and a nanosecond apart (P-39)", () => {
  const values = BigInt64Array.of(-1n, -2208988800000000000n, 1677692667000000001n, 1677692667000000002n, -(2n ** 63n));
  for (const [unit, name] of [
    [0, "s"],
    [1, "ms"],
    [2, "us"],
    [3, "ns"],
  ] as const) {
    const type = new arrow.Timestamp(unit, "Europe/Vienna");
    const vector = new arrow.Vector([arrow.makeData({ type, length: 5, nullCount: 0, data: values })]);
    const batch = fromArrow(vectorBatch({ t: vector }));
    expect(batch.schema.toString()).toBe(`t timestamp[${name}]`);
    expect(modelOf(batch).cells[0]).toEqual([...values]);
  }
});

test("each batch of a stream is read with its own dictionary, deltas and NULLs too (P-42)", () => {
  const type = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int8(), 7);
  const words = (...texts: (string | null)[]) => arrow.vectorFromArray(texts, new arrow.Utf8());
  const batchOf = (codes: number[], dictionary: arrow.Vector) => {
    const data = arrow.makeData({ type, length: codes.length, nullCount: 0, data: Int8Array.from(codes), dictionary });
    return vectorBatch({ k: new arrow.Vector([data]) });
  };
  const second = words("z", "x");
  const batches = [
    batchOf([0, 1], words("x", "y")),
    batchOf([0, 1], second),
    batchOf([2, 3], second.concat(words("w", null))),
  ];
  expect(batches.map((batch) => modelOf(fromArrow(batch)).cells[0])).toEqual([
    ["x", "y"],
    ["z", "x"],
    ["w", null],
  ]);
  const [column] = fromArrow(batches[1] as arrow.RecordBatch).columns;
  const [again] = fromArrow(batchOf([1], second)).columns;
  expect(
    column?.encoding === "dictionary" && again?.encoding === "dictionary" && column.dictionary === again.dictionary,
  ).toBe(true);
});

test("codes of every width, and dictionaries of other types than text, come in by value", () => {
  const texts = ["b", null, "a", "b"];
  const dictionary = arrow.vectorFromArray(["a", "b"], new arrow.Utf8());
  const each = [
    [new arrow.Int8(), Int8Array],
    [new arrow.Uint8(), Uint8Array],
    [new arrow.Int16(), Int16Array],
    [new arrow.Uint16(), Uint16Array],
    [new arrow.Uint32(), Uint32Array],
  ] as const;
  for (const [indices, Codes] of each) {
    const type = new arrow.Dictionary(dictionary.type, indices);
    const data = arrow.makeData({
      type,
      length: 4,
      nullBitmap: Uint8Array.of(0b1101),
      data: Codes.of(1, 9, 0, 1),
      dictionary,
    });
    expect(modelOf(fromArrow(vectorBatch({ k: new arrow.Vector([data]) }))).cells[0]).toEqual(texts);
  }
  const numbers = arrow.vectorFromArray([7n, null, 9n, 7n], new arrow.Dictionary(new arrow.Int64(), new arrow.Int32()));
  const batch = fromArrow(vectorBatch({ k: numbers }));
  expect([batch.schema.toString(), modelOf(batch).cells[0]]).toEqual(["k int64", [7n, null, 9n, 7n]]);
});

test("large and view text, fixed-size binary, null, date64, float16 and short decimals come in exactly", () => {
  const texts = [...TEXTS, null];
  const views = TEXTS.map((text) => new TextEncoder().encode(text));
  const columns = {
    large: arrow.vectorFromArray(texts, new arrow.LargeUtf8()),
    fixed: arrow.vectorFromArray([...views.map((_, i) => Uint8Array.of(i, 255)), null], new arrow.FixedSizeBinary(2)),
    none: new arrow.Vector([arrow.makeData({ type: new arrow.Null(), length: texts.length })]),
    half: arrow.vectorFromArray(
      [0, -0, 1.5, -65504, 2 ** -24, Infinity, -Infinity, NaN, 0.5, 2, 1, null],
      new arrow.Float16(),
    ),
  };
  const batch = fromArrow(vectorBatch(columns));
  expect(batch.schema.toString()).toBe("large utf8, fixed binary, none utf8, half float32");
  const { cells } = modelOf(batch);
  expect(cells[0]).toEqual(texts);
  expect(cells[1]).toEqual([...TEXTS.map((_, i) => `${i.toString(16).padStart(2, "0")}ff`), null]);
  expect(cells[2]).toEqual(texts.map(() => null));
  expect(cells[3]).toEqual([0, -0, 1.5, -65504, 2 ** -24, Infinity, -Infinity, NaN, 0.5, 2, 1, null]);
});

test("short decimals and dates of milliseconds keep their value", () => {
  const small = arrow.makeData({
    type: new arrow.Decimal(2, 9, 32),
    length: 2,
    nullCount: 0,
    data: Uint32Array.of(150, -1),
  });
  const middle = arrow.makeData({
    type: new arrow.Decimal(1, 18, 64),
    length: 2,
    nullCount: 0,
    data: Uint32Array.of(5, 1, -7, -1),
  });
  const dates = arrow.makeData({
    type: new arrow.DateMillisecond(),
    length: 2,
    nullCount: 0,
    data: BigInt64Array.of(86_400_001n, -1n),
  });
  const batch = fromArrow(
    vectorBatch({
      small: new arrow.Vector([small]),
      middle: new arrow.Vector([middle]),
      dates: new arrow.Vector([dates]),
    }),
  );
  expect(rowsOf(batch)).toEqual([
    ["1.50", "429496730.1", "1970-01-02T00:00:00.001Z"],
    ["-0.01", "-0.7", "1969-12-31T23:59:59.999Z"],
  ]);
});

test("view text is put together, short and long, whatever lies under a NULL", () => {
  const data = new TextEncoder().encode("a text of more than twelve bytes");
  const views = new DataView(new ArrayBuffer(48));
  views.setInt32(0, 3, true);
  new Uint8Array(views.buffer).set(new TextEncoder().encode("abc"), 4);
  views.setInt32(16, data.length - 2, true);
  views.setInt32(24, 0, true);
  views.setInt32(28, 2, true);
  views.setInt32(32, -5, true);
  const make = (nullBitmap: Uint8Array) =>
    fromArrow(
      vectorBatch({
        v: new arrow.Vector([
          arrow.makeData({
            type: new arrow.Utf8View(),
            length: 3,
            nullBitmap,
            views: new Uint8Array(views.buffer),
            variadicBuffers: [data],
          }),
        ]),
      }),
    );
  expect(modelOf(make(Uint8Array.of(0b011))).cells[0]).toEqual(["abc", "text of more than twelve bytes", null]);
  expect(() => make(Uint8Array.of(0b111))).toThrow(/damaged: a view is wrong/);
});

test("nested types, times, durations and too long decimals are refused by name, all at once", () => {
  const schema = new arrow.Schema([
    new arrow.Field("ok", new arrow.Int32()),
    new arrow.Field("list", new arrow.List(new arrow.Field("item", new arrow.Int32()))),
    new arrow.Field("nested", new arrow.Struct([new arrow.Field("x", new arrow.Utf8())])),
    new arrow.Field("noon", new arrow.TimeMillisecond()),
    new arrow.Field("long", new arrow.DurationSecond()),
    new arrow.Field("wide", new arrow.Decimal(2, 60, 256)),
  ]);
  expect(() => schemaFromArrow(schema)).toThrow(
    /list \(List.*nested \(Struct.*noon \(Time.*long \(Duration.*wide \(Decimal/s,
  );
  expect(() => schemaFromArrow(schema)).not.toThrow(/ok \(/);
});

test("repeated column names are refused by name (D-43)", () => {
  const schema = new arrow.Schema([new arrow.Field("id", new arrow.Int32()), new arrow.Field("id", new arrow.Utf8())]);
  expect(() => schemaFromArrow(schema)).toThrow(/distinct and not empty: id/);
});

test("buffers that contradict each other are an error that names the column, not rows of another", () => {
  const text = (offsets: number[], bytes: Uint8Array) =>
    vectorBatch({
      t: new arrow.Vector([
        arrow.makeData({
          type: new arrow.Utf8(),
          length: 2,
          nullCount: 0,
          valueOffsets: Int32Array.from(offsets),
          data: bytes,
        }),
      ]),
    });
  const bytes = new Uint8Array(4);
  expect(rowsOf(fromArrow(text([0, 2, 4], bytes))).length).toBe(2);
  for (const offsets of [
    [0, 3, 2],
    [0, 2, 5],
    [-1, 0, 1],
    [0, 1],
  ]) {
    expect(() => fromArrow(text(offsets, bytes))).toThrow(
      expect.objectContaining({ data: expect.objectContaining({ code: "arrow-damaged", field: "t" }) }),
    );
  }
  const type = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32());
  const dictionary = arrow.vectorFromArray(["x"], new arrow.Utf8());
  const coded = (codes: number[], nullBitmap?: Uint8Array) =>
    vectorBatch({
      k: new arrow.Vector([arrow.makeData({ type, length: 2, nullBitmap, data: Int32Array.from(codes), dictionary })]),
    });
  expect(() => fromArrow(coded([0, 1]))).toThrow(/not in its dictionary/);
  expect(modelOf(fromArrow(coded([0, 99], Uint8Array.of(1)))).cells[0]).toEqual(["x", null]);
});

test("batches with different dictionaries have one Arrow schema as plain text", () => {
  const text = new arrow.Schema([new arrow.Field("k", new arrow.Utf8(), true)]);
  const column = dictionaryColumn([0], textColumn(["w"]));
  const out = toArrow(new Batch(schemaFromArrow(text), 1, [column]), { dictionaries: "plain" });
  expect(out.schema.toString()).toBe(text.toString());
  const { schema } = everyTypeBatch(0);
  expect(schemaFromArrow(schemaToArrow(schema)).equals(schema)).toBe(true);
});

test("a NULL in a column that is declared not null is an error, not a row", () => {
  const data = arrow.makeData({
    type: new arrow.Int8(),
    length: 2,
    nullBitmap: Uint8Array.of(1),
    data: Int8Array.of(1, 2),
  });
  const schema = new arrow.Schema([new arrow.Field("n", new arrow.Int8(), false)]);
  const batch = new arrow.RecordBatch(
    schema,
    arrow.makeData({ type: new arrow.Struct(schema.fields), length: 2, nullCount: 0, children: [data] }),
  );
  expect(() => fromArrow(batch)).toThrow(/says not null/);
});
