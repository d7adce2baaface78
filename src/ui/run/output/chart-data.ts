import { cell, type Field } from "../../../engine/index.ts";
import type { SinkOutput } from "../../engine-client/sink-output.ts";

/** A picture has no more pixels to show more with. */
const MOST_POINTS = 20_000;
/** Bars with names under them. */
const MOST_BARS = 40;

export interface ChartData {
  readonly x: Float64Array;
  readonly y: (number | null)[];
  /** Names in place of numbers along x. */
  readonly names: readonly string[] | undefined;
  /** Milliseconds along x. */
  readonly time: boolean;
  /** Several rows at one place along x, such as one for each key. */
  readonly repeats: boolean;
  /** Rows of which nothing is drawn because there are more than fit. */
  readonly left: number;
}

export const isTime = ({ type }: Field): boolean => type.kind === "timestamp" || type.kind === "date";
export const isNumber = ({ type }: Field): boolean =>
  type.kind === "int" || type.kind === "float" || type.kind === "decimal";

/** Along x: the rows in order, or a column of numbers, times or words. A drawing has no need of all digits; the grid has them. */
export function chartData(output: SinkOutput, xName: string | undefined, yName: string): ChartData {
  const { fields } = output.schema;
  const xIndex = fields.findIndex(({ name }) => name === xName);
  const yIndex = fields.findIndex(({ name }) => name === yName);
  const xField = fields[xIndex];
  const named = xField !== undefined && !isTime(xField) && !isNumber(xField);
  const count = Math.min(output.kept, named ? MOST_BARS : MOST_POINTS);
  const first = output.kept - count;
  const points: { x: number; y: number | null; name: string }[] = [];
  for (let row = first; row < output.kept; row++) {
    const x = xField === undefined || named ? row - first : numberAt(output, row, xIndex, xField);
    if (x === null) continue;
    const name = named ? String(valueAt(output, row, xIndex) ?? "NULL") : "";
    points.push({ x, y: numberAt(output, row, yIndex, fields[yIndex]), name });
  }
  // A line is drawn from left to right.
  if (!named) points.sort((a, b) => a.x - b.x);
  return {
    x: Float64Array.from(points, ({ x }) => x),
    y: points.map(({ y }) => y),
    names: named ? points.map(({ name }) => name) : undefined,
    time: xField !== undefined && isTime(xField),
    repeats: !named && points.some(({ x }, index) => x === points[index - 1]?.x),
    left: first,
  };
}

function valueAt(output: SinkOutput, row: number, column: number) {
  const place = output.locate(row);
  const values = place?.batch.columns[column];
  return place === undefined || values === undefined ? null : cell(values, place.row);
}

function numberAt(output: SinkOutput, row: number, column: number, field: Field | undefined): number | null {
  const value = valueAt(output, row, column);
  if (value === null || field === undefined) return null;
  const number = isTime(field) ? Date.parse(String(value)) : Number(value);
  return Number.isFinite(number) ? number : null;
}
