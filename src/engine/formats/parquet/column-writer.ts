import type { ColumnChunk, SchemaElement } from "hyparquet";
import { ByteWriter } from "hyparquet-writer/src/bytewriter.js";
import { serializeTCompactProtocol } from "hyparquet-writer/src/thrift.js";
import { bytesForBits, writeBits } from "../../data/bits.ts";
import { BytesInterner } from "../../data/bytes-interner.ts";
import { type Column, type DictionaryColumn, isNull, type VarColumn } from "../../data/column.ts";
import { plainText } from "../../data/kernels/plain.ts";
import { takeColumn } from "../../data/kernels/take.ts";
import type { Field } from "../../data/schema.ts";
import { type Compression, compressorOf } from "./compressors.ts";
import { elementOf } from "./write-types.ts";
import { packedRun, plainTexts, plainValues, runHead } from "./write-values.ts";

/** Beyond this much a dictionary is given up: what follows is plain. */
const MOST_WORDS = 32_768;
const MOST_WORD_BYTES = 1 << 20;
/** Numbers of the format. */
const PLAIN = 0;
const RLE = 3;
const RLE_DICTIONARY = 8;
const DATA_PAGE = 0;
const DICTIONARY_PAGE = 2;

/**
 * One column of the row group being written: its pages, compressed, and the dictionary of its text. Text begins with a dictionary, which
 * is given up where words repeat too little.
 */
export class ColumnWriter {
  readonly element: SchemaElement & { readonly type: NonNullable<SchemaElement["type"]> };
  private readonly field: Field;
  private readonly compression: Compression;
  private pages: Uint8Array[] = [];
  private words: BytesInterner | undefined;
  private isCoding: boolean;
  private rows = 0;
  private nulls = 0;
  private plainBytes = 0;

  constructor(field: Field, compression: Compression) {
    this.field = field;
    this.element = elementOf(field);
    this.compression = compression;
    this.isCoding = field.type.kind === "utf8";
  }

  /** Bytes of the pages so far. */
  get byteLength(): number {
    return this.pages.reduce((sum, page) => sum + page.length, this.words?.byteLength ?? 0);
  }

  /** Rows as one page. */
  write(column: Column): void {
    const rows = column.encoding === "dictionary" && column.dictionary.validity !== null ? plainText(column) : column;
    const dense = rows.nullCount === 0 ? rows : takeColumn(rows, rowsWithValue(rows));
    const levels = this.field.nullable ? levelsOf(rows) : new Uint8Array(0);
    const coded = this.isCoding ? this.coded(dense) : undefined;
    const values = coded ?? plainValues(dense.encoding === "dictionary" ? plainText(dense) : dense);
    const page = new Uint8Array(levels.length + values.length);
    page.set(levels);
    page.set(values, levels.length);
    const encoding = coded === undefined ? PLAIN : RLE_DICTIONARY;
    const head = { field_1: rows.length, field_2: encoding, field_3: RLE, field_4: RLE };
    this.pages.push(this.page(page, { field_1: DATA_PAGE }, { field_5: head }));
    this.rows += rows.length;
    this.nulls += rows.nullCount;
  }

  /** The column as it goes into the file at `offset`, and what the footer says about it. The next rows begin a new one. */
  finish(offset: number): { readonly pieces: readonly Uint8Array[]; readonly chunk: ColumnChunk } {
    const { pages } = this;
    const dictionary = this.words === undefined ? undefined : this.dictionaryPage(this.words);
    const pieces = dictionary === undefined ? pages : [dictionary, ...pages];
    const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const places =
      dictionary === undefined
        ? { data_page_offset: BigInt(offset) }
        : { data_page_offset: BigInt(offset + dictionary.length), dictionary_page_offset: BigInt(offset) };
    const chunk: ColumnChunk = {
      file_offset: BigInt(offset),
      meta_data: {
        type: this.element.type,
        encodings: dictionary === undefined ? ["PLAIN", "RLE"] : ["PLAIN", "RLE", "RLE_DICTIONARY"],
        path_in_schema: [this.field.name],
        codec: this.compression,
        num_values: BigInt(this.rows),
        total_uncompressed_size: BigInt(this.plainBytes),
        total_compressed_size: BigInt(size),
        ...places,
        statistics: { null_count: BigInt(this.nulls) },
      },
    };
    this.pages = [];
    this.words = undefined;
    this.isCoding = this.field.type.kind === "utf8";
    this.rows = 0;
    this.nulls = 0;
    this.plainBytes = 0;
    return { pieces, chunk };
  }

  private dictionaryPage(words: BytesInterner): Uint8Array {
    const head = { field_1: words.size, field_2: PLAIN };
    return this.page(plainTexts(words.words(this.field.type)), { field_1: DICTIONARY_PAGE }, { field_7: head });
  }

  private page(plain: Uint8Array, type: { field_1: number }, head: { [key: `field_${number}`]: object }): Uint8Array {
    const bytes = compressorOf(this.compression)(plain);
    const writer = new ByteWriter();
    serializeTCompactProtocol(writer, { ...type, field_2: plain.length, field_3: bytes.length, ...head });
    this.plainBytes += writer.offset + plain.length;
    writer.appendBytes(bytes);
    return writer.getBytes().slice();
  }

  /** Text as codes behind their width; `undefined` where the dictionary is given up. */
  private coded(dense: Column): Uint8Array | undefined {
    const words = this.words ?? new BytesInterner();
    const codes = dense.encoding === "dictionary" ? recoded(words, dense) : interned(words, dense as VarColumn);
    const isFirst = this.words === undefined;
    const isMuch = words.size > MOST_WORDS || words.byteLength > MOST_WORD_BYTES;
    if (isMuch || (isFirst && words.size * 2 > codes.length)) {
      this.isCoding = false;
      return undefined;
    }
    this.words = words;
    const width = Math.max(1, 32 - Math.clz32(words.size - 1));
    const run = packedRun(codes, width);
    const bytes = new Uint8Array(1 + run.length);
    bytes[0] = width;
    bytes.set(run, 1);
    return bytes;
  }
}

function interned(words: BytesInterner, { offsets, bytes, length }: VarColumn): Int32Array {
  const codes = new Int32Array(length);
  for (let row = 0; row < length; row++) {
    codes[row] = words.intern(bytes, offsets[row] as number, offsets[row + 1] as number);
  }
  return codes;
}

function recoded(words: BytesInterner, { codes, dictionary, length }: DictionaryColumn): Int32Array {
  const { offsets, bytes } = dictionary;
  const known = new Int32Array(dictionary.length).fill(-1);
  const out = new Int32Array(length);
  for (let row = 0; row < length; row++) {
    const code = codes[row] as number;
    if ((known[code] as number) < 0) {
      known[code] = words.intern(bytes, offsets[code] as number, offsets[code + 1] as number);
    }
    out[row] = known[code] as number;
  }
  return out;
}

function rowsWithValue(column: Column): Int32Array {
  const rows = new Int32Array(column.length - column.nullCount);
  for (let row = 0, at = 0; row < column.length; row++) if (!isNull(column, row)) rows[at++] = row;
  return rows;
}

/** Which rows have a value, as one run, behind its length. */
function levelsOf({ length, nullCount, validity }: Column): Uint8Array {
  const groups = bytesForBits(length);
  const isFull = nullCount === 0 || validity === null;
  const head = runHead(isFull ? length * 2 : groups * 2 + 1);
  const size = head.length + (isFull ? 1 : groups);
  const bytes = new Uint8Array(4 + size);
  new DataView(bytes.buffer).setUint32(0, size, true);
  bytes.set(head, 4);
  if (isFull) bytes[4 + head.length] = 1;
  else writeBits(validity, length, bytes, 4 + head.length);
  return bytes;
}
