import type { ExprType } from "./expr-type.ts";
import type { Span } from "./fault.ts";
import type { MakeKernel } from "./kernel.ts";
import type { Vec } from "./vec.ts";

/** A checked expression: every part has a type, columns are places, calls are kernels, constants are computed. */
export type Typed =
  | ColumnNode
  | ConstantNode
  | MonthsNode
  | CallNode
  | LogicNode
  | CaseNode
  | CoalesceNode
  | NullTestNode;

interface Common extends Span {
  readonly type: ExprType;
  /** Whether a value may be NULL where no row error is. */
  readonly nullable: boolean;
  /** Whether a row error is possible. */
  readonly mayFail: boolean;
}

export interface ColumnNode extends Common {
  readonly kind: "column";
  readonly index: number;
}

export interface ConstantNode extends Common {
  readonly kind: "constant";
  /** Of step 0. */
  readonly vec: Vec;
  readonly literal: Literal | undefined;
}

/** What was written: a literal is taken for a value of the type that stands beside it, where it is one. */
export type Literal =
  | { readonly kind: "number"; readonly unscaled: bigint; readonly scale: number }
  | { readonly kind: "text"; readonly value: string };

/** An interval with months in it, which only ever is added to a time. */
export interface MonthsNode extends Common {
  readonly kind: "months";
  readonly months: number;
  readonly nanoseconds: bigint;
}

export interface CallNode extends Common {
  readonly kind: "call";
  readonly args: readonly Typed[];
  readonly make: MakeKernel;
  /** NULL where an argument is. */
  readonly isStrict: boolean;
}

/** From left to right: what the left side decides, the right side is not asked (P-40). */
export interface LogicNode extends Common {
  readonly kind: "and" | "or";
  readonly operands: readonly Typed[];
}

/** Of one type; where no condition is true, `otherwise`. */
export interface CaseNode extends Common {
  readonly kind: "case";
  readonly branches: readonly { readonly when: Typed; readonly value: Typed }[];
  readonly otherwise: Typed;
}

/** The first that is not NULL; what stands behind it is not asked. */
export interface CoalesceNode extends Common {
  readonly kind: "coalesce";
  readonly args: readonly Typed[];
}

/** IS NULL, or IS NOT NULL where `negated`. */
export interface NullTestNode extends Common {
  readonly kind: "null-test";
  readonly operand: Typed;
  readonly negated: boolean;
}

export const spanOf = ({ from, to }: Span): Span => ({ from, to });
export const isNullConstant = (node: Typed): boolean => node.kind === "constant" && node.vec.nulls !== null;
