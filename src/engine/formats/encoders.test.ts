import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Batch } from "../data/batch.ts";
import { Batch as MadeBatch } from "../data/batch.ts";
import type { DictionaryColumn, VarColumn } from "../data/column.ts";
import { type Field, Schema } from "../data/schema.ts";
import { typeOf } from "../data/types.ts";
import { batchRows } from "../testing/batch-values.ts";
import { type ReadAll, readAll } from "../testing/read-all.ts";
import { batch } from "../testing/stage-kit.ts";
import { CSV_DEFAULTS } from "./csv.ts";
import { FILE_FORMATS, type FileFormat } from "./file-format.ts";
import { guessSchema } from "./guess.ts";
import { readableBytes } from "./memory-files.ts";
import { encoderFactory } from "./open-encoder.ts";
import { openReader } from "./open-reader.ts";

const parquet = { compression: "snappy", rowGroupRows: 5 } as const;

async function write(format: FileFormat, of: Schema, batches: readonly Batch[], delimiter = ","): Promise<Uint8Array> {
  const make = await encoderFactory(format, of, { csv: { delimiter, header: true }, arrow: "file", parquet });
  const encoder = make();
  const pieces = [encoder.start()];
  for (const each of batches) pieces.push(encoder.encode(each));
  return new Uint8Array(Buffer.concat([...pieces, encoder.end()]));
}

async function read(format: FileFormat, of: Schema, bytes: Uint8Array, delimiter = ","): Promise<ReadAll> {
  const reader = await openReader(format, readableBytes("t", bytes), {
    schema: of,
    csv: { ...CSV_DEFAULTS, delimiter },
    extraFields: "refuse",
    timestampUnit: "ns",
    batchRows: 7,
  });
  return readAll(reader);
}

const bits = new Float64Array(1);
const words = new BigUint64Array(bits.buffer);
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const double = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => {
  words[0] = value;
  return Number.isNaN(bits[0]) ? NaN : (bits[0] as number);
});
const text = fc
  .oneof(
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.constantFrom(
      "",
      " ",
      '"',
      "\r\n",
      "\n",
      "\r",
      ",",
      ";",
      "\ufeff",
      "NULL",
      "null",
      "\\N",
      "ä€😀",
      "\u0000",
      "\u2028",
    ),
  )
  .map((value) => value.toWellFormed());

const VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  boolean: fc.boolean(),
  int8: fc.integer({ min: -128, max: 127 }),
  uint32: fc.integer({ min: 0, max: 4294967295 }),
  int64: int64.map(String),
  uint64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
  float64: fc.oneof(double, fc.constantFrom(NaN, -0, 0, Infinity, -Infinity, 5e-324, 0.1)),
  float32: fc.float().map((value) => (Number.isNaN(value) ? NaN : value)),
  "decimal(38,7)": fc.bigInt({ min: -(10n ** 31n) + 1n, max: 10n ** 31n - 1n }).map((value) => `${value}.1234567`),
  utf8: text,
  binary: fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString("base64")),
  date: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  "timestamp[s]": int64.map(String),
  "timestamp[ms]": int64.map(String),
  "timestamp[us]": int64.map(String),
  "timestamp[ns]": int64.map(String),
};

/** Parquet has no seconds: they come back as milliseconds. */
const typesOf = (format: FileFormat): string[] =>
  Object.keys(VALUES).filter((type) => format !== "parquet" || type !== "timestamp[s]");

const table = (format: FileFormat) =>
  fc.array(fc.constantFrom(...typesOf(format)), { minLength: 1, maxLength: 5 }).chain((types) => {
    const row = fc.tuple(
      ...types.map((type) => fc.option(VALUES[type] as fc.Arbitrary<unknown>, { nil: null, freq: 4 })),
    );
    return fc.record({ types: fc.constant(types), rows: fc.array(row, { maxLength: 20 }) });
  });

const schemaFor = (types: readonly string[]): Schema =>
  new Schema(
    types.map((type, i): Field => ({ name: i === 0 ? 'größe, "c"' : `c${i}`, type: typeOf(type), nullable: true })),
  );

describe.each(FILE_FORMATS)("%s written and read again", (format) => {
  it("is the same rows, whatever the types and values", async () => {
    await fc.assert(
      fc.asyncProperty(table(format), fc.constantFrom(",", ";", "\t"), async ({ types, rows }, delimiter) => {
        const of = schemaFor(types);
        const made = batch(of, rows);
        const bytes = await write(format, of, [made], delimiter);
        const again = await read(format, of, bytes, delimiter);
        expect(again.error).toBeUndefined();
        expect(again.bad).toEqual([]);
        expect(again.rows).toEqual(batchRows(made));
      }),
      { numRuns: 60 },
    );
  });

  it("is guessed with types that keep every value (D-42)", async () => {
    const guessable = ["boolean", "int64", "utf8", "timestamp[us]", "timestamp[ns]"];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.boolean(), int64.map(String), text, fc.integer(), fc.integer()), {
          minLength: 1,
          maxLength: 10,
        }),
        async (rows) => {
          const of = new Schema(guessable.map((type, i) => ({ name: `c${i}`, type: typeOf(type), nullable: true })));
          const bytes = await write(format, of, [batch(of, rows)]);
          const options = { csv: CSV_DEFAULTS, timestampUnit: "ms" } as const;
          const guessed = await guessSchema(format, readableBytes("t", bytes), options);
          const again = await read(format, guessed, bytes);
          expect(again.bad).toEqual([]);
          if (format === "arrow" || format === "parquet") return;
          // Written as it was read, the file is the same: nothing was lost.
          const twice = await write(format, guessed, [batch(guessed, again.rows)]);
          expect(Buffer.from(twice).toString()).toBe(Buffer.from(bytes).toString());
        },
      ),
      { numRuns: 25 },
    );
  });

  it("writes words of dictionaries, other ones in each batch, and slices (P-42)", async () => {
    const of = new Schema([{ name: "w", type: typeOf("utf8"), nullable: true }]);
    const words = (list: (string | null)[]): VarColumn =>
      batch(
        of,
        list.map((word) => [word]),
      ).columns[0] as VarColumn;
    const coded = (dictionary: VarColumn, codes: number[]): Batch => {
      const column: DictionaryColumn = {
        encoding: "dictionary",
        type: typeOf("utf8"),
        length: codes.length,
        nullCount: 0,
        validity: null,
        codes: Int32Array.from(codes),
        dictionary,
      };
      return new MadeBatch(of, codes.length, [column]);
    };
    const batches = [coded(words(["x", "y"]), [0, 1, 0]), coded(words(["z", null, "x"]), [0, 2, 1])];
    const again = await read(format, of, await write(format, of, batches));
    expect(again.rows.flat()).toEqual(["x", "y", "x", "z", "x", null]);
  });
});
