import { type Field, Schema } from "../../data/schema.ts";
import { typeOf } from "../../data/types.ts";
import { type ConfigProblem, defineKind, flow, OUT } from "./kind-spec.ts";
import { batchRowsConfig, checkTime, refuseSameNames, rowsHaveTimes, saysTime, timeConfig } from "./shared-config.ts";
import { z } from "./zod.ts";

const common = {
  name: z.string().min(1).meta({ title: "Name" }),
  nullFraction: z.number().min(0).max(1).default(0).meta({
    title: "Share of NULLs",
    advanced: true,
    description: "Between 0 and 1.",
  }),
};
const literal = z.union([z.string(), z.number(), z.boolean()], "must be text, a number, true or false");

const field = z.discriminatedUnion("kind", [
  z
    .strictObject({ kind: z.literal("sequence"), ...common, start: z.int().default(0), step: z.int().default(1) })
    .meta({ title: "Sequence", description: "start, start + step, … as int64; counts over all subtasks." }),
  z
    .strictObject({
      kind: z.literal("uniform"),
      ...common,
      min: z.number().default(0),
      max: z.number().default(1),
      type: z.enum(["float64", "int64", "int32"]).default("float64"),
    })
    .meta({ title: "Uniform", description: "Evenly between min and max; whole numbers include both." }),
  z
    .strictObject({
      kind: z.literal("normal"),
      ...common,
      mean: z.number().default(0),
      stddev: z.number().min(0).default(1),
    })
    .meta({ title: "Normal", description: "float64, bell-shaped." }),
  z
    .strictObject({
      kind: z.literal("zipf"),
      ...common,
      values: z.int().min(1).max(10_000_000).default(1000),
      exponent: z.number().positive().default(1.1),
      prefix: z.string().optional().meta({ description: "Makes text of the number: user- gives user-0, user-1, …" }),
    })
    .meta({
      title: "Zipf",
      description: "0 … values − 1, small numbers far more often: hot keys. int64, or text with a prefix.",
    }),
  z
    .strictObject({
      kind: z.literal("choice"),
      ...common,
      values: z.array(literal).min(1),
      weights: z.array(z.number().min(0)).optional().meta({ description: "One for each value; equal when left out." }),
    })
    .meta({ title: "Choice", description: "One of the values." }),
  z
    .strictObject({ kind: z.literal("uuid"), ...common })
    .meta({ title: "UUID", description: "Text, drawn from the seed." }),
  z
    .strictObject({
      kind: z.literal("timestamp"),
      ...common,
      startMs: z
        .int()
        .default(1_704_067_200_000)
        .meta({ unit: "ms", description: "Since 1970; the default is 2024-01-01." }),
      stepMs: z
        .number()
        .min(0)
        .default(1)
        .meta({ unit: "ms", description: "From one row to the next; may be a fraction." }),
    })
    .meta({ title: "Timestamp", description: "timestamp[ms] that moves on with each row; disorder sets rows back." }),
  z.strictObject({ kind: z.literal("constant"), ...common, value: literal }).meta({ title: "Constant" }),
]);

const config = z.strictObject({
  fields: z
    .array(field)
    .min(1)
    .superRefine(refuseSameNames)
    .meta({ title: "Columns", widget: "generator-fields", description: "How each column is made." }),
  rows: z
    .int()
    .min(0)
    .default(1000)
    .meta({ title: "Rows", unit: "rows", description: "Over all subtasks; 0 is endless." }),
  rowsPerSecond: z.number().min(0).default(0).meta({
    title: "Speed",
    unit: "rows/s",
    description: "Over all subtasks; 0 is as fast as it goes.",
  }),
  batchRows: batchRowsConfig(1024),
  disorder: z
    .strictObject({
      maxMs: z.int().min(0).default(0).meta({ title: "At most", unit: "ms" }),
      fraction: z.number().min(0).max(1).default(0).meta({ title: "Share of rows" }),
    })
    .prefault({})
    .meta({ title: "Disorder", description: "This share of rows has its timestamps set back by up to that much." }),
  seed: z.int().min(0).default(1).meta({ title: "Seed", description: "The same seed makes the same rows." }),
  time: timeConfig.optional(),
});

export type GeneratorField = z.infer<typeof field>;
export type GeneratorSourceConfig = z.infer<typeof config>;

type Literal = z.infer<typeof literal>;

/** The one type that holds all values; `undefined` for a mixture. */
function literalType(values: readonly Literal[]): "utf8" | "boolean" | "int64" | "float64" | undefined {
  if (values.every((value) => typeof value === "string")) return "utf8";
  if (values.every((value) => typeof value === "boolean")) return "boolean";
  if (!values.every((value) => typeof value === "number")) return undefined;
  return values.every((value) => Number.isSafeInteger(value)) ? "int64" : "float64";
}

/** Column type of a generated field. Values of mixed types count as text, and `check` refuses them. */
function generatedType(of: GeneratorField): string {
  switch (of.kind) {
    case "sequence":
      return "int64";
    case "uniform":
      return of.type;
    case "normal":
      return "float64";
    case "zipf":
      return of.prefix === undefined ? "int64" : "utf8";
    case "choice":
      return literalType(of.values) ?? "utf8";
    case "uuid":
      return "utf8";
    case "timestamp":
      return "timestamp[ms]";
    case "constant":
      return literalType([of.value]) ?? "utf8";
  }
}

/** Columns of the generator, in the order of `fields`. */
export function generatorSchema(fields: readonly GeneratorField[]): Schema {
  return new Schema(
    fields.map((of): Field => ({ name: of.name, type: typeOf(generatedType(of)), nullable: of.nullFraction > 0 })),
  );
}

const INT32_MAX = 2 ** 31 - 1;

function checkField(of: GeneratorField, index: number): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const wrong = (code: string, part: string, message: string, hint: string): void => {
    problems.push({ code, field: `fields[${index}].${part}`, message, hint });
  };
  if (of.kind === "uniform") {
    if (of.min > of.max) wrong("bad-range", "max", `max ${of.max} is below min ${of.min}`, "swap them");
    const limit = of.type === "int32" ? INT32_MAX : Number.MAX_SAFE_INTEGER;
    const whole = (n: number): boolean => Number.isInteger(n) && Math.abs(n) <= limit;
    if (of.type !== "float64" && !(whole(of.min) && whole(of.max))) {
      wrong("bad-range", "min", `min and max of ${of.type} are whole numbers within ±${limit}`, "or make it float64");
    }
  }
  if (of.kind === "choice") {
    if (literalType(of.values) === undefined) {
      wrong(
        "mixed-values",
        "values",
        "the values are of different types",
        "make all of them text, numbers or booleans",
      );
    }
    if (of.weights !== undefined && of.weights.length !== of.values.length) {
      const counts = `there are ${of.values.length} values and ${of.weights.length} weights`;
      wrong("bad-weights", "weights", counts, "give one weight for each value");
    } else if (of.weights?.every((weight) => weight === 0)) {
      wrong("bad-weights", "weights", "all weights are 0", "give at least one value a weight");
    }
  }
  return problems;
}

export const generatorSource = defineKind({
  kind: "source.generator",
  role: "source",
  group: "sources",
  title: "Generator",
  summary: "Made-up rows, as many and as fast as you like",
  help: "Makes rows from a seed, the same at every parallelism: subtask t of n makes the rows i with i mod n = t. Disorder sets the timestamps of some rows back, as late events would.",
  config,
  inputs: [],
  outputs: () => [OUT],
  check: ({ fields }) => fields.flatMap(checkField),
  schemaFlow: ({ fields, time }) => {
    const out = generatorSchema(fields);
    return flow(checkTime(time, out), () => ({ out }));
  },
  hasEventTime: ({ time }) => saysTime(time),
  givesTimes: ({ time }, port) => rowsHaveTimes(time, port),
  endless: ({ rows }) => rows === 0,
});
