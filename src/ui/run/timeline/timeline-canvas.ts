import type { BarrierPassage } from "../../engine-client/run-timelines.ts";
import { resizeCanvas } from "../../shared/canvas-pixels.ts";
import { hatch, palette } from "../canvas/palette.ts";
import type { ShownRun } from "../run-controller.ts";
import { LABELS, paintTimeline, rowsInSight, type TimelineInk, type TimelinePicture, xOf } from "./timeline-painter.ts";

/** Room for the number of a barrier, left of it; for the end of a bar that goes on; for half of a barrier's line. */
const NUMBER = 44;
const BAR_END = 6;
const LINE = 3;

/**
 * The canvas of the timeline. While time goes by what it shows moves to the left, and only what came since is painted, or is known
 * better than before: a strip of some pixels. It is opaque, so that a browser without a GPU does not put together what lies below.
 */
export class TimelineCanvas {
  private readonly canvas: HTMLCanvasElement;
  private readonly context: CanvasRenderingContext2D | null;
  private ink: TimelineInk | undefined = undefined;
  private last: { readonly shown: ShownRun; readonly picture: TimelinePicture; readonly fonts: string } | undefined;
  private readonly barriers = new BarrierExtents();

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
  }

  /** The next picture is painted whole: with other colours. */
  renew(): void {
    this.ink = undefined;
  }

  paint(shown: ShownRun, picture: TimelinePicture): void {
    const { context } = this;
    // A panel that is being opened has no size yet.
    if (context === null || picture.width < 1 || picture.height < 1) return;
    const left = this.keep(shown, picture);
    this.ink ??= { context, colours: palette(), hatch: hatch(context, palette()) };
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    const { passages } = shown.run.timelines;
    const fromMs = left === 0 ? picture.fromMs : msAt(left - LINE, picture);
    const seen = [...passages].filter(([epoch]) => this.barriers.reach(epoch, fromMs, picture.toMs));
    paintTimeline(this.ink, shown, picture, seen, left);
  }

  /** Moves what can be kept of the last picture; answers how far from the left it is right, in pixels. */
  private keep(shown: ShownRun, picture: TimelinePicture): number {
    const { last, canvas, context } = this;
    const fonts = document.fonts.status;
    this.last = { shown, picture, fonts };
    const changedFrom = Math.min(this.barriers.follow(shown.run.timelines.passages), changesInSight(shown, picture));
    if (this.resize(picture) || this.ink === undefined || context === null) return 0;
    if (last === undefined || last.shown !== shown || last.fonts !== fonts || !isLater(last.picture, picture)) return 0;
    const plot = picture.width - LABELS;
    const moved = Math.round(((picture.toMs - last.picture.toMs) / (picture.toMs - picture.fromMs)) * plot);
    const known = Math.min(picture.width - moved - BAR_END, Math.floor(xOf(changedFrom, picture)) - NUMBER);
    // A part of a pixel cannot be moved by.
    if (known <= LABELS || !Number.isInteger(devicePixelRatio)) return 0;
    if (moved > 0) {
      const [x, dx, w, h] = [LABELS, moved, plot - moved, picture.height].map((each) => each * devicePixelRatio) as [
        number,
        number,
        number,
        number,
      ];
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.drawImage(canvas, x + dx, 0, w, h, x, 0, w, h);
    }
    return known;
  }

  /** True when the canvas has another size, and nothing on it. */
  private resize({ width, height }: TimelinePicture): boolean {
    const { canvas } = this;
    if (!resizeCanvas(canvas, width, height)) return false;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    return true;
  }
}

/** The same rows over as long a time, that went by a little. */
function isLater(before: TimelinePicture, now: TimelinePicture): boolean {
  const same = before.width === now.width && before.height === now.height && before.top === now.top;
  const span = now.toMs - now.fromMs;
  const bySome = now.toMs >= before.toMs && now.toMs - before.toMs < span;
  return same && bySome && Math.abs(before.toMs - before.fromMs - span) < 1e-6;
}

const msAt = (x: number, { width, fromMs, toMs }: TimelinePicture): number =>
  fromMs + ((x - LABELS) / (width - LABELS)) * (toMs - fromMs);

function changesInSight({ run, model }: ShownRun, picture: TimelinePicture): number {
  const { first, last } = rowsInSight(picture);
  const changes = model.order.slice(first, last + 1).map((task) => run.timelines.tracks[task]?.takeChangedFrom());
  return Math.min(...changes.map((from) => from ?? 0), Number.POSITIVE_INFINITY);
}

/** From when to when the barriers of the epochs went through the tasks. */
class BarrierExtents {
  private extents = new Map<number, { readonly count: number; readonly fromMs: number; readonly toMs: number }>();

  /** From when on the barriers look otherwise than last time. */
  follow(passages: ReadonlyMap<number, readonly BarrierPassage[]>): number {
    const before = this.extents;
    this.extents = new Map();
    let changed = Number.POSITIVE_INFINITY;
    for (const [epoch, those] of passages) {
      const known = before.get(epoch);
      if (known?.count === those.length) {
        this.extents.set(epoch, known);
        continue;
      }
      const times = those.map(({ atMs }) => atMs);
      const fromMs = Math.min(...times);
      this.extents.set(epoch, { count: those.length, fromMs, toMs: Math.max(...times) });
      changed = Math.min(changed, fromMs);
    }
    return changed;
  }

  /** Whether something of the epoch's barrier went through between these times. */
  reach(epoch: number, fromMs: number, toMs: number): boolean {
    const extent = this.extents.get(epoch);
    return extent !== undefined && extent.toMs >= fromMs && extent.fromMs <= toMs;
  }
}
