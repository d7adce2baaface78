import { convert, typedNull } from "./coerce.ts";
import { constantText } from "./constants.ts";
import { BINARY, BOOLEAN, exprTypeName, isColumnType, UTF8 } from "./expr-type.ts";
import { ExpressionError, type Span } from "./fault.ts";
import { call } from "./fold.ts";
import { like } from "./kernels/like.ts";
import { concat } from "./kernels/text-parts.ts";
import { not } from "./nodes.ts";
import type { Typed } from "./typed.ts";

/** What makes text of text: `||` and LIKE. */

/** `a || b`: text, or binary with binary; another value beside a text is written as one. NULL where a side is. */
export function concatenate(left: Typed, right: Typed, span: Span, at: Span): Typed {
  const [a, b] = [typedNull(left, besideNull(right)), typedNull(right, besideNull(left))];
  if (a.type.kind === "binary" && b.type.kind === "binary") return call(span, BINARY, [a, b], concat);
  if (a.type.kind === "utf8" || b.type.kind === "utf8") return call(span, UTF8, [asText(a), asText(b)], concat);
  const hint = "CAST one side AS utf8";
  throw new ExpressionError(
    at,
    `|| joins texts, and neither ${exprTypeName(a.type)} nor ${exprTypeName(b.type)} is one`,
    {
      hint,
    },
  );
}

const besideNull = ({ type }: Typed) => (type.kind === "binary" ? BINARY : UTF8);

/** Any value as text, as CAST writes it. */
export function asText(node: Typed): Typed {
  if (isColumnType(node.type) || node.type.kind === "null") return convert(node, UTF8);
  throw new ExpressionError(node, "an interval has no text", { hint: "epoch_ms(…) makes it a number of milliseconds" });
}

/** An argument that has to be text. */
export function text(node: Typed, what: string): Typed {
  const known = typedNull(node, UTF8);
  if (known.type.kind === "utf8") return known;
  const hint = isColumnType(known.type) ? "CAST(… AS utf8) makes a text of it" : undefined;
  throw new ExpressionError(node, `${what} needs text, and this is ${exprTypeName(known.type)}`, { hint });
}

export interface LikeOptions {
  /** The one character behind which %, _ and itself stand for themselves. */
  readonly escapeSign: string | undefined;
  readonly ignoreCase: boolean;
  readonly negated: boolean;
}

export function likeTest(operand: Typed, pattern: Typed, options: LikeOptions, span: Span): Typed {
  const word = options.ignoreCase ? "ILIKE" : "LIKE";
  const args = [text(operand, word), text(pattern, word)] as const;
  const known = constantText(args[1]);
  if (known !== undefined && options.escapeSign !== undefined && endsInEscape(known, options.escapeSign)) {
    throw new ExpressionError(pattern, "the pattern ends with its escape character");
  }
  const make = like(options.escapeSign, options.ignoreCase);
  const found = call(span, BOOLEAN, args, make, { mayFail: known === undefined && options.escapeSign !== undefined });
  return options.negated ? not(found, span) : found;
}

function endsInEscape(pattern: string, sign: string): boolean {
  let isEscaped = false;
  for (const character of pattern) isEscaped = !isEscaped && character === sign;
  return isEscaped;
}
