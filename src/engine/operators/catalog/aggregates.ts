import { type Field, Schema } from "../../data/schema.ts";
import { type LogicalType, typeName, typeOf } from "../../data/types.ts";
import { missingColumn } from "./columns.ts";
import type { ConfigProblem } from "./kind-spec.ts";
import { z } from "./zod.ts";

export const AGGREGATE_FUNCTIONS = [
  "count",
  "sum",
  "min",
  "max",
  "avg",
  "count_distinct",
  "first",
  "last",
  "stddev",
  "var",
] as const;

export type AggregateFunction = (typeof AGGREGATE_FUNCTIONS)[number];

const aggregateConfig = z.strictObject({
  name: z.string().min(1).meta({ title: "Name", description: "The result's column." }),
  fn: z.enum(AGGREGATE_FUNCTIONS).default("count").meta({
    title: "Function",
    description:
      "NULLs are left out. First and last go by event time; stddev and var are those of a sample. A sum of integers is exact, and too large a one ends the run; an average of decimals is a decimal with at least six digits behind the point.",
  }),
  column: z.string().min(1).optional().meta({
    title: "Of column",
    widget: "column",
    description: "Only count does without: then it counts rows.",
  }),
});

export const aggregatesConfig = z
  .array(aggregateConfig)
  .min(1, "give at least one aggregate")
  .default([{ name: "count", fn: "count" }])
  .meta({ title: "Aggregates", description: "What is computed for each group." });

export type AggregateConfig = z.infer<typeof aggregateConfig>;

export const groupByConfig = z.array(z.string().min(1)).default([]).meta({
  title: "Group by",
  widget: "columns",
  description: "One result for each combination of values; with none, one for all rows. NULL is a value of its own.",
});

const isNumber = (type: LogicalType): boolean =>
  type.kind === "int" || type.kind === "float" || type.kind === "decimal";

/** Digits behind the point that an average of decimals has at least. */
const AVERAGE_SCALE = 6;

/** Type of a result by its function and the type of its column (D-24, D-25); `undefined` where there is none. */
export function aggregateType(fn: AggregateFunction, type: LogicalType): LogicalType | undefined {
  switch (fn) {
    case "count":
    case "count_distinct":
      return typeOf("int64");
    case "min":
    case "max":
    case "first":
    case "last":
      return type;
    case "sum":
      if (!isNumber(type)) return undefined;
      if (type.kind === "decimal") return { kind: "decimal", precision: 38, scale: type.scale };
      return typeOf(type.kind === "float" ? "float64" : "int64");
    case "avg":
      if (!isNumber(type)) return undefined;
      if (type.kind !== "decimal") return typeOf("float64");
      return { kind: "decimal", precision: 38, scale: Math.max(AVERAGE_SCALE, type.scale) };
    case "stddev":
    case "var":
      return isNumber(type) ? typeOf("float64") : undefined;
  }
}

/** The result's column; the config is one that `checkAggregates` has nothing against. */
export function aggregateField({ name, fn, column }: AggregateConfig, schema: Schema): Field {
  const field = column === undefined ? undefined : schema.field(column);
  const type = aggregateType(fn, field?.type ?? typeOf("int64")) as LogicalType;
  const counts = fn === "count" || fn === "count_distinct";
  const lone = fn === "stddev" || fn === "var";
  return { name, type, nullable: !counts && (lone || field?.nullable === true) };
}

/** `taken`: names of the result's other columns. */
export function checkAggregates(
  aggregates: readonly AggregateConfig[],
  schema: Schema,
  taken: readonly string[],
): ConfigProblem[] {
  const names = new Set(taken);
  return aggregates.flatMap((aggregate, index) => {
    const problems = checkAggregate(aggregate, schema, index);
    if (names.has(aggregate.name)) {
      problems.push({
        code: "duplicate-columns",
        field: `aggregates[${index}].name`,
        message: `the result has a column ${JSON.stringify(aggregate.name)} already`,
        hint: "choose another name",
      });
    }
    names.add(aggregate.name);
    return problems;
  });
}

function checkAggregate({ fn, column }: AggregateConfig, schema: Schema, index: number): ConfigProblem[] {
  const place = `aggregates[${index}].column`;
  if (column === undefined) {
    if (fn === "count") return [];
    const message = `${fn} needs a column`;
    return [{ code: "missing-field", field: place, message, hint: "choose the column; only count does without" }];
  }
  const field = schema.field(column);
  if (field === undefined) return [missingColumn(column, schema, place, `/aggregates/${index}/column`)];
  if (aggregateType(fn, field.type) !== undefined) return [];
  return [
    {
      code: "type-mismatch",
      field: place,
      message: `${fn} takes numbers, and column ${JSON.stringify(column)} is ${typeName(field.type)}`,
      hint: "choose a column of numbers, or another function",
    },
  ];
}

/** Schema of a result: key columns, further ones, aggregates. */
export function resultSchema(
  groupBy: readonly string[],
  further: readonly Field[],
  aggregates: readonly AggregateConfig[],
  schema: Schema,
  last: readonly Field[] = [],
): Schema {
  return new Schema([
    ...groupBy.map((name) => schema.field(name) as Field),
    ...further,
    ...aggregates.map((aggregate) => aggregateField(aggregate, schema)),
    ...last,
  ]);
}
