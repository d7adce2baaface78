import { assertNever } from "../base/assert.ts";
import type { Column, DictionaryColumn, FixedColumn, FixedValues } from "../data/column.ts";
import { elementsPerRow } from "../data/storage.ts";
import { isApart } from "../data/wasm/kernel-arrays.ts";
import { spreadBits } from "./masks.ts";
import { Bytes, Doubles, nullVec, type TextVec, type Vec, Words } from "./vec.ts";

/** Reads one column of every batch as a vector; what can be used in place is. Where kernels work, numbers are copied to their memory. */
export class ColumnLoader {
  private readonly nulls = new Bytes();
  private readonly bits = new Bytes();
  private readonly bytes = new Bytes();
  private readonly words = new Words();
  private readonly doubles = new Doubles();

  /** The column where `load` put it, if that is elsewhere. Until the next call. */
  placed: Column | null = null;

  load(column: Column): Vec {
    this.placed = null;
    const { length } = column;
    const nulls = this.nullsOf(column);
    switch (column.encoding) {
      case "fixed":
        return this.fixed(column, nulls);
      case "bits": {
        const values = this.bytes.take(length);
        spreadBits(column.values, length, values, 0, this.bits);
        return { kind: "bool", values, step: 1, nulls };
      }
      case "var": {
        const { offsets, bytes } = column;
        return { kind: "text", offsets, bytes, codes: null, words: null, step: 1, nulls };
      }
      case "dictionary":
        return this.dictionary(column, nulls);
      default:
        return assertNever(column);
    }
  }

  private nullsOf({ validity, nullCount, length }: Column): Uint8Array | null {
    if (validity === null || nullCount === 0) return null;
    const nulls = this.nulls.take(length);
    spreadBits(validity, length, nulls, 1, this.bits);
    return nulls;
  }

  private fixed(column: FixedColumn, nulls: Uint8Array | null): Vec {
    const { type, length } = column;
    const values = isApart(length, column.values) ? this.place(column) : column.values;
    switch (type.kind) {
      case "float":
        return { kind: "double", values: this.doublesOf(values, length), step: 1, nulls };
      case "decimal":
        return { kind: "decimal", values: values as Int32Array, step: 1, nulls };
      case "timestamp":
        return { kind: "long", values: values as Int32Array, step: 1, nulls };
      default:
        if (type.kind === "int" && type.bits === 64)
          return { kind: "long", values: values as Int32Array, step: 1, nulls };
        if (values instanceof Uint32Array)
          return { kind: "long", values: this.longsOf(values, length), step: 1, nulls };
        return { kind: "int", values: this.intsOf(values, length), step: 1, nulls };
    }
  }

  private doublesOf(values: FixedValues, length: number): Float64Array {
    if (values instanceof Float64Array) return values;
    const wide = this.doubles.take(length);
    wide.set(values.length === length ? values : values.subarray(0, length));
    return wide;
  }

  /** Copies what is used as it is; other types are copied when they are made wider. */
  private place(column: FixedColumn): FixedValues {
    const { values, type, length } = column;
    const elements = length * elementsPerRow(type);
    const source = values.length === elements ? values : values.subarray(0, elements);
    let copy: FixedValues;
    if (source instanceof Float64Array) {
      copy = this.doubles.take(elements);
      copy.set(source);
    } else if (source instanceof Int32Array) {
      copy = this.words.take(elements);
      copy.set(source);
    } else return values;
    this.placed = { ...column, values: copy };
    return copy;
  }

  private longsOf(values: Uint32Array, length: number): Int32Array {
    const words = this.words.take(2 * length);
    for (let i = 0; i < length; i++) {
      words[2 * i] = values[i] as number;
      words[2 * i + 1] = 0;
    }
    return words;
  }

  private intsOf(values: FixedValues, length: number): Int32Array {
    if (values instanceof Int32Array) return values;
    const wide = this.words.take(length);
    wide.set(values.length === length ? values : values.subarray(0, length));
    return wide;
  }

  /** A NULL row's code may be any number: it becomes 0. A row of a NULL word is a NULL row. */
  private dictionary(column: DictionaryColumn, validNulls: Uint8Array | null): Vec {
    const { length, dictionary } = column;
    const { offsets, bytes } = dictionary;
    if (dictionary.length === 0) return nullVec("text");
    let { codes } = column;
    let nulls = validNulls;
    if (nulls !== null) {
      const known = this.words.take(length);
      for (let i = 0; i < length; i++) known[i] = nulls[i] === 1 ? 0 : (codes[i] as number);
      codes = known;
    }
    if (dictionary.nullCount > 0 && dictionary.validity !== null) {
      const nullWords = new Uint8Array(dictionary.length);
      spreadBits(dictionary.validity, dictionary.length, nullWords, 1, this.bits);
      const before = nulls;
      nulls = this.nulls.take(length);
      if (before === null) for (let i = 0; i < length; i++) nulls[i] = nullWords[codes[i] as number] as number;
      else
        for (let i = 0; i < length; i++) nulls[i] = (before[i] as number) | (nullWords[codes[i] as number] as number);
    }
    const vec: TextVec = { kind: "text", offsets, bytes, codes, words: dictionary, step: 1, nulls };
    return vec;
  }
}
