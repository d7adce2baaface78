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
  /** Height of the source's card, where it is known. */
  readonly sourceHeight: number | undefined;
  /** Both cards have only this port on this side, so the edge may leave from below. */
  readonly mayDrop: boolean;
}

export const CARD_WIDTH = 200;
/** Ports reach over the card's border by half of their width, and edges end at their outer side. */
export const PORT_REACH = 4.5;
/** The port of a card with one port lies in the middle of its head. */
export const HEAD_MIDDLE = 22;

/** From port to port in a curve; straight down where one card stands below the other. */
export function edgeGeometry(ends: EdgeEnds): EdgeGeometry {
  return dropGeometry(ends) ?? curveGeometry(ends);
}

function dropGeometry({
  sourceX,
  sourceY,
  targetX,
  targetY,
  sourceHeight,
  mayDrop,
}: EdgeEnds): EdgeGeometry | undefined {
  if (!mayDrop || sourceHeight === undefined) return undefined;
  const x1 = sourceX - PORT_REACH - CARD_WIDTH / 2;
  const x2 = targetX + PORT_REACH + CARD_WIDTH / 2;
  const y1 = sourceY - HEAD_MIDDLE + sourceHeight;
  const y2 = targetY - HEAD_MIDDLE;
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
