import type { LogicalType } from "../data/types.ts";
import type { Span } from "./fault.ts";

/** What an expression says, before anything is known about its columns. Every part knows its place in the text. */
export type Ast =
  | NumberLiteral
  | TextLiteral
  | NullLiteral
  | BooleanLiteral
  | TemporalLiteral
  | IntervalLiteral
  | ColumnName
  | Call
  | Cast
  | Extract
  | Case
  | Logic
  | Not
  | Test
  | Distinct
  | Comparison
  | Between
  | In
  | Like
  | Arithmetic
  | Sign;

/** `12`, `1.50`, `1e3`: as written. */
export interface NumberLiteral extends Span {
  readonly kind: "number";
  readonly text: string;
}

export interface TextLiteral extends Span {
  readonly kind: "text";
  readonly value: string;
}

export interface NullLiteral extends Span {
  readonly kind: "null";
}

export interface BooleanLiteral extends Span {
  readonly kind: "boolean";
  readonly value: boolean;
}

/** `DATE '2024-06-01'`, `TIMESTAMP '2024-06-01 12:00:00'`. */
export interface TemporalLiteral extends Span {
  readonly kind: "temporal";
  readonly type: "date" | "timestamp";
  readonly value: TextLiteral;
}

/** Months have no fixed length; everything else is nanoseconds. */
export interface IntervalLiteral extends Span {
  readonly kind: "interval";
  readonly months: number;
  readonly nanoseconds: bigint;
}

export interface ColumnName extends Span {
  readonly kind: "column";
  readonly name: string;
}

export interface Call extends Span {
  readonly kind: "call";
  /** In lower case. */
  readonly name: string;
  readonly nameSpan: Span;
  readonly args: readonly Ast[];
}

export interface Cast extends Span {
  readonly kind: "cast";
  readonly operand: Ast;
  readonly type: LogicalType;
  /** TRY_CAST: NULL where CAST fails. */
  readonly isTry: boolean;
}

/** EXTRACT(unit FROM operand). */
export interface Extract extends Span {
  readonly kind: "extract";
  readonly unit: TextLiteral;
  readonly operand: Ast;
}

export interface Case extends Span {
  readonly kind: "case";
  readonly subject: Ast | undefined;
  readonly branches: readonly { readonly when: Ast; readonly value: Ast }[];
  readonly otherwise: Ast | undefined;
}

/** Two or more operands; a chain of one word is one node. */
export interface Logic extends Span {
  readonly kind: "and" | "or";
  readonly operands: readonly Ast[];
}

export interface Not extends Span {
  readonly kind: "not";
  readonly operand: Ast;
}

/** IS [NOT] NULL, IS [NOT] TRUE, IS [NOT] FALSE. */
export interface Test extends Span {
  readonly kind: "test";
  readonly operand: Ast;
  readonly what: "null" | "true" | "false";
  readonly negated: boolean;
}

/** IS [NOT] DISTINCT FROM. */
export interface Distinct extends Span {
  readonly kind: "distinct";
  readonly left: Ast;
  readonly right: Ast;
  readonly negated: boolean;
}

export type ComparisonOperator = "=" | "<>" | "<" | "<=" | ">" | ">=";

export interface Comparison extends Span {
  readonly kind: "comparison";
  readonly operator: ComparisonOperator;
  readonly left: Ast;
  readonly right: Ast;
}

export interface Between extends Span {
  readonly kind: "between";
  readonly operand: Ast;
  readonly low: Ast;
  readonly high: Ast;
  readonly negated: boolean;
}

export interface In extends Span {
  readonly kind: "in";
  readonly operand: Ast;
  readonly items: readonly Ast[];
  readonly negated: boolean;
}

export interface Like extends Span {
  readonly kind: "like";
  readonly operand: Ast;
  readonly pattern: Ast;
  readonly escapeSign: TextLiteral | undefined;
  readonly ignoreCase: boolean;
  readonly negated: boolean;
}

export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%" | "||";

export interface Arithmetic extends Span {
  readonly kind: "arithmetic";
  readonly operator: ArithmeticOperator;
  readonly operatorSpan: Span;
  readonly left: Ast;
  readonly right: Ast;
}

export interface Sign extends Span {
  readonly kind: "sign";
  readonly negative: boolean;
  readonly operand: Ast;
}
