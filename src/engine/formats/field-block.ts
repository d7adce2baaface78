/**
 * Records as their fields' places in the bytes: what a scanner finds and what the columns are parsed from.
 *
 * A scanner fills a block record by record, the columns are then parsed one after the other. So the inner loops see one
 * type at a time, and a record that turns out to be bad leaves nothing behind in the columns before it.
 */

/** How a field is written. The bytes of `text` stand in the input, those of `escaped` in the block's own buffer. */
export const FieldKind = {
  /** NULL, said explicitly. */
  null: 0,
  /** The record has no such field. */
  missing: 1,
  /** Text; for csv any value. */
  text: 2,
  /** Text that had escapes; its bytes are in `escaped`. */
  escaped: 3,
  /** A JSON number. */
  number: 4,
  true: 5,
  false: 6,
  /** A JSON object or array. */
  nested: 7,
} as const;

/** Why a whole record is bad, whatever the types of its columns. */
export interface RecordFault {
  readonly reason: string;
  /** Name of the field at fault, where there is one. */
  readonly field: string | undefined;
}

/** Bytes that grow; reset, not freed. */
export class ByteArena {
  bytes = new Uint8Array(1024);
  length = 0;

  /** Makes room for `count` bytes more. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.bytes.length, this.length + count));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }

  push(byte: number): void {
    this.bytes[this.length++] = byte;
  }

  /** Appends bytes [start, end); room must have been reserved. */
  append(source: Uint8Array, start: number, end: number): void {
    let at = this.length;
    const target = this.bytes;
    for (let from = start; from < end; from++) target[at++] = source[from] as number;
    this.length = at;
  }
}

export class FieldBlock {
  /** Fields a record. */
  readonly width: number;
  readonly capacity: number;
  records = 0;
  /** The input that `starts`, `ends` and `record…` point into. */
  bytes: Uint8Array = new Uint8Array(0);
  private seen: DataView = new DataView(this.bytes.buffer);
  readonly escaped = new ByteArena();
  /** Of field f of record r at [r · width + f]. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly kinds: Uint8Array;
  /** The record's text without its line end. */
  readonly recordStarts: Int32Array;
  readonly recordEnds: Int32Array;
  /** Line on which the record starts, from 1. */
  readonly lines: Float64Array;
  /** Whether `bytes` are well-formed UTF-8 where the records lie: then every field of them is. */
  isWellFormed = false;
  readonly faults = new Map<number, RecordFault>();

  constructor(width: number, capacity: number) {
    this.width = width;
    this.capacity = capacity;
    this.starts = new Int32Array(width * capacity);
    this.ends = new Int32Array(width * capacity);
    this.kinds = new Uint8Array(width * capacity);
    this.recordStarts = new Int32Array(capacity);
    this.recordEnds = new Int32Array(capacity);
    this.lines = new Float64Array(capacity);
  }

  /** `bytes`, for reading several at a time. */
  get view(): DataView {
    const { bytes, seen } = this;
    if (seen.buffer !== bytes.buffer || seen.byteOffset !== bytes.byteOffset || seen.byteLength !== bytes.byteLength) {
      this.seen = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    return this.seen;
  }

  reset(): void {
    this.records = 0;
    this.escaped.length = 0;
    this.faults.clear();
  }

  /** Ends the record whose fields were set. */
  close(start: number, end: number, line: number): void {
    this.recordStarts[this.records] = start;
    this.recordEnds[this.records] = end;
    this.lines[this.records] = line;
    this.records++;
  }

  /** The bytes moved: what stood at `by` stands at 0 now. */
  shift(by: number): void {
    if (by === 0) return;
    const fields = this.records * this.width;
    for (let i = 0; i < fields; i++) {
      if (this.kinds[i] === FieldKind.escaped) continue;
      this.starts[i] = (this.starts[i] as number) - by;
      this.ends[i] = (this.ends[i] as number) - by;
    }
    for (let record = 0; record < this.records; record++) {
      this.recordStarts[record] = (this.recordStarts[record] as number) - by;
      this.recordEnds[record] = (this.recordEnds[record] as number) - by;
    }
  }

  /** The first fault of a record counts. */
  fault(record: number, reason: string, field?: string): void {
    if (!this.faults.has(record)) this.faults.set(record, { reason, field });
  }

  /** Bytes that the places of a field of this kind point into. */
  sourceOf(kind: number): Uint8Array {
    return kind === FieldKind.escaped ? this.escaped.bytes : this.bytes;
  }
}

/** Most fields of a block: keeps its memory within about 10 MB, however wide the records are. */
const MAX_FIELDS = 1 << 20;

/** Records in a block for batches of `batchRows`; wide records go in smaller batches. */
export function blockCapacity(width: number, batchRows: number): number {
  return Math.max(1, Math.min(batchRows, Math.floor(MAX_FIELDS / Math.max(1, width))));
}
