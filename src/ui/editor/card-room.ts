import { CATALOG } from "../../engine/index.ts";
import type { GraphNode } from "../document/graph.ts";

const HEAD = 44;
const PORT_ROW = 22;
const LANE = 23;
/** More lanes than these are summed up. */
const MOST_LANES = 4;
/** The rows of the watermark and of the chain. */
const BELOW_LANES = 25 + 24;

/**
 * The height that a node's card has while its graph runs, in the logical view: what is laid out while nothing runs must not cover
 * each other in a run.
 */
export function cardRoom({ kind, parallelism }: Pick<GraphNode, "kind" | "parallelism">): number {
  const ports = CATALOG.get(kind)?.inputs.length ?? 0;
  return HEAD + (ports > 1 ? ports * PORT_ROW : 0) + Math.min(parallelism, MOST_LANES) * LANE + BELOW_LANES;
}
