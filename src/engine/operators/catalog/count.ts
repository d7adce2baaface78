import { type Field, Schema } from "../../data/schema.ts";
import { typeOf } from "../../data/types.ts";
import { checkColumns } from "./columns.ts";
import { defineKind, flow, IN, inputOf, OUT } from "./kind-spec.ts";
import { z } from "./zod.ts";

const config = z.strictObject({
  groupBy: z.array(z.string().min(1)).default([]).meta({
    title: "Group by",
    widget: "columns",
    description: "One count for each combination of values; with none, one for all rows. NULL is a value of its own.",
  }),
  as: z.string().min(1).default("count").meta({ title: "Name of the count" }),
});

export type CountConfig = z.infer<typeof config>;

export const count = defineKind({
  kind: "count",
  role: "operator",
  group: "stateful",
  title: "Count",
  summary: "Counts rows by key, told at the end",
  help: "Keeps a count for each key and sends all of them when its input ends. A run that is stopped sends nothing: the counts stay open.",
  config,
  inputs: IN,
  outputs: () => [OUT],
  keys: ({ groupBy }) => ({ in: groupBy }),
  schemaFlow: ({ groupBy, as }, inputs) => {
    const schema = inputOf(inputs);
    const problems = checkColumns(groupBy, schema, "groupBy");
    if (groupBy.includes(as)) {
      const message = `${JSON.stringify(as)} is a column of groupBy already`;
      problems.push({ code: "duplicate-columns", field: "as", message, hint: "choose another name for the count" });
    }
    return flow(problems, () => ({
      out: new Schema([
        ...groupBy.map((name) => schema.field(name) as Field),
        { name: as, type: typeOf("int64"), nullable: false },
      ]),
    }));
  },
});
