import type { PageHeader } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import type { Bits, Column, VarColumn } from "../../data/column.ts";
import { concatColumns } from "../../data/kernels/concat.ts";
import { sliceColumn } from "../../data/kernels/slice.ts";
import { takeColumn } from "../../data/kernels/take.ts";
import { columnFault } from "../arrow-check.ts";
import type { Decompressor } from "./codecs.ts";
import { readDelta, readDelta32, readDeltaLengths, readDeltaTexts } from "./delta.ts";
import type { ParquetColumn } from "./footer.ts";
import { readBits, readHybrid, readSizedBits } from "./hybrid.ts";
import { columnWithNulls, fullColumn, spreadCodes } from "./nulls.ts";
import { PageReader } from "./page-reader.ts";
import { bytesPerValue, fixedValues, readPlainTexts, textValues, type Values } from "./values.ts";

/** Beyond this many words a dictionary is no help, and goes over no edge. */
const MOST_WORDS = 65_536;

/** A column of a row group as it lies in the file. Frozen: keyframes of the lab share it. */
export interface ChunkBytes {
  readonly column: ParquetColumn;
  readonly bytes: Uint8Array;
  readonly decompress: Decompressor;
  readonly rows: number;
}

/** What the head of a data page says. */
interface DataPage {
  readonly count: number;
  readonly encoding: string;
  /** Compressed or not, as it lies in the file. */
  readonly bytes: Uint8Array;
  readonly header: PageHeader;
}

/**
 * The rows of one column of one row group, page by page: one page is decoded at a time. Pages that are skipped are not decoded.
 */
export class ColumnCursor {
  private readonly chunk: ChunkBytes;
  private at = 0;
  /** Rows of the pages whose head was read. */
  private seen = 0;
  private dictionary: Column | undefined;
  /** The page being given out, and the rows of it that were. Frozen, so that a keyframe shares it. */
  private page: { readonly column: Column } | undefined;
  private cut = 0;

  constructor(chunk: ChunkBytes) {
    this.chunk = chunk;
  }

  /**
   * The next `count` rows, of which there must be as many.
   * @throws Error
   */
  take(count: number): Column {
    const pieces: Column[] = [];
    for (let left = count; left > 0; ) {
      if (this.page === undefined) this.open(this.nextPage());
      const { column } = this.page as { readonly column: Column };
      const to = Math.min(this.cut + left, column.length);
      pieces.push(sliceColumn(column, this.cut, to));
      left -= to - this.cut;
      this.cut = to;
      if (to === column.length) this.page = undefined;
    }
    const [first] = pieces;
    return pieces.length === 1 && first !== undefined ? first : concatColumns(pieces);
  }

  /** @throws Error */
  skip(count: number): void {
    for (let left = count; left > 0; ) {
      const page = this.nextPage();
      if (page.count <= left) left -= page.count;
      else {
        this.open(page);
        this.cut = left;
        return;
      }
    }
  }

  private open(page: DataPage): void {
    this.page = Object.freeze({ column: this.decode(page) });
    this.cut = 0;
  }

  /** The next page with rows; the dictionary is kept on the way. */
  private nextPage(): DataPage {
    const { bytes, rows, decompress } = this.chunk;
    for (;;) {
      if (this.at >= bytes.length) throw new Error("it has fewer pages than rows");
      const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: this.at };
      const header = parquetHeader(reader);
      const { compressed_page_size: size } = header;
      if (!(size >= 0) || reader.offset + size > bytes.length) throw new Error("a page is longer than its column");
      const body = bytes.subarray(reader.offset, reader.offset + size);
      this.at = reader.offset + size;
      if (header.dictionary_page_header !== undefined) {
        const plain = decompressed(decompress, body, header.uncompressed_page_size);
        this.dictionary = this.readDictionary(plain, header.dictionary_page_header.num_values);
        continue;
      }
      const data = header.data_page_header ?? header.data_page_header_v2;
      if (data === undefined) continue;
      const { num_values: count, encoding } = data;
      if (!(count >= 0) || this.seen + count > rows) throw new Error("its pages have more rows than the row group");
      this.seen += count;
      if (count > 0) return { count, encoding, bytes: body, header };
    }
  }

  private readDictionary(bytes: Uint8Array, count: number): Column {
    if (!(count >= 0)) throw new Error("its dictionary is wrong");
    const { column } = this.chunk;
    const words = fullColumn(column.type, count, this.plain(new PageReader(bytes), count));
    const fault = columnFault(words);
    if (fault !== undefined) throw new Error(fault);
    // As it is shared by all batches, a keyframe must not copy it.
    return Object.freeze(words);
  }

  private decode(page: DataPage): Column {
    const { column } = this.chunk;
    const { header, count, bytes } = page;
    const { data_page_header_v2: v2 } = header;
    let levels: { readonly bits: Bits; readonly ones: number } | undefined;
    let reader: PageReader;
    if (v2 === undefined) {
      reader = new PageReader(decompressed(this.chunk.decompress, bytes, header.uncompressed_page_size));
      if (column.nullable) {
        if (header.data_page_header?.definition_level_encoding !== "RLE") throw new Error("levels in an old encoding");
        levels = readSizedBits(reader, count);
      }
    } else {
      const head = v2.repetition_levels_byte_length + v2.definition_levels_byte_length;
      if (!(head >= 0 && v2.definition_levels_byte_length >= 0) || head > bytes.length)
        throw new Error("levels are wrong");
      const from = v2.repetition_levels_byte_length;
      if (column.nullable && head > from) levels = readBits(new PageReader(bytes, from, head), count);
      const body = bytes.subarray(head);
      const size = header.uncompressed_page_size - head;
      reader = new PageReader(v2.is_compressed === false ? body : decompressed(this.chunk.decompress, body, size));
    }
    const made = this.values(reader, page.encoding, count, levels);
    const fault = made.encoding === "dictionary" ? undefined : columnFault(made);
    if (fault !== undefined) throw new Error(fault);
    return made;
  }

  private values(
    reader: PageReader,
    encoding: string,
    count: number,
    levels: { readonly bits: Bits; readonly ones: number } | undefined,
  ): Column {
    const { type } = this.chunk.column;
    const ones = levels?.ones ?? count;
    if (encoding === "PLAIN_DICTIONARY" || encoding === "RLE_DICTIONARY") return this.coded(reader, count, levels);
    const values = this.encoded(reader, encoding, ones);
    return levels === undefined || ones === count
      ? fullColumn(type, count, values)
      : columnWithNulls(type, count, ones, levels.bits, values);
  }

  private encoded(reader: PageReader, encoding: string, count: number): Values {
    const { column } = this.chunk;
    const { storage } = column;
    if (count === 0) return this.plain(new PageReader(new Uint8Array(0)), 0);
    switch (encoding) {
      case "PLAIN":
        return this.plain(reader, count);
      case "RLE":
        if (storage.kind !== "bits") break;
        return { encoding: "bits", values: readSizedBits(reader, count).bits };
      case "DELTA_BINARY_PACKED": {
        const words = bytesPerValue(storage) === 8 ? readDelta(reader, count) : readDelta32(reader, count);
        return fixedValues(column, new Uint8Array(words.buffer), 0, count);
      }
      case "DELTA_LENGTH_BYTE_ARRAY":
        return textValues(storage, readDeltaLengths(reader, count));
      case "DELTA_BYTE_ARRAY": {
        const texts = readDeltaTexts(reader, count);
        const width = bytesPerValue(storage);
        if (width === undefined) return textValues(storage, texts);
        if (texts.offsets[count] !== width * count) throw new Error("values of another width than its type's");
        return fixedValues(column, texts.bytes, 0, count);
      }
      case "BYTE_STREAM_SPLIT": {
        const width = bytesPerValue(storage) ?? 0;
        return fixedValues(column, joinStreams(reader, width, count), 0, count);
      }
      default:
    }
    throw new Error(`values in the encoding ${encoding.toLowerCase()}, which cannot be read`);
  }

  private plain(reader: PageReader, count: number): Values {
    const { column } = this.chunk;
    const { storage } = column;
    if (storage.kind === "bits") {
      const start = reader.skip((count + 7) >> 3);
      return { encoding: "bits", values: { bits: reader.bytes.slice(start, reader.at), bitOffset: 0 } };
    }
    const width = bytesPerValue(storage);
    if (width === undefined) return textValues(storage, readPlainTexts(reader, count));
    return fixedValues(column, reader.bytes, reader.skip(width * count), count);
  }

  private coded(
    reader: PageReader,
    count: number,
    levels: { readonly bits: Bits; readonly ones: number } | undefined,
  ): Column {
    const { type } = this.chunk.column;
    const { dictionary } = this;
    const ones = levels?.ones ?? count;
    if (dictionary === undefined) throw new Error("a page needs a dictionary that is not there");
    const dense = ones === 0 ? new Int32Array(0) : readHybrid(reader, reader.byte(), ones);
    for (const code of dense) {
      if (code < 0 || code >= dictionary.length) throw new Error("a code is not in the dictionary");
    }
    const hasNulls = levels !== undefined && ones < count;
    if (dictionary.encoding === "var" && this.staysCoded(dictionary)) {
      const codes = hasNulls ? spreadCodes(dense, levels.bits, count) : dense;
      const validity = hasNulls ? levels.bits : null;
      return { encoding: "dictionary", type, length: count, nullCount: count - ones, validity, codes, dictionary };
    }
    const taken = takeColumn(dictionary, dense);
    if (!hasNulls || taken.encoding === "dictionary") return taken;
    return columnWithNulls(type, count, ones, levels.bits, taken);
  }

  /** Text whose words come twice and more on average goes on as codes. */
  private staysCoded({ type, length }: VarColumn): boolean {
    return type.kind === "utf8" && length <= MOST_WORDS && 2 * length <= this.chunk.rows;
  }
}

function decompressed(decompress: Decompressor, bytes: Uint8Array, size: number): Uint8Array {
  if (!(size >= 0)) throw new Error("the size of a page is wrong");
  // An empty page may be left as no bytes at all.
  if (size === 0) return new Uint8Array(0);
  const page = decompress(bytes, size);
  if (page.length !== size) throw new Error(`a page has ${page.length} bytes, and says ${size}`);
  return page;
}

/** Bytes of values out of one stream for each of their bytes. */
function joinStreams(reader: PageReader, width: number, count: number): Uint8Array {
  if (width === 0) throw new Error("an encoding that is for numbers only");
  const start = reader.skip(width * count);
  const bytes = new Uint8Array(width * count);
  for (let k = 0, at = start; k < width; k++) {
    for (let i = 0; i < count; i++, at++) bytes[i * width + k] = reader.bytes[at] as number;
  }
  return bytes;
}
