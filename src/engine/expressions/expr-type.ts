import { assertNever } from "../base/assert.ts";
import { type LogicalType, sameType, type TimeUnit, typeName } from "../data/types.ts";

/**
 * Types inside an expression: those of columns, and three that no column has. A bare NULL fits everywhere; a duration is a
 * whole number of its unit; an interval of months has no length of its own and is only ever added to a time.
 */
export type ExprType =
  | LogicalType
  | { readonly kind: "null" }
  | { readonly kind: "duration"; readonly unit: TimeUnit }
  | { readonly kind: "months" };

export type DecimalType = LogicalType & { readonly kind: "decimal" };
export type IntType = LogicalType & { readonly kind: "int" };

export const BOOLEAN: LogicalType = { kind: "boolean" };
export const INT64: IntType = { kind: "int", bits: 64, signed: true };
export const FLOAT64: LogicalType = { kind: "float", bits: 64 };
export const UTF8: LogicalType = { kind: "utf8" };
export const BINARY: LogicalType = { kind: "binary" };
export const DATE: LogicalType = { kind: "date" };
export const NULL_TYPE: ExprType = { kind: "null" };
export const MONTHS: ExprType = { kind: "months" };
export const MAX_PRECISION = 38;

export const timestamp = (unit: TimeUnit): LogicalType => ({ kind: "timestamp", unit });
export const duration = (unit: TimeUnit): ExprType => ({ kind: "duration", unit });
export const decimal = (precision: number, scale: number): DecimalType => ({
  kind: "decimal",
  precision: Math.max(1, Math.min(MAX_PRECISION, precision)),
  scale,
});

/** As a message names it. */
export function exprTypeName(type: ExprType): string {
  switch (type.kind) {
    case "null":
      return "NULL";
    case "duration":
    case "months":
      return "an interval";
    default:
      return typeName(type);
  }
}

/** Whether a column can have the type. */
export const isColumnType = (type: ExprType): type is LogicalType =>
  type.kind !== "null" && type.kind !== "duration" && type.kind !== "months";

export function sameExprType(a: ExprType, b: ExprType): boolean {
  if (isColumnType(a) && isColumnType(b)) return sameType(a, b);
  return a.kind === b.kind && (a.kind !== "duration" || a.unit === (b as typeof a).unit);
}

export const isNumeric = (type: ExprType): boolean =>
  type.kind === "int" || type.kind === "float" || type.kind === "decimal";

/** Digits that an integer type may need. */
export function digitsOf(type: IntType): number {
  switch (type.bits) {
    case 8:
      return 3;
    case 16:
      return 5;
    case 32:
      return 10;
    case 64:
      return type.signed ? 19 : 20;
    default:
      return assertNever(type.bits);
  }
}

/** An integer or decimal type as a decimal one. */
export const asDecimal = (type: IntType | DecimalType): DecimalType =>
  type.kind === "decimal" ? type : decimal(digitsOf(type), 0);

/** Smallest and largest value. */
export function intRange(type: IntType): readonly [bigint, bigint] {
  const size = 1n << BigInt(type.signed ? type.bits - 1 : type.bits);
  return [type.signed ? -size : 0n, size - 1n];
}

const UNITS: readonly TimeUnit[] = ["s", "ms", "us", "ns"];

export const finerUnit = (a: TimeUnit, b: TimeUnit): TimeUnit => (UNITS.indexOf(a) > UNITS.indexOf(b) ? a : b);

/** How many thousandfold steps lie between two units; negative when `to` is the coarser one. */
export const unitSteps = (from: TimeUnit, to: TimeUnit): number => UNITS.indexOf(to) - UNITS.indexOf(from);

/** The integer type that holds the values of both, else a decimal. */
function commonInt(a: IntType, b: IntType): ExprType {
  if (a.signed === b.signed) return a.bits > b.bits ? a : b;
  const [signed, unsigned] = a.signed ? [a, b] : [b, a];
  if (signed.bits > unsigned.bits) return signed;
  if (unsigned.bits === 64) return decimal(20, 0);
  return { kind: "int", bits: (2 * unsigned.bits) as 16 | 32 | 64, signed: true };
}

function commonDecimal(a: DecimalType, b: DecimalType): ExprType | undefined {
  const scale = Math.max(a.scale, b.scale);
  const whole = Math.max(a.precision - a.scale, b.precision - b.scale);
  return whole + scale > MAX_PRECISION ? undefined : decimal(whole + scale, scale);
}

/**
 * The type to which values of both go without loss (integers beside floats become float64, which may round above 2^53);
 * `undefined` where there is none.
 */
export function commonType(a: ExprType, b: ExprType): ExprType | undefined {
  if (sameExprType(a, b) || b.kind === "null") return a;
  if (a.kind === "null") return b;
  if (isNumeric(a) && isNumeric(b)) {
    if (a.kind === "float" || b.kind === "float") return FLOAT64;
    if (a.kind === "int" && b.kind === "int") return commonInt(a, b);
    return commonDecimal(asDecimal(a as IntType | DecimalType), asDecimal(b as IntType | DecimalType));
  }
  if (a.kind === "duration" && b.kind === "duration") return duration(finerUnit(a.unit, b.unit));
  const aUnit = timeUnit(a);
  const bUnit = timeUnit(b);
  return aUnit === undefined || bUnit === undefined ? undefined : timestamp(finerUnit(aUnit, bUnit));
}

/** The unit of a time; days are counted as seconds where they meet a timestamp. */
export function timeUnit(type: ExprType): TimeUnit | undefined {
  if (type.kind === "timestamp") return type.unit;
  return type.kind === "date" ? "s" : undefined;
}
