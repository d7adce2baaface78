import { FILE_FORMATS } from "../../formats/file-format.ts";
import { z } from "./zod.ts";

export const formatConfig = z.enum(FILE_FORMATS).meta({
  title: "Format",
  description:
    "csv: text with separators. ndjson: one JSON object a line. arrow: an Arrow IPC file or stream. parquet: an Apache Parquet file.",
});

const oneCharacter = z.string().regex(/^[\x20-\x7e\t]$/, "must be one ASCII character");

export const delimiterConfig = oneCharacter.default(",").meta({ title: "Separator" });

/** How csv text is read. */
export const csvReadConfig = z
  .strictObject({
    delimiter: delimiterConfig,
    quote: oneCharacter.default('"').meta({ title: "Quote" }),
    header: z.boolean().default(true).meta({
      title: "First line has names",
      description: "Without it the columns of a guessed schema are named column_1, column_2, …",
    }),
    nullText: z.string().optional().meta({
      title: "Text for NULL",
      placeholder: "NULL",
      description: "An unquoted field with exactly this text is NULL too; an empty unquoted one always is.",
    }),
    duplicateNames: z.enum(["refuse", "rename"]).default("refuse").meta({
      title: "Names that come twice",
      advanced: true,
      description: "Refuse: an error that lists them. Rename: id, id becomes id, id_2, and an empty name column_3.",
    }),
  })
  .refine((csv) => csv.delimiter !== csv.quote, { path: ["quote"], message: "must differ from the separator" })
  .prefault({})
  .meta({ title: "CSV", description: "Used when the format is csv." });

export type CsvReadConfig = z.infer<typeof csvReadConfig>;

/** How csv text is written. */
export const csvWriteConfig = z
  .strictObject({
    delimiter: delimiterConfig.refine((text) => !/[A-Za-z0-9"+./:=-]/.test(text), {
      error: "must be no character of a number, a time or base64, and no quote",
    }),
    header: z.boolean().default(true).meta({ title: "First line has names" }),
  })
  .prefault({})
  .meta({ title: "CSV", description: "Used when the format is csv." });

/** How Parquet is written. */
export const parquetWriteConfig = z
  .strictObject({
    compression: z.enum(["snappy", "gzip", "none"]).default("snappy").meta({
      title: "Compression",
      description: "Snappy is fast, gzip is smaller; every reader of Parquet knows both.",
    }),
    rowGroupRows: z.int().min(1).max(10_000_000).default(122_880).meta({
      title: "Rows a row group",
      unit: "rows",
      advanced: true,
      description: "As many are held in memory, compressed, until they are written.",
    }),
  })
  .prefault({})
  .meta({ title: "Parquet", description: "Used when the format is parquet." });

export const pathConfig = z.string().min(1, "must not be empty; give a path relative to the document");
