import { type FileMetaData, parquetMetadata, type RowGroup, type SchemaElement } from "hyparquet";
import { errorText, WeirError } from "../../base/errors.ts";
import type { ReadableFile } from "../../base/files.ts";
import { type Field, Schema } from "../../data/schema.ts";
import { READABLE_CODECS } from "./codecs.ts";
import { type ColumnType, columnTypeOf } from "./column-types.ts";

/** What the footer of a Parquet file says, checked as far as it can be without the pages. */

/** A column at the top of the file's schema. */
export interface ParquetColumn extends ColumnType {
  readonly name: string;
  readonly nullable: boolean;
  /** Which of a row group's columns it is. */
  readonly leaf: number;
}

/** Where a column of a row group lies. */
export interface Chunk {
  readonly codec: string;
  readonly offset: number;
  readonly length: number;
}

export interface Group {
  /** Rows of the groups before it. */
  readonly before: number;
  readonly rows: number;
  /** By `ParquetColumn.leaf`. */
  readonly chunks: readonly Chunk[];
}

export interface Footer {
  readonly columns: readonly ParquetColumn[];
  /** Columns that the engine has no type for, by name: why. */
  readonly refused: ReadonlyMap<string, string>;
  readonly groups: readonly Group[];
  readonly rows: number;
}

/** `PAR1`, and `PARE` where the footer is encrypted. */
const MAGIC = 0x31524150;
const ENCRYPTED = 0x45524150;
const TAIL_BYTES = 8;
const MOST_FOOTER_BYTES = 256 << 20;
const MOST_ROWS = 2 ** 31 - 1;

export function damaged(file: string, what: string): WeirError {
  return new WeirError({
    code: "file-damaged",
    domain: "data",
    file,
    message: `the Parquet file is damaged or cut off: ${what}`,
    hint: "write or copy it again",
  });
}

/** @throws WeirError `wrong-format`, `file-empty`, `file-damaged`, `unsupported-type`, `file-encrypted`, `schema-needed` */
export async function readFooter(file: ReadableFile): Promise<Footer> {
  const bytes = await footerBytes(file);
  let metadata: FileMetaData;
  try {
    metadata = parquetMetadata(bytes, { geoparquet: false });
  } catch (error) {
    throw damaged(file.name, `${errorText(error)}, in the footer`);
  }
  return footerOf(file, metadata);
}

async function footerBytes(file: ReadableFile): Promise<Uint8Array> {
  const { size } = file;
  const wrong = (code: string, message: string, hint: string): WeirError =>
    new WeirError({ code, domain: "data", file: file.name, message, hint });
  if (size === undefined) {
    throw wrong(
      "file-needed",
      "Parquet cannot be read from a stream: where its columns lie stands at its end",
      "save it as a file first",
    );
  }
  if (size === 0) throw wrong("file-empty", "the file is empty, not a Parquet file", "give another file");
  const start = await file.read(0, 4);
  const tail = await file.read(Math.max(0, size - TAIL_BYTES), TAIL_BYTES);
  if (start.length < 4 || ![MAGIC, ENCRYPTED].includes(word(start, 0))) {
    throw wrong("wrong-format", "the file is no Parquet file", "set the format that it has");
  }
  if (tail.length < TAIL_BYTES) throw damaged(file.name, "it ends too early");
  if (word(tail, 4) === ENCRYPTED || word(start, 0) === ENCRYPTED) throw encrypted(file.name);
  const length = word(tail, 0);
  if (word(tail, 4) !== MAGIC) throw damaged(file.name, "the footer at its end is missing");
  if (length < 0 || length + TAIL_BYTES + 4 > size || length > MOST_FOOTER_BYTES) {
    throw damaged(file.name, "the footer is longer than the file");
  }
  return file.read(size - length - TAIL_BYTES, length + TAIL_BYTES);
}

const word = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getInt32(at, true);

function encrypted(file: string): WeirError {
  return new WeirError({
    code: "file-encrypted",
    domain: "data",
    file,
    message: "the Parquet file is encrypted",
    hint: "write it without encryption",
  });
}

function footerOf(file: ReadableFile, metadata: FileMetaData): Footer {
  const refused = new Map<string, string>();
  const columns: ParquetColumn[] = [];
  const [root, ...elements] = metadata.schema as [SchemaElement | undefined, ...SchemaElement[]];
  if (root === undefined) throw damaged(file.name, "it has no schema");
  let leaf = 0;
  let left = root.num_children ?? 0;
  for (let at = 0; left > 0; left--) {
    const element = elements[at];
    if (element === undefined) throw damaged(file.name, "its schema is cut off");
    const of = (element.num_children ?? 0) > 0 ? undefined : columnTypeOf(element);
    const end = endOf(file.name, elements, at);
    if (of === undefined || element.repetition_type === "REPEATED") refused.set(element.name, whyRefused(element));
    else columns.push({ ...of, name: element.name, nullable: element.repetition_type !== "REQUIRED", leaf });
    for (; at < end; at++) if ((elements[at]?.num_children ?? 0) === 0) leaf++;
  }
  let before = 0;
  const groups: Group[] = [];
  for (const group of metadata.row_groups) {
    const rows = whole(group.num_rows);
    if (rows > MOST_ROWS || group.columns.length !== leaf)
      throw damaged(file.name, "a row group does not fit the schema");
    groups.push({ before, rows, chunks: chunksOf(file, group) });
    before += rows;
  }
  if (before !== whole(metadata.num_rows)) {
    throw damaged(file.name, `its row groups have ${before} rows, and it says ${metadata.num_rows}`);
  }
  return { columns, refused, groups, rows: before };
}

/** The place behind an element and all below it. */
function endOf(file: string, elements: readonly SchemaElement[], from: number): number {
  let at = from;
  for (let open = 1; open > 0; open--, at++) {
    const element = elements[at];
    if (element === undefined) throw damaged(file, "its schema is cut off");
    open += Math.max(0, element.num_children ?? 0);
  }
  return at;
}

function whyRefused(element: SchemaElement): string {
  if ((element.num_children ?? 0) > 0 || element.repetition_type === "REPEATED") return "nested";
  const { logical_type: logical, converted_type: converted, type } = element;
  return (logical?.type ?? converted ?? type ?? "unknown").toLowerCase();
}

/** A number of the footer; one that cannot be is −1, which fits nothing. */
function whole(value: bigint | number | undefined): number {
  const number = Number(value ?? -1);
  return Number.isSafeInteger(number) ? number : -1;
}

function chunksOf(file: ReadableFile, group: RowGroup): Chunk[] {
  return group.columns.map((column) => {
    const { meta_data: found } = column;
    if (column.crypto_metadata !== undefined || column.encrypted_column_metadata !== undefined) {
      throw encrypted(file.name);
    }
    if (found === undefined || column.file_path) {
      throw damaged(file.name, "a column lies in another file");
    }
    const data = whole(found.data_page_offset);
    const dictionary = whole(found.dictionary_page_offset);
    const offset = dictionary > 0 ? Math.min(dictionary, data) : data;
    const length = whole(found.total_compressed_size);
    if (offset < 0 || length < 0 || offset + length > (file.size ?? 0)) {
      throw damaged(file.name, `a column lies outside of the file, at byte ${offset}`);
    }
    return { codec: found.codec ?? "unknown", offset, length };
  });
}

/**
 * The columns as the engine sees them.
 * @throws WeirError `unsupported-type`, `duplicate-columns`
 */
export function schemaOfFooter({ columns, refused }: Footer, file: string): Schema {
  if (refused.size > 0) {
    throw new WeirError({
      code: "unsupported-type",
      domain: "data",
      file,
      message: `columns of a type that the engine does not have: ${[...refused].map(([name, why]) => `${name} (${why})`).join(", ")}`,
      hint: "give the other columns as the schema and ignore fields without a column, or convert them where the data is written",
    });
  }
  return new Schema(columns.map(({ name, type, nullable }): Field => ({ name, type, nullable })));
}

export function unreadableCodec(file: string, codec: string): WeirError {
  return new WeirError({
    code: "unsupported-codec",
    domain: "data",
    file,
    message: `the Parquet file is compressed with ${codec.toLowerCase()}, which cannot be read`,
    hint: `write it with one of ${READABLE_CODECS}`,
  });
}
