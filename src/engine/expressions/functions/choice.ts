import { together, typedNull } from "../coerce.ts";
import { comparison } from "../comparisons.ts";
import { nullConstant } from "../constants.ts";
import { type ExprType, INT64, isColumnType, NULL_TYPE } from "../expr-type.ts";
import { ExpressionError, type Span } from "../fault.ts";
import { call } from "../fold.ts";
import { extreme } from "../kernels/extreme.ts";
import { hashOf } from "../kernels/hash-of.ts";
import { caseOf, coalesce } from "../nodes.ts";
import type { Typed } from "../typed.ts";
import { vecKind } from "../vec.ts";
import { anyArgument, type FunctionSpec } from "./spec.ts";

function extremeOf(name: "greatest" | "least", args: readonly Typed[], span: Span): Typed {
  const { nodes, type } = together(args, `${name} compares`);
  if (type.kind === "null") return nullConstant(type, span);
  if (type.kind === "months") throw new ExpressionError(span, "months have no fixed length to compare");
  const isUnsigned = type.kind === "int" && !type.signed;
  const make = extreme(name === "greatest" ? 1 : -1, vecKind(type), isUnsigned);
  const nullable = nodes.every((node) => node.nullable);
  return call(span, type, nodes, make, { isStrict: false, nullable });
}

function extremeFunction(name: "greatest" | "least", help: string, example: string): FunctionSpec {
  const resolve = (args: readonly Typed[], span: Span): Typed => extremeOf(name, args, span);
  return { name, group: "choice", signature: `${name}(value, …)`, help, example, arity: [1, 100], resolve };
}

export const CHOICE_FUNCTIONS: readonly FunctionSpec[] = [
  {
    name: "coalesce",
    group: "choice",
    signature: "coalesce(value, …)",
    help: "The first value that is not NULL. What stands behind it is not computed.",
    example: "coalesce(NULL, 0) → 0",
    arity: [1, 100],
    resolve: coalesce,
  },
  {
    name: "nullif",
    group: "choice",
    signature: "nullif(value, other)",
    help: "NULL where the two are equal, else the value.",
    example: "nullif(0, 0) → NULL",
    arity: [2, 2],
    resolve: (args, span) => {
      const [given, other] = args as [Typed, Typed];
      const when = comparison("=", given, other, span);
      return caseOf([{ when, value: nullConstant(NULL_TYPE, span) }], typedNull(given, other.type), span);
    },
  },
  extremeFunction(
    "greatest",
    "The greatest of the values; NULLs are left out, NaN is greater than any number.",
    "greatest(1, NULL, 3) → 3",
  ),
  extremeFunction("least", "The smallest of the values; NULLs are left out.", "least(1, NULL, 3) → 1"),
  {
    name: "hash",
    group: "choice",
    signature: "hash(value, …)",
    help: "The number between 0 and 2^32 - 1 by which a shuffle on these columns distributes rows.",
    example: "hash('a') % 4 → 2",
    arity: [1, 100],
    resolve: (args, span) => {
      const known = args.map((arg) => anyArgument(arg, "hash"));
      const types = known.map(({ type }): ExprType => (isColumnType(type) ? type : { kind: "boolean" }));
      return call(span, INT64, known, hashOf(types.filter(isColumnType)), { isStrict: false, nullable: false });
    },
  },
];
