import type { TimeHistory, TimePoint } from "../../engine-client/time-history.ts";
import type { Palette } from "../canvas/palette.ts";
import type { TimeText } from "../event-time.ts";
import { took } from "../quantities.ts";

/** Room for what is written beside the picture. */
const LEFT = 124;
const RIGHT = 16;
const TOP = 10;
const BOTTOM = 24;
const TICKS = 3;

export interface EventTimePicture {
  readonly width: number;
  readonly height: number;
  /** Tasks whose watermarks are drawn: those that somebody looks at, and the others thinner. */
  readonly chosen: readonly number[];
  readonly others: readonly number[];
  readonly nowMs: number;
}

interface Scale {
  readonly x: (atMs: number) => number;
  readonly y: (eventMs: number) => number;
  readonly least: number;
  readonly most: number;
}

/** Event time upwards against the run's clock: watermarks as steps, results as points, late rows as crosses below the line. */
export function paintEventTime(
  context: CanvasRenderingContext2D,
  history: TimeHistory,
  picture: EventTimePicture,
  { colours, times }: { readonly colours: Palette; readonly times: TimeText },
): void {
  context.clearRect(0, 0, picture.width, picture.height);
  const scale = scaleOf(history, picture);
  if (scale === undefined) return;
  paintAxes(context, picture, scale, colours, times);
  const steps = (tasks: readonly number[], width: number, colour: string) => {
    context.lineWidth = width;
    context.strokeStyle = colour;
    for (const task of tasks) paintSteps(context, history.marks[task]?.points ?? [], scale, picture.nowMs);
  };
  steps(picture.others, 1, colours.muted);
  context.fillStyle = colours.data;
  for (const point of history.results.points) {
    context.beginPath();
    context.arc(scale.x(point.atMs), scale.y(point.eventMs), 2, 0, 2 * Math.PI);
    context.fill();
  }
  steps(picture.chosen, 1.8, colours.watermark);
  context.lineWidth = 1.5;
  context.strokeStyle = colours.sending;
  for (const point of history.late.points) paintCross(context, scale.x(point.atMs), scale.y(point.eventMs) + 7);
}

function scaleOf(history: TimeHistory, picture: EventTimePicture): Scale | undefined {
  const lists = [...picture.chosen, ...picture.others].map((task) => history.marks[task]?.points ?? []);
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const points of [...lists, history.results.points]) {
    for (const { eventMs } of points) {
      least = Math.min(least, eventMs);
      most = Math.max(most, eventMs);
    }
  }
  if (!Number.isFinite(least)) return undefined;
  if (least === most) [least, most] = [least - 1, most + 1];
  const wide = Math.max(1, picture.width - LEFT - RIGHT);
  const high = Math.max(1, picture.height - TOP - BOTTOM);
  const toMs = Math.max(1, picture.nowMs);
  return {
    least,
    most,
    x: (atMs) => LEFT + (Math.min(atMs, toMs) / toMs) * wide,
    y: (eventMs) => TOP + high - ((eventMs - least) / (most - least)) * high,
  };
}

function paintAxes(
  context: CanvasRenderingContext2D,
  { width, height, nowMs }: EventTimePicture,
  { x, y, least, most }: Scale,
  colours: Palette,
  times: TimeText,
): void {
  context.font = `11px ${colours.mono}`;
  context.fillStyle = colours.muted;
  context.strokeStyle = colours.line;
  context.lineWidth = 1;
  for (let tick = 0; tick <= TICKS; tick++) {
    const eventMs = least + ((most - least) * tick) / TICKS;
    const line = Math.round(y(eventMs)) + 0.5;
    context.beginPath();
    context.moveTo(LEFT, line);
    context.lineTo(width - RIGHT, line);
    context.stroke();
    context.textAlign = "right";
    context.fillText(times.time(Math.round(eventMs)), LEFT - 10, line + 4);
    const atMs = (nowMs * tick) / TICKS;
    context.textAlign = tick === TICKS ? "right" : tick === 0 ? "left" : "center";
    context.fillText(took(atMs), x(atMs), height - 7);
  }
}

/** A watermark holds until the next one. */
function paintSteps(
  context: CanvasRenderingContext2D,
  points: readonly TimePoint[],
  { x, y }: Scale,
  nowMs: number,
): void {
  const [first] = points;
  if (first === undefined) return;
  context.beginPath();
  context.moveTo(x(first.atMs), y(first.eventMs));
  let before = first;
  for (const point of points) {
    context.lineTo(x(point.atMs), y(before.eventMs));
    context.lineTo(x(point.atMs), y(point.eventMs));
    before = point;
  }
  context.lineTo(x(nowMs), y(before.eventMs));
  context.stroke();
}

function paintCross(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.beginPath();
  context.moveTo(x - 3, y - 3);
  context.lineTo(x + 3, y + 3);
  context.moveTo(x + 3, y - 3);
  context.lineTo(x - 3, y + 3);
  context.stroke();
}
