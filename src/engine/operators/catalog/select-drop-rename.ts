import { type Field, Schema } from "../../data/schema.ts";
import { checkColumns, missingColumn } from "./columns.ts";
import { type ConfigProblem, defineKind, flow, IN, inputOf, OUT } from "./kind-spec.ts";
import { z } from "./zod.ts";

const columnList = z.array(z.string().min(1));

const selectConfig = z.strictObject({
  columns: columnList.min(1, "choose at least one column").meta({
    title: "Columns",
    widget: "columns",
    description: "What stays, in this order.",
  }),
});

export type SelectConfig = z.infer<typeof selectConfig>;

export const select = defineKind({
  kind: "select",
  role: "operator",
  group: "steps",
  title: "Select",
  summary: "Keeps some columns, in the order given",
  help: "Rows stay as they are, with fewer columns. Event time travels along even when its column goes.",
  config: selectConfig,
  changelog: "passes",
  inputs: IN,
  outputs: () => [OUT],
  schemaFlow: ({ columns }, inputs) => {
    const schema = inputOf(inputs);
    return flow(checkColumns(columns, schema, "columns"), () => ({
      out: new Schema(columns.map((name) => schema.field(name) as Field)),
    }));
  },
});

const dropConfig = z.strictObject({
  columns: columnList.meta({ title: "Columns", widget: "columns", description: "What goes." }),
});

export type DropConfig = z.infer<typeof dropConfig>;

export const drop = defineKind({
  kind: "drop",
  role: "operator",
  group: "steps",
  title: "Drop",
  summary: "Removes columns",
  help: "Rows stay as they are, without these columns. Event time travels along even when its column goes.",
  config: dropConfig,
  changelog: "passes",
  inputs: IN,
  outputs: () => [OUT],
  schemaFlow: ({ columns }, inputs) => {
    const schema = inputOf(inputs);
    const gone = new Set(columns);
    return flow(checkColumns(columns, schema, "columns"), () => ({
      out: new Schema(schema.fields.filter((field) => !gone.has(field.name))),
    }));
  },
});

const isNames = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((name) => typeof name === "string" && name !== "");

function misnamed(names: unknown): string {
  if (typeof names !== "object" || names === null || Array.isArray(names))
    return "must be an object of old name to new name";
  const old = Object.entries(names).find(([, name]) => typeof name !== "string" || name === "")?.[0];
  return `column ${JSON.stringify(old)} has no new name; write one, or leave the column out`;
}

const renameConfig = z.strictObject({
  // Not z.record, which passes over a column named __proto__.
  names: z.custom<Readonly<Record<string, string>>>(isNames, { error: ({ input }) => misnamed(input) }).meta({
    title: "Names",
    widget: "column-map",
    description: "Old name to new name; columns that are not listed keep theirs. Names may be swapped.",
    type: "object",
    additionalProperties: { type: "string", minLength: 1 },
  }),
});

const pointerPart = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** Columns after the renaming, which may leave two of one name. */
function renamed(names: Readonly<Record<string, string>>, schema: Schema): Field[] {
  const map = new Map(Object.entries(names));
  return schema.fields.map((field) => ({ ...field, name: map.get(field.name) ?? field.name }));
}

function checkNames(names: Readonly<Record<string, string>>, schema: Schema): ConfigProblem[] {
  const problems = Object.keys(names)
    .filter((name) => schema.indexOf(name) < 0)
    .map((name): ConfigProblem => {
      const { fix: _, ...problem } = missingColumn(name, schema, `names.${name}`, "");
      const patch = [{ op: "remove" as const, path: `/names/${pointerPart(name)}` }];
      return { ...problem, fix: { title: `Leave ${JSON.stringify(name)} out`, patch } };
    });
  const fields = renamed(names, schema);
  fields.forEach((field, index) => {
    if (fields.findIndex((other) => other.name === field.name) === index) return;
    problems.push({
      code: "duplicate-columns",
      field: "names",
      message: `two columns would be named ${JSON.stringify(field.name)}`,
      hint: "give each its own name, or drop one before",
    });
  });
  return problems;
}

export const rename = defineKind({
  kind: "rename",
  role: "operator",
  group: "steps",
  title: "Rename",
  summary: "Gives columns other names",
  help: "Order and values stay. Event time travels along under whatever name.",
  config: renameConfig,
  changelog: "passes",
  inputs: IN,
  outputs: () => [OUT],
  schemaFlow: ({ names }, inputs) => {
    const schema = inputOf(inputs);
    return flow(checkNames(names, schema), () => ({ out: new Schema(renamed(names, schema)) }));
  },
});
