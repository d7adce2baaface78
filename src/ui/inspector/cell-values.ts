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
