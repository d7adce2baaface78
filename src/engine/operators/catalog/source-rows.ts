import { checkRows, inlineRow } from "./inline-rows.ts";
import { defineKind, flow, OUT } from "./kind-spec.ts";
import {
  batchRowsConfig,
  checkTime,
  rowsHaveTimes,
  saysTime,
  schemaConfig,
  schemaOf,
  timeConfig,
} from "./shared-config.ts";
import { z } from "./zod.ts";

const config = z.strictObject({
  schema: schemaConfig,
  rows: z.array(inlineRow).default([]).meta({
    title: "Rows",
    widget: "rows",
    description: "Each row a list in the order of the columns, or an object by name. An int64 may be given as text.",
  }),
  batchRows: batchRowsConfig(1024),
  partitions: z.int().min(1).max(1024).default(1).meta({
    title: "Partitions",
    advanced: true,
    description: "Rows are dealt round-robin to this many partitions; subtask t of n reads those with p mod n = t.",
  }),
  time: timeConfig.optional(),
});

/** `rows` are as written; `rowsOf` makes cells of them. */
export type RowsSourceConfig = z.infer<typeof config>;

export const rowsSource = defineKind({
  kind: "source.rows",
  role: "source",
  group: "sources",
  title: "Rows",
  summary: "Rows that are written into the document",
  help: "Sends its rows in order and ends. Good for trying things out and for documents that must be whole.",
  config,
  inputs: [],
  outputs: () => [OUT],
  check: ({ schema, rows }) => checkRows(schemaOf(schema), rows, "rows"),
  schemaFlow: ({ schema, time }) => {
    const out = schemaOf(schema);
    return flow(checkTime(time, out), () => ({ out }));
  },
  hasEventTime: ({ time }) => saysTime(time),
  givesTimes: ({ time }, port) => rowsHaveTimes(time, port),
  endless: () => false,
});
