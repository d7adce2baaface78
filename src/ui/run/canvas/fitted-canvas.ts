import { resizeCanvas } from "../../shared/canvas-pixels.ts";
import type { Box } from "./places.ts";

/** The canvas ends at multiples of this, so that what moves a little leaves it as it is. */
const GRAIN = 32;
/** While the view moves the canvas covers all of its stage: a canvas of another size is a new one. */
const RESTS_AFTER_MS = 200;

/**
 * A canvas that covers no more of its stage, the element that it stands in, than what is drawn needs. A browser without a GPU puts
 * every pixel of a canvas on the screen anew when one of them changed, and what lies below of it as well.
 */
export class FittedCanvas {
  /** Where the canvas is, in pixels of the stage. */
  place: Box = { x: 0, y: 0, w: 0, h: 0 };
  private readonly canvas: HTMLCanvasElement;
  private stage = { w: 0, h: 0 };
  private movedAt = Number.NEGATIVE_INFINITY;

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
  }

  /** The size of the stage, in its pixels. */
  get size(): { readonly w: number; readonly h: number } {
    return this.stage;
  }

  /** The stage may have another size now. */
  measure(): void {
    const { clientWidth, clientHeight } = this.canvas.parentElement ?? this.canvas;
    this.stage = { w: clientWidth, h: clientHeight };
  }

  /** The view of the graph is another one than before. */
  move(nowMs: number): void {
    this.movedAt = nowMs;
  }

  /** Covers what is needed of the stage, in its pixels; undefined: nothing is. What was on the canvas may be gone. */
  fit(needed: Box | undefined, nowMs: number): void {
    const moves = nowMs - this.movedAt < RESTS_AFTER_MS;
    const next = needed === undefined ? NOWHERE : within(moves ? { x: 0, y: 0, ...this.stage } : needed, this.stage);
    const { canvas, place } = this;
    const there = next.x === place.x && next.y === place.y && next.w === place.w && next.h === place.h;
    if (!resizeCanvas(canvas, next.w, next.h) && there) return;
    this.place = next;
    Object.assign(canvas.style, {
      left: `${next.x}px`,
      top: `${next.y}px`,
      width: `${next.w}px`,
      height: `${next.h}px`,
    });
  }
}

const NOWHERE: Box = { x: 0, y: 0, w: 0, h: 0 };

function within({ x, y, w, h }: Box, stage: { readonly w: number; readonly h: number }): Box {
  const down = (at: number) => Math.max(0, Math.floor(at / GRAIN) * GRAIN);
  const up = (at: number) => Math.ceil(at / GRAIN) * GRAIN;
  const [left, top] = [down(x), down(y)];
  const [right, bottom] = [Math.min(stage.w, up(x + w)), Math.min(stage.h, up(y + h))];
  return right <= left || bottom <= top ? NOWHERE : { x: left, y: top, w: right - left, h: bottom - top };
}
