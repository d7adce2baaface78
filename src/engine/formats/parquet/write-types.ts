import type { SchemaElement } from "hyparquet";
import { assertNever } from "../../base/assert.ts";
import type { Field } from "../../data/schema.ts";
import type { LogicalType } from "../../data/types.ts";

type Annotated = Omit<SchemaElement, "name" | "repetition_type"> & {
  readonly type: NonNullable<SchemaElement["type"]>;
};

/** A column as the footer has it. Seconds, which Parquet does not have, are written as milliseconds. */
export function elementOf({ name, type, nullable }: Field): SchemaElement & Annotated {
  return { ...annotated(type), name, repetition_type: nullable ? "OPTIONAL" : "REQUIRED" };
}

function annotated(type: LogicalType): Annotated {
  switch (type.kind) {
    case "boolean":
      return { type: "BOOLEAN" };
    case "int":
      return {
        type: type.bits === 64 ? "INT64" : "INT32",
        // Not the logical type as well: the library writes its width as a number that other readers refuse.
        converted_type: `${type.signed ? "" : "U"}INT_${type.bits}`,
      };
    case "float":
      return { type: type.bits === 32 ? "FLOAT" : "DOUBLE" };
    case "decimal":
      return { ...decimal(type), logical_type: { type: "DECIMAL", precision: type.precision, scale: type.scale } };
    case "utf8":
      return { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } };
    case "binary":
      return { type: "BYTE_ARRAY" };
    case "date":
      return { type: "INT32", converted_type: "DATE", logical_type: { type: "DATE" } };
    case "timestamp":
      return timestamp(type.unit === "s" ? "ms" : type.unit);
    default:
      return assertNever(type);
  }
}

function decimal({ precision, scale }: Extract<LogicalType, { kind: "decimal" }>): Annotated {
  const common = { converted_type: "DECIMAL", precision, scale } as const;
  if (precision <= 9) return { type: "INT32", ...common };
  if (precision <= 18) return { type: "INT64", ...common };
  return { type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, ...common };
}

function timestamp(unit: "ms" | "us" | "ns"): Annotated {
  const logical = (name: "MILLIS" | "MICROS" | "NANOS") =>
    ({ type: "TIMESTAMP", isAdjustedToUTC: true, unit: name }) as const;
  switch (unit) {
    case "ms":
      return { type: "INT64", converted_type: "TIMESTAMP_MILLIS", logical_type: logical("MILLIS") };
    case "us":
      return { type: "INT64", converted_type: "TIMESTAMP_MICROS", logical_type: logical("MICROS") };
    case "ns":
      return { type: "INT64", logical_type: logical("NANOS") };
    default:
      return assertNever(unit);
  }
}
