import { closest } from "../base/edit-distance.ts";
import { DECIMAL_RULE, SQL_NAMES } from "../data/sql-type-names.ts";
import { type LogicalType, parseType, TYPE_NAMES } from "../data/types.ts";
import { ExpressionError, type Span } from "./fault.ts";

/** The names that a cast takes, except `decimal(p,s)`. */
export const CAST_TYPE_NAMES: readonly string[] = [...TYPE_NAMES, ...SQL_NAMES.keys()];

/**
 * The type of a cast by its name, in any case.
 *
 * @throws ExpressionError at `span`
 */
export function castType(text: string, span: Span): LogicalType {
  const name = text
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/ ?([(),[\]]) ?/g, "$1")
    .replace(/^numeric\(/, "decimal(")
    .replace(/^(decimal\(\d+)\)$/, "$1,0)");
  const type = parseType(SQL_NAMES.get(name) ?? name);
  if (type !== undefined) return type;
  if (name.startsWith("decimal(")) {
    throw new ExpressionError(span, `there is no type ${JSON.stringify(text)}`, { hint: DECIMAL_RULE });
  }
  const near = closest(name, CAST_TYPE_NAMES);
  throw new ExpressionError(span, `there is no type ${JSON.stringify(text)}`, {
    hint: near === undefined ? `use one of ${TYPE_NAMES.join(", ")}, decimal(p,s)` : `did you mean ${near}?`,
    replacement: near,
  });
}
