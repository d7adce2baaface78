import { assertNever } from "../base/assert.ts";
import { closest } from "../base/edit-distance.ts";
import type { Schema } from "../data/schema.ts";
import { arithmetic, signed } from "./arithmetic.ts";
import type { Ast, Call, Case, ColumnName, Like, TemporalLiteral } from "./ast.ts";
import { cast } from "./casts.ts";
import { between, comparison, distinctFrom, inList } from "./comparisons.ts";
import {
  bareNull,
  booleanConstant,
  dateConstant,
  durationConstant,
  numberConstant,
  textConstant,
  timestampConstant,
} from "./constants.ts";
import { MONTHS } from "./expr-type.ts";
import { ExpressionError, type ExpressionFault, type Span } from "./fault.ts";
import { extract } from "./functions/time.ts";
import { FUNCTIONS, functionOf } from "./functions.ts";
import { isKeyword } from "./keywords.ts";
import { caseOf, logic, not, nullTest, truthTest } from "./nodes.ts";
import { likeTest } from "./text-nodes.ts";
import { spanOf, type Typed } from "./typed.ts";

/** A part in which something is wrong that has been told; what contains it is not checked any further. */
type Checked = Typed | undefined;

/**
 * Gives every part of an expression its type. It goes on after a fault, so that all of them are told at once.
 */
export class Checker {
  readonly faults: ExpressionFault[] = [];
  private readonly schema: Schema;

  constructor(schema: Schema) {
    this.schema = schema;
  }

  /** The typed expression; `undefined` where `faults` tell why not. */
  check(ast: Ast): Checked {
    try {
      return this.checkNode(ast);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      this.faults.push(error.fault);
      return undefined;
    }
  }

  /** All of them, or `undefined` where one is wrong. */
  private checkAll(asts: readonly Ast[]): readonly Typed[] | undefined {
    const nodes = asts.map((ast) => this.check(ast));
    return nodes.every((node) => node !== undefined) ? nodes : undefined;
  }

  /** `make` of the parts, unless one of them is wrong. */
  private of(asts: readonly Ast[], make: (...nodes: [Typed, Typed, Typed]) => Typed): Checked {
    const nodes = this.checkAll(asts);
    return nodes === undefined ? undefined : make(...(nodes as [Typed, Typed, Typed]));
  }

  private checkNode(ast: Ast): Checked {
    switch (ast.kind) {
      case "number":
        return numberConstant(ast.text, ast);
      case "text":
        return textConstant(ast.value, ast);
      case "null":
        return bareNull(ast);
      case "boolean":
        return booleanConstant(ast.value, ast);
      case "temporal":
        return temporal(ast);
      case "interval":
        return ast.months === 0
          ? durationConstant(ast.nanoseconds, ast)
          : {
              ...spanOf(ast),
              kind: "months",
              type: MONTHS,
              months: ast.months,
              nanoseconds: ast.nanoseconds,
              nullable: false,
              mayFail: false,
            };
      case "column":
        return this.column(ast);
      case "call":
        return this.call(ast);
      case "cast":
        return this.of([ast.operand], (operand) => cast(operand, ast.type, ast.isTry, ast));
      case "extract":
        return this.of([ast.operand], (operand) => extract(ast.unit.value, ast.unit, operand, ast));
      case "case":
        return this.caseOf(ast);
      case "sign":
        return this.of([ast.operand], (operand) => signed(ast.negative, operand, ast));
      case "arithmetic":
        return this.of([ast.left, ast.right], (left, right) =>
          arithmetic(ast.operator, left, right, ast, ast.operatorSpan),
        );
      default:
        return this.checkCondition(ast);
    }
  }

  private checkCondition(ast: Extract<Ast, { kind: ConditionKind }>): Checked {
    switch (ast.kind) {
      case "and":
      case "or": {
        const operands = this.checkAll(ast.operands);
        return operands && logic(ast.kind, operands, ast);
      }
      case "not":
        return this.of([ast.operand], (operand) => not(operand, ast));
      case "test": {
        const { what, negated } = ast;
        return this.of([ast.operand], (operand) =>
          what === "null" ? nullTest(operand, negated, ast) : truthTest(operand, what === "true", negated, ast),
        );
      }
      case "distinct":
        return this.of([ast.left, ast.right], (left, right) => distinctFrom(left, right, ast.negated, ast));
      case "comparison":
        return this.of([ast.left, ast.right], (left, right) => comparison(ast.operator, left, right, ast));
      case "between":
        return this.of([ast.operand, ast.low, ast.high], (operand, low, high) =>
          between(operand, low, high, ast.negated, ast),
        );
      case "in": {
        const nodes = this.checkAll([ast.operand, ...ast.items]);
        return nodes && inList(nodes[0] as Typed, nodes.slice(1), ast.negated, ast);
      }
      case "like":
        return this.like(ast);
      default:
        return assertNever(ast);
    }
  }

  private column({ name, from, to }: ColumnName): Typed {
    const index = this.schema.indexOf(name);
    const field = this.schema.fields[index];
    if (field === undefined) throw this.noColumn(name, { from, to });
    return { kind: "column", index, type: field.type, nullable: field.nullable, mayFail: false, from, to };
  }

  private noColumn(name: string, span: Span): ExpressionError {
    const near = closest(name, this.schema.names);
    const quotedNear = near === undefined ? undefined : quotedName(near);
    const all = this.schema.names.join(", ") || "none";
    const hint =
      near === undefined ? `the columns are ${all}; text is written in single quotes` : `did you mean ${quotedNear}?`;
    return new ExpressionError(span, `there is no column ${JSON.stringify(name)}`, { hint, replacement: quotedNear });
  }

  private call(ast: Call): Checked {
    const spec = functionOf(ast.name);
    if (spec === undefined) {
      this.checkAll(ast.args);
      throw new ExpressionError(ast.nameSpan, `there is no function ${ast.name}`, insteadOf(ast.name));
    }
    const args = this.checkAll(ast.args);
    const [least, most] = spec.arity;
    const count = ast.args.length;
    if (count < least || count > most) {
      const wanted = least === most ? String(least) : count < least ? `at least ${least}` : `at most ${most}`;
      const message = `${spec.name} takes ${wanted} ${wanted.endsWith(" 1") || wanted === "1" ? "argument" : "arguments"}, and here are ${count}`;
      throw new ExpressionError(ast, message, { hint: `write ${spec.signature}` });
    }
    return args && spec.resolve(args, ast);
  }

  private caseOf(ast: Case): Checked {
    const subject = ast.subject && this.check(ast.subject);
    const otherwise = ast.otherwise && this.check(ast.otherwise);
    const isWhole = (ast.subject === undefined) === (subject === undefined);
    const branches = ast.branches.map((branch) => {
      const [when, value] = [this.check(branch.when), this.check(branch.value)];
      if (when === undefined || value === undefined || !isWhole) return undefined;
      return { when: subject === undefined ? when : comparison("=", subject, when, branch.when), value };
    });
    if (!isWhole || (ast.otherwise !== undefined && otherwise === undefined)) return undefined;
    return branches.every((branch) => branch !== undefined) ? caseOf(branches, otherwise, ast) : undefined;
  }

  private like(ast: Like): Checked {
    const { escapeSign, ignoreCase, negated } = ast;
    if (escapeSign !== undefined && [...escapeSign.value].length !== 1) {
      throw new ExpressionError(escapeSign, "an escape is one character");
    }
    return this.of([ast.operand, ast.pattern], (operand, pattern) =>
      likeTest(operand, pattern, { escapeSign: escapeSign?.value, ignoreCase, negated }, ast),
    );
  }
}

type ConditionKind = "and" | "or" | "not" | "test" | "distinct" | "comparison" | "between" | "in" | "like";

function temporal({ type, value, from, to }: TemporalLiteral): Typed {
  const node = type === "date" ? dateConstant(value.value, value) : timestampConstant(value.value, "us", value);
  return { ...node, from, to };
}

/** Functions over many rows. */
const OVER_ROWS = new Set(
  "count sum avg min max first last stddev var count_distinct row_number rank lag lead".split(" "),
);

/** What there is in the place of a function that there is not. */
function insteadOf(name: string): { readonly hint: string; readonly replacement?: string | undefined } {
  if (OVER_ROWS.has(name))
    return { hint: "an expression sees one row; nodes such as window, aggregate and rank see many" };
  const near = closest(name, FUNCTIONS.keys());
  if (near !== undefined) return { hint: `did you mean ${near}?`, replacement: near };
  if (name === "if" || name === "iif") return { hint: "write CASE WHEN … THEN … ELSE … END" };
  return { hint: `the functions are ${[...FUNCTIONS.keys()].sort().join(", ")}` };
}

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_$]*$/;

/** The name as an expression writes it. */
export const quotedName = (name: string): string =>
  PLAIN_NAME.test(name) && !isKeyword(name) ? name : `"${name.replaceAll('"', '""')}"`;
