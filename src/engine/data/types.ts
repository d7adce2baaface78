import { WeirError } from "../base/errors.ts";

/** Logical types of columns (architecture: time, numbers, text). How a column is encoded (plain, dictionary) is no part of its type. */
export type TimeUnit = "s" | "ms" | "us" | "ns";

export type LogicalType =
  | { readonly kind: "boolean" }
  | { readonly kind: "int"; readonly bits: 8 | 16 | 32 | 64; readonly signed: boolean }
  | { readonly kind: "float"; readonly bits: 32 | 64 }
  | { readonly kind: "decimal"; readonly precision: number; readonly scale: number }
  | { readonly kind: "utf8" }
  | { readonly kind: "binary" }
  /** Days since 1970-01-01, int32. */
  | { readonly kind: "date" }
  /** int64 count of `unit` since 1970-01-01 UTC. */
  | { readonly kind: "timestamp"; readonly unit: TimeUnit };

const int = (bits: 8 | 16 | 32 | 64, signed: boolean): LogicalType => ({ kind: "int", bits, signed });

const SIMPLE = new Map<string, LogicalType>([
  ["boolean", { kind: "boolean" }],
  ["int8", int(8, true)],
  ["int16", int(16, true)],
  ["int32", int(32, true)],
  ["int64", int(64, true)],
  ["uint8", int(8, false)],
  ["uint16", int(16, false)],
  ["uint32", int(32, false)],
  ["uint64", int(64, false)],
  ["float32", { kind: "float", bits: 32 }],
  ["float64", { kind: "float", bits: 64 }],
  ["utf8", { kind: "utf8" }],
  ["binary", { kind: "binary" }],
  ["date", { kind: "date" }],
  ["timestamp[s]", { kind: "timestamp", unit: "s" }],
  ["timestamp[ms]", { kind: "timestamp", unit: "ms" }],
  ["timestamp[us]", { kind: "timestamp", unit: "us" }],
  ["timestamp[ns]", { kind: "timestamp", unit: "ns" }],
]);

/** The names that a document may use, except `decimal(p,s)`. */
export const TYPE_NAMES: readonly string[] = [...SIMPLE.keys()];

const DECIMAL = /^decimal\(\s*(\d{1,2})\s*,\s*(\d{1,2})\s*\)$/;

/** `undefined` when `text` names no type. */
export function parseType(text: string): LogicalType | undefined {
  const simple = SIMPLE.get(text);
  if (simple !== undefined) return simple;
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const precision = Number(match[1]);
  const scale = Number(match[2]);
  return precision >= 1 && precision <= 38 && scale <= precision ? { kind: "decimal", precision, scale } : undefined;
}

/** @throws WeirError `unknown-type` */
export function typeOf(text: string): LogicalType {
  const type = parseType(text);
  if (type !== undefined) return type;
  throw new WeirError({
    code: "unknown-type",
    domain: "graph",
    message: `there is no type ${JSON.stringify(text)}`,
    hint: `use one of ${TYPE_NAMES.join(", ")}, decimal(p,s)`,
  });
}

/** The name that a document uses; `typeOf(typeName(t))` equals `t`. */
export function typeName(type: LogicalType): string {
  switch (type.kind) {
    case "int":
      return `${type.signed ? "" : "u"}int${type.bits}`;
    case "float":
      return `float${type.bits}`;
    case "decimal":
      return `decimal(${type.precision},${type.scale})`;
    case "timestamp":
      return `timestamp[${type.unit}]`;
    default:
      return type.kind;
  }
}

export function sameType(a: LogicalType, b: LogicalType): boolean {
  return a === b || typeName(a) === typeName(b);
}

/** 32-bit words per value for types stored as pairs or quadruples of words (see `FixedColumn`), else 0. */
export function wordsPerValue(type: LogicalType): 0 | 2 | 4 {
  if (type.kind === "decimal") return 4;
  return type.kind === "timestamp" || (type.kind === "int" && type.bits === 64) ? 2 : 0;
}
