import type { CellValue } from "../../engine/index.ts";

/** Longer texts are cut where they are shown; a download has all of them. */
const LONGEST = 400;

/** A value as the page writes it. */
export function cellText(value: Exclude<CellValue, null>, longest = LONGEST): string {
  if (typeof value === "string") return value.length > longest ? `${value.slice(0, longest)}…` : value;
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (value instanceof Uint8Array) return hex(value, longest);
  return String(value);
}

function hex(bytes: Uint8Array, longest: number): string {
  const shown = Array.from(bytes.subarray(0, longest / 2), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `0x${shown}${shown.length < 2 * bytes.length ? `… (${bytes.length} bytes)` : ""}`;
}
