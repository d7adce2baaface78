import type { SyntaxNode } from "@lezer/common";
import type { ArithmeticOperator, Ast, ComparisonOperator, TextLiteral } from "./ast.ts";
import { parser } from "./expression-parser.generated.ts";
import { ExpressionError, type Span } from "./fault.ts";
import { parseInterval } from "./interval-text.ts";
import { syntaxError, tooDeep } from "./syntax-error.ts";
import { castType } from "./type-names.ts";

/** Longer expressions are written by programs, which have other means. */
const MAX_LENGTH = 100_000;
/** How deep expressions may stand in one another. */
const MAX_DEPTH = 250;

const strict = parser.configure({ strict: true });

/**
 * The expression that a text says.
 *
 * @throws ExpressionError at what is wrong, naming what was expected there; nothing else, whatever the text
 */
export function parseExpression(text: string): Ast {
  if (text.length > MAX_LENGTH) {
    throw new ExpressionError(
      { from: MAX_LENGTH, to: text.length },
      `an expression has at most ${MAX_LENGTH} characters`,
    );
  }
  let top: SyntaxNode;
  try {
    top = strict.parse(text).topNode;
  } catch (error) {
    throw syntaxError(text, strict, error);
  }
  return new AstBuilder(text).buildTop(top);
}

const COMMENTS = new Set(["LineComment", "BlockComment"]);
const COMMENT = /--.*|\/\*[\s\S]*?\*\//g;

class AstBuilder {
  private readonly text: string;
  private depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** A comment may stand before the expression. */
  buildTop(top: SyntaxNode): Ast {
    return this.build(this.parts(top)[0] as SyntaxNode);
  }

  build(node: SyntaxNode): Ast {
    if (this.depth === MAX_DEPTH) throw tooDeep(node);
    this.depth++;
    const ast = this.buildNode(node);
    this.depth--;
    return ast;
  }

  private textOf({ from, to }: Span): string {
    return this.text.slice(from, to);
  }

  /** Children that are expressions or clauses: no keywords, signs and comments. */
  private parts(node: SyntaxNode): SyntaxNode[] {
    const parts: SyntaxNode[] = [];
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      if (child.name !== "Keyword" && /^[A-Z]/.test(child.name) && !COMMENTS.has(child.name)) parts.push(child);
    }
    return parts;
  }

  private has(node: SyntaxNode, word: string): boolean {
    return node.getChildren("Keyword").some((keyword) => this.textOf(keyword).toLowerCase() === word);
  }

  private buildNode(node: SyntaxNode): Ast {
    const { from, to } = node;
    const [first, second, third] = this.parts(node) as [SyntaxNode, SyntaxNode, SyntaxNode];
    switch (node.name) {
      case "Or":
      case "And":
        return {
          kind: node.name === "Or" ? "or" : "and",
          operands: this.parts(node).map((part) => this.build(part)),
          from,
          to,
        };
      case "Not":
        return { kind: "not", operand: this.build(first), from, to };
      case "Test":
        return this.test(node, first, second);
      case "Comparison":
        return {
          kind: "comparison",
          operator: this.textOf(second).replace("!=", "<>") as ComparisonOperator,
          left: this.build(first),
          right: this.build(third),
          from,
          to,
        };
      case "Between": {
        const [operand, low, high] = [this.build(first), this.build(second), this.build(third)];
        return { kind: "between", operand, low, high, negated: this.has(node, "not"), from, to };
      }
      case "In": {
        const items = this.parts(second).map((item) => this.build(item));
        return { kind: "in", operand: this.build(first), items, negated: this.has(node, "not"), from, to };
      }
      case "Like":
        return {
          kind: "like",
          operand: this.build(first),
          pattern: this.build(second),
          escapeSign: third === undefined ? undefined : this.string(third),
          ignoreCase: this.has(node, "ilike"),
          negated: this.has(node, "not"),
          from,
          to,
        };
      case "Concatenation":
      case "Sum":
      case "Product":
        return this.arithmetic(node);
      case "Sign":
        return { kind: "sign", negative: this.textOf(first) === "-", operand: this.build(second), from, to };
      default:
        return this.primary(node, first, second);
    }
  }

  private primary(node: SyntaxNode, first: SyntaxNode, second: SyntaxNode): Ast {
    const { from, to } = node;
    switch (node.name) {
      case "Number":
        return { kind: "number", text: this.textOf(node), from, to };
      case "String":
        return this.string(node);
      case "Null":
        return { kind: "null", from, to };
      case "Boolean":
        return { kind: "boolean", value: this.textOf(node).toLowerCase() === "true", from, to };
      case "Column":
        return { kind: "column", name: this.name(first), from, to };
      case "Parenthesized":
        return this.build(first);
      case "TypeCast":
        return {
          kind: "cast",
          operand: this.build(first),
          type: this.type(this.lastPart(node)),
          isTry: false,
          from,
          to,
        };
      case "Cast":
        return {
          kind: "cast",
          operand: this.build(first),
          type: this.type(second),
          isTry: this.has(node, "try_cast"),
          from,
          to,
        };
      case "Extract": {
        const unit: TextLiteral = { kind: "text", value: this.textOf(first), from: first.from, to: first.to };
        return { kind: "extract", unit, operand: this.build(second), from, to };
      }
      case "Call": {
        const [, ...args] = this.parts(node);
        const nameSpan = { from: first.from, to: first.to };
        return {
          kind: "call",
          name: this.textOf(first).toLowerCase(),
          nameSpan,
          args: args.map((arg) => this.build(arg)),
          from,
          to,
        };
      }
      case "Case":
        return this.caseOf(node);
      case "Interval": {
        const amount = first.name === "String" ? this.string(first).value : this.textOf(first);
        const unit = second === undefined ? undefined : this.textOf(second);
        return { kind: "interval", ...parseInterval(amount, unit, node), from, to };
      }
      default:
        return this.temporal(first, this.string(second), node);
    }
  }

  /** `a - b + c` is `(a - b) + c`. */
  private arithmetic(node: SyntaxNode): Ast {
    const [first, ...rest] = this.parts(node) as [SyntaxNode, ...SyntaxNode[]];
    if (rest.length > 2 * MAX_DEPTH) throw new ExpressionError(node, `this is a chain of more than ${MAX_DEPTH} parts`);
    let left = this.build(first);
    for (let i = 0; i + 1 < rest.length; i += 2) {
      const sign = rest[i] as SyntaxNode;
      const right = this.build(rest[i + 1] as SyntaxNode);
      left = {
        kind: "arithmetic",
        operator: this.textOf(sign) as ArithmeticOperator,
        operatorSpan: { from: sign.from, to: sign.to },
        left,
        right,
        from: left.from,
        to: right.to,
      };
    }
    return left;
  }

  private test(node: SyntaxNode, first: SyntaxNode, second: SyntaxNode | undefined): Ast {
    const { from, to } = node;
    const operand = this.build(first);
    const negated = this.has(node, "not");
    if (second !== undefined) {
      return { kind: "distinct", left: operand, right: this.build(this.lastPart(second)), negated, from, to };
    }
    const what = (["null", "true", "false"] as const).find((word) => this.has(node, word)) ?? "null";
    return { kind: "test", operand, what, negated, from, to };
  }

  private caseOf(node: SyntaxNode): Ast {
    const parts = this.parts(node);
    const subject = parts.find(({ name }) => name !== "When" && name !== "Else");
    const otherwise = parts.find(({ name }) => name === "Else");
    const branches = parts
      .filter(({ name }) => name === "When")
      .map((branch) => {
        const [when, value] = this.parts(branch) as [SyntaxNode, SyntaxNode];
        return { when: this.build(when), value: this.build(value) };
      });
    return {
      kind: "case",
      subject: subject && this.build(subject),
      branches,
      otherwise: otherwise && this.build(this.lastPart(otherwise)),
      from: node.from,
      to: node.to,
    };
  }

  private lastPart(node: SyntaxNode): SyntaxNode {
    return this.parts(node).at(-1) as SyntaxNode;
  }

  private string(node: SyntaxNode): TextLiteral {
    const { from, to } = node;
    return { kind: "text", value: this.text.slice(from + 1, to - 1).replaceAll("''", "'"), from, to };
  }

  private name(node: SyntaxNode): string {
    const text = this.textOf(node);
    return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;
  }

  private type(node: SyntaxNode) {
    return castType(this.textOf(node).replace(COMMENT, " "), node);
  }

  private temporal(word: SyntaxNode, value: TextLiteral, { from, to }: Span): Ast {
    const type = this.textOf(word).toLowerCase();
    if (type === "date" || type === "timestamp") return { kind: "temporal", type, value, from, to };
    const hint = `write DATE '2024-06-01', TIMESTAMP '2024-06-01 12:00:00', or CAST('…' AS ${this.textOf(word)})`;
    throw new ExpressionError(word, `${JSON.stringify(this.textOf(word))} begins no literal`, { hint });
  }
}
