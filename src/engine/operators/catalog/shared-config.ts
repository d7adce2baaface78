import { closest } from "../../base/edit-distance.ts";
import { type Field, Schema } from "../../data/schema.ts";
import { DECIMAL_RULE, SQL_NAMES } from "../../data/sql-type-names.ts";
import { parseType, TYPE_NAMES, typeOf } from "../../data/types.ts";
import { missingColumn } from "./columns.ts";
import type { ConfigProblem } from "./kind-spec.ts";
import { z } from "./zod.ts";

const milliseconds = z.int().min(0);

export const watermarkConfig = z
  .discriminatedUnion("kind", [
    z
      .strictObject({
        kind: z.literal("bounded"),
        delayMs: milliseconds
          .default(0)
          .meta({ title: "Delay", unit: "ms", description: "How much later than its neighbours a row may come." }),
      })
      .meta({ title: "Bounded disorder" }),
    z.strictObject({ kind: z.literal("ascending") }).meta({ title: "Ascending" }),
    z.strictObject({ kind: z.literal("none") }).meta({ title: "None" }),
  ])
  .default({ kind: "bounded", delayMs: 0 })
  .meta({
    title: "Watermark",
    description:
      "What the source promises about time. Bounded: nothing older than the greatest time seen minus the delay. Ascending: times never go back. None: says nothing, so nothing downstream fires by time before the end, and beside other sources nobody waits for its rows.",
  });

export const TIME_UNITS = ["s", "ms", "us", "ns"] as const;

/** Event time of a source. */
export const timeConfig = z
  .strictObject({
    column: z.string().min(1).meta({
      title: "Column",
      widget: "column",
      description: "The column that tells when a row happened: a timestamp, a date or a whole number.",
    }),
    unit: z.enum(TIME_UNITS).default("ms").meta({
      title: "Unit",
      description: "Unit of bare integers; a timestamp column has its own.",
    }),
    watermark: watermarkConfig,
    idleTimeoutMs: z.int().min(1).nullable().default(null).meta({
      title: "Idle after",
      unit: "ms",
      advanced: true,
      description: "With nothing to read for this long, the source says that it is idle and holds nobody's time back.",
    }),
    emit: z.enum(["after", "before"]).default("after").meta({
      title: "Watermark goes",
      advanced: true,
      description: "Whether the watermark of a poll follows its rows (as usual) or precedes them.",
    }),
    maxAheadMs: milliseconds.nullable().default(null).meta({
      title: "Largest jump ahead",
      unit: "ms",
      advanced: true,
      description:
        "A row further ahead of all before it than this does not move the watermark, unless the next one is as well; so one wrong clock cannot make all others late.",
    }),
  })
  .meta({
    title: "Event time",
    description: "Without it rows have no event time, and the source is idle from its start.",
  });

export type TimeConfig = z.infer<typeof timeConfig>;

/** What to write in the place of a type that is none: SQL has names of its own. */
function typeHint(text: string): string {
  const name = text.trim().toLowerCase();
  if (name.startsWith("decimal(")) return DECIMAL_RULE;
  const near = SQL_NAMES.get(name) ?? closest(name, TYPE_NAMES);
  return near === undefined ? `use one of ${TYPE_NAMES.join(", ")}, decimal(p,s)` : `did you mean ${near}?`;
}

export const fieldConfig = z.strictObject({
  name: z.string().min(1).meta({ title: "Name" }),
  type: z
    .string()
    .refine((text) => parseType(text) !== undefined, {
      error: ({ input }) => `there is no type ${JSON.stringify(input)}; ${typeHint(String(input))}`,
    })
    .meta({ title: "Type", description: `One of ${TYPE_NAMES.join(", ")}, decimal(p,s).` }),
  nullable: z.boolean().default(true).meta({ title: "May be NULL" }),
});

/** For a list of columns: names are distinct (D-43). */
export function refuseSameNames(fields: readonly { readonly name: string }[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  fields.forEach(({ name }, index) => {
    const message = `there are two columns named ${JSON.stringify(name)}; rename one`;
    if (seen.has(name)) context.addIssue({ code: "custom", path: [index, "name"], message });
    seen.add(name);
  });
}

/** Columns of a source as the document writes them; `schemaOf` makes them a schema. */
export const schemaConfig = z
  .array(fieldConfig)
  .min(1)
  .superRefine(refuseSameNames)
  .meta({ title: "Columns", widget: "schema", description: "Name and type of each column, in order." });

export type SchemaConfig = z.infer<typeof schemaConfig>;

/** @throws WeirError `duplicate-columns`, `unknown-type`; never for a parsed config */
export function schemaOf(config: SchemaConfig): Schema {
  return new Schema(config.map(({ name, type, nullable }): Field => ({ name, type: typeOf(type), nullable })));
}

export const batchRowsConfig = (rows: number) =>
  z.int().min(1).max(1_000_000).default(rows).meta({
    title: "Rows a batch",
    unit: "rows",
    advanced: true,
    description: "Larger batches are faster, smaller ones arrive sooner.",
  });

export const deliveryConfig = z.enum(["exactly-once", "at-least-once"]).default("exactly-once").meta({
  title: "Delivery",
  description:
    "Exactly-once shows rows when their epoch is committed, each once. At-least-once shows them at once; after a restore some may come again.",
});

/** The `time` of a source whose columns are `schema`. */
export function checkTime(time: TimeConfig | undefined, schema: Schema): ConfigProblem[] {
  if (time === undefined) return [];
  const field = schema.field(time.column);
  if (field === undefined) return [missingColumn(time.column, schema, "time.column", "/time/column")];
  if (field.type.kind === "timestamp" || field.type.kind === "date" || field.type.kind === "int") return [];
  return [
    {
      code: "bad-time-column",
      field: "time.column",
      message: `column ${JSON.stringify(time.column)} is ${field.type.kind}, which tells no time`,
      hint: "choose a timestamp, a date or a whole number",
    },
  ];
}

/** Whether rows of a source with this `time` have an event time; those that tell of bad rows have none. */
export const rowsHaveTimes = (time: TimeConfig | undefined, port: string): boolean =>
  time !== undefined && port !== "bad";

/** Whether a source with this `time` ever says a watermark (D-6). */
export const saysTime = (time: TimeConfig | undefined): boolean => time !== undefined && time.watermark.kind !== "none";
