import { literalAs, nullConstant } from "./constants.ts";
import { conversion } from "./conversion.ts";
import { BOOLEAN, commonType, type ExprType, exprTypeName, sameExprType } from "./expr-type.ts";
import { ExpressionError } from "./fault.ts";
import { call } from "./fold.ts";
import { identity } from "./kernels/identity.ts";
import type { Typed } from "./typed.ts";

/** Types that are taken for others without a CAST: literals, NULL, and what goes without loss. */

/** The node as one of the type, to which `commonType` leads. */
export function convert(node: Typed, type: ExprType): Typed {
  if (sameExprType(node.type, type)) return node;
  if (node.type.kind === "null") return nullConstant(type, node);
  const literal = literalAs(node, type);
  if (literal !== undefined && sameExprType(literal.type, type)) return literal;
  const found = conversion(node.type, type);
  if (found === undefined) {
    throw new ExpressionError(node, `this is ${exprTypeName(node.type)}, and ${exprTypeName(type)} is needed`);
  }
  return call(node, type, [node], found.make ?? identity, { mayFail: found.mayFail });
}

/** Each as what it is beside the others: a literal takes the type of what is none. */
function withLiterals(nodes: readonly Typed[]): Typed[] {
  const known = nodes.filter((node) => node.kind !== "constant" || node.literal === undefined);
  const [first, ...others] = known.filter(({ type }) => type.kind !== "null");
  if (first === undefined) return [...nodes];
  const type = others.reduce<ExprType | undefined>(
    (common, node) => common && commonType(common, node.type),
    first.type,
  );
  return nodes.map((node) => (type === undefined ? undefined : literalAs(node, type)) ?? node);
}

/** What the nodes are together; bare NULLs stay so where there is nothing else. */
export interface Together {
  readonly nodes: readonly Typed[];
  readonly type: ExprType;
}

/**
 * All of one type.
 *
 * @param what begins the sentence of the error: `CASE gives`
 * @throws ExpressionError at the first that does not go with those before it
 */
export function together(given: readonly Typed[], what: string): Together {
  const nodes = withLiterals(given);
  const [first, ...others] = nodes as [Typed, ...Typed[]];
  let { type } = first;
  for (const node of others) {
    const common = commonType(type, node.type);
    if (common === undefined || type.kind === "months" || node.type.kind === "months") {
      throw new ExpressionError(node, `${what} ${exprTypeName(type)} and ${exprTypeName(node.type)}`, {
        hint: mixHint(type, node),
      });
    }
    type = common;
  }
  return { nodes: nodes.map((node) => convert(node, type)), type };
}

function mixHint(type: ExprType, node: Typed): string | undefined {
  if (node.kind === "constant" && node.literal?.kind === "text" && type.kind !== "utf8") {
    return "a text is no number: write numbers without quotes, or CAST one side";
  }
  return "CAST one of them";
}

/** A condition. @throws ExpressionError where the node is none */
export function condition(node: Typed, what: string): Typed {
  if (node.type.kind === "boolean") return node;
  if (node.type.kind === "null") return nullConstant(BOOLEAN, node);
  const hint = node.type.kind === "int" ? "compare it with something: <> 0" : "compare it with something";
  throw new ExpressionError(node, `${what} needs a condition, and this is ${exprTypeName(node.type)}`, { hint });
}

/** A NULL of the type where the node is a bare NULL. */
export const typedNull = (node: Typed, type: ExprType): Typed =>
  node.type.kind === "null" ? convert(node, type) : node;
