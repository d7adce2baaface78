import { type Plan, type ProbeShape, TASK_STATES, type TaskState } from "../../engine/index.ts";
import type { RunFrame } from "./run-reader.ts";

/** Rates are over the last second, shares over the same. */
const WINDOW_MS = 1000;
const SAMPLE_MS = 50;
const SAMPLES = WINDOW_MS / SAMPLE_MS + 1;
const STATES = TASK_STATES.length;
/** How fast the shown fill of an edge follows. */
const FILL_MS = 220;

interface Sample {
  wallMs: number;
  /** rowsIn and rowsOut of every stage. */
  readonly rows: Float64Array;
  /** Milliseconds in every state of every task, the current stay counted. */
  readonly spent: Float64Array;
}

/** What only a stretch of time can tell: rates, where time went, how full an edge was of late. */
export class RunTrends {
  /** By edge id: the part of its capacity that data filled of late, 0 to 1. */
  readonly fill: Float64Array;
  /** By task id: the edge that it waited for last, -1 for none. */
  readonly target: Int32Array;
  private readonly samples: Sample[];
  private count = 0;
  private filledAt = 0;

  constructor(shape: ProbeShape, plan: Plan) {
    this.fill = new Float64Array(plan.edges.length);
    this.target = new Int32Array(plan.tasks.length).fill(-1);
    this.samples = Array.from({ length: SAMPLES }, () => ({
      wallMs: 0,
      rows: new Float64Array(shape.stages * 2),
      spent: new Float64Array(shape.tasks * STATES),
    }));
  }

  sample(frame: RunFrame, wallMs: number): void {
    this.follow(frame, wallMs);
    if (this.count > 0 && wallMs - this.newest.wallMs < SAMPLE_MS) return;
    const sample = this.samples[this.count % SAMPLES] as Sample;
    sample.wallMs = wallMs;
    frame.stages.forEach(({ rowsIn, rowsOut }, index) => {
      sample.rows[2 * index] = rowsIn;
      sample.rows[2 * index + 1] = rowsOut;
    });
    frame.tasks.forEach((task, id) => {
      TASK_STATES.forEach((state, index) => {
        sample.spent[id * STATES + index] = task.spentMs[state] + (state === task.state ? task.forMs : 0);
      });
    });
    this.count++;
  }

  /** Rows a second into or out of a stage; undefined until there is something to compare. */
  rowsPerSecond(stage: number, way: "in" | "out"): number | undefined {
    const from = this.oldest;
    const to = this.newest;
    const seconds = (to.wallMs - from.wallMs) / 1000;
    if (this.count < 2 || seconds <= 0) return undefined;
    const cell = 2 * stage + (way === "in" ? 0 : 1);
    return Math.max(0, ((to.rows[cell] as number) - (from.rows[cell] as number)) / seconds);
  }

  /** Part of the last second that a task spent in each state; all 0 where the clock stood still. `sinceMs`: of the last so many. */
  shares(task: number, sinceMs = WINDOW_MS): Record<TaskState, number> {
    const from = this.before(this.newest.wallMs - sinceMs).spent;
    const to = this.newest.spent;
    const spent = TASK_STATES.map((_, index) =>
      Math.max(0, (to[task * STATES + index] as number) - (from[task * STATES + index] as number)),
    );
    const total = spent.reduce((sum, ms) => sum + ms, 0);
    const share = (index: number) => (total <= 0 ? 0 : (spent[index] as number) / total);
    return Object.fromEntries(TASK_STATES.map((state, index) => [state, share(index)])) as Record<TaskState, number>;
  }

  private follow(frame: RunFrame, wallMs: number): void {
    const weight = this.filledAt === 0 ? 1 : 1 - Math.exp(-(wallMs - this.filledAt) / FILL_MS);
    this.filledAt = wallMs;
    frame.tasks.forEach(({ state, target }, task) => {
      if (state === "Sending" && target !== undefined) this.target[task] = target;
    });
    frame.edges.forEach(({ dataQueued, capacity }, edge) => {
      const before = this.fill[edge] as number;
      this.fill[edge] = before + (Math.min(1, dataQueued / capacity) - before) * weight;
    });
  }

  private get newest(): Sample {
    return this.samples[(this.count + SAMPLES - 1) % SAMPLES] as Sample;
  }

  private get oldest(): Sample {
    return this.samples[this.count < SAMPLES ? 0 : this.count % SAMPLES] as Sample;
  }

  /** The newest sample that is not newer, else the oldest. */
  private before(wallMs: number): Sample {
    for (let back = 2; back <= Math.min(this.count, SAMPLES); back++) {
      const sample = this.samples[(this.count - back + SAMPLES * 2) % SAMPLES] as Sample;
      if (sample.wallMs <= wallMs) return sample;
    }
    return this.oldest;
  }
}
