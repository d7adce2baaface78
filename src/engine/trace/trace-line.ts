import type { TraceEvent } from "./trace-event.ts";

/** Keys that stand first in a line, in this order; others follow by name. */
const FIRST = ["atMs", "task", "kind"];

/**
 * A trace event as one line of JSON, without the line's end: the same event gives the same bytes, in whatever order its fields were
 * set (D-50). A number that is NaN or infinite is text, always the same one; what is undefined is left out.
 */
export function traceLine(event: TraceEvent): string {
  return textOf(event);
}

function textOf(value: unknown): string {
  if (typeof value === "number" && !Number.isFinite(value)) return `"${value}"`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${fields
    .sort(inOrder)
    .map(([key, each]) => `${JSON.stringify(key)}:${textOf(each)}`)
    .join(",")}}`;
}

function inOrder([a]: [string, unknown], [b]: [string, unknown]): number {
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

function rank(key: string): number {
  const index = FIRST.indexOf(key);
  return index < 0 ? FIRST.length : index;
}
