import { convert, typedNull } from "../coerce.ts";
import { exprTypeName, INT64, isColumnType, isNumeric } from "../expr-type.ts";
import { ExpressionError, type Span } from "../fault.ts";
import type { Typed } from "../typed.ts";

export type FunctionGroup = "numbers" | "text" | "patterns" | "time" | "choice";

/** A function of expressions: all that checking, completion and help need. */
export interface FunctionSpec {
  /** In lower case, as it is written. */
  readonly name: string;
  readonly group: FunctionGroup;
  /** `substring(text, start [, count])` */
  readonly signature: string;
  /** One or two sentences. */
  readonly help: string;
  /** A call, and what it gives. */
  readonly example: string;
  /** Least and greatest number of arguments. */
  readonly arity: readonly [number, number];
  /**
   * The call, typed.
   *
   * @throws ExpressionError at the argument that is wrong
   */
  resolve(args: readonly Typed[], span: Span): Typed;
}

/** An argument that has to be a number; a bare NULL is an int64. */
export function numberArgument(node: Typed, name: string): Typed {
  const known = typedNull(node, INT64);
  if (isNumeric(known.type)) return known;
  const hint = known.type.kind === "utf8" ? "CAST(… AS float64) makes a number of a text" : undefined;
  throw new ExpressionError(node, `${name} needs a number, and this is ${exprTypeName(known.type)}`, { hint });
}

/** An argument that has to be a whole number, as int64. */
export function wholeArgument(node: Typed, name: string): Typed {
  const known = typedNull(node, INT64);
  if (known.type.kind === "int") return convert(known, INT64);
  throw new ExpressionError(node, `${name} needs a whole number here, and this is ${exprTypeName(known.type)}`);
}

/** An argument that may be any value of a column. */
export function anyArgument(node: Typed, name: string): Typed {
  if (isColumnType(node.type) || node.type.kind === "null") return node;
  throw new ExpressionError(node, `${name} takes no ${exprTypeName(node.type).replace(/^an /, "")}`);
}

export function wrongArgument(node: Typed, name: string, needs: string, hint?: string): ExpressionError {
  return new ExpressionError(node, `${name} needs ${needs}, and this is ${exprTypeName(node.type)}`, { hint });
}
