import { aggregatesConfig, checkAggregates, groupByConfig, resultSchema } from "./aggregates.ts";
import { OP_COLUMN, OP_FIELD } from "./changelog.ts";
import { checkColumns } from "./columns.ts";
import { defineKind, flow, IN, inputOf, OUT } from "./kind-spec.ts";
import { z } from "./zod.ts";

const config = z.strictObject({ groupBy: groupByConfig, aggregates: aggregatesConfig });

export type RunningAggregateConfig = z.infer<typeof config>;

export const aggregate = defineKind({
  kind: "aggregate",
  role: "operator",
  group: "stateful",
  title: "Aggregate",
  summary: "Aggregates by key over everything so far",
  help: "Keeps one result for each key over all rows and sends what changed whenever the watermark moves on, and at the end: a changelog, whose column op says insert or update. Without event time all results go out at the end. It never forgets a key.",
  config,
  inputs: IN,
  outputs: () => [OUT],
  keys: ({ groupBy }) => ({ in: groupBy }),
  sendsChangelog: () => true,
  schemaFlow: ({ groupBy, aggregates }, inputs) => {
    const schema = inputOf(inputs);
    const problems = [
      ...checkColumns(groupBy, schema, "groupBy"),
      ...checkAggregates(aggregates, schema, [...groupBy, OP_COLUMN]),
    ];
    if (groupBy.includes(OP_COLUMN)) {
      problems.push({
        code: "duplicate-columns",
        field: `groupBy[${groupBy.indexOf(OP_COLUMN)}]`,
        message: `the result has a column ${JSON.stringify(OP_COLUMN)} of its own`,
        hint: "rename the column before",
      });
    }
    return flow(problems, () => ({ out: resultSchema(groupBy, [], aggregates, schema, [OP_FIELD]) }));
  },
});
