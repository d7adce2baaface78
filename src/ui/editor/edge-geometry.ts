/** How an edge runs, in the coordinates of the graph. */
export interface EdgeGeometry {
  /** SVG path. */
  readonly path: string;
  /** Its middle, where its label and its strip stand. */
  readonly x: number;
  readonly y: number;
  /** It drops from the bottom of one card to the top of another; labels then stand beside it. */
  readonly drops: boolean;
}

export interface EdgeEnds {
  readonly sourceX: number;
  readonly sourceY: number;
  readonly targetX: number;
  readonly targetY: number;
  /** Where the source's card ends and the target's begins, when the edge may drop from one to the other. */
  readonly drop: { readonly from: number; readonly to: number } | undefined;
}

/** An edge is hit from so far on both sides together. */
export const INTERACTION_WIDTH = 22;
export const CARD_WIDTH = 200;
/** Ports stand on the inner side of the card's border and reach over it; edges end at their outer side. */
export const PORT_REACH = 3.5;
/** The port of a card with one port lies in the middle of its head. */
export const HEAD_MIDDLE = 22;

/** From port to port in a curve; straight down where one card stands below the other. */
export function edgeGeometry(ends: EdgeEnds): EdgeGeometry {
  return dropGeometry(ends) ?? curveGeometry(ends);
}

function dropGeometry({ sourceX, targetX, drop }: EdgeEnds): EdgeGeometry | undefined {
  if (drop === undefined) return undefined;
  const x1 = sourceX - PORT_REACH - CARD_WIDTH / 2;
  const x2 = targetX + PORT_REACH + CARD_WIDTH / 2;
  const { from: y1, to: y2 } = drop;
  if (Math.abs(x1 - x2) > CARD_WIDTH / 2 || y2 <= y1) return undefined;
  const middle = (y1 + y2) / 2;
  const path = x1 === x2 ? `M${x1} ${y1}L${x2} ${y2}` : `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`;
  return { path, x: (x1 + x2) / 2, y: middle, drops: true };
}

function curveGeometry({ sourceX, sourceY, targetX, targetY }: EdgeEnds): EdgeGeometry {
  const ahead = targetX - sourceX;
  const reach = ahead >= 0 ? Math.max(30, ahead / 2) : Math.min(160, 60 - ahead / 4);
  const path = `M${sourceX} ${sourceY}C${sourceX + reach} ${sourceY} ${targetX - reach} ${targetY} ${targetX} ${targetY}`;
  return { path, x: (sourceX + targetX) / 2, y: (sourceY + targetY) / 2, drops: false };
}
