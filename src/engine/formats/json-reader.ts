import { decodeUtf8, encodeUtf8 } from "../data/text.ts";
import { excerpt } from "./bad-rows.ts";
import { type FieldBlock, FieldKind } from "./field-block.ts";
import { stringFault, unescapeString } from "./json-strings.ts";

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

/** Arrays and objects inside each other; deeper ones are refused, because the stack is finite. */
const MAX_DEPTH = 200;

const TRUE = encodeUtf8("true");
const FALSE = encodeUtf8("false");
const NULL = encodeUtf8("null");

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= ZERO + 9;

/**
 * Reads the JSON values of one line (RFC 8259) and tells their places; nothing is decoded but the escapes of strings. A reading
 * method answers false when the line is no JSON there, with the reason in `fault`; it never passes the line's end.
 */
export class JsonReader {
  /** Place in the line, and where the bytes end. */
  at = 0;
  end = 0;
  fault: string | undefined;
  /** Name of the field at fault. */
  faultField: string | undefined;
  /** The value read last: where it stands, in the block's bytes or in its escaped ones. */
  valueStart = 0;
  valueEnd = 0;
  valueKind: number = FieldKind.null;

  begin(at: number, end: number): void {
    this.at = at;
    this.end = end;
    this.fault = undefined;
    this.faultField = undefined;
  }

  /** Place of the line's end. */
  toLineEnd(bytes: Uint8Array): number {
    let { at } = this;
    while (at < this.end && bytes[at] !== LF) at++;
    return at;
  }

  fail(reason: string, field?: string): false {
    this.fault = reason;
    this.faultField = field;
    return false;
  }

  isLineEnd(bytes: Uint8Array): boolean {
    return this.at >= this.end || bytes[this.at] === LF;
  }

  unexpected(bytes: Uint8Array, expected: string): false {
    if (this.isLineEnd(bytes)) return this.fail(`the line ends where ${expected} is expected`);
    const rest = excerpt(decodeUtf8(bytes, this.at, Math.min(this.toLineEnd(bytes), this.at + 20)));
    return this.fail(`${rest} stands where ${expected} is expected`);
  }

  skipBlanks(bytes: Uint8Array): void {
    let { at } = this;
    for (; at < this.end; at++) {
      const byte = bytes[at];
      if (byte !== SPACE && byte !== TAB && byte !== CR) break;
    }
    this.at = at;
  }

  /** Passes blanks, and then this byte if it stands there. */
  take(bytes: Uint8Array, byte: number): boolean {
    if (bytes[this.at] !== byte) this.skipBlanks(bytes);
    if (this.at >= this.end || bytes[this.at] !== byte) return false;
    this.at++;
    return true;
  }

  /** The text of the string read last. */
  textRead(block: FieldBlock): string {
    return decodeUtf8(block.sourceOf(this.valueKind), this.valueStart, this.valueEnd);
  }

  /** Any value. */
  value(block: FieldBlock, depth = 0): boolean {
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
  text(block: FieldBlock): boolean {
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
