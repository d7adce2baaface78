import { assert } from "../base/assert.ts";
import { WeirError } from "../base/errors.ts";
import type { SnapshotValue } from "../base/snapshot-value.ts";
import { decodeUtf8, encodeInto } from "../data/text.ts";
import { crc32 } from "./crc32.ts";

/**
 * Snapshot values as bytes, exact: every bit of a bigint and of the typed arrays, −0, lone surrogates, the order of keys. Equal
 * values give equal bytes, whatever NaN they hold as plain numbers.
 *
 *     "WEIR" · version · 3 × 0 · CRC-32 of the value (little endian) · the value
 *
 * A value is a tag and what the tag says; lengths are 32-bit little-endian, so bytes do not depend on the machine.
 */
const MAGIC = [0x57, 0x45, 0x49, 0x52] as const;
const VERSION = 1;
const HEADER_BYTES = 12;
/** Deeper than any state; a cycle is found before the stack ends. */
const MAX_DEPTH = 500;

const Tag = {
  null: 0,
  false: 1,
  true: 2,
  number: 3,
  /** Sign byte, then the magnitude, lowest byte first. */
  bigint: 4,
  text: 5,
  /** Text that UTF-8 cannot hold, as 16-bit units. */
  units: 6,
  bytes: 7,
  int32: 8,
  float64: 9,
  list: 10,
  record: 11,
} as const;

export function encodeSnapshot(value: SnapshotValue): Uint8Array<ArrayBuffer> {
  const writer = new Writer();
  writer.value(value, 0);
  return writer.finish();
}

/**
 * The value that `encodeSnapshot` was given, in memory of its own.
 * @throws WeirError `snapshot-damaged`, `snapshot-version`
 */
export function decodeSnapshot(bytes: Uint8Array): SnapshotValue {
  if (bytes.length < HEADER_BYTES || MAGIC.some((byte, i) => bytes[i] !== byte)) throw damaged("it is no snapshot");
  if (bytes[4] !== VERSION) {
    throw new WeirError({
      code: "snapshot-version",
      domain: "checkpoint",
      message: `the snapshot has version ${bytes[4]}, and this program reads version ${VERSION}`,
      hint: "use the program that wrote it",
    });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(8, true) !== crc32(bytes, HEADER_BYTES, bytes.length)) throw damaged("its checksum is wrong");
  const reader = new Reader(bytes, view);
  const value = reader.value(0);
  if (reader.at !== bytes.length) throw damaged("there are bytes behind its end");
  return value;
}

function damaged(why: string): WeirError {
  return new WeirError({
    code: "snapshot-damaged",
    domain: "checkpoint",
    message: `the snapshot is damaged: ${why}`,
    hint: "restore an older checkpoint",
  });
}

class Writer {
  private bytes = new Uint8Array(1024);
  private view = new DataView(this.bytes.buffer);
  private at = HEADER_BYTES;

  finish(): Uint8Array<ArrayBuffer> {
    this.bytes.set(MAGIC);
    this.bytes[4] = VERSION;
    this.view.setUint32(8, crc32(this.bytes, HEADER_BYTES, this.at), true);
    return this.bytes.slice(0, this.at);
  }

  private room(bytes: number): void {
    const needed = this.at + bytes;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.bytes.length, needed));
    grown.set(this.bytes.subarray(0, this.at));
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }

  private tag(tag: number): void {
    this.room(1);
    this.bytes[this.at++] = tag;
  }

  private length(length: number): void {
    this.room(4);
    this.view.setUint32(this.at, length, true);
    this.at += 4;
  }

  value(value: SnapshotValue, depth: number): void {
    assert(depth <= MAX_DEPTH, "a snapshot is nested too deeply, or contains itself");
    if (value === null) this.tag(Tag.null);
    else if (typeof value === "boolean") this.tag(value ? Tag.true : Tag.false);
    else if (typeof value === "number") this.number(value);
    else if (typeof value === "bigint") this.bigint(value);
    else if (typeof value === "string") this.tagged(value);
    else if (value instanceof Uint8Array) this.array(Tag.bytes, value);
    else if (value instanceof Int32Array) this.array(Tag.int32, value);
    else if (value instanceof Float64Array) this.array(Tag.float64, value);
    else if (Array.isArray(value)) {
      this.tag(Tag.list);
      this.length(value.length);
      for (const item of value) this.value(item, depth + 1);
    } else this.record(value as { readonly [key: string]: SnapshotValue }, depth);
  }

  private record(value: { readonly [key: string]: SnapshotValue }, depth: number): void {
    const prototype: unknown = typeof value === "object" ? Object.getPrototypeOf(value) : undefined;
    assert(prototype === Object.prototype || prototype === null, "a snapshot holds plain data");
    const keys = Object.keys(value);
    this.tag(Tag.record);
    this.length(keys.length);
    for (const key of keys) {
      this.tagged(key);
      this.value(value[key] as SnapshotValue, depth + 1);
    }
  }

  private number(value: number): void {
    this.tag(Tag.number);
    this.room(8);
    this.view.setFloat64(this.at, Number.isNaN(value) ? Number.NaN : value, true);
    this.at += 8;
  }

  private bigint(value: bigint): void {
    const hex = (value < 0n ? -value : value).toString(16);
    const size = Math.ceil(hex.length / 2);
    this.tag(Tag.bigint);
    this.length(size);
    this.room(1 + size);
    this.bytes[this.at++] = value < 0n ? 1 : 0;
    const padded = hex.padStart(2 * size, "0");
    for (let i = size - 1; i >= 0; i--) this.bytes[this.at++] = Number.parseInt(padded.slice(2 * i, 2 * i + 2), 16);
  }

  private tagged(text: string): void {
    if (text.isWellFormed()) {
      this.tag(Tag.text);
      this.room(4 + 3 * text.length);
      const end = encodeInto(text, this.bytes, this.at + 4);
      this.view.setUint32(this.at, end - this.at - 4, true);
      this.at = end;
      return;
    }
    this.tag(Tag.units);
    this.length(text.length);
    this.room(2 * text.length);
    for (let i = 0; i < text.length; i++, this.at += 2) this.view.setUint16(this.at, text.charCodeAt(i), true);
  }

  /** Machines that run this are little-endian, as Arrow's buffers are; the copy is one of bytes. */
  private array(tag: number, values: Uint8Array | Int32Array | Float64Array): void {
    this.tag(tag);
    this.length(values.length);
    this.room(values.byteLength);
    this.bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), this.at);
    this.at += values.byteLength;
  }
}

class Reader {
  at = HEADER_BYTES;
  private readonly bytes: Uint8Array;
  private readonly view: DataView;

  constructor(bytes: Uint8Array, view: DataView) {
    this.bytes = bytes;
    this.view = view;
  }

  /** Where `bytes` more bytes start; they are passed over. */
  private take(bytes: number): number {
    const from = this.at;
    if (from + bytes > this.bytes.length) throw damaged("it ends too early");
    this.at = from + bytes;
    return from;
  }

  private length(): number {
    return this.view.getUint32(this.take(4), true);
  }

  private tag(): number {
    return this.bytes[this.take(1)] as number;
  }

  value(depth: number): SnapshotValue {
    const tag = this.tag();
    switch (tag) {
      case Tag.null:
        return null;
      case Tag.false:
      case Tag.true:
        return tag === Tag.true;
      case Tag.number:
        return this.view.getFloat64(this.take(8), true);
      case Tag.bigint:
        return this.bigint();
      case Tag.text:
      case Tag.units:
        return this.text(tag);
      case Tag.bytes:
        return this.copy(this.length());
      case Tag.int32:
        return new Int32Array(this.copy(4 * this.length()).buffer);
      case Tag.float64:
        return new Float64Array(this.copy(8 * this.length()).buffer);
      case Tag.list:
      case Tag.record:
        if (depth > MAX_DEPTH) throw damaged("it is nested too deeply");
        return tag === Tag.list ? this.list(depth) : this.record(depth);
      default:
        throw damaged(`it has an unknown tag ${tag}`);
    }
  }

  private copy(bytes: number): Uint8Array<ArrayBuffer> {
    const from = this.take(bytes);
    return new Uint8Array(this.bytes.subarray(from, from + bytes));
  }

  private bigint(): bigint {
    const size = this.length();
    const from = this.take(1 + size);
    let hex = "0";
    for (let i = size; i >= 1; i--) hex += (this.bytes[from + i] as number).toString(16).padStart(2, "0");
    const magnitude = BigInt(`0x${hex}`);
    return this.bytes[from] === 1 ? -magnitude : magnitude;
  }

  private text(tag: number): string {
    if (tag !== Tag.text && tag !== Tag.units) throw damaged("a key is no text");
    const length = this.length();
    if (tag === Tag.text) {
      const from = this.take(length);
      return decodeUtf8(this.bytes, from, from + length);
    }
    const from = this.take(2 * length);
    let text = "";
    for (let i = 0; i < length; i++) text += String.fromCharCode(this.view.getUint16(from + 2 * i, true));
    return text;
  }

  private list(depth: number): SnapshotValue[] {
    const length = this.length();
    if (length > this.bytes.length) throw damaged("it ends too early");
    const items: SnapshotValue[] = [];
    for (let i = 0; i < length; i++) items.push(this.value(depth + 1));
    return items;
  }

  private record(depth: number): SnapshotValue {
    const entries: [string, SnapshotValue][] = [];
    for (let left = this.length(); left > 0; left--) entries.push([this.text(this.tag()), this.value(depth + 1)]);
    // Not by assignment, which would make a key named __proto__ the prototype.
    return Object.fromEntries(entries);
  }
}
