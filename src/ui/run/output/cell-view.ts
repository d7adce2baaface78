import { cell, type Field, typeName } from "../../../engine/index.ts";
import type { SinkOutput } from "../../engine-client/sink-output.ts";
import { cellText } from "../../shared/cell-text.ts";

export interface CellView {
  readonly text: string;
  /** NULL is not the word NULL. */
  readonly isNull: boolean;
}

const NULL: CellView = { text: "NULL", isNull: true };
const NOTHING: CellView = { text: "", isNull: false };

/** A cell with every digit that it has. `row` counts from the oldest row that is kept. */
export function cellView(output: SinkOutput, row: number, column: number): CellView {
  const place = output.locate(row);
  const values = place?.batch.columns[column];
  if (place === undefined || values === undefined) return NOTHING;
  const value = cell(values, place.row);
  return value === null ? NULL : { text: cellText(value), isNull: false };
}

/** Numbers stand on the right, so that their digits do. */
export function isNumeric({ type }: Field): boolean {
  return type.kind === "int" || type.kind === "float" || type.kind === "decimal";
}

const CHARACTER = 7.3;

/** Wide enough for the name and for what the first rows hold. */
export function columnWidth(output: SinkOutput, column: number, samples: number): number {
  const field = output.schema.fields[column];
  const head = field === undefined ? 0 : field.name.length * 7.3 + typeName(field.type).length * 6.6 + 32;
  let longest = 0;
  for (let row = 0; row < samples; row++) longest = Math.max(longest, cellView(output, row, column).text.length);
  return Math.round(Math.min(340, Math.max(70, head, longest * CHARACTER + 26)));
}
