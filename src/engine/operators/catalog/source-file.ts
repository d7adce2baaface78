import { type Field, Schema } from "../../data/schema.ts";
import { typeOf } from "../../data/types.ts";
import { csvReadConfig, formatConfig, pathConfig } from "./file-formats.ts";
import { type ConfigProblem, defineKind, OUT, type OutputPort } from "./kind-spec.ts";
import {
  batchRowsConfig,
  checkTime,
  rowsHaveTimes,
  saysTime,
  schemaConfig,
  schemaOf,
  TIME_UNITS,
  timeConfig,
} from "./shared-config.ts";
import { z } from "./zod.ts";

const config = z.strictObject({
  format: formatConfig,
  path: pathConfig.meta({
    title: "File",
    widget: "file",
    description:
      "Relative to the document, attached:NAME for a file that the document carries, or on the command line - for standard input.",
  }),
  schema: schemaConfig.optional().meta({ description: "Guessed from the file when left out." }),
  badRows: z.enum(["drop", "route", "rescue", "fail"]).default("drop").meta({
    title: "Bad rows",
    description:
      "Rows that do not fit the columns. Drop: counted, a sample kept. Route: sent to the output bad. Rescue: kept with all columns NULL and their text in the rescue column. Fail: the run fails at the first.",
  }),
  rescueColumn: z.string().min(1).default("_rescued").meta({
    title: "Rescue column",
    advanced: true,
    description: "Used when bad rows are rescued.",
  }),
  extraFields: z.enum(["refuse", "ignore"]).default("refuse").meta({
    title: "Fields without a column",
    advanced: true,
    description:
      "Refuse: an NDJSON row with a field that is no column is a bad row, and a csv file with such a column is an error. Ignore: they are left out.",
  }),
  timestampUnit: z.enum(TIME_UNITS).default("ms").meta({
    title: "Bare timestamps are in",
    advanced: true,
    description: "Unit of bare numbers in a timestamp column.",
  }),
  csv: csvReadConfig,
  batchRows: batchRowsConfig(8192),
  time: timeConfig.optional(),
});

/** `schema` is there by the time that a source is built (`resolveSchemas`). */
export type FileSourceConfig = z.infer<typeof config>;

/** What goes to the port `bad`, one row for each row that does not fit (D-41). */
export const BAD_ROW_SCHEMA = new Schema([
  { name: "file", type: typeOf("utf8"), nullable: false },
  /** Line (csv, ndjson) or row, from 1. */
  { name: "line", type: typeOf("int64"), nullable: false },
  /** The row's text; bytes that are no UTF-8 are shown as U+FFFD. */
  { name: "raw", type: typeOf("utf8"), nullable: false },
  /** The first column that does not fit; NULL when the whole row is broken. */
  { name: "column", type: typeOf("utf8"), nullable: true },
  { name: "reason", type: typeOf("utf8"), nullable: false },
]);

const BAD: OutputPort = { name: "bad", summary: "rows that do not fit, as text with the reason" };

/** Columns at `out`: those of the file, and with `rescue` all nullable and the rescue column (text) behind them. */
export function fileSourceSchema(of: FileSourceConfig, file: Schema): Schema {
  if (of.badRows !== "rescue") return file;
  const nullable = file.fields.map((field): Field => ({ ...field, nullable: true }));
  return new Schema([...nullable, { name: of.rescueColumn, type: typeOf("utf8"), nullable: true }]);
}

function problemsOf(of: FileSourceConfig, file: Schema): ConfigProblem[] {
  const problems = checkTime(of.time, file);
  if (of.badRows === "rescue" && file.indexOf(of.rescueColumn) >= 0) {
    problems.push({
      code: "duplicate-columns",
      field: "rescueColumn",
      message: `the file has a column ${JSON.stringify(of.rescueColumn)} already`,
      hint: "choose another name",
    });
  }
  return problems;
}

export const fileSource = defineKind({
  kind: "source.file",
  role: "source",
  group: "sources",
  title: "File",
  summary: "Reads csv, NDJSON, Arrow or Parquet",
  help: "Reads a file to its end. Columns may be given; otherwise they are guessed from the data, shown, and kept in the document. Integers keep all 64 bits. With several subtasks one reads the file and the others are idle.",
  config,
  inputs: [],
  outputs: ({ badRows }) => (badRows === "route" ? [OUT, BAD] : [OUT]),
  schemaFlow: (all) => {
    if (all.schema === undefined) {
      const message = "the columns of the file are not known";
      return {
        kind: "problems",
        problems: [{ code: "schema-unknown", field: "schema", message, hint: "give them, or make the file readable" }],
      };
    }
    const file = schemaOf(all.schema);
    const problems = problemsOf(all, file);
    if (problems.length > 0) return { kind: "problems", problems };
    const out = fileSourceSchema(all, file);
    const outputs: Record<string, Schema> = all.badRows === "route" ? { out, bad: BAD_ROW_SCHEMA } : { out };
    return { kind: "ok", outputs };
  },
  guess: ({ schema, format, path, csv, timestampUnit }) =>
    schema === undefined ? { format, path, options: { csv, timestampUnit } } : undefined,
  hasEventTime: ({ time }) => saysTime(time),
  givesTimes: ({ time }, port) => rowsHaveTimes(time, port),
  readsAlone: true,
  endless: () => false,
});
