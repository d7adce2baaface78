import { writeJson } from "../../engine/index.ts";

/**
 * Between a cell as a person types it and the value in the document. Nothing is rounded: a whole number that a JavaScript number
 * does not hold stays a bigint. An empty cell is NULL; `''` is the empty text.
 */
export function valueOfText(text: string, type: string): unknown {
  if (text === "") return null;
  if (type === "utf8" || type === "binary") return text === "''" ? "" : text;
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  if (/^-?\d+$/.test(text)) {
    const value = Number(text);
    return Number.isSafeInteger(value) && String(value) === text ? value : exactInteger(text);
  }
  if (/^-?\d*\.?\d+([eE][+-]?\d+)?$/.test(text) && type.startsWith("float")) return Number(text);
  return text;
}

function exactInteger(text: string): unknown {
  const value = BigInt(text);
  return String(value) === text ? value : text;
}

export function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value === "") return "''";
  return typeof value === "object" ? writeJson(value).trim() : String(value);
}

/** A literal as it looks: `5` a number, `true` a boolean, anything else text; `"5"` is the text 5. */
export function literalOf(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  if (/^-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text))) return Number(text);
  const quoted = /^"(.*)"$/s.exec(text);
  return quoted?.[1] ?? text;
}

export function literalText(value: unknown): string {
  if (typeof value !== "string") return value === undefined || value === null ? "" : String(value);
  return literalOf(value) === value ? value : `"${value}"`;
}
