export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Which part of the graph a map shows: from (x, y) on, in the coordinates of the graph, and `scale` pixels for a unit of it. */
export interface MapFrame {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

const MARGIN = 5;

/** The smallest part that holds all of `shown`, in the middle of a map of that size, with a margin. */
export function mapFrame(
  shown: readonly Rectangle[],
  map: { readonly width: number; readonly height: number },
): MapFrame {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of shown) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  const across = (map.width - 2 * MARGIN) / (right - left);
  const down = (map.height - 2 * MARGIN) / (bottom - top);
  const scale = Math.min(across, down);
  return { x: (left + right - map.width / scale) / 2, y: (top + bottom - map.height / scale) / 2, scale };
}
