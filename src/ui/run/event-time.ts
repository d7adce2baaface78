import type { TimeMark } from "../../engine/index.ts";
import type { RunFrame } from "../engine-client/run-reader.ts";
import type { RunModel } from "./run-model.ts";

/** What somebody says about time; undefined: nothing yet, which holds everything back. */
export type Said = TimeMark | undefined;

/** The least of what several say: silence before a time, a time before idleness, that before the end (D-3). */
export function leastMark(marks: readonly Said[]): Said {
  let least: Said = { kind: "end" };
  for (const mark of marks) {
    if (mark === undefined) return undefined;
    if (mark.kind === "time" && (least?.kind !== "time" || mark.ms < least.ms)) least = mark;
    if (mark.kind === "idle" && least?.kind === "end") least = mark;
  }
  return marks.length === 0 ? undefined : least;
}

/** Rows of a graph are written with dates when their times span more than this, and as plain numbers when they begin in 1970. */
const DAY_MS = 86_400_000;
const PLAIN_BELOW_MS = 31 * DAY_MS;

/** How event times of a run are written, chosen once for all of them so that they can be compared at a glance. */
export class TimeText {
  private least = Number.POSITIVE_INFINITY;
  private most = Number.NEGATIVE_INFINITY;

  /** Learns of times that will be written. */
  see(frame: RunFrame): void {
    for (const { mark } of frame.tasks) this.seeMark(mark);
    for (const { mark } of frame.edges) this.seeMark(mark);
  }

  /** `12:04:28.100`, `2024-06-01 06:00`, or a number where times are small numbers. */
  time(ms: number): string {
    if (Math.max(Math.abs(this.least), Math.abs(this.most), Math.abs(ms)) < PLAIN_BELOW_MS)
      return ms.toLocaleString("en-US");
    const iso = isoOf(ms);
    if (iso === undefined) return String(ms);
    return this.most - this.least > DAY_MS ? `${iso.slice(0, 10)} ${iso.slice(11, 16)}` : iso.slice(11, 23);
  }

  mark(mark: Said): string {
    if (mark === undefined) return "none yet";
    return mark.kind === "time" ? this.time(mark.ms) : mark.kind;
  }

  /** With everything that is known, for tooltips. */
  full(mark: Said): string {
    if (mark?.kind !== "time") return this.mark(mark);
    return `${isoOf(mark.ms)?.replace("T", " ") ?? ""} UTC (${mark.ms} ms)`;
  }

  private seeMark(mark: Said): void {
    if (mark?.kind !== "time") return;
    this.least = Math.min(this.least, mark.ms);
    this.most = Math.max(this.most, mark.ms);
  }
}

function isoOf(ms: number): string | undefined {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** A task whose time is no further than the holder's, and why. */
export interface HoldStep {
  readonly task: number;
  readonly mark: Said;
  /** The input that holds it back; undefined at a source. */
  readonly input: number | undefined;
}

/**
 * Why time at a task is not further: from the task along the input with the least time, up to the source that holds it back. An
 * input that is idle or has ended holds nothing back.
 */
export function holdChain(model: RunModel, frame: RunFrame, task: number): HoldStep[] {
  const steps: HoldStep[] = [];
  const seen = new Set<number>();
  for (let at: number | undefined = task; at !== undefined && !seen.has(at); ) {
    seen.add(at);
    const input = holdingInput(model, frame, at);
    steps.push({ task: at, mark: frame.tasks[at]?.mark, input });
    at = input === undefined ? undefined : model.plan.edges[input]?.from.task;
  }
  return steps;
}

/** The input whose time is the least, one that said nothing first; undefined where no input holds anything back. */
export function holdingInput(model: RunModel, frame: RunFrame, task: number): number | undefined {
  let holding: number | undefined;
  let leastMs = Number.POSITIVE_INFINITY;
  for (const { id } of model.into[task] ?? []) {
    const reading = frame.edges[id];
    if (reading === undefined) continue;
    const { mark, ended } = reading;
    if (mark === undefined && !ended) return id;
    if (mark?.kind === "time" && mark.ms < leastMs) {
      holding = id;
      leastMs = mark.ms;
    }
  }
  return holding;
}
