import type { Schema } from "../data/schema.ts";
import { type CheckedExpression, checkExpression } from "./check-expression.ts";
import { convert } from "./coerce.ts";
import { FLOAT64, INT64 } from "./expr-type.ts";
import { call } from "./fold.ts";
import type { FunctionSpec } from "./functions/spec.ts";
import { functionOf } from "./functions.ts";
import { eventMs } from "./kernels/event-ms.ts";
import type { Typed } from "./typed.ts";

/**
 * An expression that tells the event time of a row: a timestamp, a date, or a whole number of milliseconds. The node gives it as
 * float64 milliseconds, floored; what overflows them is a row error.
 */
export function checkEventTime(text: string, schema: Schema): CheckedExpression {
  const checked = checkExpression(text, schema);
  if (checked.kind === "faults") return checked;
  const { node, type } = checked;
  if (type.kind !== "timestamp" && type.kind !== "date" && type.kind !== "int") {
    const hint = "give a timestamp, a date, or a whole number of milliseconds";
    const { from, to } = node;
    return { kind: "faults", faults: [{ from, to, message: "this tells no time", hint }] };
  }
  const whole = type.kind === "int" ? node : (functionOf("epoch_ms") as FunctionSpec).resolve([node], node);
  const ms: Typed = call(node, FLOAT64, [convert(whole, INT64)], eventMs, { mayFail: true });
  return { kind: "ok", type: FLOAT64, nullable: ms.nullable, mayFail: ms.mayFail, node: ms };
}
