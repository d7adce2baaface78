import { type LogicalType, type TimeUnit, typeName } from "../../data/types.ts";

/**
 * Layout of a batch in a module's memory, version 1 (docs/compute.md). Every cell is a 32-bit little-endian unsigned integer; pointers
 * are byte offsets into the memory, 0 for none. What comes in and what goes out are laid out alike.
 */

/** Byte offsets of a batch's cells. */
export const BATCH = {
  version: 0,
  rows: 4,
  columns: 8,
  table: 12,
  origins: 16,
  message: 20,
  messageBytes: 24,
} as const;
export const BATCH_BYTES = 32;

/** Byte offsets of the cells of one column in the table. */
export const COLUMN = {
  type: 0,
  detail: 4,
  name: 8,
  nameBytes: 12,
  nulls: 16,
  validity: 20,
  offsets: 24,
  data: 28,
  dataBytes: 32,
} as const;
export const COLUMN_BYTES = 40;

const TYPE_CODES: ReadonlyMap<string, number> = new Map([
  ["boolean", 1],
  ["int8", 2],
  ["int16", 3],
  ["int32", 4],
  ["int64", 5],
  ["uint8", 6],
  ["uint16", 7],
  ["uint32", 8],
  ["uint64", 9],
  ["float32", 10],
  ["float64", 11],
  ["utf8", 12],
  ["binary", 13],
  ["date", 14],
]);
const TIMESTAMP = 15;
const DECIMAL = 16;
const UNITS: readonly TimeUnit[] = ["s", "ms", "us", "ns"];

/** The two cells that say a type: its code, and what a code alone leaves open. */
export interface TypeCells {
  readonly code: number;
  /** Of a timestamp its unit: 0 s, 1 ms, 2 us, 3 ns. Of a decimal its precision and, from bit 8 on, its scale. */
  readonly detail: number;
}

export function typeCells(type: LogicalType): TypeCells {
  if (type.kind === "timestamp") return { code: TIMESTAMP, detail: UNITS.indexOf(type.unit) };
  if (type.kind === "decimal") return { code: DECIMAL, detail: type.precision | (type.scale << 8) };
  return { code: TYPE_CODES.get(typeName(type)) as number, detail: 0 };
}

/** What two cells say, for messages. */
export function typeText({ code, detail }: TypeCells): string {
  if (code === TIMESTAMP && UNITS[detail] !== undefined) return `timestamp[${UNITS[detail]}]`;
  if (code === DECIMAL) return `decimal(${detail & 0xff},${detail >>> 8})`;
  for (const [name, known] of TYPE_CODES) if (known === code) return name;
  return `the unknown type ${code}`;
}
