import type { SchemaElement } from "hyparquet";
import type { LogicalType, TimeUnit } from "../../data/types.ts";

/** How the values of a Parquet column lie in its pages, and what becomes of them. */
export type Storage =
  /** Bits. */
  | { readonly kind: "bits" }
  /** Words of 4 or 8 bytes, as the engine has them. */
  | { readonly kind: "words"; readonly bytes: 4 | 8 }
  /** int32, of which the engine keeps 8 or 16 bits. */
  | { readonly kind: "narrow" }
  /** Decimals of 4 or 8 bytes. */
  | { readonly kind: "short-decimal"; readonly bytes: 4 | 8 }
  /** Decimals, most significant byte first; `bytes` is absent where each has its length before it. */
  | { readonly kind: "long-decimal"; readonly bytes: number | undefined }
  /** Nanoseconds of the day and the Julian day. */
  | { readonly kind: "int96" }
  | { readonly kind: "half" }
  | { readonly kind: "uuid" }
  /** Text or bytes; `bytes` is absent where each has its length before it. */
  | { readonly kind: "texts"; readonly bytes: number | undefined };

export interface ColumnType {
  readonly type: LogicalType;
  readonly storage: Storage;
  /** What the person should know about the values. */
  readonly note?: string;
}

const int = (bits: 8 | 16 | 32 | 64, signed: boolean): LogicalType => ({ kind: "int", bits, signed });
const timestamp = (unit: TimeUnit): LogicalType => ({ kind: "timestamp", unit });
const WORD: Storage = { kind: "words", bytes: 4 };
const DOUBLE_WORD: Storage = { kind: "words", bytes: 8 };
const UNITS: Readonly<Record<string, TimeUnit>> = { MILLIS: "ms", MICROS: "us", NANOS: "ns" };

/** The engine's type for a column that is not nested; `undefined` where there is none. */
export function columnTypeOf(element: SchemaElement): ColumnType | undefined {
  switch (element.type) {
    case "BOOLEAN":
      return { type: { kind: "boolean" }, storage: { kind: "bits" } };
    case "FLOAT":
      return { type: { kind: "float", bits: 32 }, storage: WORD };
    case "DOUBLE":
      return { type: { kind: "float", bits: 64 }, storage: DOUBLE_WORD };
    case "INT96":
      return { type: timestamp("ns"), storage: { kind: "int96" } };
    case "INT32":
      return decimalOf(element, { kind: "short-decimal", bytes: 4 }) ?? int32Of(element);
    case "INT64":
      return decimalOf(element, { kind: "short-decimal", bytes: 8 }) ?? int64Of(element);
    case "BYTE_ARRAY":
    case "FIXED_LEN_BYTE_ARRAY":
      return bytesOf(element);
    default:
      return undefined;
  }
}

const isDecimal = ({ logical_type: logical, converted_type: converted }: SchemaElement): boolean =>
  logical?.type === "DECIMAL" || (logical === undefined && converted === "DECIMAL");

function decimalOf(element: SchemaElement, storage: Storage): ColumnType | undefined {
  if (!isDecimal(element)) return undefined;
  const { logical_type: logical } = element;
  const precision = (logical?.type === "DECIMAL" ? logical.precision : element.precision) ?? 0;
  const scale = (logical?.type === "DECIMAL" ? logical.scale : element.scale) ?? 0;
  const fits = precision >= 1 && precision <= 38 && scale >= 0 && scale <= precision;
  return fits ? { type: { kind: "decimal", precision, scale }, storage } : undefined;
}

const BITS = /^(U?)INT_(8|16|32|64)$/;

/** Whole numbers as they are annotated; `undefined` where the annotation says something else. */
function annotatedInt({ logical_type: logical, converted_type: converted }: SchemaElement): LogicalType | undefined {
  const match = BITS.exec(converted ?? "");
  const [bits, signed] =
    logical?.type === "INTEGER"
      ? [logical.bitWidth, logical.isSigned]
      : [Number(match?.[2] ?? 0), match !== null && match[1] === ""];
  return bits === 8 || bits === 16 || bits === 32 || bits === 64 ? int(bits, signed) : undefined;
}

const TIME_OF_DAY = (unit: string): string => `a time of day, read as ${unit} since midnight`;

function int32Of(element: SchemaElement): ColumnType | undefined {
  const { logical_type: logical, converted_type: converted } = element;
  if (isDecimal(element)) return undefined;
  if (logical?.type === "DATE" || converted === "DATE") return { type: { kind: "date" }, storage: WORD };
  if (logical?.type === "TIME" || converted === "TIME_MILLIS") {
    return { type: int(32, true), storage: WORD, note: TIME_OF_DAY("milliseconds") };
  }
  const type = annotatedInt(element) ?? int(32, true);
  if (type.kind !== "int" || type.bits === 64) return undefined;
  return { type, storage: type.bits === 32 ? WORD : { kind: "narrow" } };
}

function int64Of(element: SchemaElement): ColumnType | undefined {
  const { logical_type: logical, converted_type: converted } = element;
  if (isDecimal(element)) return undefined;
  if (logical?.type === "TIMESTAMP") return { type: timestamp(UNITS[logical.unit] ?? "ms"), storage: DOUBLE_WORD };
  if (converted === "TIMESTAMP_MILLIS") return { type: timestamp("ms"), storage: DOUBLE_WORD };
  if (converted === "TIMESTAMP_MICROS") return { type: timestamp("us"), storage: DOUBLE_WORD };
  if (logical?.type === "TIME" || converted === "TIME_MICROS") {
    const isNanos = logical?.type === "TIME" && logical.unit === "NANOS";
    return { type: int(64, true), storage: DOUBLE_WORD, note: TIME_OF_DAY(isNanos ? "nanoseconds" : "microseconds") };
  }
  const type = annotatedInt(element) ?? int(64, true);
  return type.kind === "int" && type.bits === 64 ? { type, storage: DOUBLE_WORD } : undefined;
}

const TEXTS: ReadonlySet<string | undefined> = new Set(["STRING", "ENUM", "JSON", "UTF8"]);

function bytesOf(element: SchemaElement): ColumnType | undefined {
  const { logical_type: logical, converted_type: converted } = element;
  const bytes = element.type === "BYTE_ARRAY" ? undefined : element.type_length;
  if (element.type !== "BYTE_ARRAY" && (bytes === undefined || bytes < 1)) return undefined;
  if (isDecimal(element)) return decimalOf(element, { kind: "long-decimal", bytes });
  if (converted === "INTERVAL" || logical?.type === "VARIANT") return undefined;
  if (logical?.type === "FLOAT16") {
    return bytes === 2 ? { type: { kind: "float", bits: 32 }, storage: { kind: "half" } } : undefined;
  }
  if (logical?.type === "UUID") return bytes === 16 ? { type: { kind: "utf8" }, storage: { kind: "uuid" } } : undefined;
  const isText = TEXTS.has(logical?.type) || (logical === undefined && TEXTS.has(converted));
  return { type: { kind: isText ? "utf8" : "binary" }, storage: { kind: "texts", bytes } };
}
