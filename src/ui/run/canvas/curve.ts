export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A cubic curve; a straight line is one, too. */
export interface Curve {
  readonly from: Point;
  readonly first: Point;
  readonly second: Point;
  readonly to: Point;
}

/** The curve of an edge's SVG path, which has one move and one curve or line. */
export function curveOf(path: string): Curve | undefined {
  const numbers = path.match(/-?\d+(\.\d+)?(e-?\d+)?/g)?.map(Number) ?? [];
  const point = (index: number): Point => ({ x: numbers[index] as number, y: numbers[index + 1] as number });
  if (numbers.length === 4) return line(point(0), point(2));
  if (numbers.length === 8) return { from: point(0), first: point(2), second: point(4), to: point(6) };
  return undefined;
}

export const line = (from: Point, to: Point): Curve => ({
  from,
  first: between(from, to, 1 / 3),
  second: between(from, to, 2 / 3),
  to,
});

/** Leaves and arrives sideways. */
export function sideways(from: Point, to: Point): Curve {
  const reach = Math.max(16, Math.abs(to.x - from.x) / 2);
  return { from, first: { x: from.x + reach, y: from.y }, second: { x: to.x - reach, y: to.y }, to };
}

/** Leaves and arrives from above. */
export function downwards(from: Point, to: Point): Curve {
  const reach = (to.y - from.y) / 2;
  return { from, first: { x: from.x, y: from.y + reach }, second: { x: to.x, y: to.y - reach }, to };
}

export function pointAt({ from, first, second, to }: Curve, t: number): Point {
  const u = 1 - t;
  const mix = (a: number, b: number, c: number, d: number) =>
    u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d;
  return { x: mix(from.x, first.x, second.x, to.x), y: mix(from.y, first.y, second.y, to.y) };
}

/** The curve before and after a box that lies on its middle. */
export function cutOut(
  curve: Curve,
  box: { readonly x: number; readonly y: number; readonly w: number; readonly h: number },
): { before: Curve; after: Curve } {
  const inside = (t: number) => {
    const { x, y } = pointAt(curve, t);
    return x > box.x && x < box.x + box.w && y > box.y && y < box.y + box.h;
  };
  return { before: part(curve, 0, crossing(0, inside)), after: part(curve, crossing(1, inside), 1) };
}

/** Where the way from one end of the curve to its middle comes into what `inside` tells. */
function crossing(end: 0 | 1, inside: (t: number) => boolean): number {
  let outer: number = end;
  let inner = 0.5;
  for (let step = 0; step < 12; step++) {
    const middle = (outer + inner) / 2;
    if (inside(middle)) inner = middle;
    else outer = middle;
  }
  return inner;
}

/** The part of the curve from `a` to `b`, both in [0, 1]. */
function part(curve: Curve, a: number, b: number): Curve {
  const from = pointAt(curve, a);
  const to = pointAt(curve, b);
  const third = (b - a) / 3;
  const start = speedAt(curve, a);
  const end = speedAt(curve, b);
  return {
    from,
    first: { x: from.x + start.x * third, y: from.y + start.y * third },
    second: { x: to.x - end.x * third, y: to.y - end.y * third },
    to,
  };
}

/** The derivative at `t`. */
function speedAt({ from, first, second, to }: Curve, t: number): Point {
  const u = 1 - t;
  const mix = (a: number, b: number, c: number, d: number) =>
    3 * (u * u * (b - a) + 2 * u * t * (c - b) + t * t * (d - c));
  return { x: mix(from.x, first.x, second.x, to.x), y: mix(from.y, first.y, second.y, to.y) };
}

/** The curve's way at `t`, in radians. */
export function slopeAt(curve: Curve, t: number): number {
  const a = pointAt(curve, Math.max(0, t - 0.02));
  const b = pointAt(curve, Math.min(1, t + 0.02));
  return Math.atan2(b.y - a.y, b.x - a.x);
}

export function between(a: Point, b: Point, t: number): Point {
  return { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t };
}

export function trace(context: CanvasRenderingContext2D, { from, first, second, to }: Curve): void {
  context.moveTo(from.x, from.y);
  context.bezierCurveTo(first.x, first.y, second.x, second.y, to.x, to.y);
}
