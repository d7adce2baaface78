/**
 * Errors are data: they survive the trip between workers and say what is wrong, where, and what to do.
 */

export type ErrorDomain = "graph" | "usage" | "data" | "task" | "checkpoint" | "transport" | "host" | "engine";

/** Where an error belongs; every field that is known is given. Rows and lines count from 1, as people count. */
export interface ErrorPlace {
  readonly node?: string | undefined;
  readonly task?: number | undefined;
  readonly edge?: string | undefined;
  readonly field?: string | undefined;
  readonly file?: string | undefined;
  readonly row?: number | undefined;
  readonly line?: number | undefined;
}

export interface ErrorData extends ErrorPlace {
  /** Stable, kebab-case, for programs: `unknown-kind`, `host-died`. */
  readonly code: string;
  readonly domain: ErrorDomain;
  /** What is wrong, in one sentence without a full stop. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string | undefined;
  /** The text of the error underneath. */
  readonly cause?: string | undefined;
}

/** The one error type that the engine throws on purpose. `data` crosses worker boundaries by structured clone. */
export class WeirError extends Error {
  override readonly name: string = "WeirError";
  readonly data: ErrorData;

  constructor(data: ErrorData) {
    super(data.message);
    this.data = data;
  }

  /** The same error with more of its place filled in; what is known already stays. */
  at(place: ErrorPlace): WeirError {
    return new WeirError({ ...place, ...definedOnly(this.data) });
  }
}

function definedOnly(data: ErrorData): ErrorData {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) as unknown as ErrorData;
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The error as data, whatever was thrown. */
export function toErrorData(error: unknown, fallback: { code: string; domain: ErrorDomain } & ErrorPlace): ErrorData {
  if (error instanceof WeirError) return error.at(fallback).data;
  return { ...fallback, message: errorText(error) };
}

/** Line breaks are spaces, for scripts read the last line; other control characters, of which a damaged file is full, a terminal would obey. */
const inOneLine = (text: string): string =>
  text
    .replaceAll(/\s*\n\s*/g, " ")
    .replace(/\p{Cc}/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** One line for a terminal: `orders.config.path: no such file; give a path relative to the document`. */
export function errorLine(data: ErrorData): string {
  const where = [data.node, data.field].filter((part) => part !== undefined && part !== "").join(".");
  const place = [
    data.file,
    data.line === undefined ? undefined : `line ${data.line}`,
    data.row === undefined ? undefined : `row ${data.row}`,
    data.edge === undefined ? undefined : `edge ${data.edge}`,
  ].filter((part) => part !== undefined);
  const prefix = where === "" ? "" : `${where}: `;
  const suffix = place.length === 0 ? "" : ` (${place.join(", ")})`;
  const hint = data.hint === undefined ? "" : `; ${data.hint}`;
  return inOneLine(`${prefix}${data.message}${suffix}${hint}`);
}
