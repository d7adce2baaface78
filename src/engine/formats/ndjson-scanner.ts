import type { Schema } from "../data/schema.ts";
import { encodeUtf8 } from "../data/text.ts";
import { excerpt } from "./bad-rows.ts";
import { type FieldBlock, FieldKind } from "./field-block.ts";
import { JsonReader } from "./json-reader.ts";

/**
 * Finds the fields of NDJSON records: one JSON object a line, `\n` or `\r\n`, lines of blanks skipped. Numbers stay
 * text, so that all of their digits reach the column (D-41, P-02). A fault ends with its line: the next one is read
 * as if nothing had been.
 *
 * Names are looked up in a Map of the schema's own, so `__proto__` is a name like any other. A name that the schema does not
 * have is a fault unless `extraFields` says to ignore it; a name that comes twice always is.
 */
export interface NdjsonOptions {
  readonly extraFields: "refuse" | "ignore";
}

const CR = 13;
const SPACE = 32;
const QUOTE = 34;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** The first byte that may begin a word. */
const LETTER = 97;
const NULL_WORD = encodeUtf8("null");
const TRUE_WORD = encodeUtf8("true");
const FALSE_WORD = encodeUtf8("false");

const INCOMPLETE = -1;
/** Not a column. */
const NO_SLOT = -1;
/** There are no more members. */
const CLOSED = -1;
/** Fields of a record of which the place is remembered. */
const MAX_REMEMBERED = 4096;

export class NdjsonScanner {
  private readonly slots: ReadonlyMap<string, number>;
  private readonly names: readonly string[];
  /** The names as they stand in JSON, with quotes and colon; none for those that need escapes. */
  private readonly plainNames: readonly (PlainName | undefined)[];
  /** The block's bytes, for reading four at a time. */
  private view: DataView = new DataView(new ArrayBuffer(0));
  private viewed: Uint8Array | undefined;
  private readonly ignoresExtra: boolean;
  /** Slot of the n-th member of the record before: most records have their fields in one order. */
  private readonly order: number[] = [];
  private line: number;
  private readonly json = new JsonReader();

  constructor(schema: Schema, options: NdjsonOptions, line: number) {
    this.slots = new Map(schema.names.map((name, slot) => [name, slot]));
    this.names = schema.names;
    this.plainNames = schema.names.map((name) =>
      JSON.stringify(name) === `"${name}"` ? new PlainName(encodeUtf8(`"${name}":`)) : undefined,
    );
    this.ignoresExtra = options.extraFields === "ignore";
    this.line = line;
  }

  get nextLine(): number {
    return this.line;
  }

  /** As `CsvScanner.scan`: one line of `block.bytes` [at, end); a blank one is no record. */
  scan(block: FieldBlock, at: number, end: number, last: boolean): number {
    const { json } = this;
    const { bytes } = block;
    const escapedBefore = block.escaped.length;
    if (bytes !== this.viewed) {
      this.viewed = bytes;
      this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    json.begin(at, end);
    json.skipBlanks(bytes);
    const isBlank = json.isLineEnd(bytes);
    if (!isBlank) this.record(block, block.records * block.width);
    // No value reaches over a line end, so the reader still stands on the line.
    const lineEnd = json.fault === undefined ? json.at : json.toLineEnd(bytes);
    if (lineEnd === end && !last) {
      block.escaped.length = escapedBefore;
      return INCOMPLETE;
    }
    if (!isBlank) {
      if (json.fault !== undefined) block.fault(block.records, json.fault, json.faultField);
      block.close(at, lineEnd > at && bytes[lineEnd - 1] === CR ? lineEnd - 1 : lineEnd, this.line);
    }
    this.line++;
    return lineEnd === end ? end : lineEnd + 1;
  }

  private record(block: FieldBlock, base: number): boolean {
    const { json } = this;
    const { bytes, kinds, width } = block;
    for (let slot = base; slot < base + width; slot++) kinds[slot] = FieldKind.missing;
    if (!json.take(bytes, OPEN_BRACE)) return json.unexpected(bytes, "a JSON object");
    if (!json.take(bytes, CLOSE_BRACE) && !this.members(block, base)) return false;
    json.skipBlanks(bytes);
    return json.isLineEnd(bytes) || json.unexpected(bytes, "the end of the line");
  }

  /** The members and the closing brace. */
  private members(block: FieldBlock, base: number): boolean {
    const { json } = this;
    const { bytes } = block;
    for (let member = 0; ; member++) {
      member = this.usualMembers(block, base, member);
      if (member === CLOSED) return true;
      if (!this.member(block, base, member)) return false;
      if (json.take(bytes, COMMA)) continue;
      return json.take(bytes, CLOSE_BRACE) || json.unexpected(bytes, ", or }");
    }
  }

  /**
   * Members as most are, from the one with number `first` on: the name that stood at this place in the record before, and a string without
   * escapes, a plain number, null, true or false, without blanks but one behind a colon or comma. Answers the number of the first
   * member that is different, which is not read, or `CLOSED` behind the closing brace. It is here for speed alone: `member` reads all of them.
   */
  private usualMembers(block: FieldBlock, base: number, first: number): number {
    const { json, order, view, plainNames } = this;
    const { bytes, starts, ends, kinds } = block;
    const { end } = json;
    for (let member = first; member < order.length; member++) {
      const slot = order[member] as number;
      const name = slot === NO_SLOT ? undefined : plainNames[slot];
      if (name === undefined || kinds[base + slot] !== FieldKind.missing) return member;
      let start = bytes[json.at] === SPACE ? json.at + 1 : json.at;
      if (start + name.length + 2 >= end || !name.standsAt(view, start)) return member;
      start += name.length;
      if (bytes[start] === SPACE) start++;
      const lead = bytes[start] as number;
      let kind: number = FieldKind.number;
      let stop: number;
      let next: number;
      if (lead === QUOTE) {
        kind = FieldKind.text;
        start++;
        stop = plainTextEnd(bytes, view, start, end);
        next = stop + 1;
      } else if (lead >= LETTER) {
        kind = wordKind(lead);
        stop = wordEnd(bytes, start, end, lead);
        next = stop;
      } else {
        stop = plainNumberEnd(bytes, start, end);
        next = stop;
      }
      if (stop < 0 || next >= end) return member;
      const mark = bytes[next];
      if (mark !== COMMA && mark !== CLOSE_BRACE) return member;
      starts[base + slot] = start;
      ends[base + slot] = stop;
      kinds[base + slot] = kind;
      json.at = next + 1;
      if (mark === CLOSE_BRACE) return CLOSED;
    }
    return order.length;
  }

  private member(block: FieldBlock, base: number, member: number): boolean {
    const { json } = this;
    const { bytes } = block;
    if (!json.take(bytes, QUOTE)) return json.unexpected(bytes, "a field name");
    if (!json.text(block)) return false;
    const slot = this.slotOf(block, member);
    if (slot === NO_SLOT && !this.ignoresExtra) {
      const name = json.textRead(block);
      return json.fail(`there is no column ${excerpt(name)}`, name);
    }
    if (slot !== NO_SLOT && block.kinds[base + slot] !== FieldKind.missing) {
      const name = this.names[slot] as string;
      return json.fail(`the field ${excerpt(name)} comes twice`, name);
    }
    if (!json.take(bytes, COLON)) return json.unexpected(bytes, ":");
    if (!json.value(block)) return false;
    if (slot !== NO_SLOT) {
      block.starts[base + slot] = json.valueStart;
      block.ends[base + slot] = json.valueEnd;
      block.kinds[base + slot] = json.valueKind;
    }
    return true;
  }

  /** Column of the string read last. */
  private slotOf(block: FieldBlock, member: number): number {
    const slot = this.slots.get(this.json.textRead(block)) ?? NO_SLOT;
    if (member < MAX_REMEMBERED) {
      while (this.order.length <= member) this.order.push(NO_SLOT);
      this.order[member] = slot;
    }
    return slot;
  }
}

/** A name with its quotes and colon, compared by words of four bytes, of which the last one may overlap the one before. */
class PlainName {
  readonly length: number;
  private readonly words: Int32Array;
  private readonly last: number;

  constructor(bytes: Uint8Array) {
    this.length = bytes.length;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.words = Int32Array.from({ length: (bytes.length - 1) >> 2 }, (_, i) => view.getInt32(4 * i, true));
    this.last = view.getInt32(bytes.length - 4, true);
  }

  standsAt(view: DataView, at: number): boolean {
    const { words } = this;
    for (let i = 0; i < words.length; i++) if (view.getInt32(at + 4 * i, true) !== words[i]) return false;
    return view.getInt32(at + this.length - 4, true) === this.last;
  }
}

/** Place of the closing quote of a string without escapes; -1 when it has some, or has no end. */
function plainTextEnd(bytes: Uint8Array, view: DataView, start: number, end: number): number {
  let at = start;
  // Four bytes at a time as long as none of them is a quote, a backslash or a control character.
  for (; at + 4 <= end; at += 4) {
    const word = view.getInt32(at, true);
    const quote = word ^ 0x22222222;
    const backslash = word ^ 0x5c5c5c5c;
    const found =
      (((quote - 0x01010101) & ~quote) | ((backslash - 0x01010101) & ~backslash) | ((word - 0x20202020) & ~word)) &
      0x80808080;
    if (found === 0) continue;
    // A borrow may mark bytes behind the first one that is marked, never before it.
    at += (31 - Math.clz32(found & -found)) >> 3;
    return bytes[at] === QUOTE ? at : -1;
  }
  for (; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte <= BACKSLASH && (byte === QUOTE || byte === BACKSLASH || byte < SPACE)) return byte === QUOTE ? at : -1;
  }
  return -1;
}

/** Place behind an integer or a number with a point, of which a comma or brace tells that it is whole; -1 for anything else. */
function plainNumberEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = bytes[start] === MINUS ? start + 1 : start;
  const first = at;
  while (at < end && isDigit(bytes[at] as number)) at++;
  // A leading zero is a number only alone.
  if (at === first || (bytes[first] === ZERO && at > first + 1)) return -1;
  if (at < end && bytes[at] === POINT) {
    const fraction = ++at;
    while (at < end && isDigit(bytes[at] as number)) at++;
    if (at === fraction) return -1;
  }
  return at < end && (bytes[at] === COMMA || bytes[at] === CLOSE_BRACE) ? at : -1;
}

/** The word that begins with a letter, and how it is stored. */
const wordKind = (first: number): number =>
  first === NULL_WORD[0] ? FieldKind.null : first === TRUE_WORD[0] ? FieldKind.true : FieldKind.false;

/** Place behind null, true or false, of which a comma or brace tells that it is whole; -1 for anything else. */
function wordEnd(bytes: Uint8Array, start: number, end: number, first: number): number {
  const word = first === NULL_WORD[0] ? NULL_WORD : first === TRUE_WORD[0] ? TRUE_WORD : FALSE_WORD;
  const { length } = word;
  if (start + length >= end) return -1;
  for (let i = 0; i < length; i++) if (bytes[start + i] !== word[i]) return -1;
  const next = bytes[start + length];
  return next === COMMA || next === CLOSE_BRACE ? start + length : -1;
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= ZERO + 9;
