import { nullConstant } from "./constants.ts";
import { type ExprType, UTF8 } from "./expr-type.ts";
import type { Span } from "./fault.ts";
import type { MakeKernel } from "./kernel.ts";
import { CallRunner } from "./run-call.ts";
import { lastingWords } from "./store.ts";
import { type ConstantNode, isNullConstant, spanOf, type Typed } from "./typed.ts";
import { type Vec, wordAt } from "./vec.ts";

export interface CallOptions {
  /** Default: NULL where an argument is. */
  readonly isStrict?: boolean;
  readonly mayFail?: boolean;
  /** Default: where an argument is. */
  readonly nullable?: boolean;
}

/**
 * A call of a kernel. Of constants it is computed here and now, unless it fails: an error belongs to the rows that get to it, and there
 * may be none (P-40).
 */
export function call(
  span: Span,
  type: ExprType,
  args: readonly Typed[],
  make: MakeKernel,
  { isStrict = true, mayFail = false, nullable }: CallOptions = {},
): Typed {
  const innerMayFail = args.some((arg) => arg.mayFail);
  if (isStrict && !innerMayFail && args.some(isNullConstant)) return nullConstant(type, span);
  const constants = args.filter((arg) => arg.kind === "constant");
  if (constants.length === args.length) {
    const folded = fold(span, type, constants, make, isStrict);
    if (folded !== undefined) return folded;
  }
  return {
    kind: "call",
    type,
    args,
    make,
    isStrict,
    nullable: nullable ?? args.some((arg) => arg.nullable),
    mayFail: mayFail || innerMayFail,
    ...spanOf(span),
  };
}

function fold(
  span: Span,
  type: ExprType,
  args: readonly ConstantNode[],
  make: MakeKernel,
  isStrict: boolean,
): ConstantNode | undefined {
  let failed = false;
  const errors = {
    add: () => {
      failed = true;
    },
  };
  const vec = new CallRunner(make, isStrict).run(
    args.map((arg) => arg.vec),
    1,
    null,
    errors,
  );
  if (failed) return undefined;
  const common = { nullable: vec.nulls?.[0] === 1, mayFail: false, literal: undefined, ...spanOf(span) };
  return { kind: "constant", type, vec: constantOf(vec, type), ...common };
}

/** The first row of a vector, for all rows; text in memory of its own. */
export function constantOf(vec: Vec, type: ExprType): Vec {
  const nulls = vec.nulls?.[0] === 1 ? Uint8Array.of(1) : null;
  if (vec.kind !== "text") return { ...vec, step: 0, nulls };
  const word = wordAt(vec, 0);
  const lastingType = type.kind === "binary" ? type : UTF8;
  const words = lastingWords(vec.offsets.subarray(word, word + 2), vec.bytes, 1, lastingType);
  return { kind: "text", offsets: words.offsets, bytes: words.bytes, codes: null, words, step: 0, nulls };
}
