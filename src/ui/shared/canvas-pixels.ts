/**
 * Gives a canvas as many pixels as the screen has for so many of the page's. True when it had another number, and nothing is on it any
 * more.
 */
export function resizeCanvas(canvas: HTMLCanvasElement, width: number, height: number): boolean {
  const w = Math.round(width * devicePixelRatio);
  const h = Math.round(height * devicePixelRatio);
  if (canvas.width === w && canvas.height === h) return false;
  canvas.width = w;
  canvas.height = h;
  return true;
}
