import fc from "fast-check";
import { duckKey, type OracleColumn } from "./columns.ts";

/** An aggregate, and the same in DuckDB. */
export interface OracleAggregate {
  readonly config: { readonly name: string; readonly fn: string; readonly column?: string };
  readonly sql: string;
}

const FUNCTIONS = ["count", "sum", "min", "max", "avg", "count_distinct", "first", "last", "stddev", "var"] as const;
type Fn = (typeof FUNCTIONS)[number];

const fits = (fn: Fn, column: OracleColumn): boolean => {
  if (fn === "sum") return column.sums;
  if (fn === "avg") return column.is !== "other";
  return fn === "stddev" || fn === "var" ? column.spreads : true;
};

function duckOf(fn: Fn, column: OracleColumn): string {
  const { name, is, scale = 0 } = column;
  const some = `FILTER (WHERE ${name} IS NOT NULL)`;
  switch (fn) {
    case "count":
    case "min":
    case "max":
      return `${fn}(${name})`;
    case "count_distinct":
      return `count(DISTINCT ${duckKey(column)})`;
    case "sum":
      return is === "float" ? `sum(${name}::DOUBLE)` : `sum(${name})`;
    case "avg":
      if (is === "decimal") return decimalAverage(name, scale);
      // The total of integers is exact here; DuckDB's average is one of doubles.
      return is === "float" ? `avg(${name}::DOUBLE)` : `sum(${name})::DOUBLE / nullif(count(${name}), 0)`;
    case "first":
      return `first(${name} ORDER BY ts ASC NULLS FIRST, bytes) ${some}`;
    case "last":
      return `first(${name} ORDER BY ts DESC NULLS LAST, bytes) ${some}`;
    case "stddev":
    case "var": {
      const spread = `${fn}_samp(CASE WHEN isfinite(${name}::DOUBLE) THEN ${name}::DOUBLE END)`;
      const odd = `bool_or(NOT isfinite(${name}::DOUBLE))`;
      return `CASE WHEN count(${name}) < 2 THEN NULL WHEN ${odd} THEN 'NaN'::DOUBLE ELSE ${spread} END`;
    }
  }
}

/** Six digits behind the point, halves away from zero; DuckDB's own is a double. */
function decimalAverage(name: string, scale: number): string {
  const total = `sum(CAST(${name} * ${10 ** scale} AS HUGEINT)) * ${10 ** (6 - scale)}`;
  return `CASE WHEN count(${name}) > 0 THEN sign(${total}) * ((abs(${total}) * 2 + count(${name})) // (2 * count(${name}))) END`;
}

const aggregateOf = (
  columns: readonly OracleColumn[],
): fc.Arbitrary<Omit<OracleAggregate, "config"> & { fn: Fn; column?: string }> =>
  fc.tuple(fc.constantFrom(...FUNCTIONS), fc.constantFrom(undefined, ...columns)).map(([fn, column]) => {
    if (column === undefined) return { fn: "count", sql: "count(*)" };
    const chosen = fits(fn, column) ? fn : "max";
    return { fn: chosen, column: column.name, sql: duckOf(chosen, column) };
  });

/** One to five aggregates of the columns. */
export const someAggregates = (columns: readonly OracleColumn[]): fc.Arbitrary<OracleAggregate[]> =>
  fc.array(aggregateOf(columns), { minLength: 1, maxLength: 5 }).map((all) =>
    all.map(({ fn, column, sql }, a) => ({
      config: column === undefined ? { name: `a${a}`, fn } : { name: `a${a}`, fn, column },
      sql,
    })),
  );
