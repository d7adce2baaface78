import { WeirError } from "../../base/errors.ts";
import { bitAt, type Column, type FixedColumn } from "../column.ts";
import { type LogicalType, type TimeUnit, typeName } from "../types.ts";

/** Beyond this, two neighbouring milliseconds would be one number. */
const MAX_MS = Number.MAX_SAFE_INTEGER;
const TWO_32 = 4294967296;
const MS_PER_DAY = 86_400_000;

/**
 * Event times in whole milliseconds since 1970-01-01 UTC, rounded toward minus infinity, NaN for NULL. Timestamps have
 * their own unit, dates are their midnight, and `unit` is that of bare integers. `field` is the column's name for
 * messages.
 *
 * @throws WeirError `event-time-type` for a column that is none of these, `event-time-overflow` with the row
 */
export function toEventMs(column: Column, unit: TimeUnit, field?: string): Float64Array {
  const { type } = column;
  if (column.encoding !== "fixed") throw wrongType(type, field);
  const out = new Float64Array(column.length);
  switch (type.kind) {
    case "timestamp":
      longToMs(column, type.unit, true, out);
      break;
    case "date":
      for (let i = 0; i < out.length; i++) out[i] = (column.values[i] as number) * MS_PER_DAY;
      break;
    case "int":
      if (type.bits === 64) longToMs(column, unit, type.signed, out);
      else shortToMs(column, unit, out);
      break;
    default:
      throw wrongType(type, field);
  }
  clearNulls(column, out);
  checkRange(out, field);
  return out;
}

/** 64-bit values by their two halves: no BigInt, and no float that would round before the division. */
function longToMs(column: FixedColumn, unit: TimeUnit, signed: boolean, out: Float64Array): void {
  const words = column.values as Int32Array;
  const perMs = unit === "us" ? 1e3 : unit === "ns" ? 1e6 : 1;
  const msPer = unit === "s" ? 1e3 : 1;
  if (perMs === 1) {
    for (let i = 0; i < out.length; i++) {
      const hi = words[2 * i + 1] as number;
      out[i] = ((signed ? hi : hi >>> 0) * TWO_32 + ((words[2 * i] as number) >>> 0)) * msPer;
    }
    return;
  }
  for (let i = 0; i < out.length; i++) {
    const word = words[2 * i + 1] as number;
    const hi = signed ? word : word >>> 0;
    const quotient = Math.floor(hi / perMs);
    const rest = (hi - quotient * perMs) * TWO_32 + ((words[2 * i] as number) >>> 0);
    out[i] = quotient * TWO_32 + Math.floor(rest / perMs);
  }
}

function shortToMs(column: FixedColumn, unit: TimeUnit, out: Float64Array): void {
  const perMs = unit === "us" ? 1e3 : unit === "ns" ? 1e6 : 1;
  const msPer = unit === "s" ? 1e3 : 1;
  for (let i = 0; i < out.length; i++) out[i] = Math.floor(((column.values[i] as number) * msPer) / perMs);
}

function clearNulls(column: Column, out: Float64Array): void {
  const { validity, nullCount } = column;
  if (validity === null || nullCount === 0) return;
  for (let i = 0; i < out.length; i++) if (!bitAt(validity, i)) out[i] = Number.NaN;
}

function checkRange(out: Float64Array, field: string | undefined): void {
  for (let i = 0; i < out.length; i++) {
    if (Math.abs(out[i] as number) > MAX_MS) {
      throw new WeirError({
        code: "event-time-overflow",
        domain: "data",
        field,
        row: i + 1,
        message: "the event time overflows milliseconds",
        hint: "set the unit of the time column (s, ms, us, ns) to what its numbers count",
      });
    }
  }
}

function wrongType(type: LogicalType, field: string | undefined): WeirError {
  return new WeirError({
    code: "event-time-type",
    domain: "graph",
    field,
    message: `a column of ${typeName(type)} holds no event time`,
    hint: "use a timestamp, a date, or an integer with its unit",
  });
}
