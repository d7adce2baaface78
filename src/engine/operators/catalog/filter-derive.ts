import { type Field, Schema } from "../../data/schema.ts";
import { type CheckedExpression, checkExpression, faultPlace, repaired } from "../../expressions/check-expression.ts";
import { checkEventTime } from "../../expressions/event-time.ts";
import { type ConfigProblem, defineKind, flow, IN, inputOf, OUT } from "./kind-spec.ts";
import { refuseSameNames } from "./shared-config.ts";
import { z } from "./zod.ts";

/** What happens to a row for which an expression fails (D-25). */
export const onErrorConfig = z.enum(["drop", "null", "fail"]).default("drop").meta({
  title: "On a row error",
  description:
    "For an integer overflow, a division by zero or a failed CAST. Drop: the row leaves the flow and is counted. Null: what failed is NULL and the rest goes on. Fail: the run ends.",
});

export type OnError = z.infer<typeof onErrorConfig>;

/** Faults as problems of the config field; `pointer` is its JSON Pointer. None where there is none. */
export function expressionProblems(
  text: string,
  checked: CheckedExpression,
  field: string,
  pointer: string,
): ConfigProblem[] {
  if (checked.kind === "ok") return [];
  return checked.faults.map((fault): ConfigProblem => {
    const value = repaired(text, fault);
    const title = `Use ${fault.replacement}`;
    return {
      code: "bad-expression",
      field,
      message: `${faultPlace(text, fault)}: ${fault.message}`,
      hint: fault.hint,
      fix: value === undefined ? undefined : { title, patch: [{ op: "replace", path: pointer, value }] },
    };
  });
}

const filterConfig = z.strictObject({
  expression: z.string().min(1, "write a condition").meta({
    title: "Condition",
    widget: "expression",
    placeholder: "quantity > 2 AND country = 'DE'",
    description: "An SQL expression. Rows for which it is true stay; those for which it is false or NULL go.",
  }),
  onError: onErrorConfig,
});

export type FilterConfig = z.infer<typeof filterConfig>;

export const filter = defineKind({
  kind: "filter",
  role: "operator",
  group: "steps",
  title: "Filter",
  summary: "Keeps the rows for which a condition is true",
  help: "The condition is an SQL expression over the columns, with three-valued logic: NULL is not true. Rows keep their event time.",
  config: filterConfig,
  inputs: IN,
  outputs: () => [OUT],
  schemaFlow: ({ expression }, inputs) => {
    const schema = inputOf(inputs);
    const checked = checkExpression(expression, schema, "condition");
    return flow(expressionProblems(expression, checked, "expression", "/expression"), () => ({ out: schema }));
  },
});

const deriveConfig = z.strictObject({
  columns: z
    .array(
      z.strictObject({
        name: z.string().min(1).meta({ title: "Name" }),
        expression: z.string().min(1, "write an expression").meta({
          title: "Expression",
          widget: "expression",
          placeholder: "price * quantity",
        }),
      }),
    )
    .superRefine(refuseSameNames)
    .meta({
      title: "Columns",
      description:
        "Each is an SQL expression over the columns that come in. A name that is there already is replaced, others go behind.",
    }),
  eventTime: z.string().min(1).optional().meta({
    title: "Event time",
    widget: "expression",
    placeholder: "placed_at",
    advanced: true,
    description:
      "An expression that sets the row's event time anew: a timestamp, a date, or whole milliseconds. Watermarks stay as they are, so rows that move behind them are late; a source without watermarks is not waited for, and which of its rows are late beside one with goes by what comes first.",
  }),
  onError: onErrorConfig,
});

export type DeriveConfig = z.infer<typeof deriveConfig>;

/** A failed call is NULL where the config says so. */
const fieldOf = (name: string, checked: CheckedExpression & { kind: "ok" }, onError: OnError): Field => ({
  name,
  type: checked.type,
  nullable: checked.nullable || (checked.mayFail && onError === "null"),
});

function derivedSchema(input: Schema, computed: readonly Field[]): Schema {
  const byName = new Map(computed.map((field) => [field.name, field]));
  const kept = input.fields.map((field) => byName.get(field.name) ?? field);
  return new Schema([...kept, ...computed.filter(({ name }) => input.indexOf(name) < 0)]);
}

export const derive = defineKind({
  kind: "derive",
  role: "operator",
  group: "steps",
  title: "Derive",
  summary: "Computes columns by expressions",
  help: "Adds or replaces columns, each by an SQL expression over the columns that come in; one that is replaced is seen by all as it was. Rows keep their event time unless an expression sets it.",
  config: deriveConfig,
  inputs: IN,
  outputs: () => [OUT],
  givesTimes: ({ eventTime }) => (eventTime === undefined ? undefined : true),
  schemaFlow: ({ columns, eventTime, onError }, inputs) => {
    const schema = inputOf(inputs);
    const checks = columns.map(({ expression }) => checkExpression(expression, schema));
    const problems = checks.flatMap((checked, i) => {
      const text = (columns[i] as DeriveConfig["columns"][number]).expression;
      return expressionProblems(text, checked, `columns[${i}].expression`, `/columns/${i}/expression`);
    });
    if (eventTime !== undefined) {
      problems.push(...expressionProblems(eventTime, checkEventTime(eventTime, schema), "eventTime", "/eventTime"));
    }
    return flow(problems, () => {
      const computed = columns.map(({ name }, i) =>
        fieldOf(name, checks[i] as CheckedExpression & { kind: "ok" }, onError),
      );
      return { out: derivedSchema(schema, computed) };
    });
  },
});
