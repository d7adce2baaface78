import type { EdgeNow } from "../../engine-client/run-reader.ts";
import type { ShownRun } from "../run-controller.ts";
import { trace } from "./curve.ts";
import type { RingPlace } from "./places.ts";
import { drawEmptyCells } from "./ring-cells.ts";
import { drawRing, type Ink } from "./ring-picture.ts";
import type { EdgeScene } from "./scene.ts";

/**
 * What stays as it is while the stream flows: lines, empty rings, the names of routes. In the logical view the edge's own line shows
 * through.
 */
export function drawStill(ink: Ink, { run }: ShownRun, edge: EdgeScene, words: boolean): void {
  const { colours } = ink;
  if (edge.rings.length === 0) drawChain(ink, edge);
  for (const place of waysOf(edge)) drawLine(ink.context, place, colours.edge, 1);
  if (edge.look === "grid") drawEmptyCells(ink, edge.places);
  else {
    for (const { edge: ring, box } of edge.places) {
      const reading = run.frame.edges[ring];
      if (reading !== undefined) drawRing(ink, box, { ...EMPTY, capacity: reading.capacity }, colours.lineStrong);
    }
  }
  if (!words) return;
  drawText(ink, edge.label, edge.labelAt, colours.muted, `10.5px ${colours.sans}`, edge.drops ? "left" : "center");
}

/** Places with a line that is drawn here: the canvas draws the edge's own line in the logical view only. */
function waysOf({ look, places }: EdgeScene): readonly RingPlace[] {
  switch (look) {
    case "line":
      return [];
    case "ways":
      return places;
    case "grid":
      return places.slice(0, 1);
  }
}

const EMPTY: Pick<EdgeNow, "kinds" | "dataQueued" | "queued" | "held"> = {
  kinds: [],
  dataQueued: 0,
  queued: 0,
  held: false,
};

export function drawLine(
  context: CanvasRenderingContext2D,
  { before, after }: Pick<RingPlace, "before" | "after">,
  colour: string,
  width: number,
): void {
  context.beginPath();
  trace(context, before);
  trace(context, after);
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}

function drawChain({ context, colours }: Ink, { curve }: EdgeScene): void {
  context.beginPath();
  trace(context, curve);
  context.strokeStyle = colours.lineStrong;
  context.lineWidth = 6;
  context.stroke();
  context.strokeStyle = colours.canvas;
  context.lineWidth = 3;
  context.stroke();
}

/** On the ground of the canvas, so that no line runs through it. */
export function drawText(
  { context, colours }: Ink,
  words: string,
  { x, y }: { readonly x: number; readonly y: number },
  colour: string,
  font: string,
  align: CanvasTextAlign,
): void {
  context.font = font;
  context.textAlign = align;
  context.lineJoin = "round";
  context.lineWidth = 4;
  context.strokeStyle = colours.canvas;
  context.strokeText(words, x, y);
  context.fillStyle = colour;
  context.fillText(words, x, y);
}
