import type { Schema } from "../data/schema.ts";
import { encodeUtf8 } from "../data/text.ts";
import type { BadRow } from "../formats/bad-rows.ts";
import { CSV_DEFAULTS, type CsvOptions, csvDecoder, slotsByPosition } from "../formats/csv.ts";
import { ndjsonDecoder } from "../formats/ndjson.ts";
import { type RecordDecoder, type RecordPlace, START } from "../formats/record-decoder.ts";
import { batchRows, type CellValue } from "./batch-values.ts";

/** What came out of a decoder, for comparing. */
export interface Decoded {
  readonly rows: CellValue[][];
  readonly bad: BadRow[];
  /** Rows of each batch, and where it ended. */
  readonly batches: { readonly rows: number; readonly next: RecordPlace }[];
}

export const bytesOfText = (text: string | Uint8Array): Uint8Array =>
  typeof text === "string" ? encodeUtf8(text) : text;

/** Pushes the bytes in pieces that end at `cuts`. */
export function decodeIn(decoder: RecordDecoder, bytes: Uint8Array, cuts: readonly number[] = []): Decoded {
  const decoded: Decoded = { rows: [], bad: [], batches: [] };
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    decoder.push(bytes.slice(from, to));
    drain(decoder, decoded);
    from = to;
  }
  decoder.end();
  drain(decoder, decoded);
  if (!decoder.finished) throw new Error("the decoder is not finished at the end of its bytes");
  return decoded;
}

function drain(decoder: RecordDecoder, into: Decoded): void {
  for (let next = decoder.next(); next !== undefined; next = decoder.next()) {
    into.rows.push(...batchRows(next.batch));
    into.bad.push(...next.bad);
    into.batches.push({ rows: next.batch.rowCount, next: next.next });
  }
}

export interface DecodeOptions {
  readonly csv?: Partial<CsvOptions>;
  readonly batchRows?: number;
  readonly rescueColumn?: string;
  readonly extraFields?: "refuse" | "ignore";
  readonly timestampUnit?: "s" | "ms" | "us" | "ns";
  readonly cuts?: readonly number[];
  readonly start?: RecordPlace;
}

const common = (of: Schema, options: DecodeOptions) => ({
  schema: of,
  timestampUnit: options.timestampUnit ?? ("ms" as const),
  batchRows: options.batchRows ?? 1000,
  rescueColumn: options.rescueColumn,
  start: options.start ?? START,
  file: "test",
});

/** csv without a header, columns by position. */
export function decodeCsv(of: Schema, text: string | Uint8Array, options: DecodeOptions = {}): Decoded {
  const csv = { ...CSV_DEFAULTS, ...options.csv };
  const decoder = csvDecoder({ ...common(of, options), csv, slots: slotsByPosition(of) });
  return decodeIn(decoder, bytesOfText(text), options.cuts);
}

export function decodeNdjson(of: Schema, text: string | Uint8Array, options: DecodeOptions = {}): Decoded {
  const decoder = ndjsonDecoder({ ...common(of, options), extraFields: options.extraFields ?? "refuse" });
  return decodeIn(decoder, bytesOfText(text), options.cuts);
}

/** Reasons of the bad rows by their line. */
export const reasons = (decoded: Decoded): string[] =>
  decoded.bad.map(({ line, fields, reason }) => `${line} ${fields.join("+")}: ${reason}`);
