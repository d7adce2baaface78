import { WeirError } from "../base/errors.ts";
import type { Schema } from "../data/schema.ts";
import { type CheckedExpression, checkExpression, faultPlace, type Wanted } from "../expressions/check-expression.ts";
import type { Typed } from "../expressions/typed.ts";

/**
 * The typed expression of a config that validation found right.
 *
 * @throws WeirError `bad-expression` for one that is not
 */
export const nodeOf = (text: string, schema: Schema, wanted: Wanted = "value"): Typed =>
  checkedNode(text, checkExpression(text, schema, wanted));

export function checkedNode(text: string, checked: CheckedExpression): Typed {
  if (checked.kind === "ok") return checked.node;
  const [fault] = checked.faults;
  const message = fault === undefined ? "the expression is wrong" : `${faultPlace(text, fault)}: ${fault.message}`;
  throw new WeirError({ code: "bad-expression", domain: "graph", message, hint: fault?.hint });
}
