import type { Box } from "./places.ts";

const GAP = 36;
const STEP = 20;
/** How far from its place a notice may be put. */
const FAR = 420;
/** So much distance is gone to leave a unit of area uncovered. */
const COVER = 1;

/**
 * Where a notice about a card lies: before its inputs if nothing is there, else as near to that as there is room, in sight.
 * All in graph coordinates.
 */
export function noticePlace(
  card: Box,
  size: { readonly w: number; readonly h: number },
  taken: readonly Box[],
  sight: Box | undefined,
): Box {
  const best = { x: card.x - size.w - GAP, y: card.y + card.h + GAP / 2 };
  const near = taken.filter(
    (box) => Math.abs(box.x - best.x) < FAR + size.w + box.w && Math.abs(box.y - best.y) < FAR + size.h + box.h,
  );
  let found = { ...best, ...size };
  let least = Number.POSITIVE_INFINITY;
  for (let dy = -FAR; dy <= FAR; dy += STEP) {
    for (let dx = -FAR; dx <= FAR; dx += STEP) {
      const distance = Math.hypot(dx, dy);
      if (distance >= least) continue;
      const box = { x: best.x + dx, y: best.y + dy, ...size };
      const cost = distance + COVER * covered(box, near) + COVER * (sight === undefined ? 0 : outside(box, sight));
      if (cost >= least) continue;
      least = cost;
      found = box;
    }
  }
  return found;
}

const covered = (box: Box, others: readonly Box[]): number =>
  others.reduce((sum, other) => sum + shared(box, other), 0);

const outside = (box: Box, sight: Box): number => box.w * box.h - shared(box, sight);

function shared(a: Box, b: Box): number {
  const w = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
  const h = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
  return w > 0 && h > 0 ? w * h : 0;
}
