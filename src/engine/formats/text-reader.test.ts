import { describe, expect, it } from "vitest";
import type { ReadableFile } from "../base/files.ts";
import { Schema } from "../data/schema.ts";
import { typeOf } from "../data/types.ts";
import { Damage } from "../testing/damage.ts";
import { bytesOfText } from "../testing/decode.ts";
import { type ReadAll, readAll } from "../testing/read-all.ts";
import { schema } from "../testing/stage-kit.ts";
import { CSV_DEFAULTS } from "./csv.ts";
import { readableBytes } from "./memory-files.ts";
import { openReader } from "./open-reader.ts";
import type { RecordPlace } from "./record-decoder.ts";
import type { TextReaderOptions } from "./text-reader.ts";

const base = {
  csv: CSV_DEFAULTS,
  extraFields: "refuse",
  timestampUnit: "ms",
  batchRows: 1000,
} as const;

/** A file that can only be read on, like a pipe. */
function pipe(bytes: Uint8Array): ReadableFile {
  let at = 0;
  return {
    name: "standard input",
    size: undefined,
    read: async (offset, length) => {
      if (offset < at) throw new Error("a pipe cannot go back");
      at = Math.min(offset + length, bytes.length);
      return bytes.slice(offset, at);
    },
    close: async () => undefined,
  };
}

async function read(
  format: "csv" | "ndjson",
  text: string | Uint8Array,
  options: Partial<TextReaderOptions> & Pick<TextReaderOptions, "schema">,
  open: (bytes: Uint8Array) => ReadableFile = (bytes) => readableBytes("t", bytes),
): Promise<ReadAll> {
  return readAll(await openReader(format, open(bytesOfText(text)), { ...base, ...options }));
}

const P50 = '\ufeff"a,x",b\r\n"1\n2","say ""hi"""\r\n3\r\n4,5,6\r\n\r\n';
/** With the names of the pitfall. */
const P50_SCHEMA = new Schema(["b", "a,x"].map((name) => ({ name, type: typeOf("utf8"), nullable: true })));

describe("csv files (P-50)", () => {
  it("a byte order mark, quotes, mixed line ends, short and long rows: the same in blocks of every size", async () => {
    const whole = await read("csv", P50, { schema: P50_SCHEMA });
    expect(whole.rows).toEqual([['say "hi"', "1\n2"]]);
    expect(whole.bad.map(({ row, line, text: raw }) => [row, line, raw])).toEqual([
      [2, 4, "3"],
      [3, 5, "4,5,6"],
    ]);
    for (let blockBytes = 1; blockBytes <= bytesOfText(P50).length + 1; blockBytes++) {
      const blocks = await read("csv", P50, { schema: P50_SCHEMA, blockBytes });
      expect(blocks, `blocks of ${blockBytes}`).toEqual({ ...whole, waits: blocks.waits });
    }
  });

  it("a quoted first name behind a byte order mark is a quoted name", async () => {
    const text = '\ufeff"n","t"\n1,a\n';
    expect((await read("csv", text, { schema: schema("n int64, t utf8") })).rows).toEqual([[1n, "a"]]);
  });

  it("with only a header has no rows; with nothing at all it is an error, and without a header it is no rows", async () => {
    const of = schema("a utf8, b utf8");
    for (const end of ["", "\n", "\r\n"]) {
      expect(await read("csv", `a,b${end}`, { schema: of })).toMatchObject({ rows: [], bad: [], error: undefined });
    }
    for (const empty of ["", "\ufeff", "\n\n"]) {
      await expect(read("csv", empty, { schema: of })).rejects.toMatchObject({
        data: {
          code: "file-empty",
          file: "t",
          message: "the file is empty, and its first line is to name the columns",
        },
      });
    }
    const csv = { ...CSV_DEFAULTS, header: false };
    expect(await read("csv", "", { schema: of, csv })).toMatchObject({ rows: [], error: undefined });
    expect((await read("csv", "\ufeff1,2\n", { schema: of, csv })).rows).toEqual([["1", "2"]]);
  });

  it("what is no UTF-8 text is refused for what it is", async () => {
    const of = schema("a utf8");
    const cases: [number[], string][] = [
      [[0xff, 0xfe, 0x61, 0], "UTF-16 text"],
      [[0x1f, 0x8b, 8, 0], "compressed with gzip"],
      [[0x50, 0x4b, 3, 4], "a zip archive or a spreadsheet"],
      [[...bytesOfText("ARROW1\0\0")], "an Arrow file"],
    ];
    for (const [bytes, what] of cases) {
      for (const format of ["csv", "ndjson"] as const) {
        await expect(read(format, Uint8Array.from(bytes), { schema: of, blockBytes: 2 })).rejects.toMatchObject({
          data: { code: "wrong-format", message: `the file is ${what}, not UTF-8 text` },
        });
      }
    }
  });
});

describe("places in files (P-18)", () => {
  const csv = `n,t\n${Array.from({ length: 21 }, (_, i) => `${i},"a\n${i}"\r\n`).join("")}`;
  const ndjson = Array.from({ length: 21 }, (_, i) => `{"n":${i},"t":"a\\n${i}"}\n`).join("");

  it.each([
    ["csv", csv],
    ["ndjson", ndjson],
  ] as const)("%s goes on behind the last row given out, in a file and in a pipe", async (format, text) => {
    const of = schema("n int64, t utf8");
    for (const blockBytes of [7, 64, 100_000]) {
      const whole = await read(format, text, { schema: of, batchRows: 4, blockBytes });
      expect(whole.sizes).toEqual([4, 4, 4, 4, 4, 1]);
      expect(whole.places.map(({ records }) => records)).toEqual([4, 8, 12, 16, 20, 21]);
      for (const from of whole.places) {
        for (const open of [(bytes: Uint8Array) => readableBytes("t", bytes), pipe]) {
          const rest = await read(format, text, { schema: of, batchRows: 4, blockBytes, from }, open);
          expect(rest.rows).toEqual(whole.rows.slice(from.records));
          expect(rest.places.at(-1) ?? from).toEqual(whole.places.at(-1));
        }
      }
    }
  });

  it("a file that has become shorter is an error", async () => {
    const from: RecordPlace = { records: 30, offset: 10_000, line: 31 };
    for (const open of [(bytes: Uint8Array) => readableBytes("t", bytes), pipe]) {
      await expect(read("csv", csv, { schema: schema("n int64, t utf8"), from }, open)).rejects.toMatchObject({
        data: { code: "file-changed" },
      });
    }
  });

  it("one wait a block, whenever the block arrives (D-50)", async () => {
    const of = schema("n int64, t utf8");
    const slow = (bytes: Uint8Array): ReadableFile => {
      const file = readableBytes("t", bytes);
      return {
        ...file,
        read: async (offset, length) => {
          for (let turn = 0; turn < offset % 7; turn++) await Promise.resolve();
          return file.read(offset, length);
        },
      };
    };
    const fast = await read("csv", csv, { schema: of, blockBytes: 50 });
    const late = await read("csv", csv, { schema: of, blockBytes: 50 }, slow);
    expect(late).toEqual(fast);
  });

  it("a file that fails in the middle gives the rows before and then the error", async () => {
    const failing = (bytes: Uint8Array): ReadableFile => ({
      ...readableBytes("disk.csv", bytes),
      read: async (offset, length) => {
        if (offset >= 100) throw new Error("the disk is gone");
        return bytes.slice(offset, offset + length);
      },
    });
    const read1 = await read("csv", csv, { schema: schema("n int64, t utf8"), batchRows: 2, blockBytes: 50 }, failing);
    expect(read1.rows.length).toBeGreaterThan(0);
    expect(read1.error).toMatchObject({
      data: { code: "file-unreadable", file: "disk.csv", message: "the disk is gone" },
    });
  });
});

describe("fuzz: damaged text", () => {
  const SPECIAL = [0, 0xff, 0x22, 0x0a, 0x0d, 0x2c, 0x5c, 0x7b, 0xc3];
  const of = schema("id int64, name utf8, at timestamp[ms], amount float64, ok boolean");
  const csv = `id,name,at,amount,ok\r\n${Array.from({ length: 30 }, (_, i) => `${i},"n ""${i}"", ä",2024-01-01T00:00:${String(i).padStart(2, "0")}Z,${i}.25,${i % 2 === 0}\r\n`).join("")}`;
  const ndjson = Array.from(
    { length: 30 },
    (_, i) =>
      `${JSON.stringify({ id: i, name: `n "${i}" ä`, at: "2024-01-01T00:00:00Z", amount: i + 0.25, ok: i % 2 === 0 })}\n`,
  ).join("");

  it.each([
    ["csv", csv, 20_240_601],
    ["ndjson", ndjson, 20_240_602],
  ] as const)(
    "%s: every record is a row or a counted bad row, the same in any blocks (seed %#)",
    async (format, text, seed) => {
      const damage = new Damage(seed, SPECIAL);
      const good = bytesOfText(text);
      for (let round = 0; round < 300; round++) {
        const bytes = damage.version(good);
        const outcome = (blockBytes: number) =>
          read(format, bytes, { schema: of, blockBytes, batchRows: 8 }).catch((error: { data?: { code: string } }) => {
            expect(error.data?.code, `seed ${seed}, round ${round}`).toBeTypeOf("string");
            return error.data;
          });
        const whole = await outcome(100_000);
        const blocks = await outcome(1 + damage.below(40));
        if (whole === undefined || !("rows" in whole)) {
          expect(blocks).toEqual(whole);
          continue;
        }
        expect(whole.error, `seed ${seed}, round ${round}`).toBeUndefined();
        expect(blocks).toEqual({ ...whole, waits: (blocks as ReadAll).waits });
        expect(whole.rows.length + whole.bad.length).toBe(whole.places.at(-1)?.records ?? 0);
      }
    },
  );
});
