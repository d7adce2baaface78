import { comparableKeys } from "../../data/key-index.ts";
import { type Field, Schema } from "../../data/schema.ts";
import { typeName, typeOf } from "../../data/types.ts";
import { checkColumns } from "./columns.ts";
import { type ConfigProblem, defineKind, flow, type InputPort, OUT } from "./kind-spec.ts";
import { z } from "./zod.ts";

const key = z.array(z.string().min(1)).min(1, "choose at least one column");

const config = z.strictObject({
  leftKey: key.meta({ title: "Left key", widget: "columns" }),
  rightKey: key.meta({
    title: "Right key",
    widget: "columns",
    description: "As many columns, in the order of the left ones. NULL matches nothing.",
  }),
  lowerMs: z.int().default(-60_000).meta({
    title: "From",
    unit: "ms",
    description: "The right row is at least so much later than the left one; negative: earlier.",
  }),
  upperMs: z
    .int()
    .default(60_000)
    .meta({ title: "To", unit: "ms", description: "And at most so much; both are included." }),
  type: z.enum(["inner", "left", "right", "full"]).default("inner").meta({
    title: "Join",
    description: "Rows of an outer side that have no partner go out once, beside NULLs, when none can come any more.",
  }),
  ttlMs: z.int().min(0).default(0).meta({
    title: "Keep longer",
    unit: "ms",
    advanced: true,
    description: "Rows wait so much longer, for partners that come behind the watermark.",
  }),
  maxPerKey: z.int().min(1).default(10_000).meta({
    title: "Rows a key at most",
    advanced: true,
    description: "For each side. Over it the oldest goes, counted and announced.",
  }),
});

export type IntervalJoinConfig = z.infer<typeof config>;

const INPUTS: readonly InputPort[] = [
  { name: "left", many: false },
  { name: "right", many: false },
];

function checkKeys({ leftKey, rightKey }: IntervalJoinConfig, left: Schema, right: Schema): ConfigProblem[] {
  const problems = [...checkColumns(leftKey, left, "leftKey"), ...checkColumns(rightKey, right, "rightKey")];
  if (problems.length > 0) return problems;
  return leftKey.flatMap((name, index): ConfigProblem[] => {
    const a = left.field(name);
    const b = right.field(rightKey[index] ?? "");
    if (a === undefined || b === undefined || comparableKeys(a.type, b.type)) return [];
    return [
      {
        code: "type-mismatch",
        field: `rightKey[${index}]`,
        message: `${JSON.stringify(a.name)} is ${typeName(a.type)} and ${JSON.stringify(b.name)} is ${typeName(b.type)}, and keys meet only within one kind of type`,
        hint: "choose columns of one kind, or convert one before with derive and CAST",
      },
    ];
  });
}

const prefixed = (schema: Schema, prefix: string, nullable: boolean): Field[] =>
  schema.fields.map((field) => ({ ...field, name: prefix + field.name, nullable: field.nullable || nullable }));

/** `l_…`, `r_…`, and the key where it is one column of text (D-31). */
function joined({ leftKey, rightKey, type }: IntervalJoinConfig, left: Schema, right: Schema): Schema {
  const a = left.field(leftKey[0] ?? "");
  const b = right.field(rightKey[0] ?? "");
  const hasKey = leftKey.length === 1 && a?.type.kind === "utf8";
  const outer =
    (type !== "right" && type !== "inner" && a?.nullable) || (type !== "left" && type !== "inner" && b?.nullable);
  return new Schema([
    ...prefixed(left, "l_", type === "right" || type === "full"),
    ...prefixed(right, "r_", type === "left" || type === "full"),
    ...(hasKey ? [{ name: "join_key", type: typeOf("utf8"), nullable: outer === true }] : []),
  ]);
}

export const joinInterval = defineKind({
  kind: "join.interval",
  role: "operator",
  group: "stateful",
  title: "Interval join",
  summary: "Pairs rows of two streams by key and closeness in time",
  help: "A left and a right row of equal keys make one row when the right one's time lies between left + from and left + to, both included. Matches go out at once; their event time is the later of the two. An outer join holds time back by as long as rows may wait.",
  config,
  inputs: INPUTS,
  outputs: () => [OUT],
  keys: ({ leftKey, rightKey }) => ({ left: leftKey, right: rightKey }),
  givesTimes: () => true,
  needsEventTime: () => true,
  check: ({ leftKey, rightKey, lowerMs, upperMs }) => {
    const problems: ConfigProblem[] = [];
    if (leftKey.length !== rightKey.length) {
      const message = `the left key has ${leftKey.length} columns and the right one ${rightKey.length}`;
      problems.push({ code: "bad-key", field: "rightKey", message, hint: "give as many columns on both sides" });
    }
    if (lowerMs > upperMs) {
      const message = `no time lies between ${lowerMs} and ${upperMs} ms`;
      problems.push({ code: "bad-bounds", field: "upperMs", message, hint: "make upperMs at least lowerMs" });
    }
    return problems;
  },
  schemaFlow: (config, inputs) => {
    const { left, right } = inputs;
    if (left === undefined || right === undefined)
      throw new Error("schemaFlow is called with a schema for every input port");
    return flow(checkKeys(config, left, right), () => ({ out: joined(config, left, right) }));
  },
});
