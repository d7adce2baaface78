import { AsyncByteQueue, RecordBatchReader } from "apache-arrow";
import { parquetRead } from "hyparquet";
import Papa from "papaparse";
import {
  type Batch,
  CSV_DEFAULTS,
  encoderFactory,
  openReader,
  readableBytes,
  Schema,
  typeOf,
} from "../../src/engine/parts.ts";

export type Format = "csv" | "ndjson" | "arrow" | "parquet";

/** Whose code reads a file: ours, or the library's (and for NDJSON the language's own). */
export type Reader = "weir" | "other";

export interface DecodeJob {
  readonly format: Format;
  readonly by: Reader;
  readonly rows: number;
  readonly count: number;
}

const SCHEMA = new Schema(
  [
    ["order_id", "int64"],
    ["placed_at", "timestamp[ms]"],
    ["customer", "utf8"],
    ["country", "utf8"],
    ["quantity", "int32"],
    ["price", "decimal(10,2)"],
    ["rating", "float64"],
    ["note", "utf8"],
  ].map(([name = "", type = ""]) => ({ name, type: typeOf(type), nullable: true })),
);
const RATING = SCHEMA.indexOf("rating");
const BATCH_ROWS = 8192;

/** Milliseconds that it takes to read a file so often, from bytes in memory to columns or objects. */
export async function decodeFile({ format, by, rows, count }: DecodeJob): Promise<{ ms: number }> {
  const bytes = await fileOf(format, rows);
  const read = by === "weir" ? ownReader(format) : OTHERS[format];
  const start = performance.now();
  for (let i = 0; i < count; i++) {
    const found = await read(bytes);
    if (found !== rows) throw new Error(`${format} by ${by}: ${found} of ${rows} rows`);
  }
  return { ms: performance.now() - start };
}

export async function fileBytes({ format, rows }: Pick<DecodeJob, "format" | "rows">): Promise<number> {
  return (await fileOf(format, rows)).length;
}

/** Reads a file and answers its rows. */
type ReadRows = (bytes: Uint8Array) => number | Promise<number>;

const ownReader =
  (format: Format): ReadRows =>
  async (bytes) => {
    let [rows, sum] = [0, 0];
    for await (const batch of batchesFrom(format, bytes)) {
      rows += batch.rowCount;
      const column = batch.columns[RATING];
      if (column?.encoding === "fixed") sum += (column.values[0] as number) + (column.values.at(-1) as number);
    }
    return Number.isNaN(sum) ? -1 : rows;
  };

async function* batchesFrom(format: Format, bytes: Uint8Array): AsyncGenerator<Batch> {
  const reader = await openReader(format, readableBytes(format, bytes), {
    schema: SCHEMA,
    csv: CSV_DEFAULTS,
    extraFields: "refuse",
    timestampUnit: "ms",
    batchRows: BATCH_ROWS,
  });
  for (let next = reader.next(); next.kind !== "end"; next = reader.next()) {
    if (next.kind === "wait") await next.ready;
    else if (next.rows.bad.length > 0) throw new Error(`a bad row: ${next.rows.bad[0]?.reason}`);
    else yield next.rows.batch;
  }
}

const OTHERS: Readonly<Record<Format, ReadRows>> = {
  csv: (bytes) => {
    const { data } = Papa.parse<object>(new TextDecoder().decode(bytes), { header: true, skipEmptyLines: true });
    return data.length;
  },
  ndjson: (bytes) => {
    let rows = 0;
    let batch: unknown[] = [];
    const text = new TextDecoder().decode(bytes);
    for (let at = 0, end = text.indexOf("\n"); end >= 0; at = end + 1, end = text.indexOf("\n", at)) {
      batch.push(JSON.parse(text.slice(at, end)));
      if (batch.length < BATCH_ROWS) continue;
      rows += batch.length;
      batch = [];
    }
    return rows + batch.length;
  },
  arrow: async (bytes) => {
    let [rows, sum] = [0, 0];
    const blocks = new AsyncByteQueue();
    for (let at = 0; at < bytes.length; at += BLOCK_BYTES) blocks.write(bytes.slice(at, at + BLOCK_BYTES));
    blocks.close();
    for await (const batch of await RecordBatchReader.from(blocks)) {
      rows += batch.numRows;
      const values = batch.getChildAt(RATING)?.data[0]?.values as Float64Array;
      sum += (values[0] as number) + (values.at(-1) as number);
    }
    return Number.isNaN(sum) ? -1 : rows;
  },
  parquet: async (bytes) => {
    let rows = 0;
    await parquetRead({
      file: bytes.buffer as ArrayBuffer,
      onChunk: ({ columnName, columnData }) => {
        if (columnName === "rating") rows += columnData.length;
      },
    });
    return rows;
  },
};

/** As much as a file is read at a time. */
const BLOCK_BYTES = 256 << 10;

const files = new Map<string, Promise<Uint8Array>>();

function fileOf(format: Format, rows: number): Promise<Uint8Array> {
  const name = `${format} ${rows}`;
  const known = files.get(name);
  if (known !== undefined) return known;
  const made = format === "csv" ? Promise.resolve(csvOf(rows)) : rewritten(format, csvOf(rows));
  files.set(name, made);
  return made;
}

/** The same rows in another format, by the engine's own encoders. */
async function rewritten(format: Format, csv: Uint8Array): Promise<Uint8Array> {
  const make = await encoderFactory(format, SCHEMA, {
    csv: { delimiter: ",", header: true },
    arrow: "stream",
    parquet: { compression: "snappy", rowGroupRows: 122_880 },
  });
  const encoder = make();
  const pieces = [encoder.start()];
  for await (const batch of batchesFrom("csv", csv)) pieces.push(encoder.encode(batch));
  pieces.push(encoder.end());
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

const COUNTRIES = ["Österreich", "Suisse", "Italia", "France", "Deutschland", "España", "Polska", "Danmark"];

/** Orders: whole numbers, times, text that repeats, decimals, floats, NULLs, a few quoted notes. */
function csvOf(rows: number): Uint8Array {
  const lines = [SCHEMA.names.join(",")];
  let state = 1;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  for (let i = 0; i < rows; i++) {
    const time = new Date(1_700_000_000_000 + i * 37).toISOString();
    const price = `${below(900)}.${String(below(100)).padStart(2, "0")}`;
    const rating = below(10) === 0 ? "" : String(below(1_000_000) / 1e6);
    const note = below(20) === 0 ? '"late, ""again"""' : below(3) === 0 ? `note ${below(100_000)}` : "";
    const country = COUNTRIES[below(COUNTRIES.length)];
    lines.push(`${10_000_000 + i},${time},customer-${below(1000)},${country},${below(40)},${price},${rating},${note}`);
  }
  return new TextEncoder().encode(`${lines.join("\n")}\n`);
}
