import type { TimeUnit } from "../data/types.ts";
import type { ComparisonOperator } from "./ast.ts";
import { convert, together } from "./coerce.ts";
import { booleanConstant, literalAs, nullConstant } from "./constants.ts";
import { BOOLEAN, type ExprType, exprTypeName, timestamp, unitSteps } from "./expr-type.ts";
import { ExpressionError, type Span } from "./fault.ts";
import { call } from "./fold.ts";
import { compare, compareBySign, distinct, type MakeSign } from "./kernels/comparison.ts";
import { inSet } from "./kernels/in-set.ts";
import { signOf, signOfUnits } from "./kernels/order.ts";
import { logic, not } from "./nodes.ts";
import type { ConstantNode, Typed } from "./typed.ts";
import { vecKind } from "./vec.ts";

/** Comparisons: both sides of one type, or times of two units. */

/** Two nodes that can be compared, and what is special about their order. */
interface Pair {
  readonly left: Typed;
  readonly right: Typed;
  readonly type: ExprType;
  /** Only where the sides are held differently. */
  readonly makeSign?: MakeSign;
}

function pairOf(left: Typed, right: Typed, span: Span): Pair {
  const times = timePair(literalAs(left, right.type) ?? left, literalAs(right, left.type) ?? right);
  if (times !== undefined) return times;
  if (left.type.kind === "months" || right.type.kind === "months") {
    throw new ExpressionError(span, "months have no fixed length to compare", { hint: "compare times, or use days" });
  }
  const { nodes, type } = together([left, right], "this compares");
  const [a, b] = nodes as [Typed, Typed];
  return { left: a, right: b, type };
}

/** Times and durations of two units are compared exactly; bringing them to the finer unit could overflow. */
function timePair(left: Typed, right: Typed): Pair | undefined {
  if (left.type.kind === "date" && right.type.kind === "timestamp")
    return timePair(convert(left, timestamp("s")), right);
  if (left.type.kind === "timestamp" && right.type.kind === "date")
    return timePair(left, convert(right, timestamp("s")));
  const [a, b] = [unitOf(left.type), unitOf(right.type)];
  if (a === undefined || b === undefined || a === b || left.type.kind !== right.type.kind) return undefined;
  const steps = unitSteps(a, b);
  if (steps > 0) return { left, right, type: left.type, makeSign: (x, y) => signOfUnits(x, y, steps) };
  const makeSign: MakeSign = (x, y) => {
    const sign = signOfUnits(y, x, -steps);
    return (i, j) => -sign(j, i);
  };
  return { left, right, type: left.type, makeSign };
}

const unitOf = (type: ExprType): TimeUnit | undefined =>
  type.kind === "duration" || type.kind === "timestamp" ? type.unit : undefined;

const isUnsigned = (type: ExprType): boolean => type.kind === "int" && !type.signed;

export function comparison(operator: ComparisonOperator, left: Typed, right: Typed, span: Span): Typed {
  const pair = pairOf(left, right, span);
  if (pair.type.kind === "null") return nullConstant(BOOLEAN, span);
  const make =
    pair.makeSign === undefined
      ? compare(operator, vecKind(pair.type), isUnsigned(pair.type))
      : compareBySign(operator, pair.makeSign);
  return call(span, BOOLEAN, [pair.left, pair.right], make);
}

export function distinctFrom(left: Typed, right: Typed, negated: boolean, span: Span): Typed {
  const pair = pairOf(left, right, span);
  if (pair.type.kind === "null") return booleanConstant(negated, span);
  const unsigned = isUnsigned(pair.type);
  const make = distinct(negated, pair.makeSign ?? ((x, y) => signOf(x, y, unsigned)));
  return call(span, BOOLEAN, [pair.left, pair.right], make, { isStrict: false, nullable: false });
}

export function between(operand: Typed, low: Typed, high: Typed, negated: boolean, span: Span): Typed {
  const inside = logic("and", [comparison(">=", operand, low, span), comparison("<=", operand, high, span)], span);
  return negated ? not(inside, span) : inside;
}

export function inList(operand: Typed, items: readonly Typed[], negated: boolean, span: Span): Typed {
  const found = isSet(operand, items) ? setTest(operand, items, span) : anyEqual(operand, items, span);
  return negated ? not(found, span) : found;
}

const isSet = (operand: Typed, items: readonly Typed[]): boolean =>
  items.length > 1 && operand.type.kind !== "null" && items.every((item) => item.kind === "constant");

function anyEqual(operand: Typed, items: readonly Typed[], span: Span): Typed {
  const tests = items.map((item) => comparison("=", operand, item, item));
  return tests.length === 1 ? { ...(tests[0] as Typed), from: span.from, to: span.to } : logic("or", tests, span);
}

function setTest(operand: Typed, items: readonly Typed[], span: Span): Typed {
  const { nodes, type } = together([operand, ...items], "IN compares");
  if (type.kind === "months") throw new ExpressionError(span, `IN compares no ${exprTypeName(type)}`);
  const [value, ...set] = nodes as [Typed, ...Typed[]];
  // A value that is no constant of the type after all, because bringing it there fails.
  if (!set.every((item): item is ConstantNode => item.kind === "constant")) return anyEqual(operand, items, span);
  const hasNull = set.some((item) => item.vec.nulls !== null);
  const vecs = set.filter((item) => item.vec.nulls === null).map((item) => item.vec);
  return call(span, BOOLEAN, [value], inSet(vecs, hasNull), { nullable: hasNull || value.nullable });
}
