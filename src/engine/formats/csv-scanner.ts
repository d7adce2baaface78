import { type FieldBlock, FieldKind } from "./field-block.ts";

/**
 * Finds the fields of csv records (D-40): quotes before line ends, `\n`, `\r\n` and `\r` in any mix, and no record behind the
 * last line end. A quote opens a quoted field only at the field's start; inside it a doubled quote is one quote.
 *
 * A line without a single byte is no record, except in files of one column, where it is a NULL.
 */
export interface CsvDialect {
  /** ASCII. */
  readonly delimiter: number;
  /** ASCII. */
  readonly quote: number;
  /** An unquoted field with exactly these bytes is NULL, too. */
  readonly nullText: Uint8Array | undefined;
}

const LF = 10;
const CR = 13;
/** The bytes at hand end inside the record. */
const INCOMPLETE = -1;

export class CsvScanner {
  private readonly dialect: CsvDialect;
  /** Fields that a record must have; 0: any number, of which `slots` tells what becomes of the first ones. */
  private readonly columns: number;
  /** Field of the block by column of the file; -1: not wanted. */
  private readonly slots: Int32Array;
  /** No byte above this ends an unquoted field. */
  private readonly lastStop: number;
  /** Line of the next record. */
  private line: number;
  /** Of the record being scanned. */
  private fault: string | undefined;
  private lineEnds = 0;
  private recordEnd = 0;
  private fieldStart = 0;
  private fieldEnd = 0;
  private fieldKind: number = FieldKind.text;

  constructor(dialect: CsvDialect, slots: Int32Array, line: number, columns = slots.length) {
    this.dialect = dialect;
    this.columns = columns;
    this.slots = slots;
    this.line = line;
    this.lastStop = Math.max(dialect.delimiter, LF, CR);
  }

  get nextLine(): number {
    return this.line;
  }

  /**
   * Reads one record of `block.bytes` [at, end) into the block, or a line that is none. Answers where the next one starts, or -1
   * when the record is not whole; `last` says that no bytes follow, and then every record is whole.
   */
  scan(block: FieldBlock, at: number, end: number, last: boolean): number {
    const first = block.bytes[at] as number;
    if (this.columns !== 1 && (first === LF || first === CR)) {
      const next = this.afterLineEnd(block.bytes, at, end, last);
      if (next >= 0) this.line++;
      return next;
    }
    const escapedBefore = block.escaped.length;
    this.fault = undefined;
    this.lineEnds = 0;
    const next = this.record(block, at, end, last);
    if (next < 0) {
      block.escaped.length = escapedBefore;
      return INCOMPLETE;
    }
    if (this.fault !== undefined) block.fault(block.records, this.fault);
    block.close(at, this.recordEnd, this.line);
    this.line += this.lineEnds + 1;
    return next;
  }

  private record(block: FieldBlock, from: number, end: number, last: boolean): number {
    const { bytes } = block;
    const { slots } = this;
    const { quote, delimiter } = this.dialect;
    const base = block.records * block.width;
    let at = from;
    for (let column = 0; ; column++) {
      at = at < end && bytes[at] === quote ? this.quoted(block, at, end, last) : this.unquoted(bytes, at, end, last);
      if (at < 0) return INCOMPLETE;
      const slot = column < slots.length ? (slots[column] as number) : -1;
      if (slot >= 0) {
        block.starts[base + slot] = this.fieldStart;
        block.ends[base + slot] = this.fieldEnd;
        block.kinds[base + slot] = this.fieldKind;
      }
      if (at < end && bytes[at] === delimiter) {
        at++;
        continue;
      }
      this.recordEnd = at;
      if (column + 1 !== this.columns && this.columns > 0) this.wrongCount(column + 1);
      return at === end ? at : this.afterLineEnd(bytes, at, end, last);
    }
  }

  private wrongCount(found: number): void {
    const fields = found === 1 ? "1 field" : `${found} fields`;
    this.fault ??= `${fields} where ${this.columns} ${this.columns === 1 ? "is" : "are"} expected`;
  }

  /** Answers the place of what ended the field. */
  private unquoted(bytes: Uint8Array, from: number, end: number, last: boolean): number {
    const at = this.toStop(bytes, from, end);
    if (at === end && !last) return INCOMPLETE;
    this.fieldStart = from;
    this.fieldEnd = at;
    this.fieldKind = at === from || this.isNullText(bytes, from, at) ? FieldKind.null : FieldKind.text;
    return at;
  }

  /** Place of the next delimiter or line end. */
  private toStop(bytes: Uint8Array, from: number, end: number): number {
    const { lastStop } = this;
    const { delimiter } = this.dialect;
    let at = from;
    for (; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte <= lastStop && (byte === delimiter || byte === LF || byte === CR)) break;
    }
    return at;
  }

  private isNullText(bytes: Uint8Array, from: number, to: number): boolean {
    const { nullText } = this.dialect;
    if (nullText === undefined || nullText.length !== to - from) return false;
    for (let i = 0; i < nullText.length; i++) if (nullText[i] !== bytes[from + i]) return false;
    return true;
  }

  private quoted(block: FieldBlock, from: number, end: number, last: boolean): number {
    const { bytes, escaped } = block;
    const { quote } = this.dialect;
    let at = from + 1;
    /** Start of what is not in `escaped` yet. */
    let piece = at;
    let escapedStart = -1;
    const opensOn = this.line + this.lineEnds;
    for (;;) {
      at = this.toQuote(bytes, at, end);
      if (at === end) {
        if (!last) return INCOMPLETE;
        this.fault ??= `the quote that opens on line ${opensOn} is not closed before the end of the file`;
        break;
      }
      if (at + 1 === end && !last) return INCOMPLETE;
      if (at + 1 === end || bytes[at + 1] !== quote) break;
      if (escapedStart < 0) escapedStart = escaped.length;
      escaped.reserve(at + 1 - piece);
      escaped.append(bytes, piece, at + 1);
      at += 2;
      piece = at;
    }
    if (escapedStart < 0) {
      this.fieldKind = FieldKind.text;
      this.fieldStart = piece;
      this.fieldEnd = at;
    } else {
      escaped.reserve(at - piece);
      escaped.append(bytes, piece, at);
      this.fieldKind = FieldKind.escaped;
      this.fieldStart = escapedStart;
      this.fieldEnd = escaped.length;
    }
    return at === end ? at : this.afterQuote(bytes, at + 1, end, last);
  }

  /** Place of the next quote; counts the line ends before it. */
  private toQuote(bytes: Uint8Array, from: number, end: number): number {
    const { quote } = this.dialect;
    let at = from;
    for (; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte === quote) break;
      if (byte === LF || (byte === CR && (at + 1 === end || bytes[at + 1] !== LF))) this.lineEnds++;
    }
    return at;
  }

  private afterQuote(bytes: Uint8Array, from: number, end: number, last: boolean): number {
    const at = this.toStop(bytes, from, end);
    if (at === end && !last) return INCOMPLETE;
    if (at > from) this.fault ??= "text behind a closing quote";
    return at;
  }

  private afterLineEnd(bytes: Uint8Array, at: number, end: number, last: boolean): number {
    if (bytes[at] === LF) return at + 1;
    if (at + 1 < end) return bytes[at + 1] === LF ? at + 2 : at + 1;
    return last ? end : INCOMPLETE;
  }
}
