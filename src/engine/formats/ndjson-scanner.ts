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
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

const INCOMPLETE = -1;
/** Not a column. */
const NO_SLOT = -1;
/** Fields of a record of which the place is remembered. */
const MAX_REMEMBERED = 4096;

export class NdjsonScanner {
  private readonly slots: ReadonlyMap<string, number>;
  private readonly names: readonly string[];
  /** The names as they stand in JSON; none for those that need escapes. */
  private readonly plainNames: readonly (Uint8Array | undefined)[];
  private readonly ignoresExtra: boolean;
  /** Slot of the n-th member of the record before: most records have their fields in one order. */
  private readonly order: number[] = [];
  private line: number;
  private readonly json = new JsonReader();

  constructor(schema: Schema, options: NdjsonOptions, line: number) {
    this.slots = new Map(schema.names.map((name, slot) => [name, slot]));
    this.names = schema.names;
    this.plainNames = schema.names.map((name) => (JSON.stringify(name) === `"${name}"` ? encodeUtf8(name) : undefined));
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
    if (!json.take(bytes, CLOSE_BRACE)) {
      for (let member = 0; ; member++) {
        if (!this.member(block, base, member)) return false;
        if (json.take(bytes, COMMA)) continue;
        if (json.take(bytes, CLOSE_BRACE)) break;
        return json.unexpected(bytes, ", or }");
      }
    }
    json.skipBlanks(bytes);
    return json.isLineEnd(bytes) || json.unexpected(bytes, "the end of the line");
  }

  private member(block: FieldBlock, base: number, member: number): boolean {
    const { json } = this;
    const { bytes } = block;
    if (!json.take(bytes, QUOTE)) return json.unexpected(bytes, "a field name");
    let slot = this.expectedSlot(bytes, member);
    if (slot === NO_SLOT) {
      if (!json.text(block)) return false;
      slot = this.slotOf(block, member);
      if (slot === NO_SLOT && !this.ignoresExtra) {
        const name = json.textRead(block);
        return json.fail(`there is no column ${excerpt(name)}`, name);
      }
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

  /** Takes the name that stood at this place in the record before, if it does here. */
  private expectedSlot(bytes: Uint8Array, member: number): number {
    const slot = member < this.order.length ? (this.order[member] as number) : NO_SLOT;
    const name = slot === NO_SLOT ? undefined : this.plainNames[slot];
    if (name === undefined) return NO_SLOT;
    const { at, end } = this.json;
    const { length } = name;
    if (at + length >= end || bytes[at + length] !== QUOTE) return NO_SLOT;
    for (let i = 0; i < length; i++) if (name[i] !== bytes[at + i]) return NO_SLOT;
    this.json.at = at + length + 1;
    return slot;
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
