import type { Batch, Plan } from "../../engine/index.ts";
import type { RunFrame } from "./run-reader.ts";

/** What happened at a moment of the run's clock, with the event time that belongs to it. */
export interface TimePoint {
  readonly atMs: number;
  readonly eventMs: number;
}

/** More points are no use to a picture; of more every second one is left out. */
const MOST_POINTS = 2000;
/** Results of one batch that are kept: rows of a batch become visible at one moment. */
const MOST_OF_BATCH = 64;
/** Runs of more tasks keep no history of each. */
const MOST_TASKS = 128;

/** Points in the order in which they happened, thinned evenly where there are too many. */
export class TimePoints {
  readonly points: TimePoint[] = [];
  /** One of so many is kept. */
  every = 1;
  private seen = 0;

  add(point: TimePoint): void {
    if (this.seen++ % this.every !== 0) return;
    this.points.push(point);
    if (this.points.length <= MOST_POINTS) return;
    const half = this.points.filter((_, index) => index % 2 === 0);
    this.points.splice(0, this.points.length, ...half);
    this.every *= 2;
  }
}

/**
 * Event time against the run's clock, from the run itself: what each task said of time, when, the event times of the rows that sinks
 * made visible, and when rows came too late.
 */
export class TimeHistory {
  /** By task id: its watermark, each time it moved. */
  readonly marks: readonly TimePoints[];
  readonly results = new TimePoints();
  /** Rows came too late at a task; the event time is the task's watermark, which they were behind. */
  readonly late = new TimePoints();
  private readonly lastMark: Float64Array;
  /** By stage of the run: its task, and how many late rows it had counted. */
  private readonly stages: { readonly task: number; late: number }[];

  constructor(plan: Plan) {
    const kept = plan.tasks.length <= MOST_TASKS ? plan.tasks : [];
    this.marks = kept.map(() => new TimePoints());
    this.lastMark = new Float64Array(plan.tasks.length).fill(Number.NaN);
    this.stages = plan.tasks.flatMap((task) => task.stages.map(() => ({ task: task.id as number, late: 0 })));
  }

  see({ nowMs, tasks, stages }: RunFrame): void {
    this.marks.forEach((points, task) => {
      const mark = tasks[task]?.mark;
      if (mark?.kind !== "time" || mark.ms === this.lastMark[task]) return;
      this.lastMark[task] = mark.ms;
      points.add({ atMs: nowMs, eventMs: mark.ms });
    });
    this.stages.forEach((stage, index) => {
      const late = stages[index]?.counters.late ?? 0;
      if (late <= stage.late) return;
      stage.late = late;
      const mark = tasks[stage.task]?.mark;
      if (mark?.kind === "time") this.late.add({ atMs: nowMs, eventMs: mark.ms });
    });
  }

  /** Rows became visible; those without event time are no points. */
  addResults(atMs: number, { eventTimes }: Batch): void {
    if (eventTimes === null) return;
    const step = Math.max(1, Math.floor(eventTimes.length / MOST_OF_BATCH));
    let before = Number.NaN;
    for (let row = 0; row < eventTimes.length; row += step) {
      const eventMs = eventTimes[row] as number;
      if (eventMs === before || !Number.isFinite(eventMs)) continue;
      before = eventMs;
      this.results.add({ atMs, eventMs });
    }
  }
}
