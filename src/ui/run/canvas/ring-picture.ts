import type { MessageKind } from "../../../engine/index.ts";
import type { EdgeNow } from "../../engine-client/run-reader.ts";
import type { Palette } from "./palette.ts";
import type { Box } from "./places.ts";

export interface Ink {
  readonly context: CanvasRenderingContext2D;
  readonly colours: Palette;
  readonly hatch: CanvasPattern | string;
  /** Device pixels for a unit of what is drawn: what is smaller than they are is drawn as rectangles, which takes a tenth of the time. */
  readonly scale: number;
}

/** A curve of this radius is seen as one. */
export const isRound = ({ scale }: Ink, radius: number): boolean => radius * scale >= 1.2;

/** From so far a strip is a few pixels: its slots are not seen one by one, and nothing of a token hides them. */
export const isFar = (ink: Ink): boolean => !isRound(ink, 3);

export type RingContents = Pick<EdgeNow, "capacity" | "kinds" | "dataQueued" | "queued" | "held">;

/** Rings of more slots are drawn as a bar: a slot would be thinner than a line. */
const SLOTS_SHOWN = 24;

/** What stands in a ring, slot by slot, the next to be read on the right; what is held behind a barrier is hatched. */
export function drawRing(ink: Ink, box: Box, edge: RingContents, border: string): void {
  const { context, colours } = ink;
  const small = box.h < 14;
  const radius = small ? 3 : 5;
  if (isRound(ink, radius)) {
    context.beginPath();
    context.roundRect(box.x, box.y, box.w, box.h, radius);
    context.fillStyle = colours.panel;
    context.fill();
    context.strokeStyle = border;
    context.lineWidth = 1;
    context.stroke();
  } else {
    context.fillStyle = border;
    context.fillRect(box.x - 0.5, box.y - 0.5, box.w + 1, box.h + 1);
    context.fillStyle = colours.panel;
    context.fillRect(box.x + 0.5, box.y + 0.5, box.w - 1, box.h - 1);
  }
  const pad = small ? 2 : 3;
  const inner = { x: box.x + pad, y: box.y + pad, w: box.w - 2 * pad, h: box.h - 2 * pad };
  if (edge.capacity > SLOTS_SHOWN) drawBar(ink, inner, edge);
  else drawSlots(ink, inner, edge);
}

/** What stands in a ring that is drawn already, empty, and is seen from far: a rectangle for all data messages, one for each other. */
export function drawFarContents(ink: Ink, box: Box, edge: RingContents): void {
  const { context, colours } = ink;
  const inner = { x: box.x + 2, y: box.y + 2, w: box.w - 4, h: box.h - 4 };
  const right = inner.x + inner.w;
  const width = inner.w / Math.max(edge.capacity, edge.dataQueued);
  if (edge.dataQueued > 0) {
    context.fillStyle = edge.held ? colours.barrier : colours.data;
    context.fillRect(right - edge.dataQueued * width, inner.y, edge.dataQueued * width, inner.h);
  }
  let before = 0;
  for (const kind of edge.kinds) {
    if (kind === "data") before++;
    else if (kind !== "tick") {
      context.fillStyle = colours[KIND_COLOURS[kind]];
      context.fillRect(Math.max(inner.x, right - before * width - 2), box.y, 3, box.h);
    }
  }
}

const KIND_COLOURS = { watermark: "watermark", barrier: "barrier", eos: "end" } as const;

/** A slot for each data message that the ring has room for; control messages stand between them, where they were sent. */
function drawSlots(ink: Ink, inner: Box, edge: RingContents): void {
  const { context, colours, hatch } = ink;
  const data = edge.kinds.filter((kind) => kind === "data").length;
  const slots = Math.max(edge.capacity, data);
  const width = inner.w / slots;
  const thick = Math.max(0.8, width - 1.2);
  const right = inner.x + inner.w;
  const left = (slot: number) => right - (slot + 1) * width + 0.6;
  context.fillStyle = colours.line;
  for (let slot = data; slot < slots; slot++) context.fillRect(left(slot), inner.y, thick, inner.h);
  context.fillStyle = edge.held ? hatch : colours.data;
  for (let slot = 0; slot < data; slot++) context.fillRect(left(slot), inner.y, thick, inner.h);
  if (edge.held && data > 0) {
    context.strokeStyle = colours.barrier;
    context.lineWidth = 0.5;
    for (let slot = 0; slot < data; slot++) context.strokeRect(left(slot), inner.y, thick, inner.h);
  }
  let before = 0;
  let stacked = 0;
  let flag = Number.POSITIVE_INFINITY;
  for (const kind of edge.kinds) {
    if (kind === "data") {
      before++;
      stacked = 0;
      continue;
    }
    const x = Math.max(inner.x, right - before * width - stacked++ * 2.5);
    if (kind !== "watermark") drawControl(ink, inner, kind, x);
    else if (flag - x >= FLAG_GAP) {
      drawFlag(ink, x - 0.5, inner.y - 1.5, inner.h + 1.5, Math.min(inner.h * 0.45, 4.5));
      flag = x;
    } else {
      // Flags that stand close would cover each other and the slots.
      context.fillStyle = colours.watermark;
      context.fillRect(x - 0.9, inner.y, 0.8, inner.h);
    }
  }
}

const FLAG_GAP = 14;

function drawControl(ink: Ink, { y, h }: Box, kind: Exclude<MessageKind, "data" | "watermark">, x: number): void {
  const { context, colours } = ink;
  switch (kind) {
    case "barrier":
      drawGate(ink, x, y + h / 2, h + 6, 3);
      return;
    case "eos":
      context.fillStyle = colours.end;
      context.fillRect(x - 3.5, y + h / 2 - 2.5, 5, 5);
      return;
    case "tick":
      context.fillStyle = colours.faint;
      context.fillRect(x - 1, y + h / 2 - 0.6, 1.2, 1.2);
      return;
  }
}

/** How full the ring is, and where in it the barriers stand. */
function drawBar(ink: Ink, inner: Box, { capacity, dataQueued, kinds, held, queued }: RingContents): void {
  const { context, colours, hatch } = ink;
  context.fillStyle = colours.line;
  context.fillRect(inner.x, inner.y, inner.w, inner.h);
  const filled = Math.min(1, dataQueued / capacity) * inner.w;
  const right = inner.x + inner.w;
  context.fillStyle = held ? hatch : colours.data;
  context.fillRect(right - filled, inner.y, filled, inner.h);
  kinds.forEach((kind, i) => {
    if (kind !== "barrier") return;
    const x = right - (queued === 0 ? 0 : (i / queued) * Math.max(filled, 4));
    drawGate(ink, x - 1.5, inner.y + inner.h / 2, inner.h + 6, 3);
  });
}

/** A flag on its pole, which begins at (x, y) and hangs down. */
export function drawFlag(ink: Ink, x: number, y: number, height: number, flag = height * 0.5): void {
  const { context, colours } = ink;
  if (!isRound(ink, flag / 2)) {
    context.fillStyle = colours.watermark;
    if (isFar(ink)) {
      context.fillRect(x - 0.6, y, flag * 0.9, flag * 1.1);
      return;
    }
    context.fillRect(x - 0.6, y, 1.2, height);
    context.fillRect(x, y, flag * 0.8, flag * 0.8);
    return;
  }
  context.beginPath();
  context.moveTo(x, y + height);
  context.lineTo(x, y);
  context.lineTo(x + flag * 1.1, y + flag / 2);
  context.lineTo(x, y + flag);
  context.strokeStyle = colours.watermark;
  context.lineWidth = 1.2;
  context.lineJoin = "round";
  context.stroke();
}

/** A barrier: a bar across. `angle` turns it with the way that it stands across. */
export function drawGate(ink: Ink, x: number, y: number, length: number, thick: number, angle = 0): void {
  const { context, colours } = ink;
  context.fillStyle = colours.barrier;
  if ((angle === 0 && !isRound(ink, thick / 2)) || isFar(ink)) {
    const [w, h] = Math.abs(Math.sin(angle)) < 0.7 ? [thick, length] : [length, thick];
    context.fillRect(x - w / 2, y - h / 2, w, h);
    return;
  }
  context.save();
  context.translate(x, y);
  context.rotate(angle);
  context.beginPath();
  context.roundRect(-thick / 2, -length / 2, thick, length, thick / 2);
  context.fill();
  context.restore();
}
