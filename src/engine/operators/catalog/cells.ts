import type { Field } from "../../data/schema.ts";
import { type Cell, storedCell, Unfit } from "../../data/stored-cell.ts";
import { type LogicalType, typeName } from "../../data/types.ts";

/** Why a value does not fit, to stand behind the name of its column: `is not a whole number`. */
export class Misfit {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

/**
 * A value of inline data as its column stores it (`storedCell`). Numbers that JSON cannot hold exactly come as bigint or text
 * (`parseJson`).
 */
export function cellOf(value: unknown, { type, nullable }: Field): Cell | Misfit {
  if (value === null || value === undefined) return nullable ? null : new Misfit("must not be NULL");
  const cell = storedCell(value, type);
  return cell instanceof Unfit
    ? new Misfit(`is ${typeName(type)}, and ${shown(value)} is none${hint(cell, type, value)}`)
    : cell;
}

const SHOWN = 40;

function shown(value: unknown): string {
  const text = typeof value === "bigint" ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function hint({ why }: Unfit, type: LogicalType, value: unknown): string {
  if (type.kind === "binary") return ": give base64";
  if (type.kind === "utf8" && typeof value === "string") return ": half of a surrogate pair is no character";
  switch (why) {
    case "malformed":
      return "";
    case "out-of-range":
      return type.kind === "decimal" ? ": too many digits" : ": out of range";
    case "too-precise":
      return type.kind === "decimal" ? `: more than ${type.scale} decimal places` : "";
  }
}
