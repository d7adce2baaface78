import type { Alignment } from "../alignment.ts";
import type { RingPlace } from "./places.ts";
import { drawGate, type Ink, isFar } from "./ring-picture.ts";
import type { EdgeScene } from "./scene.ts";

const THICK = 3.6;

/** Which inputs of aligning tasks have their barrier, and which owe it. */
export interface Gates {
  readonly epochs: ReadonlyMap<number, number>;
  readonly missing: ReadonlyMap<number, number>;
}

/** Epochs by physical edge. */
export function gatesOf(found: readonly Alignment[]): Gates {
  const epochs = new Map<number, number>();
  const missing = new Map<number, number>();
  for (const { epoch, delivered, missing: owed } of found) {
    for (const { id } of delivered) epochs.set(id, epoch);
    for (const { id } of owed) missing.set(id, epoch);
  }
  return { epochs, missing };
}

/** At the end of an edge: a delivered barrier stands as a gate, a missing one as a dashed gate, some of each as half and half. */
export function drawEdgeGates(ink: Ink, scene: EdgeScene, { epochs, missing }: Gates): void {
  const here = scene.rings.filter((ring) => epochs.has(ring));
  const owed = scene.rings.filter((ring) => missing.has(ring));
  if (here.length + owed.length === 0) return;
  const { x, y } = scene.curve.to;
  const { shift, length } = scene.gate;
  const part = here.length / (here.length + owed.length);
  draw(ink, x, y + shift, scene.drops, part, here[0] === undefined ? undefined : epochs.get(here[0]), length);
}

export function drawRingGate(ink: Ink, { edge, after }: RingPlace, drops: boolean, { epochs, missing }: Gates): void {
  const { x, y } = after.to;
  if (epochs.has(edge)) draw(ink, x, y, drops, 1, undefined, 14);
  else if (missing.has(edge)) draw(ink, x, y, drops, 0, undefined, 14);
}

/** `part`: how much of it has arrived. */
function draw(
  ink: Ink,
  x: number,
  y: number,
  drops: boolean,
  part: number,
  epoch: number | undefined,
  length: number,
): void {
  const { context, colours } = ink;
  const at = drops ? { x, y: y - 5 } : { x: x - 5, y };
  if (isFar(ink)) {
    drawFar(ink, at.x, at.y, drops, part, length);
    return;
  }
  const angle = drops ? Math.PI / 2 : 0;
  if (part < 1) {
    context.save();
    context.translate(at.x, at.y);
    context.rotate(angle);
    context.beginPath();
    context.roundRect(-THICK / 2, -length / 2, THICK, length, THICK / 2);
    context.strokeStyle = colours.barrier;
    context.lineWidth = 1;
    context.setLineDash([3, 2]);
    context.stroke();
    context.restore();
  }
  if (part > 0) {
    const arrived = length * part;
    const shift = (length - arrived) / 2;
    drawGate(ink, drops ? at.x - shift : at.x, drops ? at.y : at.y + shift, arrived, THICK, angle);
  }
  if (epoch === undefined) return;
  context.font = `600 10.5px ${colours.sans}`;
  context.fillStyle = colours.barrier;
  context.textAlign = "right";
  context.fillText(String(epoch), at.x - (drops ? 14 : 5), at.y - (drops ? -3 : length / 2 + 3));
}

/** From far: what arrived as a bar, what is missing as its two ends. */
function drawFar({ context, colours }: Ink, x: number, y: number, drops: boolean, part: number, length: number): void {
  const bar = (from: number, to: number) =>
    drops
      ? context.fillRect(x - length / 2 + from, y - THICK / 2, to - from, THICK)
      : context.fillRect(x - THICK / 2, y + length / 2 - to, THICK, to - from);
  context.fillStyle = colours.barrier;
  const arrived = length * part;
  if (part > 0) bar(0, arrived);
  if (part === 1) return;
  const end = (length - arrived) / 3;
  bar(arrived, arrived + end);
  bar(length - end, length);
}
