import type { Field } from "../../data/schema.ts";
import { typeOf } from "../../data/types.ts";
import { aggregatesConfig, checkAggregates, groupByConfig, resultSchema } from "./aggregates.ts";
import { checkColumns } from "./columns.ts";
import { type ConfigProblem, defineKind, flow, IN, inputOf, OUT } from "./kind-spec.ts";
import { z } from "./zod.ts";

const length = z.int().min(1);
const offsetMs = z.int().default(0).meta({
  title: "Offset",
  unit: "ms",
  advanced: true,
  description: "Moves the bounds of all windows; with none they lie at multiples since 1970-01-01 UTC.",
});

export const windowShape = z
  .discriminatedUnion("kind", [
    z
      .strictObject({
        kind: z.literal("tumbling"),
        sizeMs: length.default(60_000).meta({ title: "Size", unit: "ms" }),
        offsetMs,
      })
      .meta({ title: "Tumbling", description: "One window after the other, without gaps." }),
    z
      .strictObject({
        kind: z.literal("sliding"),
        sizeMs: length.default(60_000).meta({ title: "Size", unit: "ms" }),
        slideMs: length
          .default(10_000)
          .meta({ title: "Slide", unit: "ms", description: "A window begins every so often." }),
        offsetMs,
      })
      .meta({ title: "Sliding", description: "Windows that overlap: a row is in several." }),
    z
      .strictObject({
        kind: z.literal("session"),
        gapMs: length.default(60_000).meta({
          title: "Gap",
          unit: "ms",
          description:
            "A session of a key ends when nothing came for so long. Rows exactly so far apart are one session.",
        }),
      })
      .meta({ title: "Session", description: "As long as rows of a key follow each other." }),
  ])
  .default({ kind: "tumbling", sizeMs: 60_000, offsetMs: 0 })
  .meta({ title: "Window" });

export type WindowShape = z.infer<typeof windowShape>;

const processing = z
  .strictObject({
    kind: z.literal("processing"),
    everyMs: z.int().min(1).default(5000).meta({ title: "Every", unit: "ms", description: "Looked at every 100 ms." }),
  })
  .meta({ title: "By the clock" });

const config = z.strictObject({
  groupBy: groupByConfig,
  window: windowShape,
  aggregates: aggregatesConfig,
  allowedLatenessMs: z.int().min(0).default(0).meta({
    title: "Allowed lateness",
    unit: "ms",
    description:
      "With late: update, how long after its end a window still takes rows and corrects its result. With drop and route they are late all the same.",
  }),
  late: z.enum(["drop", "route", "update"]).default("drop").meta({
    title: "Late rows",
    description:
      "Drop counts them. Route sends them out at the port late. Update takes them for as long as allowed and sends the corrected result with is_update; the rest is dropped and counted. A window behind this one counts a correction as one more row.",
  }),
  trigger: z
    .union([z.literal("watermark"), processing])
    .default("watermark")
    .meta({
      title: "Fires",
      description:
        "By the watermark each window has one result, when time has passed its end. By the clock all that came since the last time goes out every so often, whatever its time, and is forgotten; a row without event time happens when it comes.",
    }),
  maxBufferedKeys: z.int().min(1).default(65_536).meta({
    title: "Open windows at most",
    advanced: true,
    description:
      "Pairs of window and key, for each subtask. Over it the oldest go without a result, counted and announced.",
  }),
});

export type WindowConfig = z.infer<typeof config>;

/** More windows a row than this is a mistake in a unit. */
const MOST_PER_ROW = 10_000;

export function checkWindowShape(window: WindowShape): ConfigProblem[] {
  if (window.kind !== "sliding") return [];
  const { sizeMs, slideMs } = window;
  if (slideMs > sizeMs) {
    return [
      {
        code: "bad-window",
        field: "window.slideMs",
        message: `windows of ${sizeMs} ms that begin every ${slideMs} ms leave gaps between them`,
        hint: "make the slide at most as long as the size",
        fix: { title: "Slide by the size", patch: [{ op: "replace", path: "/window/slideMs", value: sizeMs }] },
      },
    ];
  }
  const perRow = Math.ceil(sizeMs / slideMs);
  if (perRow <= MOST_PER_ROW) return [];
  const message = `every row would be in ${perRow} windows`;
  return [
    {
      code: "bad-window",
      field: "window.slideMs",
      message,
      hint: `at most ${MOST_PER_ROW} are possible; slide further`,
    },
  ];
}

function checkWindow({ window, late, trigger }: WindowConfig): ConfigProblem[] {
  const problems = checkWindowShape(window);
  if (trigger !== "watermark" && late !== "drop") {
    problems.push({
      code: "conflicting-fields",
      field: "late",
      message: "by the clock no row is late",
      hint: "leave it at drop, or fire by the watermark",
      fix: { title: "Leave it at drop", patch: [{ op: "add", path: "/late", value: "drop" }] },
    });
  }
  return problems;
}

const bound = (name: string): Field => ({
  name,
  type: typeOf("timestamp[ms]"),
  nullable: false,
  windowBound: true,
});
/** The columns of a window's bounds. */
export const windowBounds: readonly Field[] = [bound("window_start"), bound("window_end")];
const isUpdate: Field = { name: "is_update", type: typeOf("boolean"), nullable: false };

export const window = defineKind({
  kind: "window",
  role: "operator",
  group: "stateful",
  title: "Window",
  summary: "Aggregates by key over stretches of time",
  help: "Puts each row into the windows of its event time and sends one row for each key and window when the watermark has passed the window's end. The end of the input fires everything; a stopped run keeps its windows open. The event time of a result is window_end − 1.",
  config,
  inputs: IN,
  outputs: ({ late }) =>
    late === "route" ? [OUT, { name: "late", summary: "rows that came after their last window had fired" }] : [OUT],
  keys: ({ groupBy }) => ({ in: groupBy }),
  givesTimes: (_, port) => (port === OUT.name ? true : undefined),
  needsEventTime: ({ trigger }) => trigger === "watermark",
  check: checkWindow,
  schemaFlow: ({ groupBy, aggregates, late }, inputs) => {
    const schema = inputOf(inputs);
    const last = late === "update" ? [isUpdate] : [];
    const added = [...windowBounds, ...last].map(({ name }) => name);
    const taken = [...groupBy, ...added];
    const problems = [
      ...checkColumns(groupBy, schema, "groupBy"),
      ...checkAggregates(aggregates, schema, taken),
      ...groupBy.flatMap((name, index) => (added.includes(name) ? [nameTaken(name, index)] : [])),
    ];
    return flow(problems, (): Record<string, typeof schema> => {
      const out = resultSchema(groupBy, windowBounds, aggregates, schema, last);
      return late === "route" ? { out, late: schema } : { out };
    });
  },
});

const nameTaken = (name: string, index: number): ConfigProblem => ({
  code: "duplicate-columns",
  field: `groupBy[${index}]`,
  message: `the result has a column ${JSON.stringify(name)} of its own`,
  hint: "rename the column before",
});
