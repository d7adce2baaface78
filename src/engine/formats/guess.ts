import { type ErrorData, WeirError } from "../base/errors.ts";
import type { ReadableFile } from "../base/files.ts";
import { type Field, Schema } from "../data/schema.ts";
import { decodeUtf8 } from "../data/text.ts";
import { type LogicalType, type TimeUnit, typeOf } from "../data/types.ts";
import { excerpt } from "./bad-rows.ts";
import { type CsvOptions, CsvRecordReader, headerNames } from "./csv.ts";
import { FieldBlock, FieldKind } from "./field-block.ts";
import type { FileFormat } from "./file-format.ts";
import { guessFromNumbers, guessFromText, guessFromTimes } from "./guess-type.ts";
import { NdjsonScanner } from "./ndjson-scanner.ts";
import { bomLength } from "./text-start.ts";

export interface GuessOptions {
  readonly csv: CsvOptions;
  readonly timestampUnit: TimeUnit;
}

const SAMPLE_RECORDS = 1000;
/** Read at first; as much again until there is a whole record, up to the most. */
const SAMPLE_BYTES = 256 << 10;
const MOST_SAMPLE_BYTES = 4 << 20;

/**
 * Columns of a file from its first records (D-42). Every column may be NULL, because a sample cannot prove otherwise. A type is
 * guessed only when it keeps every sampled value; what does not fit later is a bad row that is reported with its place.
 * @throws WeirError naming the file: `file-empty`, `wrong-format`, `duplicate-columns`, `schema-needed` and the errors of Arrow and Parquet files
 */
export async function guessSchema(format: FileFormat, file: ReadableFile, options: GuessOptions): Promise<Schema> {
  if (file.size === undefined) {
    throw new WeirError({
      code: "schema-needed",
      domain: "data",
      file: file.name,
      message: "the columns of a stream cannot be guessed: what was read once is gone",
      hint: "give a schema",
    });
  }
  switch (format) {
    case "csv":
      return guessCsv(file, options.csv);
    case "ndjson":
      return guessNdjson(file);
    case "arrow":
      return (await import("./arrow-file.ts")).readArrowSchema(file);
    case "parquet":
      return (await import("./parquet-file.ts")).readParquetSchema(file);
  }
}

interface Sample {
  readonly bytes: Uint8Array;
  /** The bytes are the whole file. */
  readonly isWhole: boolean;
}

/** The first bytes without the byte order mark, as many as `hasRecord` wants. */
async function sampleOf(file: ReadableFile, hasRecord: (sample: Sample) => boolean): Promise<Sample> {
  for (let length = SAMPLE_BYTES; ; length *= 2) {
    const bytes = await file.read(0, length);
    const isWhole = bytes.length < length;
    const sample = { bytes: bytes.subarray(bomLength(bytes, file.name)), isWhole };
    if (isWhole || length >= MOST_SAMPLE_BYTES || hasRecord(sample)) return sample;
  }
}

async function guessCsv(file: ReadableFile, csv: CsvOptions): Promise<Schema> {
  const { bytes, isWhole } = await sampleOf(file, (sample) => {
    const reader = new CsvRecordReader(sample.bytes, csv, false);
    return reader.next() !== undefined && reader.next() !== undefined;
  });
  const reader = new CsvRecordReader(bytes, csv, isWhole);
  const first = reader.next();
  if (first === undefined) {
    throw new WeirError({
      code: isWhole ? "file-empty" : "record-too-large",
      domain: "data",
      file: file.name,
      message: isWhole
        ? "the file has no line to guess the columns from"
        : "the first record does not end within 4 MiB",
      hint: isWhole ? "give a schema, or another file" : "look for a quote that is missing",
    });
  }
  const width = first.fields.length;
  const names = csv.header ? headerNames(first, csv, file.name) : first.fields.map((_, i) => `column_${i + 1}`);
  const values = names.map((): string[] => []);
  let records = 0;
  for (let record = csv.header ? reader.next() : first; record !== undefined && records < SAMPLE_RECORDS; records++) {
    if (record.fault === undefined && record.fields.length === width) {
      record.fields.forEach((value, i) => {
        if (value !== null) values[i]?.push(value);
      });
    }
    record = reader.next();
  }
  return new Schema(names.map((name, i) => nullableField(name, guessFromText(values[i] ?? []))));
}

const nullableField = (name: string, type: LogicalType): Field => ({ name, type, nullable: true });

async function guessNdjson(file: ReadableFile): Promise<Schema> {
  const { bytes, isWhole } = await sampleOf(file, (sample) => sample.bytes.includes(10));
  const names = fieldNames(isWhole ? bytes : bytes.subarray(0, bytes.lastIndexOf(10) + 1));
  if (names.length === 0) {
    throw new WeirError({ domain: "data", file: file.name, ...whyNoNames(bytes, isWhole) });
  }
  const text = new Schema(names.map((name) => nullableField(name, typeOf("utf8"))));
  const block = new FieldBlock(names.length, SAMPLE_RECORDS);
  block.bytes = bytes;
  const scanner = new NdjsonScanner(text, { extraFields: "ignore" }, 1);
  for (let at = 0; at >= 0 && at < bytes.length && block.records < SAMPLE_RECORDS; ) {
    at = scanner.scan(block, at, bytes.length, isWhole);
  }
  return new Schema(names.map((name, slot) => nullableField(name, typeOfField(block, slot, name, file.name))));
}

/** Why a sample of NDJSON has no fields. */
function whyNoNames(bytes: Uint8Array, isWhole: boolean): Pick<ErrorData, "code" | "message" | "hint"> {
  if (!isWhole && !bytes.includes(10)) {
    return { code: "schema-needed", message: "the first line does not end within 4 MiB", hint: "give a schema" };
  }
  const message = "the file has no JSON object to guess the columns from";
  const first = decodeUtf8(bytes.subarray(0, 100)).trimStart();
  if (first.startsWith("["))
    return { code: "schema-needed", message, hint: "it is a list: write its objects one a line" };
  if (first.startsWith("{")) return { code: "schema-needed", message, hint: "write each object on one line" };
  const code = isWhole && bytes.length === 0 ? "file-empty" : "schema-needed";
  return { code, message, hint: "give a schema, or a file with one JSON object a line" };
}

/** Names of all fields in the sample, in the order in which they come up. Lines that are no objects are left to the reader. */
function fieldNames(bytes: Uint8Array): string[] {
  const names = new Set<string>();
  const lines = decodeUtf8(bytes).split("\n", SAMPLE_RECORDS);
  for (const line of lines) {
    try {
      const record: unknown = JSON.parse(line);
      if (typeof record !== "object" || record === null || Array.isArray(record)) continue;
      for (const name of Object.keys(record)) names.add(name);
    } catch {
      // A bad row is no reason not to guess from the others; the reader reports it.
    }
  }
  return [...names];
}

function typeOfField(block: FieldBlock, slot: number, name: string, file: string): LogicalType {
  const numbers: string[] = [];
  const texts: string[] = [];
  let booleans = 0;
  for (let record = 0; record < block.records; record++) {
    if (block.faults.has(record)) continue;
    const at = record * block.width + slot;
    const kind = block.kinds[at] as number;
    if (kind === FieldKind.null || kind === FieldKind.missing) continue;
    if (kind === FieldKind.nested) throw nested(name, file);
    if (kind === FieldKind.true || kind === FieldKind.false) booleans++;
    else {
      const value = decodeUtf8(block.sourceOf(kind), block.starts[at] as number, block.ends[at] as number);
      (kind === FieldKind.number ? numbers : texts).push(value);
    }
  }
  if (booleans > 0 && numbers.length + texts.length === 0) return typeOf("boolean");
  if (booleans === 0 && numbers.length === 0) return guessFromTimes(texts) ?? typeOf("utf8");
  const type = booleans > 0 ? undefined : guessFromNumbers([...numbers, ...texts]);
  if (type !== undefined) return type;
  if (booleans > 0 || texts.length > 0) throw mixed(name, file, { numbers, texts, booleans });
  throw new WeirError({
    code: "schema-needed",
    domain: "data",
    file,
    message: `the column ${excerpt(name)} has numbers of which no type keeps every digit`,
    hint: "give a schema; float64 rounds them",
  });
}

/** No column takes all of them: a number is no text, and a guess must not lose rows of its own sample. */
function mixed(
  name: string,
  file: string,
  { numbers, texts, booleans }: { numbers: readonly string[]; texts: readonly string[]; booleans: number },
): WeirError {
  const kinds = [
    ...(booleans > 0 ? ["true or false"] : []),
    ...(numbers.length > 0 ? ["numbers"] : []),
    ...(texts.length > 0 ? ["text"] : []),
  ];
  return new WeirError({
    code: "schema-needed",
    domain: "data",
    file,
    message: `the column ${excerpt(name)} holds ${kinds.join(" and ")}, of which no column type keeps all`,
    hint: "give a schema, and route or rescue the rows that do not fit it; or write them alike in the file",
  });
}

function nested(name: string, file: string): WeirError {
  return new WeirError({
    code: "nested-column",
    domain: "data",
    file,
    message: `the column ${excerpt(name)} holds objects or arrays, which are no column type`,
    hint: 'flatten them in the file, or give a schema without it and "extraFields": "ignore"',
  });
}
