import { checkRows, inlineRow } from "./inline-rows.ts";
import { type ConfigProblem, defineKind, flow, OUT } from "./kind-spec.ts";
import { checkTime, rowsHaveTimes, schemaConfig, schemaOf, timeConfig } from "./shared-config.ts";
import { z } from "./zod.ts";

const step = z.union(
  [
    z.strictObject({ rows: z.array(inlineRow).meta({ title: "Rows", widget: "rows" }) }).meta({ title: "Send rows" }),
    z.strictObject({ watermark: z.int().meta({ title: "Watermark", unit: "ms" }) }).meta({ title: "Say a watermark" }),
    z.strictObject({ idle: z.literal(true) }).meta({ title: "Say idle" }),
    z.strictObject({ wait: z.int().min(0).meta({ title: "Wait", unit: "ms" }) }).meta({ title: "Wait" }),
    z.strictObject({ fail: z.string().min(1).meta({ title: "Error text" }) }).meta({ title: "Fail" }),
  ],
  "must have exactly one of rows, watermark, idle: true, wait, fail",
);

const steps = z.array(step);

const config = z.strictObject({
  schema: schemaConfig,
  steps: steps.optional().meta({
    title: "Steps",
    widget: "script",
    description: "Runs on subtask 0; further subtasks say idle and end.",
  }),
  scripts: z.array(steps).min(1).optional().meta({
    title: "Scripts",
    widget: "script",
    advanced: true,
    description: "One list of steps for each subtask, instead of steps.",
  }),
  hold: z.boolean().default(false).meta({
    title: "Stay open",
    description: "After its last step the source stays open until it is stopped, instead of ending.",
  }),
  time: timeConfig.optional().meta({
    description: "Only column and unit count: a script says its watermarks itself.",
  }),
});

export type ScriptStep = z.infer<typeof step>;
/** `steps` and `scripts` exclude each other; with neither the script is empty. */
export type ScriptSourceConfig = z.infer<typeof config>;

function checkSteps(config: ScriptSourceConfig, list: readonly ScriptStep[], field: string): ConfigProblem[] {
  const schema = schemaOf(config.schema);
  return list.flatMap((each, index) => ("rows" in each ? checkRows(schema, each.rows, `${field}[${index}].rows`) : []));
}

export const scriptSource = defineKind({
  kind: "source.script",
  role: "source",
  group: "sources",
  title: "Script",
  summary: "Sends exactly what you say: rows, watermarks, silence",
  help: "For lessons and tests. Steps run in order: rows, a watermark, idle, a wait on the run's clock, a failure. Rows after idle make the source active again. Then it ends, or stays open.",
  config,
  inputs: [],
  outputs: () => [OUT],
  check: (all) => {
    const problems = [
      ...checkSteps(all, all.steps ?? [], "steps"),
      ...(all.scripts ?? []).flatMap((list, index) => checkSteps(all, list, `scripts[${index}]`)),
    ];
    if (all.steps === undefined || all.scripts === undefined) return problems;
    return [
      {
        code: "steps-and-scripts",
        field: "scripts",
        message: "a script has steps or scripts, not both",
        hint: "put the steps into scripts, as the list of subtask 0",
      },
      ...problems,
    ];
  },
  schemaFlow: ({ schema, time }) => {
    const out = schemaOf(schema);
    return flow(checkTime(time, out), () => ({ out }));
  },
  hasEventTime: ({ steps: own = [], scripts = [] }) => [own, ...scripts].flat().some((each) => "watermark" in each),
  givesTimes: ({ time }, port) => rowsHaveTimes(time, port),
  // One that stays open sends no more than it says: nothing grows (D-17).
  endless: () => false,
});
