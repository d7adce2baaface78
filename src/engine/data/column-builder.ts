import { WeirError } from "../base/errors.ts";
import { bytesForBits } from "./bits.ts";
import { Builder } from "./builder.ts";
import type { BitColumn, Column, FixedColumn, FixedValues, VarColumn } from "./column.ts";
import { elementsPerRow, type FieldPlaces, newFixedValues, newTextBytes } from "./storage.ts";
import { encodeInto } from "./text.ts";
import { type LogicalType, typeName } from "./types.ts";
import { highWord, lowWord, wordOfBigInt } from "./words.ts";

/**
 * Builders take a column's values one by one and make a column of them, with no object a row. A builder keeps its room
 * from one `finish` to the next, so one is made per column and used for every batch.
 */
export type ColumnBuilder = NumberBuilder | WordBuilder | DecimalBuilder | BooleanBuilder | TextBuilder;

/** The builder of a type: see the classes for what they take. */
export function columnBuilder(type: LogicalType, capacity = 1024): ColumnBuilder {
  switch (type.kind) {
    case "boolean":
      return new BooleanBuilder(type, capacity);
    case "utf8":
    case "binary":
      return new TextBuilder(type, capacity);
    case "decimal":
      return new DecimalBuilder(type, capacity);
    case "timestamp":
      return new WordBuilder(type, capacity);
    case "int":
      return type.bits === 64 ? new WordBuilder(type, capacity) : new NumberBuilder(type, capacity);
    default:
      return new NumberBuilder(type, capacity);
  }
}

abstract class FixedBuilder extends Builder {
  protected values: FixedValues;

  constructor(type: LogicalType, capacity: number) {
    super(type, capacity);
    this.values = newFixedValues(type, this.capacity);
  }

  protected override resize(capacity: number): void {
    const values = newFixedValues(this.type, capacity);
    values.set(this.values);
    this.values = values;
  }

  appendNull(): void {
    this.nextNull();
  }

  finish(): FixedColumn {
    const common = this.take();
    return { encoding: "fixed", ...common, values: this.values.slice(0, common.length * elementsPerRow(this.type)) };
  }
}

/** int8…int32, uint8…uint32, float32, float64, date (days). */
export class NumberBuilder extends FixedBuilder {
  readonly kind = "number";

  /** The value must be one of the type: nothing is checked here. */
  append(value: number): void {
    const row = this.next();
    this.values[row] = value;
  }
}

/** int64, uint64 and timestamps. */
export class WordBuilder extends FixedBuilder {
  readonly kind = "words";

  append(lo: number, hi: number): void {
    const at = this.next() << 1;
    this.values[at] = lo;
    this.values[at + 1] = hi;
  }

  /** A safe integer. */
  appendNumber(value: number): void {
    this.append(lowWord(value), highWord(value));
  }

  appendBigInt(value: bigint): void {
    this.append(wordOfBigInt(value, 0), wordOfBigInt(value, 1));
  }
}

/** Decimals by their unscaled value. */
export class DecimalBuilder extends FixedBuilder {
  readonly kind = "decimal";

  /** Two's complement, lowest word first. */
  append(word0: number, word1: number, word2: number, word3: number): void {
    const at = this.next() << 2;
    const { values } = this;
    values[at] = word0;
    values[at + 1] = word1;
    values[at + 2] = word2;
    values[at + 3] = word3;
  }

  appendBigInt(value: bigint): void {
    this.append(wordOfBigInt(value, 0), wordOfBigInt(value, 1), wordOfBigInt(value, 2), wordOfBigInt(value, 3));
  }
}

export class BooleanBuilder extends Builder {
  readonly kind = "boolean";
  private bits: Uint8Array;

  constructor(type: LogicalType, capacity: number) {
    super(type, capacity);
    this.bits = new Uint8Array(bytesForBits(this.capacity));
  }

  protected override resize(capacity: number): void {
    const bits = new Uint8Array(bytesForBits(capacity));
    bits.set(this.bits);
    this.bits = bits;
  }

  append(value: boolean): void {
    this.set(this.next(), value);
  }

  appendNull(): void {
    this.set(this.nextNull(), false);
  }

  private set(row: number, value: boolean): void {
    const bit = 1 << (row & 7);
    const byte = this.bits[row >> 3] as number;
    this.bits[row >> 3] = value ? byte | bit : byte & ~bit;
  }

  finish(): BitColumn {
    const common = this.take();
    return {
      encoding: "bits",
      ...common,
      values: { bits: this.bits.slice(0, bytesForBits(common.length)), bitOffset: 0 },
    };
  }
}

const MAX_BYTES = 2 ** 31 - 1;

/** utf8 and binary. */
export class TextBuilder extends Builder {
  readonly kind = "text";
  private offsets: Int32Array;
  private bytes: Uint8Array;
  /** Of `bytes`. */
  private view: DataView;
  private end = 0;

  constructor(type: LogicalType, capacity: number) {
    super(type, capacity);
    this.offsets = new Int32Array(this.capacity + 1);
    this.bytes = new Uint8Array(16 * this.capacity);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Bytes of all rows so far. */
  get byteLength(): number {
    return this.end;
  }

  protected override resize(capacity: number): void {
    const offsets = new Int32Array(capacity + 1);
    offsets.set(this.offsets);
    this.offsets = offsets;
  }

  private room(bytes: number): void {
    if (this.end + bytes <= this.bytes.length) return;
    if (this.end + bytes > MAX_BYTES) {
      throw new WeirError({
        code: "column-too-large",
        domain: "data",
        message: `a column of ${typeName(this.type)} holds at most 2 GiB a batch`,
        hint: "use smaller batches",
      });
    }
    const grown = new Uint8Array(Math.min(Math.max(2 * this.bytes.length, this.end + bytes), MAX_BYTES));
    grown.set(this.bytes.subarray(0, this.end));
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }

  private close(): void {
    const row = this.next();
    this.offsets[row + 1] = this.end;
  }

  appendNull(): void {
    const row = this.nextNull();
    this.offsets[row + 1] = this.end;
  }

  appendString(text: string): void {
    this.room(3 * text.length);
    this.end = encodeInto(text, this.bytes, this.end);
    this.close();
  }

  /** Bytes [start, end) of `source`; for utf8 they must be well-formed (`isUtf8`). */
  appendBytes(source: Uint8Array, start = 0, end = source.length): void {
    this.part(source, start, end);
    this.close();
  }

  /**
   * Rows of well-formed bytes [starts[at], ends[at]) with `at` going up by `stride`, up to `count` of them, as long as `kinds[at]` is
   * `kind`. Answers how many it took.
   */
  appendRun(
    source: DataView,
    { starts, ends, kinds }: FieldPlaces,
    from: number,
    stride: number,
    count: number,
    kind: number,
  ): number {
    let taken = 0;
    for (let at = from; taken < count && kinds[at] === kind; at += stride, taken++) {
      const start = starts[at] as number;
      const length = (ends[at] as number) - start;
      const to = this.end;
      // Short text goes by words of four bytes, of which the last reaches up to three bytes too far.
      if (to + length + 3 > this.bytes.length) this.room(length + 3);
      if (length < 32 && start + length + 3 <= source.byteLength) {
        const { view } = this;
        for (let i = 0; i < length; i += 4) view.setInt32(to + i, source.getInt32(start + i, true), true);
      } else this.bytes.set(new Uint8Array(source.buffer, source.byteOffset + start, length), to);
      this.end = to + length;
      // First the row, which may bring a longer list of offsets.
      const row = this.next();
      this.offsets[row + 1] = to + length;
    }
    return taken;
  }

  /** More bytes of the row that the next `appendBytes` completes: the pieces of a quoted field. */
  part(source: Uint8Array, start: number, end: number): void {
    const length = end - start;
    this.room(length);
    const { bytes } = this;
    const at = this.end;
    if (length < 32) for (let i = 0; i < length; i++) bytes[at + i] = source[start + i] as number;
    else bytes.set(source.subarray(start, end), at);
    this.end = at + length;
  }

  override truncate(length: number): void {
    super.truncate(length);
    this.end = this.offsets[this.length] as number;
  }

  finish(): VarColumn {
    const common = this.take();
    const bytes = newTextBytes(this.end);
    bytes.set(this.bytes.subarray(0, this.end));
    this.end = 0;
    return { encoding: "var", ...common, offsets: this.offsets.slice(0, common.length + 1), bytes };
  }
}

/** A column of NULLs. */
export function nullColumn(type: LogicalType, length: number): Column {
  const builder = columnBuilder(type, length);
  for (let i = 0; i < length; i++) builder.appendNull();
  return builder.finish();
}
