import { exp, ln, power } from "../../base/math.ts";
import { arithmetic } from "../arithmetic.ts";
import { convert } from "../coerce.ts";
import { constantInteger } from "../constants.ts";
import { type DecimalType, decimal, FLOAT64, INT64 } from "../expr-type.ts";
import { ExpressionError, type Span } from "../fault.ts";
import { call } from "../fold.ts";
import type { MakeKernel } from "../kernel.ts";
import { absoluteDecimal } from "../kernels/decimal-math.ts";
import { ofDouble, ofTwoDoubles } from "../kernels/double-math.ts";
import { absoluteLong } from "../kernels/long-math.ts";
import { type Rounding, roundDecimal, roundDouble, roundLong, signOfDecimal, signOfLong } from "../kernels/rounding.ts";
import type { Typed } from "../typed.ts";
import { type FunctionSpec, numberArgument } from "./spec.ts";

/** A function that gives float64 of float64. */
function floatFunction(name: string, of: (x: number) => number, help: string, example: string): FunctionSpec {
  return {
    name,
    group: "numbers",
    signature: `${name}(number)`,
    help,
    example,
    arity: [1, 1],
    resolve: ([x], span) => call(span, FLOAT64, [convert(numberArgument(x as Typed, name), FLOAT64)], ofDouble(of)),
  };
}

/** Integers stay int64, floats float64, decimals decimals. */
function absolute([given]: readonly Typed[], span: Span): Typed {
  const x = numberArgument(given as Typed, "abs");
  if (x.type.kind === "float") return call(span, FLOAT64, [convert(x, FLOAT64)], ofDouble(Math.abs));
  if (x.type.kind === "decimal") return call(span, x.type, [x], absoluteDecimal);
  return call(span, INT64, [convert(x, INT64)], absoluteLong, { mayFail: true });
}

const MOST_PLACES = 38;

function places(node: Typed | undefined): number {
  if (node === undefined) return 0;
  const count = constantInteger(node);
  if (count !== undefined && Math.abs(count) <= MOST_PLACES) return count;
  throw new ExpressionError(node, `the number of places is a constant between -${MOST_PLACES} and ${MOST_PLACES}`);
}

function rounded(name: string, rounding: Rounding, [given, to]: readonly Typed[], span: Span): Typed {
  const x = numberArgument(given as Typed, name);
  const count = places(to);
  switch (x.type.kind) {
    case "float":
      return call(span, FLOAT64, [convert(x, FLOAT64)], roundDouble(rounding, count));
    case "decimal":
      return roundedDecimal(x, x.type, rounding, count, span);
    default: {
      const whole = convert(x, INT64);
      return count >= 0
        ? { ...whole, from: span.from, to: span.to }
        : call(span, INT64, [whole], roundLong(count), { mayFail: true });
    }
  }
}

/** With fewer digits behind the point the last one before it may carry. */
function roundedDecimal(x: Typed, type: DecimalType, rounding: Rounding, count: number, span: Span): Typed {
  if (count >= type.scale) return { ...x, from: span.from, to: span.to };
  const scale = Math.max(0, count);
  const to = decimal(type.precision - type.scale + scale + 1, scale);
  return call(span, to, [x], roundDecimal(rounding, type, to, count), { mayFail: to.precision === 38 });
}

function roundingFunction(name: string, rounding: Rounding, help: string, example: string): FunctionSpec {
  const resolve = (args: readonly Typed[], span: Span): Typed => rounded(name, rounding, args, span);
  return { name, group: "numbers", signature: `${name}(number)`, help, example, arity: [1, 1], resolve };
}

function sign([given]: readonly Typed[], span: Span): Typed {
  const x = numberArgument(given as Typed, "sign");
  if (x.type.kind === "float")
    return call(
      span,
      FLOAT64,
      [convert(x, FLOAT64)],
      ofDouble((value) => Math.sign(value) + 0),
    );
  const make: MakeKernel = x.type.kind === "decimal" ? signOfDecimal : signOfLong;
  return call(span, INT64, [x.type.kind === "decimal" ? x : convert(x, INT64)], make);
}

export const NUMBER_FUNCTIONS: readonly FunctionSpec[] = [
  {
    name: "abs",
    group: "numbers",
    signature: "abs(number)",
    help: "The number without its sign. The smallest int64 has no opposite: a row error.",
    example: "abs(-3) → 3",
    arity: [1, 1],
    resolve: absolute,
  },
  {
    name: "round",
    group: "numbers",
    signature: "round(number [, places])",
    help: "The nearest number with so many places behind the point, none by default; halves go away from zero. Negative places round before the point.",
    example: "round(2.345, 2) → 2.35",
    arity: [1, 2],
    resolve: (args, span) => rounded("round", "nearest", args, span),
  },
  roundingFunction("floor", "down", "The greatest whole number that is not above it.", "floor(-2.5) → -3"),
  roundingFunction("ceil", "up", "The smallest whole number that is not below it.", "ceil(2.1) → 3"),
  floatFunction("sqrt", Math.sqrt, "The square root; NaN of a negative number.", "sqrt(9) → 3"),
  {
    name: "power",
    group: "numbers",
    signature: "power(base, exponent)",
    help: "The base to the exponent, as float64.",
    example: "power(2, 10) → 1024",
    arity: [2, 2],
    resolve: (args, span) => {
      const both = args.map((arg) => convert(numberArgument(arg, "power"), FLOAT64));
      return call(span, FLOAT64, both, ofTwoDoubles(power));
    },
  },
  floatFunction("ln", ln, "The natural logarithm; −Infinity of 0, NaN of a negative number.", "ln(1) → 0"),
  floatFunction("exp", exp, "e to the number.", "exp(0) → 1"),
  {
    name: "sign",
    group: "numbers",
    signature: "sign(number)",
    help: "-1, 0 or 1; NaN of NaN.",
    example: "sign(-2.5) → -1",
    arity: [1, 1],
    resolve: sign,
  },
  {
    name: "mod",
    group: "numbers",
    signature: "mod(number, by)",
    help: "What is left of a division, with the sign of the number: the same as %.",
    example: "mod(-7, 3) → -1",
    arity: [2, 2],
    resolve: ([x, y], span) => {
      return arithmetic("%", numberArgument(x as Typed, "mod"), numberArgument(y as Typed, "mod"), span, span);
    },
  },
];
