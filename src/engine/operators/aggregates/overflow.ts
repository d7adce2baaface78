import { WeirError } from "../../base/errors.ts";
import type { Schema } from "../../data/schema.ts";

/** An aggregate that its type cannot hold ends the run (D-25). */
export function overflow(name: string, key: readonly unknown[], schema: Schema): WeirError {
  const type = schema.field(name)?.type.kind === "decimal" ? "38 digits" : "64 bits";
  const of = key.length === 0 ? "" : ` of ${key.map(shown).join(", ")}`;
  return new WeirError({
    code: "aggregate-overflow",
    domain: "data",
    field: name,
    message: `${JSON.stringify(name)}${of} needs more than ${type}`,
    hint: "group by more columns, use smaller windows, or sum a float64",
  });
}

const shown = (cell: unknown): string => {
  if (cell === null) return "NULL";
  return typeof cell === "string" ? JSON.stringify(cell) : String(cell);
};
