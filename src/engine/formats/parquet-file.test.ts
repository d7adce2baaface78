import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import fc from "fast-check";
import { parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WeirError } from "../base/errors.ts";
import type { Schema } from "../data/schema.ts";
import { batchRows } from "../testing/batch-values.ts";
import { answerOf, openDuck } from "../testing/duckdb.ts";
import { fuzz } from "../testing/fuzz.ts";
import { type ReadAll, readAll } from "../testing/read-all.ts";
import { batch, schema } from "../testing/stage-kit.ts";
import { readableBytes } from "./memory-files.ts";
import { fixedValues } from "./parquet/values.ts";
import { openParquetReader, type ParquetReaderOptions, readParquetSchema } from "./parquet-file.ts";
import { ParquetEncoder, type ParquetWriteOptions } from "./parquet-writer.ts";

type Options = Partial<Omit<ParquetReaderOptions, "from">> & { readonly records?: number };

async function read(bytes: Uint8Array, { records, ...options }: Options = {}): Promise<ReadAll> {
  const reader = await openParquetReader(readableBytes("t.parquet", bytes), {
    schema: options.schema ?? (await schemaOf(bytes)),
    extraFields: "refuse",
    batchRows: 1000,
    ...options,
    from: records === undefined ? undefined : { records, offset: 0, line: 0 },
  });
  return readAll(reader);
}

const schemaOf = (bytes: Uint8Array): Promise<Schema> => readParquetSchema(readableBytes("t.parquet", bytes));

const SNAPPY: ParquetWriteOptions = { compression: "snappy", rowGroupRows: 1000 };

function write(of: Schema, rows: readonly (readonly unknown[])[], options = SNAPPY, batchRows = 170): Uint8Array {
  const encoder = new ParquetEncoder(of, options);
  const pieces = [encoder.start()];
  for (let at = 0; at < rows.length; at += batchRows) {
    pieces.push(encoder.encode(batch(of, rows.slice(at, at + batchRows))));
  }
  return new Uint8Array(Buffer.concat([...pieces, encoder.end()]));
}

async function errorOf(run: Promise<unknown>): Promise<WeirError["data"]> {
  try {
    await run;
  } catch (error) {
    if (error instanceof WeirError) return error.data;
    throw error;
  }
  throw new Error("nothing went wrong");
}

const folder = mkdtempSync(join(tmpdir(), "weir-parquet-"));
const path = join(folder, "t.parquet");
let duck: DuckDBConnection;

beforeAll(async () => {
  duck = await openDuck();
  await duck.run("SET TimeZone = 'UTC'");
});
afterAll(() => {
  duck.closeSync();
  rmSync(folder, { recursive: true });
});

/** Rows with NULLs, extremes and repeated words, in every type that both have. */
const tableOf = (rows: number): string => `
  SELECT i % 7 = 0 AS b, (i % 256 - 128)::TINYINT AS i8, i::SMALLINT AS i16, (i * 77777)::INTEGER AS i32,
    9007199254740993 + i AS i64, (i % 256)::UTINYINT AS u8, (65535 - i)::USMALLINT AS u16, (4294967295 - i)::UINTEGER AS u32,
    (18446744073709551615 - i)::UBIGINT AS u64, (i / 3)::FLOAT AS f32, i / 7 AS f64,
    ((i - 1500) / 100)::DECIMAL(7,2) AS d4, ((i - 1500) * 1234567.89)::DECIMAL(16,2) AS d8,
    (12345678901234567890123456789::HUGEINT * (1500 - i))::DECIMAL(38,4) AS d16,
    'word ' || (i % 11) AS word, 'Straße €😀 ' || i AS text, encode('x' || i) AS bytes, DATE '1969-12-20' + (i % 40)::INTEGER AS day,
    TIMESTAMP '1969-12-31 23:59:59.999999' + INTERVAL (i) MICROSECOND AS us,
    make_timestamp_ns(-5 + i * 1000000007) AS ns, (TIMESTAMP '2024-02-29 12:00:00' + INTERVAL (i) MILLISECOND)::TIMESTAMP_MS AS ms,
    TIME '00:00:00.000001' + INTERVAL (i) SECOND AS clock, ('00000000-0000-4000-8000-' || lpad(i::VARCHAR, 12, '0'))::UUID AS id
  FROM (SELECT unnest(range(0, ${rows})) AS i)`;
const COLUMNS = "b i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 d4 d8 d16 word text bytes day us ns ms clock id".split(" ");
const EXACTLY: Readonly<Record<string, string>> = {
  ns: "epoch_ns(ns)",
  ms: "epoch_ms(ms)",
  clock: "epoch_us(clock)",
  id: "id::VARCHAR",
};
const NULLS = COLUMNS.map((name, c) => `CASE WHEN hash(text, ${c}) % 5 = 0 THEN NULL ELSE ${name} END AS ${name}`);

async function written(options: string, nulls = NULLS, rows = 3000): Promise<Uint8Array> {
  await duck.run(`COPY (SELECT ${nulls.join(", ")} FROM (${tableOf(rows)})) TO '${path}' (FORMAT parquet, ${options})`);
  return new Uint8Array(readFileSync(path));
}

const answer = () =>
  answerOf(duck, `SELECT ${COLUMNS.map((name) => EXACTLY[name] ?? name).join(", ")} FROM read_parquet('${path}')`);

const SOME = schema("text utf8, word utf8, b boolean, i64 int64, d16 decimal(38,4)");

describe("a Parquet file that DuckDB wrote", () => {
  it.each([
    "COMPRESSION uncompressed",
    "COMPRESSION snappy, ROW_GROUP_SIZE 2048",
    "COMPRESSION gzip",
    "COMPRESSION zstd",
    "COMPRESSION lz4_raw",
    "COMPRESSION snappy, PARQUET_VERSION v2",
    "COMPRESSION zstd, PARQUET_VERSION v2, DICTIONARY_SIZE_LIMIT 1",
    "COMPRESSION uncompressed, PARQUET_VERSION v2, DICTIONARY_SIZE_LIMIT 1",
  ])("has DuckDB's values in every type, with NULLs and without (%s)", async (options) => {
    for (const columns of [NULLS, COLUMNS]) {
      const bytes = await written(options, columns, 500);
      const found = await read(bytes, { batchRows: 77 });
      expect(found.error).toBeUndefined();
      expect(found.rows).toEqual(await answer());
    }
    expect((await schemaOf(await written(options, NULLS, 9))).toString()).toBe(
      "b boolean, i8 int8, i16 int16, i32 int32, i64 int64, u8 uint8, u16 uint16, u32 uint32, u64 uint64, f32 float32, f64 float64, d4 decimal(7,2), d8 decimal(16,2), d16 decimal(38,4), word utf8, text utf8, bytes binary, day date, us timestamp[us], ns timestamp[ns], ms timestamp[ms], clock int64, id utf8",
    );
  });

  it("is cut into batches of any size, and read on from any place in it (P-18)", async () => {
    const bytes = await written("COMPRESSION snappy, ROW_GROUP_SIZE 2048");
    const { rows } = await read(bytes, { schema: SOME, extraFields: "ignore" });
    for (const batchRows of [1000, 2048, 100_000]) {
      const all = await read(bytes, { batchRows, schema: SOME, extraFields: "ignore" });
      expect(all.rows).toEqual(rows);
      expect(all.waits).toBe(2);
      for (const { records } of [...all.places, { records: 1 }, { records: 2047 }, { records: 2049 }]) {
        expect((await read(bytes, { batchRows, records, schema: SOME, extraFields: "ignore" })).rows).toEqual(
          rows.slice(records),
        );
      }
    }
    const { code } = await errorOf(read(bytes, { records: 3001 }));
    expect(code).toBe("file-changed");
  });

  it("keeps text that repeats as a dictionary of its row group (P-42), and other text plain", async () => {
    const bytes = await written("COMPRESSION snappy, ROW_GROUP_SIZE 2048");
    const reader = await openParquetReader(readableBytes("t", bytes), {
      schema: schema("word utf8, text utf8"),
      extraFields: "ignore",
      batchRows: 1024,
    });
    const dictionaries = new Set<unknown>();
    for (let next = reader.next(); next.kind !== "end"; next = reader.next()) {
      if (next.kind === "wait") await next.ready;
      else {
        const [word, text] = next.rows.batch.columns;
        expect(word?.encoding).toBe("dictionary");
        expect(text?.encoding).toBe("var");
        if (word?.encoding === "dictionary") dictionaries.add(word.dictionary);
      }
    }
    expect(dictionaries.size).toBe(2);
  });

  it("says what a time of day is read as", async () => {
    const notes: string[] = [];
    await read(await written("COMPRESSION snappy"), { note: (message) => notes.push(message) });
    expect(notes).toEqual(['the column "clock" is a time of day, read as microseconds since midnight']);
  });

  it("in a codec that cannot be read is refused by its name, with the remedy", async () => {
    const error = await errorOf(written("COMPRESSION brotli").then(read));
    expect(error).toMatchObject({ code: "unsupported-codec", file: "t.parquet" });
    expect(error.message).toContain("brotli");
    expect(error.hint).toContain("snappy");
  });

  it("with nested columns is refused by their names, and read without them where they are not asked for", async () => {
    await duck.run(
      `COPY (SELECT 1 AS a, [1, 2] AS list, {'x': 1, 'y': [2]} AS deep, 'z' AS z) TO '${path}' (FORMAT parquet)`,
    );
    const bytes = new Uint8Array(readFileSync(path));
    expect(await errorOf(schemaOf(bytes))).toMatchObject({
      code: "unsupported-type",
      message: expect.stringContaining("list (nested), deep (nested)"),
    });
    const of = schema("z utf8, a int32");
    expect((await errorOf(read(bytes, { schema: of }))).code).toBe("unsupported-type");
    expect((await read(bytes, { schema: of, extraFields: "ignore" })).rows).toEqual([["z", 1]]);
  });
});

const ALL =
  "b boolean, i8 int8, i16 int16, i32 int32, i64 int64, u8 uint8, u16 uint16, u32 uint32, u64 uint64, f32 float32, f64 float64, d4 decimal(7,2), d8 decimal(16,2), d16 decimal(38,4), word utf8, text utf8, bytes binary, day date, us timestamp[us], ms timestamp[ms]";

const rowOf = (i: number): unknown[] => [
  i % 3 === 0,
  (i % 256) - 128,
  i,
  i * -7777,
  `${2n ** 63n - 1n - BigInt(i)}`,
  i % 256,
  65535 - i,
  4294967295 - i,
  `${2n ** 64n - 1n - BigInt(i)}`,
  i / 4,
  i / 3,
  `${i % 99999}.25`,
  `-${i}123456789.05`,
  `-${i}123456789012345678901234567890.1234`,
  `word ${i % 9}`,
  `Straße €😀 ${i}`,
  Buffer.from(`x${i}`).toString("base64"),
  i - 1000,
  `${i * 1_000_003 - 5}`,
  `${i * 1_009 - 5}`,
];

describe("a Parquet file of ours", () => {
  const rows = Array.from({ length: 500 }, (_, i) => rowOf(i));
  const holes = rows.map((row, i) => row.map((value, c) => ((i * 31 + c * 17) % 5 === 0 ? null : value)));

  it.each(["snappy", "gzip", "none"] as const)("is read by DuckDB with every value (%s)", async (compression) => {
    for (const [of, data] of [
      [schema(ALL), holes],
      [
        schema(
          ALL.replaceAll(",", " not null,")
            .replace(/$/, " not null")
            .replaceAll(/\((\d+) not null,/g, "($1,"),
        ),
        rows,
      ],
    ] as const) {
      const bytes = write(of, data, { compression, rowGroupRows: 200 });
      writeFileSync(path, bytes);
      const names = of.names.map((name) => (name === "ms" ? "epoch_ms(ms)" : name));
      const found = await answerOf(duck, `SELECT ${names.join(", ")} FROM read_parquet('${path}')`);
      expect(found).toEqual(batchRows(batch(of, data)));
      const again = await read(bytes);
      expect(again.rows).toEqual(found);
      expect((await schemaOf(bytes)).toString()).toBe(of.toString());
      const groups = await answerOf(
        duck,
        `SELECT DISTINCT row_group_id::INTEGER, row_group_num_rows::INTEGER FROM parquet_metadata('${path}') ORDER BY 1`,
      );
      expect(groups).toEqual([
        [0, 200],
        [1, 200],
        [2, 100],
      ]);
    }
  });

  it("is read by hyparquet as well, also timestamps of nanoseconds and text beyond a dictionary", async () => {
    const of = schema("t utf8, n timestamp[ns]");
    const many = Array.from({ length: 300 }, (_, i) => [`word ${i % 2 === 0 ? 0 : i}`, `${i}000000001`]);
    const bytes = write(of, many, { compression: "snappy", rowGroupRows: 200 }, 100);
    const found = await parquetReadObjects({ file: bytes.buffer as ArrayBuffer });
    expect(found.map(({ t }) => t)).toEqual(many.map(([word]) => word));
    expect((await read(bytes)).rows.map(([, n]) => n)).toEqual(many.map(([, n]) => BigInt(n as string)));
  });

  it("has seconds as milliseconds, and refuses those that are too far away", async () => {
    const of = schema("t timestamp[s]");
    const bytes = write(of, [["-1"], ["4294967296"], [null]]);
    expect((await schemaOf(bytes)).toString()).toBe("t timestamp[ms]");
    expect((await read(bytes)).rows).toEqual([[-1000n], [4294967296000n], [null]]);
    expect(() => write(of, [["9223372036854775807"]])).toThrow(/too far away/);
  });

  it("joins small batches into pages and keeps no more than a row group", () => {
    const encoder = new ParquetEncoder(schema("i int64"), { compression: "none", rowGroupRows: 10 });
    encoder.start();
    const sizes = Array.from({ length: 25 }, (_, i) => encoder.encode(batch(schema("i int64"), [[i]])).length);
    expect(sizes.flatMap((size, i) => (size > 0 ? [i] : []))).toEqual([9, 19]);
  });

  it("of no columns or rows is a file all the same (D-44)", async () => {
    expect((await read(write(schema("a int64"), []))).rows).toEqual([]);
    const nulls = Array.from({ length: 20 }, () => [null, null, null]);
    const bytes = write(schema("a utf8, b int64, c boolean"), nulls);
    expect((await read(bytes)).rows).toEqual(nulls);
    writeFileSync(path, bytes);
    expect(await answerOf(duck, `SELECT a, b, c FROM read_parquet('${path}')`)).toEqual(nulls);
  });
});

describe("Parquet's int96", () => {
  it("is nanoseconds to the last one, or refused where they do not fit (D-41)", () => {
    const day = 86_400_000_000_000n;
    fuzz(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (ns) => {
        const bytes = new Uint8Array(13);
        const view = new DataView(bytes.buffer, 1);
        const ofDay = ((ns % day) + day) % day;
        view.setBigInt64(0, ofDay, true);
        view.setInt32(8, Number((ns - ofDay) / day) + 2_440_588, true);
        const made = fixedValues({ type: { kind: "timestamp", unit: "ns" }, storage: { kind: "int96" } }, bytes, 1, 1);
        const words = made.encoding === "fixed" ? (made.values as Int32Array) : new Int32Array(2);
        expect(new BigInt64Array(words.buffer)[0]).toBe(ns);
      }),
      500,
    );
    const far = new Uint8Array(12);
    new DataView(far.buffer).setInt32(8, 5_000_000, true);
    const type = { type: { kind: "timestamp", unit: "ns" }, storage: { kind: "int96" } } as const;
    expect(() => fixedValues(type, far, 0, 1)).toThrow(/1677/);
  });
});

describe("what is no readable Parquet file", () => {
  it.each([
    ["file-empty", new Uint8Array(0)],
    ["wrong-format", Buffer.from("a,b\n1,2\n")],
    ["wrong-format", Buffer.from("a")],
    ["file-damaged", Buffer.from("PAR1")],
    ["file-damaged", Buffer.from("PAR1....PAR1")],
    ["file-encrypted", Buffer.from("PARE....PARE")],
  ])("says %s", async (code, bytes) => {
    expect(await errorOf(schemaOf(new Uint8Array(bytes)))).toMatchObject({ code, file: "t.parquet" });
  });

  it("a stream is refused, because the footer stands at the end", async () => {
    const stream = { ...readableBytes("stdin", new Uint8Array(9)), size: undefined };
    expect((await errorOf(readParquetSchema(stream))).code).toBe("file-needed");
  });

  it("a schema that is not the file's is refused with every difference", async () => {
    const bytes = write(schema("a int64, b utf8"), [[1, null]]);
    const error = await errorOf(read(bytes, { schema: schema("a int32, c utf8") }));
    expect(error.message).toContain(
      '"a" is int64, not int32; it has no column "c"; the schema does not name its column "b"',
    );
    const notNull = await read(bytes, { schema: schema("a int64, b utf8 not null") });
    expect(notNull.error).toMatchObject({ data: { code: "null-in-not-null", field: "b" } });
  });
});
