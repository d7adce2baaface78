import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { grammarFiles } from "../../../scripts/lib/grammar.mjs";
import { fuzz } from "../testing/fuzz.ts";
import type { Ast } from "./ast.ts";
import { ExpressionError, type ExpressionFault } from "./fault.ts";
import { EXPRESSION_FUNCTIONS } from "./functions.ts";
import { EXPRESSION_KEYWORDS } from "./keywords.ts";
import { parseExpression } from "./parse.ts";

/** An expression with a pair of brackets around every part, as it was understood. */
function shown(ast: Ast): string {
  const not = (negated: boolean): string => (negated ? "NOT " : "");
  switch (ast.kind) {
    case "number":
      return ast.text;
    case "text":
      return `'${ast.value}'`;
    case "null":
      return "NULL";
    case "boolean":
      return ast.value ? "TRUE" : "FALSE";
    case "temporal":
      return `${ast.type} ${shown(ast.value)}`;
    case "interval":
      return `interval ${ast.months} months ${ast.nanoseconds} ns`;
    case "column":
      return ast.name;
    case "call":
      return `${ast.name}(${ast.args.map(shown).join(", ")})`;
    case "cast":
      return `${ast.isTry ? "try_" : ""}cast(${shown(ast.operand)} as ${ast.type.kind})`;
    case "extract":
      return `extract(${ast.unit.value} from ${shown(ast.operand)})`;
    case "case": {
      const branches = ast.branches.map(({ when, value }) => ` when ${shown(when)} then ${shown(value)}`).join("");
      const subject = ast.subject === undefined ? "" : ` ${shown(ast.subject)}`;
      return `case${subject}${branches}${ast.otherwise === undefined ? "" : ` else ${shown(ast.otherwise)}`} end`;
    }
    case "and":
    case "or":
      return `(${ast.operands.map(shown).join(` ${ast.kind} `)})`;
    case "not":
      return `(not ${shown(ast.operand)})`;
    case "test":
      return `(${shown(ast.operand)} is ${not(ast.negated)}${ast.what})`;
    case "distinct":
      return `(${shown(ast.left)} is ${not(ast.negated)}distinct from ${shown(ast.right)})`;
    case "comparison":
    case "arithmetic":
      return `(${shown(ast.left)} ${ast.operator} ${shown(ast.right)})`;
    case "between":
      return `(${shown(ast.operand)} ${not(ast.negated)}between ${shown(ast.low)} and ${shown(ast.high)})`;
    case "in":
      return `(${shown(ast.operand)} ${not(ast.negated)}in ${ast.items.map(shown).join(",")})`;
    case "like":
      return `(${shown(ast.operand)} ${not(ast.negated)}${ast.ignoreCase ? "i" : ""}like ${shown(ast.pattern)})`;
    case "sign":
      return `(${ast.negative ? "-" : "+"}${shown(ast.operand)})`;
  }
}

function faultOf(text: string): ExpressionFault {
  try {
    parseExpression(text);
  } catch (error) {
    if (error instanceof ExpressionError) return error.fault;
    throw error;
  }
  throw new Error(`${text} is right`);
}

describe("the grammar", () => {
  test("the committed parser is the one that `npm run grammar` makes", () => {
    const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");
    const made = grammarFiles(read("expression.grammar"));
    expect(made.parser).toBe(read("expression-parser.generated.ts"));
    expect(made.terms).toBe(read("expression-terms.generated.ts"));
  });

  test("keywords are told for completion, and no function is named like one that begins no call", () => {
    expect(EXPRESSION_KEYWORDS).toEqual(expect.arrayContaining(["AND", "TRY_CAST", "DISTINCT", "ILIKE"]));
    const own = EXPRESSION_FUNCTIONS.map(({ name }) => name.toUpperCase()).filter((name) =>
      EXPRESSION_KEYWORDS.includes(name),
    );
    expect(own).toEqual(["CAST", "EXTRACT", "TRY_CAST"]);
  });
});

describe("what binds tighter than what (PostgreSQL's order)", () => {
  test.each([
    ["a or b and not c = d", "(a or (b and (not (c = d))))"],
    ["not a is null", "(not (a is null))"],
    ["not not a", "(not (not a))"],
    ["a = b is not null", "((a = b) is NOT null)"],
    ["a + b * c - d", "((a + (b * c)) - d)"],
    ["a - b - c", "((a - b) - c)"],
    ["a / b * c % d", "(((a / b) * c) % d)"],
    ["- a * b", "((-a) * b)"],
    ["-a::int64 + 1", "((-cast(a as int)) + 1)"],
    ["- -1 - - 2", "((-(-1)) - (-2))"],
    ["a || b + c || d", "((a || (b + c)) || d)"],
    ["a || b = c", "((a || b) = c)"],
    ["a between 1 + 2 and 3 and b", "((a between (1 + 2) and 3) and b)"],
    ["a not between b and c or d", "((a NOT between b and c) or d)"],
    ["a in (1, 2) and b not in (3)", "((a in 1,2) and (b NOT in 3))"],
    ["a like 'x' and b not ilike 'y' escape '!'", "((a like 'x') and (b NOT ilike 'y'))"],
    ["a is distinct from b + 1 and c", "((a is distinct from (b + 1)) and c)"],
    ["a is not distinct from b", "(a is NOT distinct from b)"],
    ["a is true is not false", "((a is true) is NOT false)"],
    ["(a or b) and c", "((a or b) and c)"],
    ["a and b and c or d or e", "((a and b and c) or d or e)"],
    ["case when a then b when c then d else e end || f", "(case when a then b when c then d else e end || f)"],
    ["case a when 1 then 2 end", "case a when 1 then 2 end"],
    ["cast(a + 1 as decimal(10, 2))::text", "cast(cast((a + 1) as decimal) as utf8)"],
    ["extract(year from a + interval '1' day)", "extract(year from (a + interval 0 months 86400000000000 ns))"],
    ["f()", "f()"],
    ["f(a or b, c)", "f((a or b), c)"],
  ])("%s", (text, understood) => {
    expect(shown(parseExpression(text))).toBe(understood);
  });

  test("keywords and functions are taken in any case, columns as they are written", () => {
    expect(shown(parseExpression("Foo IS nOt nUlL aNd LOWER(foo) iN ('A')"))).toBe(
      "((Foo is NOT null) and (lower(foo) in 'A'))",
    );
  });

  test("names are quoted with \", text with ', and a doubled quote is one", () => {
    expect(shown(parseExpression(`"select ""x""" = 'it''s' and "and" > ''`))).toBe(
      `((select "x" = 'it's') and (and > ''))`,
    );
    expect(shown(parseExpression("größe + 温度 + date + year"))).toBe("(((größe + 温度) + date) + year)");
  });

  test("comments and line ends are spaces", () => {
    expect(shown(parseExpression("a -- it's\n + /* ' */ b\t/**/"))).toBe("(a + b)");
    for (const comment of ["/* sum */", "-- sum\n", "/**//***/ -- \n--\n"])
      expect(shown(parseExpression(`${comment} a + b`))).toBe("(a + b)");
    const type = "cast(a as double /* wide */ precision) = cast(a as decimal(5, -- digits\n 2))";
    expect(shown(parseExpression(type))).toBe(
      shown(parseExpression("cast(a as double precision) = cast(a as decimal(5,2))")),
    );
  });

  test.each([
    ["INTERVAL '1' HOUR", 0, 3_600n],
    ["interval 90 minutes", 0, 5_400n],
    ["interval '1 day 2 hours -3 min'", 0, 93_420n],
    ["interval '1.5 hours'", 0, 5_400n],
    ["interval '2' quarters", 6, 0n],
    ["interval '1 year 1 month 1 week'", 13, 604_800n],
    ["interval '-1' MON", -1, 0n],
  ])("%s", (text, months, seconds) => {
    expect(parseExpression(text)).toMatchObject({ kind: "interval", months, nanoseconds: seconds * 1_000_000_000n });
  });

  test("chains may be long", () => {
    const or = Array.from({ length: 2000 }, (_, i) => `a = ${i}`).join(" or ");
    expect(parseExpression(or)).toMatchObject({ kind: "or", operands: { length: 2000 } });
    expect(parseExpression(Array(250).fill("a").join(" || "))).toMatchObject({ kind: "arithmetic" });
  });

  test("every part knows its place", () => {
    const text = "abs( a ) + \"b c\" * cast( 'x' as date )";
    const places: string[] = [];
    const visit = (node: unknown): void => {
      if (typeof node !== "object" || node === null) return;
      if ("kind" in node && "from" in node) places.push(text.slice((node as Ast).from, (node as Ast).to));
      for (const part of Object.values(node)) visit(part);
    };
    visit(parseExpression(text));
    expect(places).toEqual([
      text,
      "abs( a )",
      "a",
      "\"b c\" * cast( 'x' as date )",
      '"b c"',
      "cast( 'x' as date )",
      "'x'",
    ]);
  });
});

describe("a fault is told where it is, with what was expected there", () => {
  test.each<[string, number, number, string]>([
    ["", 0, 0, "the expression ends too early: an expression is expected"],
    ["1 +", 3, 3, "the expression ends too early: an expression is expected"],
    ["a = = b", 4, 5, '"=" cannot stand here: an expression is expected'],
    ["a b", 2, 3, '"b" cannot stand here: an operator is expected'],
    ["(1 + 2", 6, 6, "the expression ends too early: ) or an operator is expected"],
    ["a)", 1, 2, '")" cannot stand here: an operator is expected'],
    ["f(1 2)", 4, 5, '"2" cannot stand here: ), a comma or an operator is expected'],
    ["a < b < c", 6, 7, '"<" cannot stand here: an operator is expected'],
    ["case when a then 1", 18, 18, "the expression ends too early: WHEN, END or an operator is expected"],
    ["case a", 6, 6, "the expression ends too early: WHEN or an operator is expected"],
    ["case when a else", 12, 16, '"else" cannot stand here: THEN or an operator is expected'],
    ["cast(a int)", 7, 10, '"int" cannot stand here: AS or an operator is expected'],
    ["cast(a as", 9, 9, "the expression ends too early: a type is expected"],
    ["a::", 3, 3, "the expression ends too early: a type is expected"],
    ["extract(", 8, 8, "the expression ends too early: a unit is expected"],
    ["a between 1", 11, 11, "the expression ends too early: an operator or AND is expected"],
    ["a in 'x'", 5, 8, "'x' cannot stand here: ( is expected"],
    ["a in ('x' 'y''z')", 10, 16, "'y''z' cannot stand here: ), a comma or an operator is expected"],
    ['a is "b c"', 5, 10, '"b c" cannot stand here: NOT, NULL, TRUE, FALSE or DISTINCT FROM is expected'],
    ["a in ()", 6, 7, '")" cannot stand here: an expression is expected'],
    ["a not b", 6, 7, '"b" cannot stand here: BETWEEN, IN or LIKE is expected'],
    ["a is b", 5, 6, '"b" cannot stand here: NOT, NULL, TRUE, FALSE or DISTINCT FROM is expected'],
    ["a between 1 or 2", 12, 14, '"or" cannot stand here: an operator or AND is expected'],
    ["extract(year a)", 13, 14, '"a" cannot stand here: FROM is expected'],
    ["interval", 8, 8, "the expression ends too early: a text or a number is expected"],
    ["a = 'x", 4, 5, "this text has no closing '"],
    ['a = "x', 4, 5, 'this name has no closing "'],
    ['a = ""', 4, 6, "a name is empty"],
    ["a = '😀\ud83d'", 7, 8, "half of a surrogate pair is no character"],
    ["a /* b", 2, 4, "this comment has no closing */"],
    ["a & b", 2, 3, '"&" cannot stand here: an operator is expected'],
    ["😀 + \u2028", 5, 6, '"\u2028" cannot stand here: an expression is expected'],
    ["cast(a as intt8)", 10, 15, 'there is no type "intt8"'],
    ["a::decimal(39, 1)", 3, 17, 'there is no type "decimal(39, 1)"'],
    ["interval '5'", 0, 12, "the interval has no unit"],
    ["interval '5 parsecs'", 0, 20, 'there is no unit "parsecs"'],
    ["interval 'x' day", 0, 16, "this is no interval"],
    ["interval '1.5' month", 0, 20, "an interval is a whole number of months and of nanoseconds"],
    ["interval '99999999999 years'", 0, 28, "the interval is longer than any time"],
    ["time '12:00'", 0, 4, '"time" begins no literal'],
  ])("%s", (text, from, to, message) => {
    expect(faultOf(text)).toMatchObject({ from, to, message });
  });

  test.each([
    ["a && b", "AND"],
    ["a == b", "="],
    ["a === b", "="],
    ["!a", "NOT"],
    ["a => b", ">="],
    ["a =< b", "<="],
    ["a !== b", "<>"],
    ["a // b", "/"],
    ["a =! b", "<>"],
    ["a ≥ b", ">="],
    ["a ≠ b", "<>"],
    ["a <=> b", undefined],
    ["cast(a as intt8)", "int8"],
  ])("%s: the repair is %s", (text, replacement) => {
    expect(faultOf(text).replacement).toBe(replacement);
  });

  test.each([
    ["a = 'x' || b > 1", "conditions are joined by OR; || joins texts"],
    ["a < b < c", "comparisons are joined by AND: a < b AND b < c"],
    ["a = = b", undefined],
    ["a > 3;", "an expression has no ; at its end"],
    ["a > 3 ? 1 : 0", "write CASE WHEN … THEN … ELSE … END"],
    ["select a > 3", "write the expression alone"],
    ["a ** 2", "write power(base, exponent)"],
    ["a ~ 'x'", "write regexp_like(text, pattern)"],
    ["“a” = 1", 'names are quoted with "'],
    ["a = ‘x’", "text is quoted with '"],
  ])("%s: what another language writes is told in this one's words", (text, hint) => {
    expect(faultOf(text).hint).toBe(hint);
  });

  it("refuses what is too long or too deep, at its place", () => {
    const deep = [
      `${"(".repeat(400)}1${")".repeat(400)}`,
      `${"not ".repeat(4000)}a`,
      `${"- ".repeat(300)}1`,
      `${"f(".repeat(300)}${")".repeat(300)}`,
    ];
    for (const text of deep) expect(faultOf(text).message).toBe("expressions stand too deep in one another");
    expect(faultOf(Array(300).fill("1").join("+")).message).toBe("this is a chain of more than 250 parts");
    expect(faultOf("a".repeat(100_001))).toMatchObject({
      from: 100_000,
      message: "an expression has at most 100000 characters",
    });
  });
});

describe("any text at all", () => {
  const word = fc.constantFrom(
    ..."a 1 1.5 'x' \"y\" ( ) , + - * / % || = <> < >= and or not is null in between like ilike escape case when then else end".split(
      " ",
    ),
    ..."cast try_cast ( as int64 ) :: decimal(5,2) extract year from interval hour date distinct true f( [ms] timestamp -- \n-- \n /*a*/ /* */ ' \" \\ # \u0000 é 😀 \ud800".split(
      " ",
    ),
  );
  const texts = fc.oneof(
    fc.array(word, { maxLength: 25 }).map((words) => words.join(" ")),
    fc.string({ unit: "binary", maxLength: 40 }),
  );

  test("gives an expression or an error with a place inside of it, and nothing else", () => {
    fuzz(
      fc.property(texts, (text) => {
        try {
          parseExpression(text);
        } catch (error) {
          if (!(error instanceof ExpressionError)) throw error;
          const { from, to, message } = error.fault;
          expect(from >= 0 && from <= to && to <= text.length, `${from}…${to} of ${JSON.stringify(text)}`).toBe(true);
          expect(message).not.toBe("");
        }
      }),
      1500,
    );
  });
});
