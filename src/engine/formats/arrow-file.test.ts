import * as arrow from "apache-arrow";
import { BodyCompression, BufferRegion, DictionaryBatch, RecordBatch } from "apache-arrow/ipc/metadata/message";
import { describe, expect, it } from "vitest";
import { WeirError } from "../base/errors.ts";
import type { ReadableFile } from "../base/files.ts";
import type { Batch } from "../data/batch.ts";
import type { Schema } from "../data/schema.ts";
import { type ReadAll, readAll } from "../testing/read-all.ts";
import { batch, schema } from "../testing/stage-kit.ts";
import { openArrowReader, readArrowSchema } from "./arrow-file.ts";
import { ipcMessages } from "./arrow-messages.ts";
import { ArrowEncoder } from "./arrow-writer.ts";
import { readableBytes } from "./memory-files.ts";

type Form = "file" | "stream";
const FORMS: Form[] = ["file", "stream"];

function encode(of: Schema, batches: readonly Batch[], form: Form): Uint8Array {
  const encoder = new ArrowEncoder(of, form);
  const pieces = [encoder.start(), ...batches.map((each) => encoder.encode(each)), encoder.end()];
  return new Uint8Array(Buffer.concat(pieces));
}

interface Options {
  readonly of?: Schema;
  readonly batchRows?: number;
  readonly extraFields?: "refuse" | "ignore";
  readonly rescueColumn?: string;
  readonly records?: number;
  readonly notes?: string[];
  readonly file?: ReadableFile;
}

async function read(bytes: Uint8Array, options: Options = {}): Promise<ReadAll> {
  const file = options.file ?? readableBytes("t.arrow", bytes);
  const of = options.of ?? (await readArrowSchema(readableBytes("t.arrow", bytes)));
  const reader = await openArrowReader(file, {
    schema: of,
    extraFields: options.extraFields ?? "refuse",
    batchRows: options.batchRows ?? 1000,
    rescueColumn: options.rescueColumn,
    from: options.records === undefined ? undefined : { records: options.records, offset: 0, line: 0 },
    note: (message) => options.notes?.push(message),
  });
  return readAll(reader);
}

const OF = schema(
  "i8 int8, u64 uint64, f float64, b boolean, t utf8, x binary, d date, s timestamp[s], n timestamp[ns], k int64 not null",
);
const ROWS = [
  [
    -1,
    "18446744073709551615",
    0.1,
    true,
    "ä😀",
    "AP8=",
    "1969-12-31",
    "1900-01-01",
    "2023-03-01T17:44:27.000000001Z",
    1,
  ],
  [null, null, null, null, null, null, null, null, null, "9007199254740993"],
  [127, 0, -0, false, "", "", "2300-01-01", "2300-01-01", "1969-12-31T23:59:59.999999999Z", "-9223372036854775808"],
];

describe.each(FORMS)("an Arrow %s", (form) => {
  it("reads back what was written, every value of every type (P-39)", async () => {
    const [first, second] = [batch(OF, ROWS), batch(OF, ROWS.slice(0, 1))];
    const bytes = encode(OF, [first, second], form);
    expect((await readArrowSchema(readableBytes("t", bytes))).toString()).toBe(OF.toString());
    const all = await read(bytes);
    expect(all.error).toBeUndefined();
    expect(all.rows).toEqual([
      [-1, 18446744073709551615n, 0.1, true, "ä😀", "00ff", -1, -2208988800n, 1677692667000000001n, 1n],
      [null, null, null, null, null, null, null, null, null, 9007199254740993n],
      [127, 0n, -0, false, "", "", 120530, 10413792000n, -1n, -9223372036854775808n],
      [-1, 18446744073709551615n, 0.1, true, "ä😀", "00ff", -1, -2208988800n, 1677692667000000001n, 1n],
    ]);
  });

  it("keeps one record batch and one read ahead, cut into batches, and goes on at any place (P-18)", async () => {
    const of = schema("n int64");
    const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => [from + i]);
    const bytes = encode(of, [batch(of, numbers(0, 10)), batch(of, []), batch(of, numbers(10, 21))], form);
    const all = await read(bytes, { batchRows: 4 });
    expect(all.sizes).toEqual([4, 4, 2, 4, 4, 3]);
    expect(all.waits).toBe(3);
    expect(all.places.map(({ records }) => records)).toEqual([4, 8, 10, 14, 18, 21]);
    for (let records = 0; records <= 21; records++) {
      const rest = await read(bytes, { batchRows: 4, records });
      expect(rest.error).toBeUndefined();
      expect(rest.rows, `from ${records}`).toEqual(all.rows.slice(records));
    }
    const beyond = await read(bytes, { records: 22 });
    expect(beyond.error).toMatchObject({ data: { code: "file-changed" } });
  });

  it("without rows is a schema and nothing else", async () => {
    const bytes = encode(OF, [], form);
    expect(await read(bytes)).toMatchObject({ rows: [], error: undefined });
  });

  it("gives the columns that a schema names, in its order, and says what does not match", async () => {
    const bytes = encode(OF, [batch(OF, ROWS)], form);
    const some = await read(bytes, { of: schema("k int64, t utf8"), extraFields: "ignore" });
    expect(some.rows).toEqual([
      [1n, "ä😀"],
      [9007199254740993n, null],
      [-9223372036854775808n, ""],
    ]);
    await expect(read(bytes, { of: schema("k int32, q utf8"), extraFields: "ignore" })).rejects.toThrow(
      'the file does not have the columns of the schema: "k" is int64, not int32; it has no column "q"',
    );
    await expect(read(bytes, { of: schema("k int64") })).rejects.toThrow("the schema does not name its column");
    const strict = await read(bytes, { of: schema("t utf8 not null"), extraFields: "ignore" });
    expect(strict.error).toMatchObject({ data: { code: "null-in-not-null", field: "t" } });
    const rescued = await read(bytes, { of: schema("i8 int8"), extraFields: "ignore", rescueColumn: "_rescued" });
    expect(rescued.rows).toEqual([
      [-1, null],
      [null, null],
      [127, null],
    ]);
  });

  it("cut off anywhere is an error, or says that it may have been cut off", async () => {
    const of = schema("n int64, t utf8");
    const rows = [
      batch(of, [
        [1, "a"],
        [2, "b"],
      ]),
      batch(of, [[3, "c"]]),
    ];
    const bytes = encode(of, rows, form);
    const whole = await read(bytes);
    for (let length = 0; length < bytes.length; length++) {
      const notes: string[] = [];
      const cut = bytes.slice(0, length);
      const outcome = await read(cut, { of, notes }).catch((error: unknown) => ({ error, rows: [] as unknown[] }));
      // What was given out before the fault is right.
      expect(whole.rows.slice(0, outcome.rows.length)).toEqual(outcome.rows);
      if (outcome.error === undefined) expect(notes, `cut at ${length}`).toHaveLength(1);
      else expect(outcome.error).toBeInstanceOf(WeirError);
    }
  });

  it("damaged anywhere is an error that names the file, or still rows: never a hang or a crash", async () => {
    const of = schema("n int64, t utf8, f float64");
    const bytes = encode(
      of,
      [
        batch(of, [
          [1, "a", 0.5],
          [2, "bb", null],
          [null, "", 1],
        ]),
      ],
      form,
    );
    const mutations = [(x: number) => x ^ 0x80, (x: number) => x ^ 1, () => 0xff, () => 0, (x: number) => x + 4];
    for (let at = 0; at < bytes.length; at++) {
      const broken = bytes.slice();
      broken[at] = mutations[at % mutations.length]?.(broken[at] as number) ?? 0;
      const outcome = await read(broken, { of }).catch((error: unknown) => ({ error }));
      if (outcome.error === undefined) continue;
      expect(outcome.error, `byte ${at}: ${String(outcome.error)}`).toBeInstanceOf(WeirError);
      expect(outcome.error).toMatchObject({ data: { file: "t.arrow" } });
    }
  });

  it("is read wherever its bytes lie in a larger buffer (P-54)", async () => {
    const bytes = encode(OF, [batch(OF, ROWS)], form);
    const whole = await read(bytes);
    for (const shift of [1, 3, 4, 12]) {
      const larger = new Uint8Array(bytes.length + shift);
      larger.set(bytes, shift);
      const view = larger.subarray(shift);
      const file: ReadableFile = {
        name: "t.arrow",
        size: view.length,
        read: async (offset, length) => view.subarray(offset, offset + length),
        close: async () => undefined,
      };
      expect((await read(bytes, { file })).rows).toEqual(whole.rows);
    }
  });
});

describe("Arrow dictionaries (P-42)", () => {
  /** Codes into words, both may be NULL. */
  function words(list: (string | null)[], id = 7) {
    const values = arrow.vectorFromArray(list, new arrow.Utf8());
    return (codes: (number | null)[]) => {
      const type = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32(), id);
      const column = arrow.vectorFromArray(codes, new arrow.Int32()).data[0] as arrow.Data<arrow.Int32>;
      const { length, nullCount, nullBitmap, values: data } = column;
      return arrow.makeData({ type, length, nullCount, nullBitmap, data, dictionary: values });
    };
  }

  it("each batch is read with the dictionary that stood before it: another one, a delta, NULLs in both", async () => {
    const first = words(["x", "y"]);
    const second = words(["z", "x", null]);
    const field = new arrow.Field("w", new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32(), 7), true);
    const of = new arrow.Schema([field]);
    const recordBatch = (data: arrow.Data) =>
      new arrow.RecordBatch(
        of,
        arrow.makeData({ type: new arrow.Struct([field]), length: data.length, children: [data] }),
      );
    const writer = new arrow.RecordBatchStreamWriter();
    writer.write(recordBatch(first([0, 1, null])));
    writer.write(recordBatch(second([0, 1, 2, 0])));
    writer.finish();
    const all = await read(await writer.toUint8Array());
    expect(all.error).toBeUndefined();
    expect(all.rows.flat()).toEqual(["x", "y", null, "z", "x", null, "z"]);
  });

  it("a delta adds words to those before it, in streams and in files", async () => {
    for (const Writer of [arrow.RecordBatchStreamWriter, arrow.RecordBatchFileWriter]) {
      const type = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32(), 3);
      const field = new arrow.Field("w", type, true);
      const of = new arrow.Schema([field]);
      const base = arrow.vectorFromArray(["x", "y"], new arrow.Utf8());
      const more = arrow.vectorFromArray(["w"], new arrow.Utf8());
      const both = new arrow.Vector([...base.data, ...more.data]);
      const recordBatch = (dictionary: arrow.Vector<arrow.Utf8>, codes: number[]) => {
        const data = arrow.makeData({
          type,
          length: codes.length,
          nullCount: 0,
          data: Int32Array.from(codes),
          dictionary,
        });
        return new arrow.RecordBatch(
          of,
          arrow.makeData({ type: new arrow.Struct([field]), length: codes.length, children: [data] }),
        );
      };
      const writer = new Writer();
      writer.write(recordBatch(base, [0, 1]));
      writer.write(recordBatch(both, [2, 0]));
      writer.finish();
      const all = await read(await writer.toUint8Array());
      expect(all.error).toBeUndefined();
      expect(all.rows.flat()).toEqual(["x", "y", "w", "x"]);
    }
  });
});

const littleEndian = (value: number, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, i) => Math.floor(value / 256 ** i) % 256);

/** Frames of one block that is stored as it is, or of one that is stored and one of literals; behind them one that is skipped. */
const FRAMES = {
  ZSTD: (bytes: Uint8Array): number[][] => [
    [0x28, 0xb5, 0x2f, 0xfd, 0xa0],
    littleEndian(bytes.length, 4),
    littleEndian(1 | (bytes.length << 3), 3),
    [...bytes],
  ],
  LZ4_FRAME: (bytes: Uint8Array): number[][] => {
    const half = bytes.length >> 1;
    const literals = [...bytes.subarray(half)];
    const more = literals.length - 15;
    const lengths = [...Array.from({ length: Math.floor(more / 255) }, () => 255), more % 255];
    const block = more < 0 ? [literals.length << 4, ...literals] : [0xf0, ...lengths, ...literals];
    const stored = half > 0 ? [littleEndian(half + 2 ** 31, 4), [...bytes.subarray(0, half)]] : [];
    return [[0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82], ...stored, littleEndian(block.length, 4), block, [0, 0, 0, 0]];
  },
} as const;
const MINUS_ONE = Array.from({ length: 8 }, () => 255);
const SKIPPED = [0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 9];

/** A stream whose buffers are compressed, but for every third one, which says that it is stored as it is. */
async function compressed(codec: keyof typeof FRAMES, plain: Uint8Array): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const { kind, bytes } of ipcMessages(readableBytes("plain", plain), () => undefined)) {
    const [prefix, metadata, body] = bytes as readonly [Uint8Array, Uint8Array, Uint8Array];
    if (kind === "schema") {
      pieces.push(prefix, metadata);
      continue;
    }
    const header = arrow.Message.decode(metadata).header() as RecordBatch | DictionaryBatch;
    const batch = header instanceof DictionaryBatch ? header.data : header;
    let end = 0;
    const found = batch.buffers.map(({ offset, length }, i) => {
      const of = body.subarray(offset, offset + length);
      const frame = i % 3 === 2 ? [...of] : [...FRAMES[codec](of).flat(), ...SKIPPED];
      const buffer = length === 0 ? [] : [...(i % 3 === 2 ? MINUS_ONE : littleEndian(length, 8)), ...frame];
      const region = new BufferRegion(end, buffer.length);
      end += (buffer.length + 7) & ~7;
      return { region, buffer };
    });
    const regions = found.map(({ region }) => region);
    const how = new BodyCompression(arrow.CompressionType[codec]);
    const made = new RecordBatch(batch.length, batch.nodes, regions, how, batch.variadicBufferCounts);
    const wrapped = header instanceof DictionaryBatch ? new DictionaryBatch(made, header.id, header.isDelta) : made;
    const encoded = arrow.Message.encode(arrow.Message.from(wrapped, end));
    const whole = new Uint8Array(end);
    for (const { region, buffer } of found) whole.set(buffer, region.offset);
    pieces.push(Uint8Array.from([...littleEndian(2 ** 32 - 1, 4), ...littleEndian(encoded.length, 4)]), encoded, whole);
  }
  return new Uint8Array(Buffer.concat([...pieces, Uint8Array.from([255, 255, 255, 255, 0, 0, 0, 0])]));
}

it.each(FORMS)("a column of a type that the library does not know is told by name, in a %s", async (form) => {
  const item = new arrow.Field("item", new arrow.Int32(), true);
  const schemaWith = (type: arrow.DataType): Uint8Array =>
    arrow.tableToIPC(new arrow.Table(new arrow.Schema([new arrow.Field("runs", type, true)])), form);
  const [list, largeList] = [schemaWith(new arrow.List(item)), schemaWith(new arrow.LargeList(item))];
  // What differs between the two is the number of the type; that of a list view has none of its own in the library.
  const views = list.map((byte, i) => (byte === 12 && largeList[i] === 21 ? 25 : byte));
  await expect(readArrowSchema(readableBytes("t.arrow", views))).rejects.toMatchObject({
    data: {
      code: "unsupported-type",
      file: "t.arrow",
      message: expect.stringContaining('"runs" is of Arrow\'s type ListView'),
    },
  });
});

/** Flat columns before, between and behind nested ones, which have NULLs and dictionaries inside. */
function nestedTable(): arrow.Table {
  const word = (): arrow.Dictionary => new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32());
  const deep = new arrow.Struct([
    new arrow.Field("x", word(), true),
    new arrow.Field("l", new arrow.List(new arrow.Field("item", new arrow.Utf8(), true)), true),
  ]);
  return new arrow.Table({
    first: arrow.vectorFromArray([1, null, 3], new arrow.Int32()),
    list: arrow.vectorFromArray([[1, 2], null, []], new arrow.List(new arrow.Field("item", new arrow.Int32(), true))),
    deep: arrow.vectorFromArray([{ x: "a", l: ["b"] }, null, { x: "c", l: null }], deep),
    noon: arrow.vectorFromArray([1, null, 2], new arrow.TimeSecond()),
    middle: arrow.vectorFromArray([true, false, null], new arrow.Bool()),
    pair: arrow.vectorFromArray(
      [[1, 2], [3, 4], null],
      new arrow.FixedSizeList(2, new arrow.Field("item", new arrow.Float64(), true)),
    ),
    last: arrow.vectorFromArray(["y", null, "ä"], word()),
  });
}

describe.each(["ZSTD", "LZ4_FRAME"] as const)("Arrow buffers compressed with %s", (codec) => {
  const t = arrow.vectorFromArray(
    Array.from({ length: 900 }, (_, i) => (i % 5 === 0 ? null : `text ${i}`)),
    new arrow.Utf8(),
  );
  const words = arrow.vectorFromArray(
    Array.from({ length: 900 }, (_, i) => ["x", "y", null][i % 3]),
    new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32()),
  );
  const plain = arrow.tableToIPC(new arrow.Table({ t, words }), "stream");

  it("are read like others, dictionaries too", async () => {
    const all = await read(await compressed(codec, plain));
    expect(all.error).toBeUndefined();
    expect(all.rows).toEqual((await read(plain)).rows);
  });

  it("are damage where they do not give what they say", async () => {
    const bytes = await compressed(codec, plain);
    const start = Buffer.from(bytes).indexOf(codec === "ZSTD" ? "28b52ffd" : "04224d18", "hex");
    bytes[start - 8] = (bytes[start - 8] as number) ^ 1;
    const all = await read(bytes);
    expect(all.error).toMatchObject({ data: { code: "file-damaged", file: "t.arrow" } });
  });
});

describe("what is no readable Arrow file", () => {
  it("an end mark with rows behind it is damage, not the end", async () => {
    const of = schema("n int64");
    const bytes = encode(of, [batch(of, [[1]])], "stream");
    const mark = bytes.slice(-8);
    const all = await read(new Uint8Array([...bytes, ...mark]), { of });
    expect(all.rows).toEqual([[1n]]);
    expect(all.error).toMatchObject({ data: { code: "file-damaged", message: expect.stringContaining("more bytes") } });
  });

  it.each(FORMS)(
    "nested columns of a %s are refused by name, and it is read without them where they are not asked for",
    async (form) => {
      const bytes = arrow.tableToIPC(nestedTable(), form);
      const error = {
        data: { code: "unsupported-type", message: expect.stringContaining("list (List<Int32>), deep (") },
      };
      await expect(readArrowSchema(readableBytes("t.arrow", bytes))).rejects.toMatchObject(error);
      const of = schema("last utf8, first int32");
      await expect(read(bytes, { of })).rejects.toMatchObject(error);
      await expect(read(bytes, { of: schema("list utf8"), extraFields: "ignore" })).rejects.toMatchObject(error);
      const { rows, error: none } = await read(bytes, { of, extraFields: "ignore", batchRows: 1 });
      expect(none).toBeUndefined();
      expect(rows).toEqual([
        ["y", 1],
        [null, null],
        ["ä", 3],
      ]);
    },
  );

  it("a batch of no columns keeps its rows (D-44)", async () => {
    const of = new arrow.Schema([]);
    const data = arrow.makeData({ type: new arrow.Struct([]), length: 5, nullCount: 0, children: [] });
    const writer = new arrow.RecordBatchStreamWriter();
    writer.reset(undefined, of);
    writer.write(new arrow.RecordBatch(of, data));
    writer.finish();
    const all = await read(await writer.toUint8Array());
    expect(all.sizes).toEqual([5]);
  });
});
