import type { Schema } from "../data/schema.ts";
import type { LogicalType } from "../data/types.ts";
import { Checker } from "./check.ts";
import { condition } from "./coerce.ts";
import { exprTypeName, isColumnType } from "./expr-type.ts";
import { ExpressionError, type ExpressionFault } from "./fault.ts";
import { parseExpression } from "./parse.ts";
import type { Typed } from "./typed.ts";

export type CheckedExpression =
  | {
      readonly kind: "ok";
      readonly type: LogicalType;
      /** Whether a value may be NULL where no row error is. */
      readonly nullable: boolean;
      /** Whether a row error is possible (D-25). */
      readonly mayFail: boolean;
      readonly node: Typed;
    }
  /** At least one, in the order of their places. */
  | { readonly kind: "faults"; readonly faults: readonly ExpressionFault[] };

/** What the expression has to be: a value that a column can hold, or a condition. */
export type Wanted = "value" | "condition";

/** Parses an expression and checks it against the columns that it may name. Throws nothing, whatever the text. */
export function checkExpression(text: string, schema: Schema, wanted: Wanted = "value"): CheckedExpression {
  const checker = new Checker(schema);
  try {
    const node = checker.check(parseExpression(text));
    if (node !== undefined) return finish(node, wanted);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    checker.faults.push(error.fault);
  }
  return { kind: "faults", faults: checker.faults.toSorted((a, b) => a.from - b.from) };
}

function finish(given: Typed, wanted: Wanted): CheckedExpression {
  const node = wanted === "condition" ? condition(given, "a filter") : given;
  const { type, nullable, mayFail } = node;
  if (isColumnType(type)) return { kind: "ok", type, nullable, mayFail, node };
  if (type.kind === "null") {
    throw new ExpressionError(node, "NULL alone has no type", { hint: "write CAST(NULL AS utf8), or another type" });
  }
  const hint = "epoch_ms(…) makes a number of milliseconds of it";
  throw new ExpressionError(node, `${exprTypeName(type)} is no value of a column`, { hint });
}

/** Where in a text a fault is, as people count: `character 12`, `line 2, character 5`. */
export function faultPlace(text: string, { from }: ExpressionFault): string {
  const lines = text.slice(0, from).split("\n");
  const character = `character ${(lines.at(-1) as string).length + 1}`;
  return text.includes("\n") ? `line ${lines.length}, ${character}` : character;
}

/** The text with what is likely to be meant; `undefined` where nothing is. */
export function repaired(text: string, { from, to, replacement }: ExpressionFault): string | undefined {
  return replacement === undefined ? undefined : text.slice(0, from) + replacement + text.slice(to);
}
