import { TASK_STATES, type TaskState } from "../../../engine/index.ts";
import type { BarrierPassage } from "../../engine-client/run-timelines.ts";
import { NOTHING, type TaskTrack } from "../../engine-client/task-track.ts";
import type { Palette } from "../canvas/palette.ts";
import type { ShownRun } from "../run-controller.ts";

export const ROW = 22;
export const LABELS = 112;
export const HEAD = 14;
const BAR = 12;

/** A column of the picture is never sampled more often than this many times. */
const SAMPLES = 24;

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

/** States of every task as bars, and each barrier as one line through the tasks: its bend is the slow one. */
export function paintTimeline(ink: TimelineInk, { run, model }: ShownRun, picture: TimelinePicture): void {
  const { context } = ink;
  context.clearRect(0, 0, picture.width, picture.height);
  paintGrid(ink, picture);
  context.save();
  context.beginPath();
  context.rect(0, HEAD, picture.width, picture.height - HEAD);
  context.clip();
  model.order.forEach((task, row) => {
    const y = rowTop(row, picture);
    if (y + ROW < HEAD || y > picture.height) return;
    paintLabel(ink, model.taskName(task), y);
    const track = run.timelines.tracks[task];
    if (track !== undefined) paintTrack(ink, track, y + (ROW - BAR) / 2, picture);
  });
  context.restore();
  const rowOf = new Map(model.order.map((task, row) => [task, row]));
  for (const [epoch, passages] of run.timelines.passages) paintBarrier(ink, epoch, passages, rowOf, picture);
}

export const rowTop = (row: number, { top }: TimelinePicture): number => HEAD + row * ROW - top;

const xOf = (ms: number, { width, fromMs, toMs }: TimelinePicture): number =>
  LABELS + ((ms - fromMs) / (toMs - fromMs)) * (width - LABELS);

/** Lines at round times. */
function paintGrid({ context, colours }: TimelineInk, picture: TimelinePicture): void {
  const step = roundStep((picture.toMs - picture.fromMs) / 6);
  context.strokeStyle = colours.line;
  context.lineWidth = 1;
  context.beginPath();
  for (let ms = Math.ceil(picture.fromMs / step) * step; ms < picture.toMs; ms += step) {
    const x = Math.round(xOf(ms, picture)) + 0.5;
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
  context.fillText(shortened(context, name, LABELS - 20), 12, y + ROW / 2 + 4);
}

/** The end of a name says which subtask, so it is cut in the middle. */
function shortened(context: CanvasRenderingContext2D, name: string, room: number): string {
  if (context.measureText(name).width <= room) return name;
  const dot = name.lastIndexOf(" · ");
  const tail = dot < 0 ? "" : name.slice(dot);
  let head = dot < 0 ? name : name.slice(0, dot);
  while (head.length > 1 && context.measureText(`${head}…${tail}`).width > room) head = head.slice(0, -1);
  return `${head}…${tail}`;
}

const counts = new Uint16Array(TASK_STATES.length);

/** Pixel by pixel the state that took most of it; neighbours of one state are one bar. */
function paintTrack(ink: TimelineInk, track: TaskTrack, y: number, picture: TimelinePicture): void {
  const columns = Math.ceil(picture.width - LABELS);
  const msPerColumn = (picture.toMs - picture.fromMs) / columns;
  let state = NOTHING;
  let from = 0;
  for (let column = 0; column <= columns; column++) {
    const next = column === columns ? NOTHING : stateIn(track, picture.fromMs + column * msPerColumn, msPerColumn);
    if (next === state) continue;
    if (state !== NOTHING) paintBar(ink, state, LABELS + from, y, column - from);
    state = next;
    from = column;
  }
}

function stateIn(track: TaskTrack, fromMs: number, ms: number): number {
  if (ms <= 1) return track.at(fromMs);
  const step = Math.max(1, ms / SAMPLES);
  counts.fill(0);
  let most = NOTHING;
  let best = 0;
  for (let at = fromMs; at < fromMs + ms; at += step) {
    const state = track.at(at);
    if (state === NOTHING) continue;
    const count = (counts[state] as number) + 1;
    counts[state] = count;
    if (count > best) {
      best = count;
      most = state;
    }
  }
  return most;
}

function paintBar({ context, colours, hatch }: TimelineInk, state: number, x: number, y: number, width: number): void {
  const name = TASK_STATES[state] as TaskState;
  const w = Math.max(0.75, width - 0.75);
  const barrier = name === "Barrier";
  context.fillStyle = barrier ? hatch : colours[FILLS[name]];
  if (w < 4) context.fillRect(x, y, w, BAR);
  else {
    context.beginPath();
    context.roundRect(x, y, w, BAR, 2);
    context.fill();
  }
  if (!barrier || w < 3) return;
  context.strokeStyle = colours.barrier;
  context.lineWidth = 0.6;
  context.strokeRect(x + 0.3, y + 0.3, w - 0.6, BAR - 0.6);
}

function paintBarrier(
  { context, colours }: TimelineInk,
  epoch: number,
  passages: readonly BarrierPassage[],
  rowOf: ReadonlyMap<number, number>,
  picture: TimelinePicture,
): void {
  const seen = passages.some(({ atMs }) => atMs >= picture.fromMs && atMs <= picture.toMs);
  if (!seen) return;
  const points = passages
    .map(({ task, atMs }) => ({ x: xOf(atMs, picture), row: rowOf.get(task) ?? 0 }))
    .sort((a, b) => a.row - b.row)
    .map(({ x, row }) => ({ x, y: rowTop(row, picture) + ROW / 2 }));
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
  for (const { x, y } of points) {
    context.beginPath();
    context.roundRect(x - 1.5, y - 8, 3, 16, 1.5);
    context.fill();
  }
  const first = points[0];
  if (first !== undefined) {
    context.font = `600 10.5px ${colours.sans}`;
    context.textAlign = "right";
    context.fillText(String(epoch), first.x - 4, Math.max(10, first.y - 10));
  }
  context.restore();
}
