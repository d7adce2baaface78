import { describe, expect, it } from "vitest";
import { WeirError } from "../base/errors.ts";
import type { Batch } from "../data/batch.ts";
import { Damage } from "../testing/damage.ts";
import { type ReadAll, readAll } from "../testing/read-all.ts";
import { batch, schema } from "../testing/stage-kit.ts";
import { decodeLz4Block, decodeLz4Frames } from "./compression/lz4.ts";
import { decodeSnappy } from "./compression/snappy.ts";
import { CSV_DEFAULTS } from "./csv.ts";
import type { FileFormat } from "./file-format.ts";
import { readableBytes } from "./memory-files.ts";
import { encoderFactory } from "./open-encoder.ts";
import { openReader } from "./open-reader.ts";
import { readDelta, readDeltaLengths, readDeltaTexts } from "./parquet/delta.ts";
import { readBits, readHybrid } from "./parquet/hybrid.ts";
import { PageReader } from "./parquet/page-reader.ts";

const OF = schema("id int64, word utf8, text utf8, amount float64, price decimal(20,2), ok boolean, at timestamp[us]");
const ROWS = Array.from({ length: 60 }, (_, i) => [
  i,
  i % 7 === 0 ? null : `word ${i % 4}`,
  `text ä ${i}`,
  i % 5 === 0 ? null : i / 4,
  `${i}.25`,
  i % 3 === 0,
  `${i}000001`,
]);
const BATCHES: Batch[] = [batch(OF, ROWS.slice(0, 35)), batch(OF, ROWS.slice(35))];

type Parquet = "snappy" | "gzip" | "none";

async function fileOf(format: FileFormat, arrow: "file" | "stream", compression: Parquet): Promise<Uint8Array> {
  const parquet = { compression, rowGroupRows: 25 };
  const make = await encoderFactory(format, OF, { csv: { delimiter: ",", header: true }, arrow, parquet });
  const encoder = make();
  const pieces = [encoder.start(), ...BATCHES.map((each) => encoder.encode(each)), encoder.end()];
  return new Uint8Array(Buffer.concat(pieces));
}

async function read(format: FileFormat, bytes: Uint8Array): Promise<ReadAll | WeirError> {
  try {
    const file = readableBytes("t", bytes);
    const options = {
      schema: OF,
      csv: CSV_DEFAULTS,
      extraFields: "refuse",
      timestampUnit: "us",
      batchRows: 16,
    } as const;
    return await readAll(await openReader(format, file, options));
  } catch (error) {
    if (error instanceof WeirError) return error;
    throw error;
  }
}

/** Bytes that lengths, counts and marks of the binary formats are made of. */
const SPECIAL = [0, 1, 2, 4, 0x15, 0x7f, 0x80, 0xfe, 0xff];

describe("fuzz: damaged binary files", () => {
  it.each([
    ["arrow", "file", "none", 1],
    ["arrow", "stream", "none", 2],
    ["parquet", "file", "none", 3],
    ["parquet", "file", "snappy", 4],
    ["parquet", "file", "gzip", 5],
  ] as const)(
    "%s (%s, %s): an error that names the file, or as many rows as are accounted for (seed %i)",
    async (format, arrow, compression, seed) => {
      const good = await fileOf(format, arrow, compression);
      const whole = await read(format, good);
      expect(whole).toMatchObject({ error: undefined, rows: { length: ROWS.length } });
      const damage = new Damage(seed, SPECIAL);
      for (let round = 0; round < (format === "arrow" ? 120 : 250); round++) {
        const found = await read(format, damage.version(good));
        const error = found instanceof WeirError ? found : found.error;
        if (error !== undefined) {
          expect(error, `seed ${seed}, round ${round}: ${String(error)}`).toBeInstanceOf(WeirError);
          expect((error as WeirError).data, `seed ${seed}, round ${round}`).toMatchObject({ file: "t" });
        }
        if (found instanceof WeirError) continue;
        expect(found.rows.length, `seed ${seed}, round ${round}`).toBe(found.places.at(-1)?.records ?? 0);
      }
    },
  );

  it("a Parquet file that is cut off anywhere is an error: its footer is gone", async () => {
    const good = await fileOf("parquet", "file", "snappy");
    for (let length = 0; length < good.length; length += 3) {
      expect(await read("parquet", good.slice(0, length)), `cut at ${length}`).toBeInstanceOf(WeirError);
    }
  });
});

describe("fuzz: decoders of pages", () => {
  const decoders: Readonly<Record<string, (bytes: Uint8Array, damage: Damage) => unknown>> = {
    hybrid: (bytes, damage) => readHybrid(new PageReader(bytes), damage.below(34), damage.below(300)),
    bits: (bytes, damage) => readBits(new PageReader(bytes), damage.below(300)),
    delta: (bytes, damage) => readDelta(new PageReader(bytes), damage.below(300)),
    "delta lengths": (bytes, damage) => readDeltaLengths(new PageReader(bytes), damage.below(20)),
    "delta texts": (bytes, damage) => readDeltaTexts(new PageReader(bytes), damage.below(20)),
    snappy: (bytes, damage) => decodeSnappy(bytes, damage.below(300)),
    "lz4 block": (bytes, damage) => decodeLz4Block(bytes, 0, bytes.length, new Uint8Array(damage.below(300)), 0),
    "lz4 frames": (bytes, damage) => decodeLz4Frames(bytes, damage.below(300)),
  };

  it.each(Object.entries(decoders))("%s: any bytes are an error or values, and never a hang", (_, decode) => {
    const damage = new Damage(6, SPECIAL);
    const start = Uint8Array.from([4, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82]);
    for (let round = 0; round < 1500; round++) {
      const bytes = Uint8Array.from({ length: damage.below(60) }, () =>
        damage.next() < 0.6 ? (SPECIAL[damage.below(SPECIAL.length)] as number) : damage.below(256),
      );
      if (round % 2 === 0) bytes.set(start.subarray(0, bytes.length));
      try {
        decode(bytes, damage);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }
  });
});
