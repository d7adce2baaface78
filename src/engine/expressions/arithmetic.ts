import type { ArithmeticOperator } from "./ast.ts";
import { convert, typedNull } from "./coerce.ts";
import { literalAsDecimal, negated as negatedLiteral } from "./constants.ts";
import { holdsAll } from "./conversion.ts";
import {
  asDecimal,
  type DecimalType,
  decimal,
  type ExprType,
  exprTypeName,
  FLOAT64,
  INT64,
  type IntType,
  isNumeric,
  MAX_PRECISION,
} from "./expr-type.ts";
import { ExpressionError, type Span } from "./fault.ts";
import { call } from "./fold.ts";
import type { MakeKernel } from "./kernel.ts";
import * as decimals from "./kernels/decimal-math.ts";
import * as doubles from "./kernels/double-math.ts";
import * as longs from "./kernels/long-math.ts";
import { concatenate } from "./text-nodes.ts";
import { timeArithmetic } from "./time-arithmetic.ts";
import type { Typed } from "./typed.ts";

/** Types of `+ - * / %` (D-25): integers give int64, a float makes both float64, decimals stay exact. */

type Sign = Exclude<ArithmeticOperator, "||">;

const LONG_KERNELS: Readonly<Record<Sign, MakeKernel>> = {
  "+": longs.addLongs,
  "-": longs.subtractLongs,
  "*": longs.multiplyLongs,
  "/": longs.divideLongs,
  "%": longs.remainderOfLongs,
};

const DOUBLE_KERNELS: Readonly<Record<Sign, MakeKernel>> = {
  "+": doubles.addDoubles,
  "-": doubles.subtractDoubles,
  "*": doubles.multiplyDoubles,
  "/": doubles.divideDoubles,
  "%": doubles.remainderOfDoubles,
};

/** @param at the operator, for errors */
export function arithmetic(operator: ArithmeticOperator, left: Typed, right: Typed, span: Span, at: Span): Typed {
  if (operator === "||") return concatenate(left, right, span, at);
  const time = timeArithmetic(operator, left, right, span);
  if (time !== undefined) return time;
  const [a, b] = [typedNull(left, numberBeside(right)), typedNull(right, numberBeside(left))];
  if (!isNumeric(a.type) || !isNumeric(b.type)) throw noArithmetic(operator, left, right, at);
  if (a.type.kind === "float" || b.type.kind === "float") {
    return call(span, FLOAT64, [convert(a, FLOAT64), convert(b, FLOAT64)], DOUBLE_KERNELS[operator]);
  }
  if (a.type.kind === "int" && b.type.kind === "int") {
    return call(span, INT64, [convert(a, INT64), convert(b, INT64)], LONG_KERNELS[operator], { mayFail: true });
  }
  return decimalArithmetic(operator, literalAsDecimal(a), literalAsDecimal(b), span, at);
}

const numberBeside = (other: Typed): ExprType => (isNumeric(other.type) ? other.type : INT64);

function decimalArithmetic(operator: Sign, left: Typed, right: Typed, span: Span, at: Span): Typed {
  const a = asDecimal(left.type as IntType | DecimalType);
  const b = asDecimal(right.type as IntType | DecimalType);
  const args = [exactSide(left), exactSide(right)];
  const scale = Math.max(a.scale, b.scale);
  const whole = Math.max(a.precision - a.scale, b.precision - b.scale);
  // Below 38 digits the result has room for every sum and product.
  const exact = (precision: number, resultScale: number, make: MakeKernel): Typed => {
    if (resultScale > MAX_PRECISION) {
      const hint = "CAST one side to a decimal with fewer digits behind the point";
      throw new ExpressionError(at, `the result has ${resultScale} digits behind the point, and 38 are possible`, {
        hint,
      });
    }
    return call(span, decimal(precision, resultScale), args, make, { mayFail: precision > MAX_PRECISION });
  };
  switch (operator) {
    case "+":
      return exact(whole + scale + 1, scale, decimals.addDecimals(a.scale, b.scale));
    case "-":
      return exact(whole + scale + 1, scale, decimals.subtractDecimals(a.scale, b.scale));
    case "*":
      return exact(a.precision + b.precision, a.scale + b.scale, decimals.multiplyDecimals(a.scale, b.scale));
    case "%":
      return call(span, decimal(whole + scale, scale), args, decimals.remainderOfDecimals(a.scale, b.scale), {
        mayFail: true,
      });
    case "/":
      return call(span, FLOAT64, [convert(left, FLOAT64), convert(right, FLOAT64)], doubles.divideChecked, {
        mayFail: true,
      });
  }
}

/** Decimals are computed with decimals and int64; only uint64 has values that are neither. */
function exactSide(node: Typed): Typed {
  if (node.type.kind !== "int") return node;
  return convert(node, holdsAll(INT64, node.type) ? INT64 : asDecimal(node.type));
}

function noArithmetic(operator: Sign, left: Typed, right: Typed, at: Span): ExpressionError {
  const wrong = isNumeric(left.type) || left.type.kind === "null" ? right : left;
  const isText = [left, right].some(({ type }) => type.kind === "utf8");
  if (operator === "+" && isText) {
    return new ExpressionError(at, "+ adds numbers", { hint: "text is joined by ||", replacement: "||" });
  }
  const isTime = [left, right].some(({ type }) => type.kind === "timestamp" || type.kind === "date");
  if ([left, right].some(({ type }) => type.kind === "months")) {
    const hint = "write one interval, such as INTERVAL '1 month 2 days', or add one after the other to a time";
    return new ExpressionError(
      at,
      `an interval with months takes no ${operator}: its length depends on the time beside it`,
      { hint },
    );
  }
  const hint = isText
    ? "CAST(… AS int64) makes a number of a text"
    : isTime
      ? "times take intervals: INTERVAL '1' HOUR"
      : undefined;
  return new ExpressionError(
    at,
    `${operator} stands between numbers, and ${wrong === left ? "the left" : "the right"} side is ${exprTypeName(wrong.type)}`,
    { hint },
  );
}

/** `-x`, or `+x`, which is x. */
export function signed(negative: boolean, operand: Typed, span: Span): Typed {
  const node = typedNull(operand, INT64);
  const { type } = node;
  const isLength = type.kind === "duration" || type.kind === "months";
  if (!isNumeric(type) && !isLength) {
    throw new ExpressionError(
      node,
      `${negative ? "-" : "+"} stands before a number, and this is ${exprTypeName(type)}`,
    );
  }
  if (!negative) return { ...node, from: span.from, to: span.to };
  if (node.kind === "months") return { ...node, months: -node.months, nanoseconds: -node.nanoseconds, ...span };
  const literal = negatedLiteral(node, span);
  if (literal !== undefined) return literal;
  switch (type.kind) {
    case "float":
      return call(span, FLOAT64, [node], doubles.negateDouble);
    case "decimal":
      return call(span, type, [node], decimals.negateDecimal);
    case "duration":
      return call(span, type, [node], longs.negateLong, { mayFail: true });
    default:
      return call(span, INT64, [convert(node, INT64)], longs.negateLong, { mayFail: true });
  }
}
