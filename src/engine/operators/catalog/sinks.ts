import { csvWriteConfig, formatConfig, parquetWriteConfig, pathConfig } from "./file-formats.ts";
import { type ConfigProblem, defineKind, flowNothing, IN } from "./kind-spec.ts";
import { deliveryConfig } from "./shared-config.ts";
import { z } from "./zod.ts";

const tableConfig = z.strictObject({
  limit: z.int().min(1).max(10_000_000).default(1000).meta({
    title: "Rows shown",
    unit: "rows",
    description: "The newest are kept; all are counted.",
  }),
  delivery: deliveryConfig,
});

export type TableSinkConfig = z.infer<typeof tableConfig>;

export const tableSink = defineKind({
  kind: "sink.table",
  role: "sink",
  group: "sinks",
  title: "Table",
  summary: "Shows rows in a table",
  help: "Keeps rows in memory for the page and the command line. With exactly-once a row appears when its epoch is committed.",
  config: tableConfig,
  changelog: "takes",
  inputs: IN,
  outputs: () => [],
  schemaFlow: () => flowNothing,
  delivery: ({ delivery }) => delivery,
});

const fileConfig = z.strictObject({
  format: formatConfig,
  path: pathConfig.meta({
    title: "Path",
    widget: "path",
    description:
      "Relative to the document. With exactly-once a folder of parts, with at-least-once one file for each subtask.",
  }),
  csv: csvWriteConfig,
  parquet: parquetWriteConfig,
  delivery: deliveryConfig,
});

export type FileSinkConfig = z.infer<typeof fileConfig>;

/** A Parquet file has its footer at its end: one that grows could not be read, so nothing in it would be delivered. */
function refuseGrowingParquet({ format, delivery }: FileSinkConfig): ConfigProblem[] {
  if (format !== "parquet" || delivery === "exactly-once") return [];
  return [
    {
      code: "parquet-needs-parts",
      field: "delivery",
      message:
        "a Parquet file can be read only when it is complete, so at-least-once would deliver nothing before the end",
      hint: "use exactly-once, which writes a file for each epoch, or another format",
      fix: { title: "Use exactly-once", patch: [{ op: "replace", path: "/delivery", value: "exactly-once" }] },
    },
  ];
}

export const fileSink = defineKind({
  kind: "sink.file",
  role: "sink",
  group: "sinks",
  title: "File",
  summary: "Writes csv, NDJSON, Arrow or Parquet",
  help: "Exactly-once writes parts PATH/part-SUBTASK-EPOCH that become visible when their epoch is committed. At-least-once writes one growing file for each subtask. A run from the start replaces the parts that an earlier one left in the folder. On the page the files are offered as downloads. Parquet is written exactly-once only, because a Parquet file can be read only when it is complete.",
  config: fileConfig,
  check: refuseGrowingParquet,
  changelog: "takes",
  inputs: IN,
  outputs: () => [],
  schemaFlow: () => flowNothing,
  delivery: ({ delivery }) => delivery,
});

const noConfig = z.strictObject({});

export const logSink = defineKind({
  kind: "sink.log",
  role: "sink",
  group: "sinks",
  title: "Log",
  summary: "Writes rows to the log",
  help: "Each row as a line, as soon as it comes (at-least-once).",
  config: noConfig,
  changelog: "takes",
  inputs: IN,
  outputs: () => [],
  schemaFlow: () => flowNothing,
});

export const blackholeSink = defineKind({
  kind: "sink.blackhole",
  role: "sink",
  group: "sinks",
  title: "Black hole",
  summary: "Counts rows and forgets them",
  help: "For measuring what comes before it.",
  config: noConfig,
  changelog: "takes",
  inputs: IN,
  outputs: () => [],
  schemaFlow: () => flowNothing,
});
