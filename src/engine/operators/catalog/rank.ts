import { Schema as Columns, type Field, type Schema } from "../../data/schema.ts";
import { typeOf } from "../../data/types.ts";
import { OP_COLUMN, OP_FIELD } from "./changelog.ts";
import { checkColumns, missingColumn } from "./columns.ts";
import { type ConfigProblem, defineKind, flow, IN, inputOf, OUT } from "./kind-spec.ts";
import { checkWindowShape, windowBounds, windowShape } from "./window.ts";
import { z } from "./zod.ts";

const config = z.strictObject({
  partitionBy: z.array(z.string().min(1)).default([]).meta({
    title: "Partition by",
    widget: "columns",
    description: "A ranking for each combination of values; with none, one of all rows. NULL is a value of its own.",
  }),
  orderBy: z
    .array(
      z.strictObject({
        column: z.string().min(1).meta({ title: "Column", widget: "column" }),
        desc: z.boolean().default(false).meta({ title: "Greatest first" }),
        nulls: z.enum(["first", "last"]).optional().meta({
          title: "NULLs",
          advanced: true,
          description: "When left out, NULL is less than every value.",
        }),
      }),
    )
    .min(1, "choose at least one column")
    .meta({ title: "Order by", description: "Rows that are equal go by event time, then by their bytes." }),
  n: z.int().min(1).default(10).meta({ title: "Rows", description: "So many of each partition." }),
  ties: z.enum(["break", "keep"]).default("break").meta({
    title: "Ties",
    description:
      "Break gives each row a rank of its own, as row_number() in SQL. Keep gives rows that are equal in the order the same rank, as rank(): all of them stay where one does. It needs a window.",
  }),
  window: windowShape.unwrap().optional().meta({
    title: "Window",
    description:
      "A ranking for each window; a session is one of the partition. Without one it is over all rows so far, and its changes are told.",
  }),
  rankColumn: z.string().min(1).default("rank").meta({ title: "Name of the rank" }),
});

export type RankConfig = z.infer<typeof config>;

/** Columns that the result has beside the input's. */
function added({ window, rankColumn }: RankConfig): Field[] {
  const rank: Field = { name: rankColumn, type: typeOf("int64"), nullable: false };
  return window === undefined ? [rank, OP_FIELD] : [...windowBounds, rank];
}

function checkRank(config: RankConfig, schema: Schema): ConfigProblem[] {
  const { partitionBy, orderBy, rankColumn } = config;
  const names = added(config).map(({ name }) => name);
  const taken = names.filter((name, i) => schema.indexOf(name) >= 0 || names.indexOf(name) !== i);
  return [
    ...checkColumns(partitionBy, schema, "partitionBy"),
    ...orderBy.flatMap(({ column }, i) =>
      schema.indexOf(column) >= 0
        ? []
        : [missingColumn(column, schema, `orderBy[${i}].column`, `/orderBy/${i}/column`)],
    ),
    ...taken.map((name): ConfigProblem => {
      const message = `the result would have two columns ${JSON.stringify(name)}`;
      const hint = name === rankColumn ? "choose another name for the rank" : "rename the column before";
      return { code: "duplicate-columns", field: "rankColumn", message, hint };
    }),
  ];
}

/** A changelog tells one row for each partition and rank; with ties a rank would have several, and others at another time. */
function checkTies({ ties, window }: RankConfig): ConfigProblem[] {
  if (ties !== "keep" || window !== undefined) return [];
  return [
    {
      code: "conflicting-fields",
      field: "ties",
      message: "a ranking of all rows so far has one row for each rank",
      hint: "rank by window, or break ties",
      fix: { title: "Break ties", patch: [{ op: "replace", path: "/ties", value: "break" }] },
    },
  ];
}

export const rank = defineKind({
  kind: "rank",
  role: "operator",
  group: "stateful",
  title: "Rank",
  summary: "The first n rows of each partition",
  help: `By window it sends the ranking of each window when the watermark has passed its end; the event time of its rows is window_end − 1. Without a window it tells what changed whenever time moves on and at the end: a changelog by partition and rank, whose column ${OP_COLUMN} says insert or update.`,
  config,
  inputs: IN,
  outputs: () => [OUT],
  keys: ({ partitionBy }) => ({ in: partitionBy }),
  givesTimes: ({ window }) => (window === undefined ? undefined : true),
  needsEventTime: ({ window }) => window !== undefined,
  sendsChangelog: ({ window }) => window === undefined,
  check: (config) => [...checkTies(config), ...(config.window === undefined ? [] : checkWindowShape(config.window))],
  schemaFlow: (config, inputs) => {
    const schema = inputOf(inputs);
    return flow(checkRank(config, schema), () => ({ out: new Columns([...schema.fields, ...added(config)]) }));
  },
});
