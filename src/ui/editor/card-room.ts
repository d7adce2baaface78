import { CATALOG } from "../../engine/index.ts";
import type { GraphNode } from "../document/graph.ts";

const HEAD = 44;
const PORT_ROW = 22;
const LANE = 23;
/** More lanes than these are summed up, or stand side by side where every task is shown. */
const LANE_ROWS = 8;
/** More columns cannot be told apart on a card. */
const MOST_COLUMNS = 16;
/** The rows of the watermark and of the chain. */
const BELOW_LANES = 25 + 24;

/**
 * The height that a node's card has while its graph runs and every task is shown: what is laid out while nothing runs must not cover
 * each other in a run.
 */
export function cardRoom({ kind, parallelism }: Pick<GraphNode, "kind" | "parallelism">): number {
  const ports = CATALOG.get(kind)?.inputs.length ?? 0;
  return HEAD + (ports > 1 ? ports * PORT_ROW : 0) + Math.min(parallelism, LANE_ROWS) * LANE + BELOW_LANES;
}

/**
 * How many lanes stand side by side, so that a card does not grow over its neighbours: a power of two, with no more rows than a card has
 * room for.
 */
export function laneColumns(tasks: number): number {
  let columns = 1;
  while (columns < MOST_COLUMNS && tasks > columns * LANE_ROWS) columns *= 2;
  return columns;
}
