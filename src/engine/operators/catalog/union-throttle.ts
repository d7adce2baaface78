import { type ConfigProblem, defineKind, flowOut, IN, inputOf, OUT } from "./kind-spec.ts";
import { z } from "./zod.ts";

const unionConfig = z.strictObject({});

export const union = defineKind({
  kind: "union",
  role: "operator",
  group: "steps",
  title: "Union",
  summary: "Merges streams of the same columns",
  help: "Rows pass as they come; there is no order between inputs. Its time is the least of its inputs'.",
  config: unionConfig,
  changelog: "passes",
  inputs: IN,
  outputs: () => [OUT],
  schemaFlow: (_, inputs) => flowOut(inputOf(inputs)),
});

const throttleConfig = z.strictObject({
  rowsPerSecond: z.number().positive().optional().meta({
    title: "Speed",
    unit: "rows/s",
    description: "At most so many, for each subtask.",
  }),
  delayMsPerBatch: z.number().min(0).optional().meta({
    title: "Pause for each batch",
    unit: "ms",
    description: "Instead of a speed: a batch goes on after so long.",
  }),
});

/** Exactly one of the two is there. */
export type ThrottleConfig = z.infer<typeof throttleConfig>;

function checkThrottle({ rowsPerSecond, delayMsPerBatch }: ThrottleConfig): ConfigProblem[] {
  const hint = "give rowsPerSecond or delayMsPerBatch";
  if (rowsPerSecond === undefined && delayMsPerBatch === undefined) {
    return [{ code: "missing-field", field: "rowsPerSecond", message: "the speed is missing", hint }];
  }
  if (rowsPerSecond !== undefined && delayMsPerBatch !== undefined) {
    const fix = { title: "Remove the pause", patch: [{ op: "remove" as const, path: "/delayMsPerBatch" }] };
    return [
      { code: "conflicting-fields", field: "delayMsPerBatch", message: "there is a speed and a pause", hint, fix },
    ];
  }
  return [];
}

export const throttle = defineKind({
  kind: "throttle",
  role: "operator",
  group: "steps",
  title: "Throttle",
  summary: "Slow on purpose",
  help: "Lets rows through at a given pace, so that everything before it feels backpressure. It holds no rows.",
  config: throttleConfig,
  changelog: "passes",
  inputs: IN,
  outputs: () => [OUT],
  check: checkThrottle,
  schemaFlow: (_, inputs) => flowOut(inputOf(inputs)),
});
