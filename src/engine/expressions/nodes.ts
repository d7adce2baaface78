import { condition, together } from "./coerce.ts";
import { booleanConstant, nullConstant } from "./constants.ts";
import { BOOLEAN, NULL_TYPE } from "./expr-type.ts";
import type { Span } from "./fault.ts";
import { call } from "./fold.ts";
import { notTrue, truth } from "./kernels/truth.ts";
import { spanOf, type Typed } from "./typed.ts";

/** The parts of an expression that are no calls, because they do not ask all their parts for all rows. */

export function logic(word: "and" | "or", given: readonly Typed[], span: Span): Typed {
  const operands = given.map((node) => condition(node, word.toUpperCase()));
  return {
    kind: word,
    type: BOOLEAN,
    operands,
    nullable: operands.some(({ nullable }) => nullable),
    mayFail: operands.some(({ mayFail }) => mayFail),
    ...spanOf(span),
  };
}

export function not(operand: Typed, span: Span): Typed {
  return call(span, BOOLEAN, [condition(operand, "NOT")], notTrue);
}

export function nullTest(operand: Typed, negated: boolean, span: Span): Typed {
  if (operand.type.kind === "null") return booleanConstant(!negated, span);
  return {
    kind: "null-test",
    type: BOOLEAN,
    operand,
    negated,
    nullable: false,
    mayFail: operand.mayFail,
    ...spanOf(span),
  };
}

/** IS [NOT] TRUE, IS [NOT] FALSE: never NULL. */
export function truthTest(operand: Typed, wanted: boolean, negated: boolean, span: Span): Typed {
  const word = `IS ${negated ? "NOT " : ""}${wanted ? "TRUE" : "FALSE"}`;
  const make = truth(wanted, negated);
  return call(span, BOOLEAN, [condition(operand, word)], make, { isStrict: false, nullable: false });
}

export interface When {
  readonly when: Typed;
  readonly value: Typed;
}

export function caseOf(branches: readonly When[], otherwise: Typed | undefined, span: Span): Typed {
  const last = otherwise ?? nullConstant(NULL_TYPE, span);
  const { nodes, type } = together([...branches.map(({ value }) => value), last], "CASE gives");
  const whens = branches.map(({ when }) => condition(when, "WHEN"));
  return {
    kind: "case",
    type,
    branches: whens.map((when, k) => ({ when, value: nodes[k] as Typed })),
    otherwise: nodes.at(-1) as Typed,
    nullable: nodes.some(({ nullable }) => nullable),
    mayFail: [...nodes, ...whens].some(({ mayFail }) => mayFail),
    ...spanOf(span),
  };
}

export function coalesce(given: readonly Typed[], span: Span): Typed {
  const { nodes, type } = together(given, "COALESCE gives");
  const [first] = nodes as [Typed];
  if (nodes.length === 1) return first;
  return {
    kind: "coalesce",
    type,
    args: nodes,
    nullable: nodes.every(({ nullable }) => nullable),
    mayFail: nodes.some(({ mayFail }) => mayFail),
    ...spanOf(span),
  };
}
