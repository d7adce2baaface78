import * as arrow from "apache-arrow";
import { assertNever } from "../../base/assert.ts";
import { WeirError } from "../../base/errors.ts";
import { type Field, Schema } from "../schema.ts";
import type { LogicalType, TimeUnit } from "../types.ts";

const UNITS: readonly TimeUnit[] = ["s", "ms", "us", "ns"];

/** Columns of Arrow data: those that the engine has a type for, and the others. */
export interface ArrowColumns {
  readonly schema: Schema;
  /** Which of the data's columns each field of the schema is. */
  readonly places: readonly number[];
  /** Columns of other types by name, with their types as Arrow says them. */
  readonly refused: ReadonlyMap<string, string>;
}

/**
 * Encodings are no types: dictionaries, large and view text are text. Zones of timestamps are dropped, which leaves the instants
 * (UTC); date64 becomes timestamp[ms] and float16 float32, which lose nothing; a column of type null is text without a value.
 *
 * @throws WeirError `duplicate-columns`
 */
export function columnsFromArrow({ fields }: arrow.Schema): ArrowColumns {
  const places: number[] = [];
  const known: Field[] = [];
  const refused = new Map<string, string>();
  fields.forEach(({ name, type, nullable }, place) => {
    const logical = typeFromArrow(type);
    if (logical === undefined) {
      refused.set(name, String(type));
      return;
    }
    known.push({ name, type: logical, nullable: nullable || arrow.DataType.isNull(type) });
    places.push(place);
  });
  return { schema: new Schema(known), places, refused };
}

/** @throws WeirError `unsupported-type` naming the columns that the engine has no type for */
export function refuseUnknownTypes({ refused }: ArrowColumns): void {
  if (refused.size === 0) return;
  throw new WeirError({
    code: "unsupported-type",
    domain: "data",
    message: `columns of a type that the engine does not have: ${[...refused].map(([name, type]) => `${name} (${type})`).join(", ")}`,
    hint: "give the other columns as the schema and ignore fields without a column, or convert them where the data is written; nested types, times of day, durations and decimals beyond 38 digits have no counterpart",
  });
}

/**
 * The schema of Arrow data as the engine sees it.
 *
 * @throws WeirError `unsupported-type` naming every column that has one, `duplicate-columns`
 */
export function schemaFromArrow(schema: arrow.Schema): Schema {
  const columns = columnsFromArrow(schema);
  refuseUnknownTypes(columns);
  return columns.schema;
}

/** `undefined` where there is none. */
export function typeFromArrow(type: arrow.DataType): LogicalType | undefined {
  const { DataType } = arrow;
  if (DataType.isDictionary(type)) return typeFromArrow(type.dictionary as arrow.DataType);
  if (DataType.isBool(type)) return { kind: "boolean" };
  if (DataType.isInt(type)) return { kind: "int", bits: type.bitWidth, signed: type.isSigned };
  if (DataType.isFloat(type)) return { kind: "float", bits: type.precision === arrow.Precision.DOUBLE ? 64 : 32 };
  if (DataType.isDecimal(type)) return decimalFromArrow(type);
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type) || DataType.isUtf8View(type)) return { kind: "utf8" };
  if (DataType.isNull(type)) return { kind: "utf8" };
  if (DataType.isBinary(type) || DataType.isLargeBinary(type) || DataType.isBinaryView(type)) return { kind: "binary" };
  if (DataType.isFixedSizeBinary(type)) return { kind: "binary" };
  if (DataType.isDate(type)) {
    return type.unit === arrow.DateUnit.DAY ? { kind: "date" } : { kind: "timestamp", unit: "ms" };
  }
  if (DataType.isTimestamp(type)) return { kind: "timestamp", unit: UNITS[type.unit] ?? "ms" };
  return undefined;
}

function decimalFromArrow({ precision, scale, bitWidth }: arrow.Decimal): LogicalType | undefined {
  const fits = bitWidth <= 128 && precision >= 1 && precision <= 38 && scale >= 0 && scale <= precision;
  return fits ? { kind: "decimal", precision, scale } : undefined;
}

/** Arrow's own type for a plain column of the logical type. */
export function typeToArrow(type: LogicalType): arrow.DataType {
  switch (type.kind) {
    case "boolean":
      return new arrow.Bool();
    case "int":
      return intToArrow(type.bits, type.signed);
    case "float":
      return type.bits === 64 ? new arrow.Float64() : new arrow.Float32();
    case "decimal":
      return new arrow.Decimal(type.scale, type.precision, 128);
    case "utf8":
      return new arrow.Utf8();
    case "binary":
      return new arrow.Binary();
    case "date":
      return new arrow.DateDay();
    case "timestamp":
      return new arrow.Timestamp(UNITS.indexOf(type.unit), "UTC");
    default:
      return assertNever(type);
  }
}

function intToArrow(bits: 8 | 16 | 32 | 64, signed: boolean): arrow.DataType {
  switch (bits) {
    case 8:
      return signed ? new arrow.Int8() : new arrow.Uint8();
    case 16:
      return signed ? new arrow.Int16() : new arrow.Uint16();
    case 32:
      return signed ? new arrow.Int32() : new arrow.Uint32();
    case 64:
      return signed ? new arrow.Int64() : new arrow.Uint64();
    default:
      return assertNever(bits);
  }
}
