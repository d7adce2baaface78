import { WeirError } from "../base/errors.ts";
import type { Schema } from "../data/schema.ts";
import { decodeUtf8, encodeUtf8 } from "../data/text.ts";
import type { TimeUnit } from "../data/types.ts";
import { rescueSchema } from "./bad-rows.ts";
import { BlockParser } from "./block-parser.ts";
import { type CsvDialect, CsvScanner } from "./csv-scanner.ts";
import { FieldBlock, FieldKind } from "./field-block.ts";
import { RecordDecoder, type RecordPlace } from "./record-decoder.ts";

/** How csv text is written. */
export interface CsvOptions {
  /** One ASCII character. */
  readonly delimiter: string;
  /** One ASCII character. */
  readonly quote: string;
  /** Whether the first record names the columns; without it they are taken by position. */
  readonly header: boolean;
  /** An unquoted field with exactly this text is NULL, like an empty one. */
  readonly nullText?: string | undefined;
  /** What to do with a header that has a name twice, or an empty one (D-43); refused when left out. */
  readonly duplicateNames?: "refuse" | "rename" | undefined;
}

export const CSV_DEFAULTS: CsvOptions = { delimiter: ",", quote: '"', header: true };

export function csvDialect({ delimiter, quote, nullText }: CsvOptions): CsvDialect {
  return {
    delimiter: delimiter.charCodeAt(0),
    quote: quote.charCodeAt(0),
    nullText: nullText === undefined || nullText === "" ? undefined : encodeUtf8(nullText),
  };
}

export interface CsvDecoderOptions {
  /** Columns of the file that are wanted, with their types. */
  readonly schema: Schema;
  /** Column of the schema by column of the file; -1: not wanted. */
  readonly slots: Int32Array;
  readonly csv: CsvOptions;
  readonly timestampUnit: TimeUnit;
  readonly batchRows: number;
  /** Name of the rescue column; `undefined`: bad rows are not kept. */
  readonly rescueColumn?: string | undefined;
  /** Where the bytes begin that will be pushed: behind the header, if there is one. */
  readonly start: RecordPlace;
  readonly file: string;
}

export function csvDecoder(options: CsvDecoderOptions): RecordDecoder {
  const { schema, slots, csv, timestampUnit, batchRows, rescueColumn, start, file } = options;
  return new RecordDecoder({
    schema: rescueSchema(schema, rescueColumn),
    width: schema.length,
    scanner: new CsvScanner(csvDialect(csv), slots, start.line),
    parser: new BlockParser(schema, { notation: "csv", timestampUnit }, rescueColumn !== undefined),
    batchRows,
    start,
    file,
  });
}

/** A record as text: NULL where a field is empty and unquoted. */
export interface CsvRecord {
  readonly fields: readonly (string | null)[];
  readonly line: number;
  /** What is wrong with it, apart from the number of its fields. */
  readonly fault: string | undefined;
}

const MAX_COLUMNS = 1 << 16;

/** Reads records one by one with no schema: headers, and samples to guess from. */
export class CsvRecordReader {
  private readonly dialect: CsvDialect;
  private readonly bytes: Uint8Array;
  private readonly last: boolean;
  /** Offset in the bytes, and line, of the next record. */
  at: number;
  line: number;

  /** @param last no bytes follow these */
  constructor(bytes: Uint8Array, csv: CsvOptions, last: boolean, at = 0, line = 1) {
    this.bytes = bytes;
    this.dialect = csvDialect(csv);
    this.last = last;
    this.at = at;
    this.line = line;
  }

  /** The next record; `undefined` when the bytes end before it does. Lines without a byte are skipped. */
  next(): CsvRecord | undefined {
    const { bytes, dialect } = this;
    while (this.at < bytes.length) {
      const width = this.mostFields();
      const block = new FieldBlock(width, 1);
      block.bytes = bytes;
      block.kinds.fill(FieldKind.missing);
      const slots = Int32Array.from({ length: width }, (_, i) => i);
      const scanner = new CsvScanner(dialect, slots, this.line, 0);
      const next = scanner.scan(block, this.at, bytes.length, this.last);
      if (next < 0) return undefined;
      const { line } = this;
      this.at = next;
      this.line = scanner.nextLine;
      if (block.records === 1) return { fields: fieldsOf(block), line, fault: block.faults.get(0)?.reason };
    }
    return undefined;
  }

  /** No record has more fields than there are delimiters before the next line end outside of quotes. */
  private mostFields(): number {
    const { bytes, at, dialect } = this;
    let quoted = false;
    let count = 1;
    for (let i = at; i < bytes.length; i++) {
      const byte = bytes[i];
      if (byte === dialect.quote) quoted = !quoted;
      else if (byte === dialect.delimiter) count++;
      else if (!quoted && byte === 10) break;
    }
    return Math.min(count, MAX_COLUMNS);
  }
}

function fieldsOf(block: FieldBlock): (string | null)[] {
  const fields: (string | null)[] = [];
  for (let i = 0; i < block.width && block.kinds[i] !== FieldKind.missing; i++) {
    const kind = block.kinds[i] as number;
    fields.push(kind === FieldKind.null ? null : decodeUtf8(block.sourceOf(kind), block.starts[i], block.ends[i]));
  }
  return fields;
}

/**
 * Names of the columns as they will be used.
 * @throws WeirError `duplicate-columns`, with new names offered (D-43)
 */
export function headerNames(record: CsvRecord, csv: CsvOptions, file: string): string[] {
  const names = record.fields.map((name) => name ?? "");
  const renamed = distinctNames(names);
  const changed = names.flatMap((name, i) => (name === renamed[i] ? [] : [i]));
  if (changed.length === 0 || csv.duplicateNames === "rename") return renamed;
  const list = [...new Set(changed.map((i) => (names[i] === "" ? "(empty)" : names[i])))].join(", ");
  throw new WeirError({
    code: "duplicate-columns",
    domain: "data",
    file,
    line: record.line,
    message: `column names must be distinct and not empty: ${list}`,
    hint: `rename them in the file, or let them be read as ${changed.map((i) => renamed[i]).join(", ")} with "duplicateNames": "rename"`,
  });
}

/** `id, id, ""` → `id, id_2, column_3`: the first of a name keeps it. */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set(names);
  const given = new Set<string>();
  return names.map((name, index) => {
    const base = name === "" ? `column_${index + 1}` : name;
    let candidate = base;
    for (let n = 2; given.has(candidate) || (candidate !== name && taken.has(candidate)); n++)
      candidate = `${base}_${n}`;
    given.add(candidate);
    return candidate;
  });
}

/**
 * Column of the schema by column of the file.
 * @throws WeirError `column-missing`, `column-unknown` naming the columns
 */
export function slotsByName(
  names: readonly string[],
  schema: Schema,
  extra: "refuse" | "ignore",
  file: string,
): Int32Array {
  const missing = schema.names.filter((name) => !names.includes(name));
  if (missing.length > 0) {
    throw new WeirError({
      code: "column-missing",
      domain: "data",
      file,
      message: `the file has no column ${missing.map((name) => JSON.stringify(name)).join(", ")}`,
      hint: `its columns are ${names.join(", ")}; change the schema, or the header option where the file has none`,
    });
  }
  const unknown = names.filter((name) => schema.indexOf(name) < 0);
  if (unknown.length > 0 && extra === "refuse") {
    throw new WeirError({
      code: "column-unknown",
      domain: "data",
      file,
      message: `the schema does not name the file's column ${unknown.map((name) => JSON.stringify(name)).join(", ")}`,
      hint: 'add it to the schema, or leave it out with "extraFields": "ignore"',
    });
  }
  return Int32Array.from(names, (name) => schema.indexOf(name));
}

export function slotsByPosition(schema: Schema): Int32Array {
  return Int32Array.from({ length: schema.length }, (_, i) => i);
}
