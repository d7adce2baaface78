import { TASK_STATES, type TaskState } from "../../../engine/index.ts";
import type { BarrierPassage } from "../../engine-client/run-timelines.ts";
import { NOTHING, type TaskTrack } from "../../engine-client/task-track.ts";
import { HATCH_SIZE, type Palette } from "../canvas/palette.ts";
import type { ShownRun } from "../run-controller.ts";
import { hasNumber } from "./barrier-numbers.ts";
import { shortened } from "./shortened.ts";

export const ROW = 22;
export const LABELS = 112;
export const HEAD = 14;
const BAR = 12;

export interface TimelinePicture {
  readonly width: number;
  readonly height: number;
  /** How far the rows are scrolled. */
  readonly top: number;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface TimelineInk {
  readonly context: CanvasRenderingContext2D;
  readonly colours: Palette;
  readonly hatch: CanvasPattern | string;
}

const FILLS: Readonly<Record<TaskState, keyof Palette>> = {
  Starting: "fillStarting",
  Polling: "fillPolling",
  Receiving: "fillReceiving",
  Working: "fillWorking",
  Sending: "fillSending",
  Barrier: "fillBarrier",
  CommitWait: "fillCommit",
  Done: "fillDone",
  Failed: "fillFailed",
};

/** More than a rounded corner of a bar, in pixels: a bar that began before a strip is painted begins so far before it. */
const BEFORE = 8;

/**
 * States of every task as bars, and each barrier as one line through the tasks: its bend is the slow one. Paints what lies right of
 * `left`, whole pixels from the left of the picture, and leaves the rest as it is.
 */
export function paintTimeline(
  ink: TimelineInk,
  { run, model }: ShownRun,
  picture: TimelinePicture,
  barriers: Iterable<readonly [epoch: number, passages: readonly BarrierPassage[]]>,
  left = 0,
): void {
  const { context, colours } = ink;
  context.save();
  context.beginPath();
  context.rect(left, 0, picture.width - left, picture.height);
  context.clip();
  context.fillStyle = colours.panel;
  context.fillRect(left, 0, picture.width - left, picture.height);
  paintGrid(ink, picture, left);
  context.save();
  context.beginPath();
  context.rect(left, HEAD, picture.width - left, picture.height - HEAD);
  context.clip();
  const { first, last } = rowsInSight(picture);
  // The stripes stand still in time, not on the canvas: what is painted beside older ones goes on with them.
  const stripes = Math.round(xOf(0, picture)) % HATCH_SIZE;
  model.order.slice(first, last + 1).forEach((task, index) => {
    const y = rowTop(first + index, picture);
    if (left < LABELS) paintLabel(ink, model.taskName(task), y);
    const track = run.timelines.tracks[task];
    if (track !== undefined) paintTrack(ink, stripes, track, y + (ROW - BAR) / 2, picture, left);
  });
  context.restore();
  const apart = xOf(model.plan.settings.barrierEveryMs, picture) - xOf(0, picture);
  for (const [epoch, passages] of barriers) {
    paintBarrier(ink, hasNumber(epoch, apart) ? String(epoch) : undefined, passages, model.rowOf, picture);
  }
  context.restore();
}

export function rowsInSight({ top, height }: TimelinePicture): { readonly first: number; readonly last: number } {
  return { first: Math.max(0, Math.floor(top / ROW)), last: Math.floor((top + height - HEAD) / ROW) };
}

export const rowTop = (row: number, { top }: TimelinePicture): number => HEAD + row * ROW - top;

export const xOf = (ms: number, { width, fromMs, toMs }: TimelinePicture): number =>
  LABELS + ((ms - fromMs) / (toMs - fromMs)) * (width - LABELS);

/** Lines at round times. */
function paintGrid({ context, colours }: TimelineInk, picture: TimelinePicture, left: number): void {
  const step = roundStep((picture.toMs - picture.fromMs) / 6);
  context.strokeStyle = colours.line;
  context.lineWidth = 1;
  context.beginPath();
  for (let ms = Math.ceil(picture.fromMs / step) * step; ms < picture.toMs; ms += step) {
    const x = Math.round(xOf(ms, picture)) + 0.5;
    if (x < left) continue;
    context.moveTo(x, HEAD);
    context.lineTo(x, picture.height);
  }
  context.stroke();
}

/** 1, 2 or 5 times a power of ten, at least as much. */
export function roundStep(ms: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(ms, 1)));
  return ([1, 2, 5, 10].find((factor) => factor * power >= ms) ?? 10) * power;
}

function paintLabel({ context, colours }: TimelineInk, name: string, y: number): void {
  context.font = `11px ${colours.sans}`;
  context.textAlign = "left";
  context.fillStyle = colours.muted;
  context.fillText(labelOf(context, name), 12, y + ROW / 2 + 4);
}

/** Names that were measured, in the font of the labels: measuring takes longer than drawing. */
const labels = new Map<string, string>();
const LABELS_KEPT = 2000;

function labelOf(context: CanvasRenderingContext2D, name: string): string {
  const known = labels.get(name);
  if (known !== undefined) return known;
  const label = shortened((text) => context.measureText(text).width, name, LABELS - 20);
  if (labels.size >= LABELS_KEPT) labels.clear();
  // Another font may still be on its way.
  if (document.fonts.status === "loaded") labels.set(name, label);
  return label;
}

/** Pixel by pixel the state that took most of it; neighbours of one state are one bar. */
function paintTrack(
  ink: TimelineInk,
  stripes: number,
  track: TaskTrack,
  y: number,
  picture: TimelinePicture,
  left: number,
): void {
  const columns = Math.ceil(picture.width - LABELS);
  const msPerColumn = (picture.toMs - picture.fromMs) / columns;
  let state = NOTHING;
  let from = Math.max(0, left - LABELS - BEFORE);
  for (let column = from; column <= columns; column++) {
    const next = column === columns ? NOTHING : track.most(picture.fromMs + column * msPerColumn, msPerColumn);
    if (next === state) continue;
    if (state !== NOTHING) paintBar(ink, stripes, state, LABELS + from, y, column - from);
    state = next;
    from = column;
  }
}

function paintBar(
  { context, colours, hatch }: TimelineInk,
  stripes: number,
  state: number,
  x: number,
  y: number,
  width: number,
): void {
  const name = TASK_STATES[state] as TaskState;
  const w = Math.max(0.75, width - 0.75);
  const barrier = name === "Barrier";
  context.fillStyle = barrier ? hatch : colours[FILLS[name]];
  const shift = barrier ? stripes : 0;
  if (shift !== 0) context.translate(shift, 0);
  if (w < 4) context.fillRect(x - shift, y, w, BAR);
  else {
    context.beginPath();
    context.roundRect(x - shift, y, w, BAR, 2);
    context.fill();
  }
  if (shift !== 0) context.translate(-shift, 0);
  if (!barrier || w < 3) return;
  context.strokeStyle = colours.barrier;
  context.lineWidth = 0.6;
  context.strokeRect(x + 0.3, y + 0.3, w - 0.6, BAR - 0.6);
}

function paintBarrier(
  { context, colours }: TimelineInk,
  number: string | undefined,
  passages: readonly BarrierPassage[],
  rowOf: readonly number[],
  picture: TimelinePicture,
): void {
  const points = passagesInSight(passages, rowOf, picture).map(({ task, atMs }) => {
    const y = rowTop(rowOf[task] ?? 0, picture) + ROW / 2;
    return { x: xOf(atMs, picture), y };
  });
  context.save();
  context.beginPath();
  context.rect(LABELS, 0, picture.width - LABELS, picture.height);
  context.clip();
  context.beginPath();
  points.forEach(({ x, y }, index) => (index === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
  context.strokeStyle = colours.barrier;
  context.lineWidth = 1.5;
  context.lineJoin = "round";
  context.stroke();
  context.fillStyle = colours.barrier;
  context.beginPath();
  for (const { x, y } of points) context.roundRect(x - 1.5, y - 8, 3, 16, 1.5);
  context.fill();
  const first = points[0];
  if (first !== undefined && number !== undefined) {
    context.font = `600 10.5px ${colours.sans}`;
    context.textAlign = "right";
    context.fillText(number, first.x - 4, Math.max(10, first.y - 10));
  }
  context.restore();
}

/** From above to below those whose rows are in sight, and the nearest on either side: the line comes from there and goes on. */
function passagesInSight(
  passages: readonly BarrierPassage[],
  rowOf: readonly number[],
  picture: TimelinePicture,
): BarrierPassage[] {
  const { first, last } = rowsInSight(picture);
  const row = ({ task }: BarrierPassage) => rowOf[task] ?? 0;
  const found: BarrierPassage[] = [];
  let above: BarrierPassage | undefined;
  let below: BarrierPassage | undefined;
  for (const passage of passages) {
    const at = row(passage);
    if (at < first) {
      if (above === undefined || at > row(above)) above = passage;
    } else if (at > last) {
      if (below === undefined || at < row(below)) below = passage;
    } else found.push(passage);
  }
  return [above, ...found.sort((a, b) => row(a) - row(b)), below].filter((each) => each !== undefined);
}
