import { closest } from "../base/edit-distance.ts";
import { type LogicalType, parseType, TYPE_NAMES } from "../data/types.ts";
import { ExpressionError, type Span } from "./fault.ts";

/** SQL's names of types beside the document's own. A timestamp without a unit counts microseconds. */
const SQL_NAMES: ReadonlyMap<string, string> = new Map([
  ["bool", "boolean"],
  ["tinyint", "int8"],
  ["smallint", "int16"],
  ["int", "int32"],
  ["integer", "int32"],
  ["bigint", "int64"],
  ["utinyint", "uint8"],
  ["usmallint", "uint16"],
  ["uinteger", "uint32"],
  ["ubigint", "uint64"],
  ["real", "float32"],
  ["float", "float64"],
  ["double", "float64"],
  ["double precision", "float64"],
  ["text", "utf8"],
  ["varchar", "utf8"],
  ["string", "utf8"],
  ["blob", "binary"],
  ["bytea", "binary"],
  ["timestamp", "timestamp[us]"],
  ["decimal", "decimal(18,3)"],
  ["numeric", "decimal(18,3)"],
]);

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
    const hint = "a decimal has 1 to 38 digits, and no more of them behind the point than that";
    throw new ExpressionError(span, `there is no type ${JSON.stringify(text)}`, { hint });
  }
  const near = closest(name, CAST_TYPE_NAMES);
  throw new ExpressionError(span, `there is no type ${JSON.stringify(text)}`, {
    hint: near === undefined ? `use one of ${TYPE_NAMES.join(", ")}, decimal(p,s)` : `did you mean ${near}?`,
    replacement: near,
  });
}
