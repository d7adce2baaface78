import { type Field, Schema } from "../../data/schema.ts";
import { checkColumns, missingColumn } from "./columns.ts";
import { type ConfigProblem, defineKind, flow, IN, inputOf, OUT } from "./kind-spec.ts";
import { schemaConfig, schemaOf, TIME_UNITS } from "./shared-config.ts";
import { z } from "./zod.ts";

const config = z.strictObject({
  module: z.string().min(1, "must not be empty; give a .wasm file").meta({
    title: "Module",
    widget: "module",
    placeholder: "modules/geo.wasm",
    description: "A WebAssembly module that keeps to the batch interface and imports nothing.",
  }),
  function: z.string().min(1).default("process").meta({
    title: "Function",
    description: "The exported function that is called with each batch.",
  }),
  columns: z.array(z.string().min(1)).optional().meta({
    title: "Columns for the module",
    widget: "columns",
    description: "What the module is given, in this order. Empty: all columns.",
  }),
  output: schemaConfig.meta({
    title: "Output columns",
    description: "Name and type of each column that the module writes, in its order.",
  }),
  keepInput: z.boolean().default(false).meta({
    title: "Keep the columns that came in",
    description: "What the module writes goes behind them, or in the place of the one of the same name.",
  }),
  eventTime: z
    .strictObject({
      column: z.string().min(1).meta({ title: "Column", description: "A timestamp, a date or a whole number." }),
      unit: z.enum(TIME_UNITS).default("ms").meta({ title: "Unit", description: "Unit of bare integers." }),
    })
    .optional()
    .meta({
      title: "Event time",
      advanced: true,
      description:
        "The column of the module that sets the rows' event time anew; otherwise each keeps that of the row of which it was made. Watermarks stay as they are, so rows that move behind them are late.",
    }),
  memoryMiB: z.int().min(1).max(1024).default(64).meta({
    title: "Most memory",
    unit: "MiB",
    advanced: true,
    description: "A module that needs more traps.",
  }),
  timeoutMs: z.int().min(1).max(3_600_000).default(10_000).meta({
    title: "Longest call",
    unit: "ms",
    advanced: true,
    description: "A call that has not returned by then ends the run. In the lab no clock can do that.",
  }),
});

export type ComputeConfig = z.infer<typeof config>;

function timeProblems({ eventTime }: ComputeConfig, written: Schema): ConfigProblem[] {
  if (eventTime === undefined) return [];
  const field = written.field(eventTime.column);
  if (field === undefined) return [missingColumn(eventTime.column, written, "eventTime.column", "/eventTime/column")];
  const { kind } = field.type;
  if (kind === "timestamp" || kind === "date" || kind === "int") return [];
  return [
    {
      code: "bad-time-column",
      field: "eventTime.column",
      message: `column ${JSON.stringify(eventTime.column)} is ${kind}, which tells no time`,
      hint: "choose a timestamp, a date or a whole number",
    },
  ];
}

function outputOf(input: Schema, written: Schema): Schema {
  const kept = input.fields.map((field): Field => written.field(field.name) ?? field);
  return new Schema([...kept, ...written.fields.filter(({ name }) => input.indexOf(name) < 0)]);
}

export const compute = defineKind({
  kind: "compute",
  role: "operator",
  group: "steps",
  title: "Compute",
  summary: "Runs a WebAssembly module of your own",
  help: "Hands each batch to a function of a WebAssembly module and checks what comes back. The module imports nothing, so it sees its batch and nothing else, and it remembers nothing from one batch to the next. The interface is described in docs/compute.md.",
  config,
  inputs: IN,
  outputs: () => [OUT],
  schemaFlow: (all, inputs) => {
    const input = inputOf(inputs);
    const written = schemaOf(all.output);
    const problems = [...checkColumns(all.columns ?? [], input, "columns"), ...timeProblems(all, written)];
    return flow(problems, () => ({ out: all.keepInput ? outputOf(input, written) : written }));
  },
  givesTimes: ({ eventTime }) => (eventTime === undefined ? undefined : true),
  callLimitMs: ({ timeoutMs }) => timeoutMs,
});
