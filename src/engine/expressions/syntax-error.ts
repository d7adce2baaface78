import type { LRParser } from "@lezer/lr";
import { ExpressionError, type Span } from "./fault.ts";

/** What could stand where the parser stopped: a try for each, in the order in which they are told. */
const PROBES: readonly (readonly [text: string, name: string])[] = [
  ["case", "an expression"],
  ["x", "a name"],
  ["'x'", "a text"],
  ["9", "a number"],
  [")", ")"],
  ["]", "]"],
  [",", "a comma"],
  ["(", "("],
  ["when", "WHEN"],
  ["then", "THEN"],
  ["end", "END"],
  ["from", "FROM"],
  ["as", "AS"],
  ["+", "an operator"],
  ["not", "NOT"],
  ["null", "NULL"],
  ["true", "TRUE"],
  ["false", "FALSE"],
  ["distinct", "DISTINCT FROM"],
  ["between", "BETWEEN"],
  ["in", "IN"],
  ["like", "LIKE"],
  ["and", "AND"],
  ["or", "OR"],
];

/** In the place of an operator there may be more, which goes without saying. */
const BESIDE_OPERATORS = new Set(["a name", "a text", "(", "NOT", "BETWEEN", "IN", "LIKE", "AND", "OR"]);

const TOKEN = /^(?:'(?:[^']|'')*'|"[^"]+"|[\p{L}\p{N}_]+|[&=!<>]{1,3}|[^\s])/u;

/**
 * The error of a text that the strict parser refused, at the place where it stopped. What was expected there is found by trying:
 * a word that the parser takes behind the part that it took was expected.
 */
export function syntaxError(text: string, strict: LRParser, error: unknown): ExpressionError {
  const stopped = stoppedAt(error);
  if (stopped === undefined) return tooDeep({ from: 0, to: text.length });
  const from = Math.min(stopped, text.length);
  const rest = text.slice(from);
  const token = TOKEN.exec(rest)?.[0] ?? rest.slice(0, 1);
  const span = { from, to: from + token.length };
  const half = text.search(/\p{Surrogate}/u);
  if (half >= from)
    return new ExpressionError({ from: half, to: half + 1 }, "half of a surrogate pair is no character");
  if (token === "'") return unclosed(span, "this text has no closing '");
  if (rest.startsWith('""')) return new ExpressionError({ from, to: from + 2 }, "a name is empty");
  if (token === '"') return unclosed(span, 'this name has no closing "');
  if (text.slice(from - 1, from + 1) === "/*") {
    return unclosed({ from: from - 1, to: from + 1 }, "this comment has no closing */");
  }
  const expected = expectedAt(text.slice(0, from), strict);
  // The parser has its own limit of depth, where it takes nothing any more.
  if (expected.length === 0) return tooDeep(span);
  const wanted = `: ${oneOf(expected)} is expected`;
  if (token === "") return new ExpressionError({ from, to: from }, `the expression ends too early${wanted}`);
  const habit = habitAt(text, span);
  if (habit !== undefined) {
    const { right, ...place } = habit;
    const sign = JSON.stringify(text.slice(place.from, place.to));
    return new ExpressionError(place, `there is no sign ${sign}`, { hint: `write ${right}`, replacement: right });
  }
  const shown = token.startsWith("'") || token.startsWith('"') ? token : JSON.stringify(token);
  return new ExpressionError(span, `${shown} cannot stand here${wanted}`, { hint: hintAt(text, span) });
}

/** What other languages write, by the token at which the parser stops, and what is written here. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  [";", "an expression has no ; at its end"],
  ["?", "write CASE WHEN … THEN … ELSE … END"],
  ["~", "write regexp_like(text, pattern)"],
  ["^", "write power(base, exponent)"],
  ["`", 'names are quoted with "'],
  ["“", 'names are quoted with "'],
  ["”", 'names are quoted with "'],
  ["‘", "text is quoted with '"],
  ["’", "text is quoted with '"],
]);

function hintAt(text: string, { from, to }: Span): string | undefined {
  const token = text.slice(from, to);
  const before = text.slice(0, from);
  if (token === "*" && before.endsWith("*")) return ELSEWHERE.get("^");
  if (/^\s*(?:select|where)\s+$/i.test(before)) return "write the expression alone";
  if (!/^[<>=!]/.test(token)) return ELSEWHERE.get(token);
  if (/[<>=!]\s*$/.test(before)) return undefined;
  return before.includes("||")
    ? "conditions are joined by OR; || joins texts"
    : "comparisons are joined by AND: a < b AND b < c";
}

export const tooDeep = (span: Span): ExpressionError =>
  new ExpressionError(span, "expressions stand too deep in one another");

const unclosed = (span: Span, message: string): ExpressionError => new ExpressionError(span, message);

/** Where the parser says that it stopped; `undefined` where it failed in another way, by running out of stack. */
function stoppedAt(error: unknown): number | undefined {
  const match = error instanceof SyntaxError ? /^No parse at (\d+)$/.exec(error.message) : null;
  return match === null ? undefined : Number(match[1]);
}

function expectedAt(before: string, strict: LRParser): string[] {
  const taken = PROBES.filter(([probe]) => {
    try {
      strict.parse(`${before} ${probe}`);
      return true;
    } catch (error) {
      return (stoppedAt(error) ?? 0) >= before.length + 1 + probe.length;
    }
  }).map(([, name]) => name);
  if (taken.includes("an expression")) return taken.filter((name) => name === "an expression" || name === ")");
  if (!taken.includes("an operator")) return taken.map((name) => (name === "a name" ? nameAt(before) : name));
  // Where AND can stand and OR cannot, it is that of BETWEEN.
  const isBetween = taken.includes("AND") && !taken.includes("OR");
  return taken.filter((name) => !BESIDE_OPERATORS.has(name) || (isBetween && name === "AND"));
}

/** What is named where a name is expected. */
function nameAt(before: string): string {
  if (/(?:::|\bas)\s*$/i.test(before)) return "a type";
  return /\bextract\s*\(\s*$/i.test(before) ? "a unit" : "a name";
}

function oneOf(names: readonly string[]): string {
  return names.length === 1 ? (names[0] as string) : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

/** Signs of other languages, and what SQL has for them. */
const HABITS: ReadonlyMap<string, string> = new Map([
  ["&&", "AND"],
  ["==", "="],
  ["===", "="],
  ["!==", "<>"],
  ["!", "NOT"],
  ["=<", "<="],
  ["=>", ">="],
  ["=!", "<>"],
  ["≠", "<>"],
  ["≤", "<="],
  ["≥", ">="],
  ["//", "/"],
]);

const SIGN = /[&|=!<>≠≤≥*^/]/;

/** A sign of another language around the place where the parser stopped: it takes the first character of `==` for a sign of its own. */
function habitAt(text: string, { from, to }: Span): (Span & { right: string }) | undefined {
  let [first, last] = [from, to];
  while (first > 0 && SIGN.test(text[first - 1] as string)) first--;
  while (last < text.length && SIGN.test(text[last] as string)) last++;
  const right = HABITS.get(text.slice(first, last));
  return right === undefined ? undefined : { from: first, to: last, right };
}
