import { WeirError } from "../base/errors.ts";
import type { ReadableFile } from "../base/files.ts";
import type { Schema } from "../data/schema.ts";
import type { TimeUnit } from "../data/types.ts";
import type { BatchReader, ReadResult } from "./batch-reader.ts";
import { BlockFeed } from "./block-feed.ts";
import { type CsvOptions, CsvRecordReader, csvDecoder, headerNames, slotsByName, slotsByPosition } from "./csv.ts";
import { ndjsonDecoder } from "./ndjson.ts";
import { type RecordDecoder, type RecordPlace, START } from "./record-decoder.ts";
import { bomLength } from "./text-start.ts";

export interface TextReaderOptions {
  /** Columns of the file that are wanted, without the rescue column. */
  readonly schema: Schema;
  readonly csv: CsvOptions;
  /** Fields of records, and columns of csv headers, that the schema does not name. */
  readonly extraFields: "refuse" | "ignore";
  readonly timestampUnit: TimeUnit;
  readonly batchRows: number;
  readonly rescueColumn?: string | undefined;
  /** Where a reader before this one stopped; `undefined` at the start. */
  readonly from?: RecordPlace | undefined;
  readonly blockBytes?: number;
}

/** A header may take this many bytes. */
const MAX_HEADER_BYTES = 4 << 20;

/**
 * Opens a csv or NDJSON file: reads its first block, passes the byte order mark and, for csv, the header, and goes to the place
 * where reading is to begin. The file is the reader's to close.
 * @throws WeirError `wrong-format`, `file-empty`, `duplicate-columns`, `column-missing`, `column-unknown`, `file-changed`
 */
export async function openTextReader(
  format: "csv" | "ndjson",
  file: ReadableFile,
  options: TextReaderOptions,
): Promise<BatchReader> {
  const feed = new BlockFeed(file, 0, options.blockBytes);
  await feed.wait();
  let bytes = feed.take() ?? new Uint8Array(0);
  // Enough to know the kind of file by its first bytes.
  for (let more = bytes; bytes.length < 6 && more.length > 0; bytes = joined(bytes, more)) more = await nextBlock(feed);
  const bom = bomLength(bytes, file.name);
  let start: RecordPlace = { ...START, offset: bom };
  let slots = slotsByPosition(options.schema);
  if (format === "csv" && options.csv.header) {
    const header = await readHeader(feed, bytes, bom, options.csv, file.name);
    bytes = header.bytes;
    start = header.next;
    slots = slotsByName(header.names, options.schema, options.extraFields, file.name);
  }
  const { from } = options;
  const isBehind = from !== undefined && from.offset > start.offset;
  if (isBehind && file.size !== undefined && from.offset > file.size) {
    throw fileChanged(file.name, file.size, from.offset);
  }
  const place = isBehind ? from : start;
  const common = { ...options, start: place, file: file.name };
  const decoder = format === "csv" ? csvDecoder({ ...common, slots }) : ndjsonDecoder(common);
  if (isBehind && file.size !== undefined) {
    return new TextReader(file, new BlockFeed(file, place.offset, options.blockBytes), decoder);
  }
  decoder.push(await bytesFrom(feed, bytes, place.offset, file.name));
  return new TextReader(file, feed, decoder);
}

/** Reads a stream up to `offset`, which a file is sought to, and answers what was read beyond it. */
async function bytesFrom(feed: BlockFeed, first: Uint8Array, offset: number, file: string): Promise<Uint8Array> {
  let block = first;
  let start = 0;
  while (start + block.length < offset) {
    start += block.length;
    block = await nextBlock(feed);
    if (block.length === 0) throw fileChanged(file, start, offset);
  }
  return block.subarray(offset - start);
}

function fileChanged(file: string, size: number, offset: number): WeirError {
  return new WeirError({
    code: "file-changed",
    domain: "data",
    file,
    message: `the file ends at byte ${size}, and reading is to go on at byte ${offset}`,
    hint: "put back the file that the checkpoint was taken with, or start without the checkpoint",
  });
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** Empty at the end of the file. */
async function nextBlock(feed: BlockFeed): Promise<Uint8Array> {
  await feed.wait();
  return feed.take() ?? new Uint8Array(0);
}

interface Header {
  readonly names: readonly string[];
  /** Everything read so far, from the start of the file. */
  readonly bytes: Uint8Array;
  /** Place of the first record behind it. */
  readonly next: RecordPlace;
}

async function readHeader(
  feed: BlockFeed,
  first: Uint8Array,
  bom: number,
  csv: CsvOptions,
  file: string,
): Promise<Header> {
  let bytes = first;
  for (let isWhole = false; ; ) {
    const reader = new CsvRecordReader(bytes, csv, isWhole, bom);
    const record = reader.next();
    if (record !== undefined) {
      const names = headerNames(record, csv, file);
      return { names, bytes, next: { records: 0, offset: reader.at, line: reader.line } };
    }
    if (isWhole || bytes.length > MAX_HEADER_BYTES) {
      throw new WeirError({
        code: isWhole ? "file-empty" : "record-too-large",
        domain: "data",
        file,
        message: isWhole ? "the file is empty, and its first line is to name the columns" : "the header has no end",
        hint: isWhole ? "give another file" : "look for a quote that is missing, or set the quote and header options",
      });
    }
    const more = await nextBlock(feed);
    if (more.length === 0) isWhole = true;
    else bytes = joined(bytes, more);
  }
}

class TextReader implements BatchReader {
  private readonly file: ReadableFile;
  private readonly feed: BlockFeed;
  private readonly decoder: RecordDecoder;
  private waiting = false;

  constructor(file: ReadableFile, feed: BlockFeed, decoder: RecordDecoder) {
    this.file = file;
    this.feed = feed;
    this.decoder = decoder;
  }

  next(): ReadResult {
    if (this.waiting) {
      this.waiting = false;
      const block = this.feed.take();
      if (block === undefined) this.decoder.end();
      else this.decoder.push(block);
    }
    const rows = this.decoder.next();
    if (rows !== undefined) return { kind: "rows", rows };
    if (this.decoder.finished) return { kind: "end" };
    this.waiting = true;
    return { kind: "wait", ready: this.feed.wait() };
  }

  close(): void {
    // A file that was only read can lose nothing by failing to close.
    this.file.close().catch(() => undefined);
  }
}
