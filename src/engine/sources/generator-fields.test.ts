import { describe, expect, it } from "vitest";
import { Batch } from "../data/batch.ts";
import type { Column } from "../data/column.ts";
import { generatorSource } from "../operators/catalog/source-generator.ts";
import { type GeneratorField, generatorSchema } from "../operators/catalog.ts";
import { batchRows, type CellValue, cellValue } from "../testing/batch-values.ts";
import { fieldMakers } from "./generator-fields.ts";

const range = (from: number, to: number): Float64Array => Float64Array.from({ length: to - from }, (_, i) => from + i);

function config(fields: object[], more: object = {}) {
  return generatorSource.config.parse({ fields, ...more }) as {
    fields: GeneratorField[];
    seed: number;
    disorder: { maxMs: number; fraction: number };
  };
}

function column(field: object, count = 5000, more: object = {}): Column {
  const [make] = fieldMakers(config([{ name: "x", ...field }], more));
  return make?.(range(0, count)) as Column;
}

const values = (of: Column): CellValue[] => Array.from({ length: of.length }, (_, row) => cellValue(of, row));
const numbers = (of: Column): number[] => values(of).map(Number);
const mean = (of: number[]): number => of.reduce((a, b) => a + b, 0) / of.length;

const ALL = [
  { kind: "sequence", name: "id", start: -3, step: 5 },
  { kind: "uniform", name: "u", min: -1, max: 1, nullFraction: 0.2 },
  { kind: "uniform", name: "i64", min: -9_007_199_254_740_991, max: 9_007_199_254_740_991, type: "int64" },
  { kind: "uniform", name: "i32", min: 1, max: 6, type: "int32" },
  { kind: "normal", name: "n", mean: 10, stddev: 2 },
  { kind: "zipf", name: "z", values: 50, exponent: 1.2 },
  { kind: "zipf", name: "user", values: 50, prefix: "user-" },
  { kind: "zipf", name: "page", values: 1_000_000, prefix: "/" },
  { kind: "choice", name: "c", values: ["GET", "POST", ""], weights: [8, 2, 0] },
  { kind: "choice", name: "b", values: [true, false], nullFraction: 0.5 },
  { kind: "choice", name: "f", values: [0.5, 2] },
  { kind: "uuid", name: "uuid" },
  { kind: "timestamp", name: "ts", startMs: 1000, stepMs: 0.4 },
  { kind: "constant", name: "k", value: "v1" },
  { kind: "constant", name: "one", value: 1 },
];

describe("generated columns", () => {
  it("have the type and the nullability that the catalog says", () => {
    const parsed = config(ALL);
    const schema = generatorSchema(parsed.fields);
    const columns = fieldMakers(parsed).map((make) => make(range(0, 100)));
    expect(columns.map((each) => each.type)).toEqual(schema.fields.map((field) => field.type));
    columns.forEach((each, i) => {
      expect(each.length).toBe(100);
      if (schema.fields[i]?.nullable !== true) expect(each.nullCount).toBe(0);
    });
    expect(() => new Batch(schema, 100, columns)).not.toThrow();
  });

  it("E-4: the value of a row does not depend on which rows are made with it", () => {
    const parsed = config(ALL, { disorder: { maxMs: 50, fraction: 0.3 } });
    const schema = generatorSchema(parsed.fields);
    const rows = (of: Float64Array): CellValue[][] =>
      batchRows(
        new Batch(
          schema,
          of.length,
          fieldMakers(parsed).map((make) => make(of)),
        ),
      );
    const all = rows(range(0, 300));
    const scattered = Float64Array.of(299, 7, 0, 150);
    expect(rows(scattered)).toEqual([...scattered].map((row) => all[row]));
    expect(rows(range(120, 180))).toEqual(all.slice(120, 180));
  });

  it("D-50: the rows of a seed are pinned, so that every engine makes the same ones", () => {
    const parsed = config(ALL, { seed: 42, disorder: { maxMs: 50, fraction: 0.3 } });
    const made = fieldMakers(parsed).map((make) => make(Float64Array.of(0, 1, 2 ** 33)));
    expect(made.map(values)).toMatchSnapshot();
  });

  it("sequence counts and timestamp moves on by fractions of a millisecond, floored", () => {
    expect(values(column({ kind: "sequence", start: 10, step: -3 }, 4))).toEqual([10n, 7n, 4n, 1n]);
    expect(values(column({ kind: "timestamp", startMs: 5, stepMs: 0.4 }, 6))).toEqual([5n, 5n, 5n, 6n, 6n, 7n]);
    expect(values(column({ kind: "timestamp", startMs: -2, stepMs: 0.5 }, 4))).toEqual([-2n, -2n, -1n, -1n]);
  });

  it("P-02: a sequence that would leave the exact integers fails with column, row and remedy", () => {
    const field = { kind: "sequence", start: Number.MAX_SAFE_INTEGER - 1, step: 1 };
    expect(values(column(field, 2))).toEqual([9007199254740990n, 9007199254740991n]);
    expect(() => column(field, 3)).toThrow(/leaves ±2\^53/);
    expect(() => column(field, 9)).toThrow(expect.objectContaining({ data: expect.objectContaining({ row: 3 }) }));
  });

  it("disorder sets a share of the rows back by at most maxMs, and no row forward", () => {
    const back = numbers(
      column({ kind: "timestamp", startMs: 0, stepMs: 10 }, 5000, { disorder: { maxMs: 100, fraction: 0.25 } }),
    ).map((ms, row) => row * 10 - ms);
    expect(Math.min(...back)).toBe(0);
    expect(Math.max(...back)).toBe(100);
    expect(back.filter((ms) => ms > 0).length / back.length).toBeCloseTo(0.25, 1);
  });

  it("uniform stays within its bounds and reaches both of them for whole numbers", () => {
    const dice = numbers(column({ kind: "uniform", min: 1, max: 6, type: "int64" }));
    expect([...new Set(dice)].sort()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(mean(dice)).toBeCloseTo(3.5, 0);
    const floats = numbers(column({ kind: "uniform", min: -2, max: 2 }));
    expect(floats.every((x) => x >= -2 && x <= 2)).toBe(true);
    expect(numbers(column({ kind: "uniform", min: 3, max: 3, type: "int32" }, 3))).toEqual([3, 3, 3]);
  });

  it("normal has its mean and deviation", () => {
    const drawn = numbers(column({ kind: "normal", mean: 100, stddev: 15 }, 20_000));
    expect(mean(drawn)).toBeCloseTo(100, 0);
    expect(Math.sqrt(mean(drawn.map((x) => (x - 100) ** 2)))).toBeCloseTo(15, 0);
  });

  it("words of choice, zipf and constant share one dictionary over all batches", () => {
    for (const field of [
      { kind: "choice", values: ["a", "b"] },
      { kind: "zipf", values: 10, prefix: "u" },
      { kind: "constant", value: "c" },
    ]) {
      const [make] = fieldMakers(config([{ name: "x", ...field }]));
      const [first, second] = [make?.(range(0, 10)), make?.(range(10, 20))];
      if (first?.encoding !== "dictionary" || second?.encoding !== "dictionary") throw new Error("no dictionary");
      expect(first.dictionary).toBe(second.dictionary);
    }
  });

  it("zipf makes small numbers far more often, by table and without", () => {
    for (const count of [1000, 100_000]) {
      const drawn = numbers(column({ kind: "zipf", values: count, exponent: 1.5 }));
      const zeros = drawn.filter((k) => k === 0).length / drawn.length;
      expect(zeros).toBeCloseTo(0.385, 1);
      expect(drawn.every((k) => Number.isInteger(k) && k >= 0 && k < count)).toBe(true);
    }
  });

  it("uuids are of version 4, all different, and lower case", () => {
    const made = values(column({ kind: "uuid" }, 1000));
    expect(new Set(made).size).toBe(1000);
    for (const uuid of made) {
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
  });

  it("nullFraction 1 makes nothing but NULLs, 0 none", () => {
    expect(values(column({ kind: "choice", values: ["a"], nullFraction: 1 }, 9))).toEqual(new Array(9).fill(null));
    expect(column({ kind: "uuid", nullFraction: 0 }, 9).nullCount).toBe(0);
  });

  it("different columns and seeds draw different numbers", () => {
    const parsed = config([
      { kind: "uniform", name: "a" },
      { kind: "uniform", name: "b" },
    ]);
    const [a, b] = fieldMakers(parsed).map((make) => values(make(range(0, 3))));
    expect(a).not.toEqual(b);
    expect(values(column({ kind: "uniform" }, 3, { seed: 2 }))).not.toEqual(a);
  });
});
