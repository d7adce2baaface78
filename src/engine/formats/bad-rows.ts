import { type Field, Schema } from "../data/schema.ts";
import { typeOf } from "../data/types.ts";

/**
 * Rows that do not fit their columns (D-41, E-10): what is said about them. What becomes of them is their source's to decide: they
 * are dropped, routed, rescued as text, or end the run.
 */

/** A record that does not fit its columns. */
export interface BadRow {
  /** Number of the record, from 1; a csv header is none. */
  readonly row: number;
  /** Line on which it starts, from 1. */
  readonly line: number;
  /** Columns at fault, the first one first; none when the record as a whole is broken. */
  readonly fields: readonly string[];
  /** Why, of the first column at fault. */
  readonly reason: string;
  /** The record's text without its line end; bytes that are no UTF-8 are U+FFFD. */
  readonly text: string;
}

/** Longest piece of a value or a row that a message shows. */
const EXCERPT = 60;

/** `"text"`, shortened, with control characters escaped. */
export function excerpt(text: string): string {
  return JSON.stringify(text.length <= EXCERPT ? text : `${text.slice(0, EXCERPT)}…`);
}

/** Bad rows so far, in all and by column. */
export class BadRowTally {
  total = 0;
  /** Under `""`: broken as a whole. */
  readonly byField = new Map<string, number>();

  add(row: BadRow): void {
    this.total++;
    const fields = row.fields.length === 0 ? [""] : row.fields;
    for (const field of fields) this.byField.set(field, (this.byField.get(field) ?? 0) + 1);
  }

  /** `3 of 1000 rows do not fit: amount 2, at 1, broken 1` */
  summary(rows: number): string {
    const fields = [...this.byField].map(([field, count]) => `${field === "" ? "broken" : field} ${count}`);
    return `${this.total} of ${rows} rows ${this.total === 1 ? "does" : "do"} not fit: ${fields.join(", ")}`;
  }
}

/** Columns of the output where bad rows are rescued: all nullable, and behind them the rescue column. */
export function rescueSchema(schema: Schema, rescueColumn: string | undefined): Schema {
  if (rescueColumn === undefined) return schema;
  const nullable = schema.fields.map((field): Field => ({ ...field, nullable: true }));
  return new Schema([...nullable, { name: rescueColumn, type: typeOf("utf8"), nullable: true }]);
}
