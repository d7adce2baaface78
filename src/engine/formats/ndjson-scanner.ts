import type { Schema } from "../data/schema.ts";
import { decodeUtf8, encodeUtf8 } from "../data/text.ts";
import { excerpt } from "./bad-rows.ts";
import { type FieldBlock, FieldKind } from "./field-block.ts";
import { stringFault, unescapeString } from "./json-strings.ts";

/**
 * Finds the fields of NDJSON records: one JSON object a line (RFC 8259), `\n` or `\r\n`, lines of blanks skipped. Numbers stay
 * text, so that all of their digits reach the column (D-41, P-02). A fault ends with its line: the next one is read
 * as if nothing had been.
 *
 * Names are looked up in a Map of the schema's own, so `__proto__` is a name like any other. A name that the schema does not
 * have is a fault unless `extraFields` says to ignore it; a name that comes twice always is.
 */
export interface NdjsonOptions {
  readonly extraFields: "refuse" | "ignore";
}

const LF = 10;
const CR = 13;
const SPACE = 32;
const TAB = 9;
const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const MINUS = 45;
const PLUS = 43;
const POINT = 46;
const ZERO = 48;

const INCOMPLETE = -1;
/** Arrays and objects inside each other; deeper ones are refused, because the stack is finite. */
const MAX_DEPTH = 200;
/** Not a column. */
const NO_SLOT = -1;
/** Fields of a record of which the place is remembered. */
const MAX_REMEMBERED = 4096;

const TRUE = encodeUtf8("true");
const FALSE = encodeUtf8("false");
const NULL = encodeUtf8("null");

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= ZERO + 9;

export class NdjsonScanner {
  private readonly slots: ReadonlyMap<string, number>;
  private readonly names: readonly Uint8Array[];
  private readonly ignoresExtra: boolean;
  /** Slot of the n-th member of the record before: most records have their fields in one order. */
  private readonly order: number[] = [];
  private line: number;
  /** Place in the line being read, and its end. */
  private at = 0;
  private end = 0;
  private fault: string | undefined;
  private faultField: string | undefined;
  /** The value read last. */
  private valueStart = 0;
  private valueEnd = 0;
  private valueKind: number = FieldKind.null;

  constructor(schema: Schema, options: NdjsonOptions, line: number) {
    this.slots = new Map(schema.names.map((name, slot) => [name, slot]));
    this.names = schema.names.map(encodeUtf8);
    this.ignoresExtra = options.extraFields === "ignore";
    this.line = line;
  }

  get nextLine(): number {
    return this.line;
  }

  /** As `CsvScanner.scan`: one line of `block.bytes` [at, end); a blank one is no record. */
  scan(block: FieldBlock, at: number, end: number, last: boolean): number {
    const { bytes } = block;
    const base = block.records * block.width;
    const escapedBefore = block.escaped.length;
    this.at = at;
    this.end = end;
    this.fault = undefined;
    this.faultField = undefined;
    this.skipBlanks(bytes);
    const isBlank = this.at === end || bytes[this.at] === LF;
    if (!isBlank) this.record(block, base);
    // No value reaches over a line end, so the reader still stands on the line.
    const lineEnd = this.fault === undefined ? this.at : this.toLineEnd(bytes);
    if (lineEnd === end && !last) {
      block.escaped.length = escapedBefore;
      return INCOMPLETE;
    }
    if (!isBlank) {
      if (this.fault !== undefined) block.fault(block.records, this.fault, this.faultField);
      block.close(at, lineEnd > at && bytes[lineEnd - 1] === CR ? lineEnd - 1 : lineEnd, this.line);
    }
    this.line++;
    return lineEnd === end ? end : lineEnd + 1;
  }

  private toLineEnd(bytes: Uint8Array): number {
    let { at } = this;
    while (at < this.end && bytes[at] !== LF) at++;
    return at;
  }

  private fail(reason: string, field?: string): false {
    this.fault = reason;
    this.faultField = field;
    return false;
  }

  private isLineEnd(bytes: Uint8Array): boolean {
    return this.at >= this.end || bytes[this.at] === LF;
  }

  private unexpected(bytes: Uint8Array, expected: string): false {
    if (this.isLineEnd(bytes)) return this.fail(`the line ends where ${expected} is expected`);
    const rest = excerpt(decodeUtf8(bytes, this.at, Math.min(this.toLineEnd(bytes), this.at + 20)));
    return this.fail(`${rest} stands where ${expected} is expected`);
  }

  private skipBlanks(bytes: Uint8Array): void {
    let { at } = this;
    for (; at < this.end; at++) {
      const byte = bytes[at];
      if (byte !== SPACE && byte !== TAB && byte !== CR) break;
    }
    this.at = at;
  }

  private take(bytes: Uint8Array, byte: number): boolean {
    if (bytes[this.at] !== byte) this.skipBlanks(bytes);
    if (this.at >= this.end || bytes[this.at] !== byte) return false;
    this.at++;
    return true;
  }

  private record(block: FieldBlock, base: number): boolean {
    const { bytes, kinds, width } = block;
    for (let slot = base; slot < base + width; slot++) kinds[slot] = FieldKind.missing;
    if (!this.take(bytes, OPEN_BRACE)) return this.unexpected(bytes, "a JSON object");
    if (!this.take(bytes, CLOSE_BRACE)) {
      for (let member = 0; ; member++) {
        if (!this.member(block, base, member)) return false;
        if (this.take(bytes, COMMA)) continue;
        if (this.take(bytes, CLOSE_BRACE)) break;
        return this.unexpected(bytes, ", or }");
      }
    }
    this.skipBlanks(bytes);
    return this.isLineEnd(bytes) || this.unexpected(bytes, "the end of the line");
  }

  private member(block: FieldBlock, base: number, member: number): boolean {
    const { bytes } = block;
    if (!this.take(bytes, QUOTE)) return this.unexpected(bytes, "a field name");
    let slot = this.expectedSlot(bytes, member);
    if (slot === NO_SLOT) {
      if (!this.text(block)) return false;
      slot = this.slotOf(block, member);
      if (slot === NO_SLOT && !this.ignoresExtra) {
        const name = this.textRead(block);
        return this.fail(`there is no column ${excerpt(name)}`, name);
      }
    }
    if (slot !== NO_SLOT && block.kinds[base + slot] !== FieldKind.missing) {
      const name = decodeUtf8(this.names[slot] as Uint8Array);
      return this.fail(`the field ${excerpt(name)} comes twice`, name);
    }
    if (!this.take(bytes, COLON)) return this.unexpected(bytes, ":");
    if (!this.value(block, 0)) return false;
    if (slot !== NO_SLOT) {
      block.starts[base + slot] = this.valueStart;
      block.ends[base + slot] = this.valueEnd;
      block.kinds[base + slot] = this.valueKind;
    }
    return true;
  }

  /** Takes the name that stood at this place in the record before, if it does here. */
  private expectedSlot(bytes: Uint8Array, member: number): number {
    const slot = member < this.order.length ? (this.order[member] as number) : NO_SLOT;
    if (slot === NO_SLOT) return NO_SLOT;
    const name = this.names[slot] as Uint8Array;
    const { at } = this;
    const { length } = name;
    if (at + length >= this.end || bytes[at + length] !== QUOTE) return NO_SLOT;
    for (let i = 0; i < length; i++) if (name[i] !== bytes[at + i]) return NO_SLOT;
    this.at = at + length + 1;
    return slot;
  }

  private textRead(block: FieldBlock): string {
    return decodeUtf8(block.sourceOf(this.valueKind), this.valueStart, this.valueEnd);
  }

  /** Column of the string read last. */
  private slotOf(block: FieldBlock, member: number): number {
    const slot = this.slots.get(this.textRead(block)) ?? NO_SLOT;
    if (member < MAX_REMEMBERED) {
      while (this.order.length <= member) this.order.push(NO_SLOT);
      this.order[member] = slot;
    }
    return slot;
  }

  private value(block: FieldBlock, depth: number): boolean {
    const { bytes } = block;
    this.skipBlanks(bytes);
    const first = this.at < this.end ? bytes[this.at] : undefined;
    switch (first) {
      case QUOTE:
        this.at++;
        return this.text(block);
      case OPEN_BRACE:
      case OPEN_BRACKET:
        return this.nested(block, first, depth + 1);
      case TRUE[0]:
        return this.word(bytes, TRUE, FieldKind.true);
      case FALSE[0]:
        return this.word(bytes, FALSE, FieldKind.false);
      case NULL[0]:
        return this.word(bytes, NULL, FieldKind.null);
      default:
        return this.number(bytes);
    }
  }

  /** A string behind its opening quote. */
  private text(block: FieldBlock): boolean {
    const { bytes, escaped } = block;
    const { end } = this;
    let { at } = this;
    for (; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte <= BACKSLASH && (byte === QUOTE || byte === BACKSLASH || byte < SPACE)) break;
    }
    if (at < end && bytes[at] === QUOTE) {
      this.valueStart = this.at;
      this.valueEnd = at;
      this.valueKind = FieldKind.text;
      this.at = at + 1;
      return true;
    }
    const start = escaped.length;
    const close = unescapeString(bytes, this.at, end, escaped);
    if (close < 0) return this.fail(stringFault);
    this.valueStart = start;
    this.valueEnd = escaped.length;
    this.valueKind = FieldKind.escaped;
    this.at = close + 1;
    return true;
  }

  private word(bytes: Uint8Array, word: Uint8Array, kind: number): boolean {
    const { at } = this;
    const whole = at + word.length <= this.end && word.every((byte, i) => bytes[at + i] === byte);
    if (!whole) return this.unexpected(bytes, "a value");
    return this.took(kind, at + word.length);
  }

  /** The value read is the bytes from `at` to `end`. */
  private took(kind: number, end: number): true {
    this.valueStart = this.at;
    this.valueEnd = end;
    this.valueKind = kind;
    this.at = end;
    return true;
  }

  private number(bytes: Uint8Array): boolean {
    const { end } = this;
    let at = bytes[this.at] === MINUS ? this.at + 1 : this.at;
    if (at >= end || !isDigit(bytes[at])) return this.unexpected(bytes, "a value");
    if (bytes[at] === ZERO) at++;
    else at = this.digits(bytes, at);
    if (at < end && bytes[at] === POINT) {
      if (at + 1 >= end || !isDigit(bytes[at + 1])) return this.fail("a number needs a digit behind its point");
      at = this.digits(bytes, at + 1);
    }
    if (at < end && ((bytes[at] as number) | 32) === 101) {
      at++;
      if (at < end && (bytes[at] === PLUS || bytes[at] === MINUS)) at++;
      if (at >= end || !isDigit(bytes[at])) return this.fail("a number needs a digit in its exponent");
      at = this.digits(bytes, at);
    }
    return this.took(FieldKind.number, at);
  }

  private digits(bytes: Uint8Array, from: number): number {
    let at = from;
    while (at < this.end && isDigit(bytes[at])) at++;
    return at;
  }

  /** An object or array: checked, not decoded. */
  private nested(block: FieldBlock, open: number, depth: number): boolean {
    if (depth > MAX_DEPTH) return this.fail(`arrays and objects stand more than ${MAX_DEPTH} deep in each other`);
    const { bytes } = block;
    const start = this.at;
    const escapedBefore = block.escaped.length;
    const close = open === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET;
    this.at++;
    if (!this.take(bytes, close)) {
      for (;;) {
        if (open === OPEN_BRACE) {
          if (!this.take(bytes, QUOTE)) return this.unexpected(bytes, "a field name");
          if (!this.text(block)) return false;
          if (!this.take(bytes, COLON)) return this.unexpected(bytes, ":");
        }
        if (!this.value(block, depth)) return false;
        if (this.take(bytes, COMMA)) continue;
        if (this.take(bytes, close)) break;
        return this.unexpected(bytes, open === OPEN_BRACE ? ", or }" : ", or ]");
      }
    }
    block.escaped.length = escapedBefore;
    const end = this.at;
    this.at = start;
    return this.took(FieldKind.nested, end);
  }
}
