import { closest } from "../../base/edit-distance.ts";
import type { Schema } from "../../data/schema.ts";
import { cellOf, Misfit } from "./cells.ts";
import type { ConfigProblem } from "./kind-spec.ts";
import { type InlineRow, valueAt } from "./row-cells.ts";
import { z } from "./zod.ts";

const isRow = (value: unknown): value is InlineRow => typeof value === "object" && value !== null;

/** Not z.record, which passes over a column named __proto__; the values are checked against the columns by `checkRows`. */
export const inlineRow = z
  .custom<InlineRow>(isRow, "must be a list of values or an object")
  .meta({ type: ["array", "object"] });

/** Faults beyond this many are counted, not listed: the person sees the pattern. */
const LISTED = 20;

/** Whether every row fits the columns, naming row and column of each misfit (D-41). */
export function checkRows(schema: Schema, rows: readonly InlineRow[], field: string): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  let faults = 0;
  rows.forEach((row, index) => {
    for (const fault of rowFaults(schema, row)) {
      faults++;
      if (faults <= LISTED) problems.push({ code: "bad-row", field: `${field}[${index}]`, row: index + 1, ...fault });
    }
  });
  if (faults > LISTED) {
    const message = `${faults - LISTED} more values or rows do not fit the columns`;
    problems.push({ code: "bad-row", field, message, hint: "repair the first ones and look again" });
  }
  return problems;
}

interface Fault {
  readonly message: string;
  readonly hint?: string;
}

const quoted = (text: string): string => JSON.stringify(text);

function* rowFaults(schema: Schema, row: InlineRow): Generator<Fault> {
  if (Array.isArray(row)) {
    if (row.length !== schema.length) {
      yield {
        message: `the row has ${row.length} values for ${schema.length} columns`,
        hint: "give one value for each column",
      };
      return;
    }
  } else {
    for (const name of Object.keys(row)) {
      if (schema.indexOf(name) >= 0) continue;
      const near = closest(name, schema.names);
      const hint = near === undefined ? `the columns are ${schema.names.join(", ")}` : `did you mean ${quoted(near)}?`;
      yield { message: `there is no column ${quoted(name)}`, hint };
    }
  }
  for (const [index, each] of schema.fields.entries()) {
    const cell = cellOf(valueAt(row, each, index), each);
    if (cell instanceof Misfit) yield { message: `column ${quoted(each.name)} ${cell.reason}` };
  }
}
