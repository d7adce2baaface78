import type { EdgeNow } from "../../engine-client/run-reader.ts";
import type { RingPlace } from "./places.ts";
import type { Ink } from "./ring-picture.ts";

/** A ring in which a single message waits is told from an empty one. */
const LEAST = 0.3;

/** Rings of a grid with nothing in them. */
export function drawEmptyCells({ context, colours }: Ink, places: readonly RingPlace[]): void {
  context.fillStyle = colours.line;
  for (const { box } of places) context.fillRect(box.x, box.y, box.w, box.h);
}

/**
 * The rings of a grid, each as one cell: the fuller, the stronger its colour. One with a barrier in it has the barrier's colour, one that
 * its sender waits for the sender's.
 */
export function drawCells(
  { context, colours }: Ink,
  places: readonly RingPlace[],
  edges: readonly EdgeNow[],
  full: ReadonlySet<number>,
): void {
  for (const { edge, box } of places) {
    const ring = edges[edge];
    if (ring === undefined || ring.queued === 0) continue;
    const barrier = ring.held || ring.kinds.includes("barrier");
    context.globalAlpha = barrier ? 1 : LEAST + (1 - LEAST) * Math.min(1, ring.dataQueued / ring.capacity);
    context.fillStyle = barrier ? colours.barrier : full.has(edge) ? colours.sending : colours.data;
    context.fillRect(box.x, box.y, box.w, box.h);
  }
  context.globalAlpha = 1;
}
