import type { LogicalType } from "../data/types.ts";
import { nullConstant } from "./constants.ts";
import { conversion } from "./conversion.ts";
import { type ExprType, exprTypeName, sameExprType } from "./expr-type.ts";
import { ExpressionError, type Span } from "./fault.ts";
import { call } from "./fold.ts";
import { Frame } from "./frame.ts";
import type { MakeKernel } from "./kernel.ts";
import { identity } from "./kernels/identity.ts";
import type { Typed } from "./typed.ts";

/** CAST and TRY_CAST. */

export function cast(operand: Typed, type: LogicalType, isTry: boolean, span: Span): Typed {
  if (operand.type.kind === "null") return nullConstant(type, span);
  if (sameExprType(operand.type, type)) return { ...operand, from: span.from, to: span.to };
  const found = conversion(operand.type, type);
  if (found === undefined) throw noCast(operand.type, type, span);
  const make = found.make ?? identity;
  const isTried = isTry && found.mayFail;
  return call(span, type, [operand], isTried ? tried(make) : make, {
    mayFail: found.mayFail && !isTry,
    nullable: operand.nullable || isTried,
  });
}

function noCast(from: ExprType, to: LogicalType, span: Span): ExpressionError {
  const message = `${exprTypeName(from)} does not become ${exprTypeName(to)}`;
  return new ExpressionError(span, message, { hint: otherWay(from, to) });
}

function otherWay(from: ExprType, to: LogicalType): string | undefined {
  if (to.kind === "timestamp" && from.kind === "int") return "to_timestamp(…, 'ms') makes a time of a number";
  if (to.kind === "timestamp" && from.kind === "float") return "to_timestamp(…) makes a time of seconds";
  const isTime = from.kind === "timestamp" || from.kind === "date" || from.kind === "duration";
  if (isTime && (to.kind === "int" || to.kind === "float")) return "epoch_ms(…) makes a number of a time";
  return undefined;
}

const IGNORED = { add: (): void => undefined };

/** The kernel with NULL where it fails. */
const tried =
  (make: MakeKernel): MakeKernel =>
  () => {
    const kernel = make();
    const inner = new Frame();
    return (args, frame) => {
      inner.begin(frame.rows, frame.nulls, frame.active, IGNORED);
      const result = kernel(args, inner);
      frame.nulls = inner.nulls;
      return result;
    };
  };
