import type { Curve } from "./curve.ts";

/** In the coordinates of the graph. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A ring and where it is drawn: the way to it, its strip, the way from it. */
export interface RingPlace {
  /** Physical edge; of several in one strip, see EdgeScene.rings. */
  readonly edge: number;
  readonly box: Box;
  readonly before: Curve;
  readonly after: Curve;
}

export const meet = (a: Box, b: Box): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

export function around(places: readonly Pick<RingPlace, "box">[]): Box {
  const left = Math.min(...places.map(({ box }) => box.x));
  const top = Math.min(...places.map(({ box }) => box.y));
  const right = Math.max(...places.map(({ box }) => box.x + box.w));
  const bottom = Math.max(...places.map(({ box }) => box.y + box.h));
  return { x: left, y: top, w: right - left, h: bottom - top };
}
