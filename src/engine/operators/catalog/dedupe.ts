import { checkColumns } from "./columns.ts";
import { defineKind, flow, IN, inputOf, OUT } from "./kind-spec.ts";
import { z } from "./zod.ts";

const config = z.strictObject({
  keys: z.array(z.string().min(1)).min(1, "choose at least one column").meta({
    title: "Keys",
    widget: "columns",
    description: "Rows that are equal in these are one. NULL is a value of its own.",
  }),
  keep: z.enum(["first", "last"]).default("first").meta({
    title: "Keep",
    description: "By event time; of rows at the same time the one with the smaller bytes.",
  }),
  ttlMs: z.int().min(1).nullable().default(null).meta({
    title: "Forget after",
    unit: "ms",
    description:
      "A row more than so much later than the one that counts begins anew, and its key needs no memory any more. Without it a key is kept for ever, and keep: last tells at the end only.",
  }),
});

export type DedupeConfig = z.infer<typeof config>;

export const dedupe = defineKind({
  kind: "dedupe",
  role: "operator",
  group: "stateful",
  title: "Dedupe",
  summary: "Lets one row of each key through",
  help: "Takes rows in order of event time: they wait until the watermark has passed them, and what comes behind it is late, dropped and counted. Where no row has an event time, rows are taken as they come, so which of two inputs comes first decides, and the time to forget runs by the clock. A mixture of both is refused. Keep last holds time back by as long as a row may wait.",
  config,
  inputs: IN,
  outputs: () => [OUT],
  keys: ({ keys }) => ({ in: keys }),
  oneSortOfTime: true,
  schemaFlow: ({ keys }, inputs) => {
    const schema = inputOf(inputs);
    return flow(checkColumns(keys, schema, "keys"), () => ({ out: schema }));
  },
});
