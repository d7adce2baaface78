import type { Column } from "../data/column.ts";
import { TextBuilder } from "../data/column-builder.ts";
import { DictionaryEncoder } from "../data/dictionary-encoder.ts";
import type { Field, Schema } from "../data/schema.ts";
import { decodeUtf8, isUtf8 } from "../data/text.ts";
import { typeName, typeOf } from "../data/types.ts";
import { type BadRow, excerpt } from "./bad-rows.ts";
import { type FieldBlock, FieldKind } from "./field-block.ts";
import { skipBlanks, trimBlanks } from "./values/ascii.ts";
import {
  type FieldParser,
  type FieldParserOptions,
  fieldParser,
  kindsOf,
  type Notation,
} from "./values/field-parser.ts";
import { Misfit } from "./values/misfit.ts";

interface FieldMisfit {
  readonly record: number;
  readonly slot: number;
  readonly misfit: Misfit;
}

export interface ParsedBlock {
  readonly rowCount: number;
  readonly columns: readonly Column[];
  readonly bad: readonly BadRow[];
}

/**
 * Columns of a block of records, column by column; text as dictionary columns where that pays.
 *
 * Where some records turn out bad, the columns are parsed once more without them: the price of a bad block is a second
 * pass, and a good one pays nothing for the possibility.
 */
export class BlockParser {
  private readonly schema: Schema;
  private readonly notation: Notation;
  private readonly parsers: readonly FieldParser[];
  /** By column, of text. */
  private readonly encoders: readonly (DictionaryEncoder | undefined)[];
  /** Of the block: columns that do not lie in the builder of their parser. */
  private readonly coded: (Column | undefined)[];
  /** By column, the kinds of fields that it takes. */
  private readonly kinds: readonly number[];
  /** Where bad records are kept as NULLs with their text. */
  private readonly rescued: TextBuilder | undefined;

  /** @param schema columns without the rescue column */
  constructor(schema: Schema, options: FieldParserOptions, rescue: boolean) {
    this.schema = schema;
    this.notation = options.notation;
    this.kinds = schema.fields.map((field) => kindsOf(field.type, options.notation));
    this.parsers = schema.fields.map((field) => fieldParser(field.type, options));
    this.encoders = schema.fields.map(({ type }) => (type.kind === "utf8" ? new DictionaryEncoder(type) : undefined));
    this.coded = schema.fields.map(() => undefined);
    this.rescued = rescue ? new TextBuilder(typeOf("utf8"), 1024) : undefined;
  }

  /** @param before records before the block, for row numbers */
  parse(block: FieldBlock, before: number): ParsedBlock {
    const { records } = block;
    let skip: Uint8Array | null = null;
    if (block.faults.size > 0) {
      skip = new Uint8Array(records);
      for (const record of block.faults.keys()) skip[record] = 1;
    }
    const misfits = this.pass(block, skip);
    if (misfits.length > 0) {
      skip ??= new Uint8Array(records);
      for (const { record } of misfits) skip[record] = 1;
      for (const parser of this.parsers) parser.builder.truncate(0);
      this.pass(block, skip);
    }
    const bad = skip === null ? [] : this.badRows(block, before, misfits);
    const columns = this.parsers.map(({ builder }, slot): Column => this.coded[slot] ?? builder.finish());
    if (this.rescued !== undefined) columns.push(this.rescue(this.rescued, block, skip));
    return { rowCount: this.rescued === undefined ? records - bad.length : records, columns, bad };
  }

  private pass(block: FieldBlock, skip: Uint8Array | null): FieldMisfit[] {
    const misfits: FieldMisfit[] = [];
    this.parsers.forEach((parser, slot) => {
      this.column(block, slot, parser, skip, misfits);
    });
    return misfits;
  }

  private column(
    block: FieldBlock,
    slot: number,
    parser: FieldParser,
    skip: Uint8Array | null,
    misfits: FieldMisfit[],
  ): void {
    const encoder = block.isWellFormed ? this.encoders[slot] : undefined;
    this.coded[slot] = encoder?.begin(block.records) ? this.codes(block, slot, encoder, skip) : undefined;
    if (this.coded[slot] !== undefined) return;
    if (encoder !== undefined) {
      if (parser.builder instanceof TextBuilder && skip === null) {
        this.texts(block, slot, parser, parser.builder, misfits);
        return;
      }
    }
    const { starts, ends, kinds, bytes, width, records, isWellFormed } = block;
    const { builder } = parser;
    const { type, nullable } = this.schema.fields[slot] as Field;
    const accepted = this.kinds[slot] as number;
    const keepsBad = this.rescued !== undefined;
    // Blanks around a csv value belong to it only in text.
    const trims = this.notation === "csv" && type.kind !== "utf8" && type.kind !== "binary";
    for (let record = 0, at = slot; record < records; record++, at += width) {
      if (skip !== null && skip[record] === 1) {
        if (keepsBad) builder.appendNull();
        continue;
      }
      const kind = kinds[at] as number;
      let misfit: Misfit = Misfit.none;
      if (kind <= FieldKind.missing) {
        if (nullable) builder.appendNull();
        else misfit = kind === FieldKind.null ? Misfit.null : Misfit.missing;
      } else if (((accepted >> kind) & 1) === 0) misfit = Misfit.mistyped;
      else {
        const isEscaped = kind === FieldKind.escaped;
        const source = isEscaped ? block.escaped.bytes : bytes;
        let start = starts[at] as number;
        let end = ends[at] as number;
        if (trims) {
          start = skipBlanks(source, start, end);
          end = trimBlanks(source, start, end);
        }
        misfit = parser.append(source, start, end, kind, isWellFormed && !isEscaped);
      }
      if (misfit !== Misfit.none) misfits.push({ record, slot, misfit });
    }
  }

  /** `column` for well-formed text as a dictionary column; `undefined` where that does not pay, or where a record is bad. */
  private codes(
    block: FieldBlock,
    slot: number,
    encoder: DictionaryEncoder,
    skip: Uint8Array | null,
  ): Column | undefined {
    const { starts, ends, kinds, view, width, records, escaped } = block;
    const { nullable } = this.schema.fields[slot] as Field;
    for (let record = 0; record < records; record++) {
      if (skip === null) {
        record += encoder.appendRun(view, block, slot + record * width, width, records - record, FieldKind.text);
        if (record === records) break;
      } else if (skip[record] === 1) {
        if (this.rescued !== undefined) encoder.appendNull();
        continue;
      }
      const at = slot + record * width;
      const kind = kinds[at] as number;
      const start = starts[at] as number;
      const end = ends[at] as number;
      if (kind === FieldKind.text) encoder.append(block.bytes, start, end);
      else if (kind === FieldKind.escaped && isUtf8(escaped.bytes, start, end))
        encoder.append(escaped.bytes, start, end);
      else if (kind <= FieldKind.missing && nullable) encoder.appendNull();
      else return undefined;
    }
    return encoder.finish();
  }

  /** `column` for well-formed text, as most of it is: the bytes go straight to the builder. */
  private texts(
    block: FieldBlock,
    slot: number,
    parser: FieldParser,
    builder: TextBuilder,
    misfits: FieldMisfit[],
  ): void {
    const { starts, ends, kinds, view, width, records } = block;
    const { nullable } = this.schema.fields[slot] as Field;
    for (let record = 0; record < records; record++) {
      record += builder.appendRun(view, block, slot + record * width, width, records - record, FieldKind.text);
      if (record === records) break;
      const at = slot + record * width;
      const kind = kinds[at] as number;
      let misfit: Misfit = Misfit.none;
      if (kind === FieldKind.escaped) {
        misfit = parser.append(block.escaped.bytes, starts[at] as number, ends[at] as number, kind, false);
      } else if (kind > FieldKind.missing) misfit = Misfit.mistyped;
      else if (nullable) builder.appendNull();
      else misfit = kind === FieldKind.null ? Misfit.null : Misfit.missing;
      if (misfit !== Misfit.none) misfits.push({ record, slot, misfit });
    }
  }

  private rescue(builder: TextBuilder, block: FieldBlock, skip: Uint8Array | null): Column {
    for (let record = 0; record < block.records; record++) {
      if (skip !== null && skip[record] === 1) builder.appendString(recordText(block, record));
      else builder.appendNull();
    }
    return builder.finish();
  }

  private badRows(block: FieldBlock, before: number, misfits: readonly FieldMisfit[]): BadRow[] {
    const ofRecord = new Map<number, FieldMisfit[]>();
    for (const record of block.faults.keys()) ofRecord.set(record, []);
    for (const misfit of misfits) {
      const known = ofRecord.get(misfit.record);
      if (known === undefined) ofRecord.set(misfit.record, [misfit]);
      else known.push(misfit);
    }
    return [...ofRecord]
      .sort(([a], [b]) => a - b)
      .map(([record, ofFields]): BadRow => {
        const fault = block.faults.get(record);
        const first = ofFields[0];
        const whole = fault?.field === undefined ? [] : [fault.field];
        return {
          row: before + record + 1,
          line: block.lines[record] as number,
          fields: first === undefined ? whole : ofFields.map(({ slot }) => this.schema.fields[slot]?.name ?? ""),
          reason: first === undefined ? (fault?.reason ?? "") : this.reason(block, first),
          text: recordText(block, record),
        };
      });
  }

  private reason(block: FieldBlock, { record, slot, misfit }: FieldMisfit): string {
    const at = record * block.width + slot;
    const field = this.schema.fields[slot];
    const type = field === undefined ? "" : typeName(field.type);
    const kind = block.kinds[at] as number;
    const text = decodeUtf8(block.sourceOf(kind), block.starts[at], block.ends[at]);
    const value = kind === FieldKind.text || kind === FieldKind.escaped ? excerpt(text) : text.slice(0, 60);
    switch (misfit) {
      case Misfit.null:
        return "NULL in a column that is not null";
      case Misfit.missing:
        return "the field is missing, and the column is not null";
      case Misfit.outOfRange:
        return `${value} is out of range for ${type}`;
      case Misfit.tooPrecise:
        return `${value} has more digits than ${type} keeps`;
      case Misfit.notUtf8:
        return `${value} is not UTF-8`;
      case Misfit.mistyped:
        return kind === FieldKind.nested ? `a nested value is no ${type}` : `${value} is no ${type}`;
      default:
        return `${value} is no ${type}`;
    }
  }
}

function recordText(block: FieldBlock, record: number): string {
  return decodeUtf8(block.bytes, block.recordStarts[record], block.recordEnds[record]);
}
