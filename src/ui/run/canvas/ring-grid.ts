import type { EdgeGeometry } from "../../editor/edge-geometry.ts";
import type { RunModel } from "../run-model.ts";
import { type Curve, cutOut } from "./curve.ts";
import { around, type RingPlace } from "./places.ts";

/** A grid takes no more room than this between two cards. */
const GRID = { w: 84, h: 84 };
/** No more of it than this stands above the edge. */
const RISE = 26;
const CELL_MOST = 9;

/**
 * Many rings as cells beside each other on the edge's own line, in the given order: a row for each task that receives, in it a cell for
 * each that sends to it. Where one sends to each, or all to one, it is a square.
 */
export function gridPlaces(
  model: RunModel,
  rings: readonly number[],
  { x, y: middle, drops }: Pick<EdgeGeometry, "x" | "y" | "drops">,
  curve: Curve,
): RingPlace[] {
  const targets = new Set(rings.map((edge) => model.plan.edges[edge]?.to.task)).size;
  const senders = Math.ceil(rings.length / targets);
  const columns = senders === 1 || targets === 1 ? Math.ceil(Math.sqrt(rings.length)) : senders;
  const rows = Math.ceil(rings.length / columns);
  const w = Math.min(CELL_MOST, GRID.w / columns);
  const h = Math.min(CELL_MOST, GRID.h / rows);
  // What lies between cells is less than they are.
  const gap = Math.min(1, w / 4, h / 4);
  const y = middle + (drops ? 0 : Math.max(0, (rows * h) / 2 - RISE));
  const boxes = rings.map((edge, index) => {
    const column = (index % columns) - columns / 2;
    const row = Math.floor(index / columns) - rows / 2;
    return { edge, box: { x: x + column * w, y: y + row * h, w: w - gap, h: h - gap } };
  });
  const ways = cutOut(curve, around(boxes));
  return boxes.map((place) => ({ ...place, ...ways }));
}
