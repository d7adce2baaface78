import { typedNull } from "../coerce.ts";
import { constantText } from "../constants.ts";
import { BOOLEAN, INT64, UTF8 } from "../expr-type.ts";
import { ExpressionError, type Span } from "../fault.ts";
import { call } from "../fold.ts";
import { inCase } from "../kernels/case-mapping.ts";
import { regexpLike, regexpReplace } from "../kernels/patterns.ts";
import { length, replace, splitPart, startsWith, substring, trim } from "../kernels/text-functions.ts";
import { concatKnown } from "../kernels/text-parts.ts";
import { Matcher } from "../regexp/matcher.ts";
import { PatternError, type PatternFlags } from "../regexp/syntax.ts";
import { asText, text } from "../text-nodes.ts";
import type { Typed } from "../typed.ts";
import { anyArgument, type FunctionSpec, wholeArgument, wrongArgument } from "./spec.ts";

const texts = (args: readonly Typed[], name: string): Typed[] => args.map((arg) => text(arg, name));

function lengthOf([given]: readonly Typed[], span: Span): Typed {
  const x = typedNull(given as Typed, UTF8);
  if (x.type.kind !== "utf8" && x.type.kind !== "binary") throw wrongArgument(x, "length", "text or binary");
  return call(span, INT64, [x], length(x.type.kind === "utf8"));
}

/** Text first, whole numbers behind. */
function textAndNumbers(args: readonly Typed[], texted: number, name: string): Typed[] {
  return args.map((arg, i) => (i < texted ? text(arg, name) : wholeArgument(arg, name)));
}

/** Pattern and flags have to be known when the expression is checked: so their faults are told there. */
function constantOf(node: Typed, what: string): string {
  const known = constantText(text(node, what));
  if (known !== undefined) return known;
  throw new ExpressionError(node, `${what} is a constant text`);
}

interface PatternArguments {
  readonly pattern: string;
  readonly flags: PatternFlags;
  readonly isGlobal: boolean;
}

function patternOf(pattern: Typed, options: Typed | undefined, allowed: string): PatternArguments {
  const flags = options === undefined ? "" : constantOf(options, "the options of a pattern");
  const unknown = [...flags].find((flag) => !allowed.includes(flag));
  if (unknown !== undefined && options !== undefined) {
    throw new ExpressionError(options, `there is no option ${JSON.stringify(unknown)}`, {
      hint: `the options are ${[...allowed].join(", ")}`,
    });
  }
  const known: PatternArguments = {
    pattern: constantOf(pattern, "a pattern"),
    flags: { ignoreCase: flags.includes("i"), dotAll: flags.includes("s"), multiline: flags.includes("m") },
    isGlobal: flags.includes("g"),
  };
  try {
    new Matcher(known.pattern, known.flags);
  } catch (error) {
    if (error instanceof PatternError)
      throw new ExpressionError(pattern, `this is no regular expression: ${error.message}`);
    throw error;
  }
  return known;
}

function likePattern([given, pattern, options]: readonly Typed[], span: Span): Typed {
  const x = text(given as Typed, "regexp_like");
  const known = patternOf(pattern as Typed, options, "ims");
  return call(span, BOOLEAN, [x], regexpLike(known.pattern, known.flags), { mayFail: true });
}

function replacePattern([given, pattern, by, options]: readonly Typed[], span: Span): Typed {
  const args = texts([given as Typed, by as Typed], "regexp_replace");
  const known = patternOf(pattern as Typed, options, "gims");
  return call(span, UTF8, args, regexpReplace(known.pattern, known.flags, known.isGlobal), { mayFail: true });
}

const SYNTAX =
  "Patterns are those of RE2: classes, groups, alternatives and repetitions, but no look-around and no references back.";

export const TEXT_FUNCTIONS: readonly FunctionSpec[] = [
  {
    name: "lower",
    group: "text",
    signature: "lower(text)",
    help: "The text in small letters, each character for itself, by Unicode 17 wherever it runs.",
    example: "lower('ÄB') → 'äb'",
    arity: [1, 1],
    resolve: (args, span) => call(span, UTF8, texts(args, "lower"), inCase("lower")),
  },
  {
    name: "upper",
    group: "text",
    signature: "upper(text)",
    help: "The text in capitals, each character for itself, by Unicode 17 wherever it runs. A letter with no capital of its own, as ß, stays.",
    example: "upper('äb') → 'ÄB'",
    arity: [1, 1],
    resolve: (args, span) => call(span, UTF8, texts(args, "upper"), inCase("upper")),
  },
  {
    name: "trim",
    group: "text",
    signature: "trim(text [, characters])",
    help: "The text without spaces (U+0020 alone), or without any of the characters given, at both ends.",
    example: "trim('  a b ') → 'a b'",
    arity: [1, 2],
    resolve: (args, span) => call(span, UTF8, texts(args, "trim"), trim),
  },
  {
    name: "substring",
    group: "text",
    signature: "substring(text, start [, count])",
    help: "So many characters from a place, which counts from 1, or from the end where it is negative.",
    example: "substring('weir', 2, 2) → 'ei'",
    arity: [2, 3],
    resolve: (args, span) => call(span, UTF8, textAndNumbers(args, 1, "substring"), substring),
  },
  {
    name: "length",
    group: "text",
    signature: "length(text)",
    help: "How many characters (code points) a text has, or how many bytes a binary.",
    example: "length('Zoë') → 3",
    arity: [1, 1],
    resolve: lengthOf,
  },
  {
    name: "replace",
    group: "text",
    signature: "replace(text, what, by)",
    help: "The text with every occurrence of one text replaced by another. Nothing is replaced where `what` is empty.",
    example: "replace('a-b', '-', '+') → 'a+b'",
    arity: [3, 3],
    resolve: (args, span) => call(span, UTF8, texts(args, "replace"), replace),
  },
  {
    name: "concat",
    group: "text",
    signature: "concat(value, …)",
    help: "All values as text, one behind the other; NULLs are left out. With || a NULL makes everything NULL.",
    example: "concat('a', NULL, 1) → 'a1'",
    arity: [1, 100],
    resolve: (args, span) => {
      const known = args.map((arg) => asText(anyArgument(arg, "concat")));
      return call(span, UTF8, known, concatKnown, { isStrict: false, nullable: false });
    },
  },
  {
    name: "split_part",
    group: "text",
    signature: "split_part(text, separator, n)",
    help: "Part number n of a text between separators, from the end where n is negative; empty where there is none.",
    example: "split_part('a,b', ',', 2) → 'b'",
    arity: [3, 3],
    resolve: (args, span) => call(span, UTF8, textAndNumbers(args, 2, "split_part"), splitPart),
  },
  {
    name: "starts_with",
    group: "text",
    signature: "starts_with(text, prefix)",
    help: "Whether the text begins with another.",
    example: "starts_with('weir', 'we') → TRUE",
    arity: [2, 2],
    resolve: (args, span) => call(span, BOOLEAN, texts(args, "starts_with"), startsWith),
  },
  {
    name: "regexp_like",
    group: "patterns",
    signature: "regexp_like(text, pattern [, options])",
    help: `Whether a regular expression is found in the text. Options: i ignores case, s lets . be a line end, m lets ^ and $ be those of lines. ${SYNTAX}`,
    example: "regexp_like('weir', '^w.+r$') → TRUE",
    arity: [2, 3],
    resolve: likePattern,
  },
  {
    name: "regexp_replace",
    group: "patterns",
    signature: "regexp_replace(text, pattern, by [, options])",
    help: `The text with the first match of a regular expression replaced, or with the option g every match; \\1 in the replacement is the first group. ${SYNTAX}`,
    example: "regexp_replace('a1b2', '\\d', '#', 'g') → 'a#b#'",
    arity: [3, 4],
    resolve: replacePattern,
  },
];
