import fc from "fast-check";
import { assert } from "../base/assert.ts";
import { Batch } from "../data/batch.ts";
import { type Bits, bitAt, type Column, type FixedColumn, type VarColumn } from "../data/column.ts";
import { type ColumnBuilder, columnBuilder } from "../data/column-builder.ts";
import { sliceBatch } from "../data/kernels/slice.ts";
import { Schema } from "../data/schema.ts";
import { type LogicalType, TYPE_NAMES, typeOf } from "../data/types.ts";
import { cellValue, eventTimesOf } from "./batch-values.ts";

/**
 * Random batches with the rows that they must hold, for property tests: all types, NULLs with any value under them, NaN and −0, plain
 * and dictionary text, dictionaries with NULL entries, slices that start within a byte, no rows, no columns.
 */
export interface ModelBatch {
  readonly batch: Batch;
  /** Column by column, in the form of `cellValue`. */
  readonly cells: readonly (readonly ModelCell[])[];
  readonly times: readonly number[] | null;
}

export type ModelCell = null | boolean | number | bigint | string;

export const ALL_TYPES: readonly LogicalType[] = [...TYPE_NAMES, "decimal(38,4)", "decimal(5,2)"].map(typeOf);

/** Values of a type that are not NULL. Few different ones, so that equal values meet. */
export function arbitraryValue(type: LogicalType): fc.Arbitrary<ModelCell> {
  switch (type.kind) {
    case "boolean":
      return fc.boolean();
    case "int": {
      const [min, max] = type.signed
        ? [-(2n ** BigInt(type.bits - 1)), 2n ** BigInt(type.bits - 1) - 1n]
        : [0n, 2n ** BigInt(type.bits) - 1n];
      const few = fc.oneof(fc.bigInt({ min, max }), fc.constantFrom(0n, 1n, min, max), fc.bigInt({ min: 0n, max: 5n }));
      return type.bits === 64 ? few : few.map(Number);
    }
    case "float": {
      const special = fc.constantFrom(0, -0, 1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY);
      return fc.oneof(special, type.bits === 32 ? fc.float() : fc.double());
    }
    case "decimal": {
      const max = 10n ** BigInt(type.precision) - 1n;
      return fc.oneof(
        fc.bigInt({ min: -max, max }),
        fc.bigInt({ min: -3n, max: 3n }).map((n) => n * 10n),
      );
    }
    case "date":
      return fc.oneof(fc.integer(), fc.integer({ min: -2, max: 2 }));
    case "timestamp":
      return fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.bigInt({ min: -3n, max: 3n }));
    case "utf8":
      return fc.oneof(
        fc.constantFrom("", "a", "null", "é", "e\u0301", "😀"),
        fc.string({ unit: "grapheme", maxLength: 40 }),
      );
    case "binary":
      return fc
        .uint8Array({ maxLength: 12 })
        .map((bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join(""));
  }
}

/** The value as the type's builder takes it. */
export function appendModel(builder: ColumnBuilder, value: ModelCell): void {
  if (value === null) builder.appendNull();
  else if (builder.kind === "boolean") builder.append(value === true);
  else if (builder.kind === "number") builder.append(value as number);
  else if (builder.kind === "words" || builder.kind === "decimal") builder.appendBigInt(value as bigint);
  else if (builder.type.kind === "utf8") builder.appendString(value as string);
  else builder.appendBytes(Uint8Array.from((value as string).match(/../g) ?? [], (hex) => Number.parseInt(hex, 16)));
}

export function columnOfModel(type: LogicalType, values: readonly ModelCell[]): Column {
  const builder = columnBuilder(type, values.length);
  for (const value of values) appendModel(builder, value);
  return builder.finish();
}

/** Values, and whether they are there. */
type Slot = readonly [value: ModelCell, valid: boolean];

const validity = (slots: readonly Slot[], bitOffset: number): Pick<FixedColumn, "nullCount" | "validity"> => {
  const nullCount = slots.filter(([, valid]) => !valid).length;
  const bits = new Uint8Array((bitOffset + slots.length + 7) >> 3).fill(0xa5);
  slots.forEach(([, valid], row) => {
    const at = bitOffset + row;
    const bit = 1 << (at & 7);
    bits[at >> 3] = valid ? (bits[at >> 3] as number) | bit : (bits[at >> 3] as number) & ~bit;
  });
  const given: Bits = { bits, bitOffset };
  return nullCount === 0 ? { nullCount, validity: null } : { nullCount, validity: given };
};

function plainColumn(type: LogicalType, slots: readonly Slot[], bitOffset: number): Column {
  const column = columnOfModel(
    type,
    slots.map(([value]) => value),
  );
  return { ...column, ...validity(slots, bitOffset) };
}

/** Words in the order of their first use, behind a NULL entry where `nullWord`; NULL rows say the NULL entry, or an absurd code. */
function dictionaryColumn(type: LogicalType, slots: readonly Slot[], bitOffset: number, nullWord: boolean): Column {
  const used = [...new Set(slots.filter(([, valid]) => valid).map(([value]) => value))];
  const words: ModelCell[] = nullWord ? [null, ...used] : used;
  const dictionary = columnOfModel(type, words) as VarColumn;
  const codes = Int32Array.from(slots, ([value, valid]) => (valid ? words.indexOf(value) : nullWord ? 0 : 1_000_000));
  const nulls = nullWord ? { nullCount: 0, validity: null } : validity(slots, bitOffset);
  return { encoding: "dictionary", type, length: slots.length, ...nulls, codes, dictionary };
}

interface ColumnPlan {
  readonly type: LogicalType;
  readonly slots: readonly Slot[];
  readonly bitOffset: number;
  readonly encoding: "plain" | "dictionary" | "dictionary with NULL";
}

const columnPlan = (type: LogicalType, rows: number): fc.Arbitrary<ColumnPlan> =>
  fc.record({
    type: fc.constant(type),
    slots: fc.oneof(fc.constant(0), fc.constant(0.3)).chain((nulls) =>
      fc.array(fc.tuple(arbitraryValue(type), nulls === 0 ? fc.constant(true) : fc.boolean()), {
        minLength: rows,
        maxLength: rows,
      }),
    ),
    bitOffset: fc.nat(9),
    encoding: fc.constantFrom("plain", "dictionary", "dictionary with NULL"),
  });

const columnOfPlan = ({ type, slots, bitOffset, encoding }: ColumnPlan): Column =>
  type.kind === "utf8" && encoding !== "plain"
    ? dictionaryColumn(type, slots, bitOffset, encoding === "dictionary with NULL")
    : plainColumn(type, slots, bitOffset);

/** A batch of the given types: a slice of a larger one. */
export function arbitraryBatch(types: readonly LogicalType[], maxRows = 24): fc.Arbitrary<ModelBatch> {
  return fc.tuple(fc.nat(10), fc.nat(maxRows), fc.nat(10)).chain(([before, rows, after]) => {
    const all = before + rows + after;
    const times = fc.option(
      fc.array(fc.oneof(fc.integer(), fc.constant(Number.NaN)), { minLength: all, maxLength: all }),
    );
    return fc.tuple(times, ...types.map((type) => columnPlan(type, all))).map(([allTimes, ...plans]) => {
      const schema = new Schema(types.map((type, c) => ({ name: `c${c}`, type, nullable: true })));
      const whole = new Batch(
        schema,
        all,
        plans.map(columnOfPlan),
        allTimes === null ? null : Float64Array.from(allTimes),
      );
      const model = ([value, valid]: Slot): ModelCell => (valid ? value : null);
      return {
        batch: sliceBatch(whole, before, before + rows),
        cells: plans.map(({ slots }) => slots.slice(before, before + rows).map(model)),
        times: allTimes === null ? null : allTimes.slice(before, before + rows),
      };
    });
  });
}

/** The rows of a batch column by column, straight from its buffers; fails where counts and lengths do not agree with them. */
export function modelOf(batch: Batch): Pick<ModelBatch, "cells" | "times"> {
  for (const column of batch.columns) {
    assert(column.length === batch.rowCount, "a column has as many rows as its batch");
    let nulls = 0;
    for (let row = 0; row < column.length; row++) {
      if (column.validity !== null && !bitAt(column.validity, row)) nulls++;
    }
    assert(nulls === column.nullCount, `${column.nullCount} NULLs said, ${nulls} found`);
  }
  return {
    cells: batch.columns.map((column) => Array.from({ length: column.length }, (_, row) => cellValue(column, row))),
    times: eventTimesOf(batch),
  };
}

/** The model's rows with the given numbers. */
export function modelRows({ cells, times }: Pick<ModelBatch, "cells" | "times">, rows: readonly number[]) {
  return {
    cells: cells.map((column) => rows.map((row) => column[row] as ModelCell)),
    times: times === null ? null : rows.map((row) => times[row] as number),
  };
}

/** Up to four columns of any types. */
export const arbitraryTypes: fc.Arbitrary<LogicalType[]> = fc.array(fc.constantFrom(...ALL_TYPES), { maxLength: 4 });
