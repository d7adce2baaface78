import { CATALOG, callOverdue, type ErrorData, type Plan } from "../../engine/index.ts";

/** Beside the limit of a call: the slowest motion that can be chosen, and a machine with other things to do. */
const ALLOWANCE_MS = 6000;
const LOOK_EVERY_MS = 500;

/**
 * The lab works in one worker, which a call of foreign code blocks: then nothing is heard of the run any more, and it hears nobody. This watches for
 * that in runs that have such code.
 */
export class LabWatch {
  private readonly end: (error: ErrorData) => void;
  private readonly limitMs: number;
  private readonly error: ErrorData | undefined;
  private readonly timer: ReturnType<typeof setInterval> | undefined;
  private heardAt = performance.now();
  private silent = false;

  /** @param end ends the worker, with the reason */
  constructor(plan: Plan, end: (error: ErrorData) => void) {
    const calls = plan.tasks.flatMap((task) =>
      task.stages.flatMap((stage) => {
        const limitMs = CATALOG.get(stage.kind)?.callLimitMs?.(stage.config);
        return limitMs === undefined ? [] : [{ task: task.id, stage, limitMs }];
      }),
    );
    this.end = end;
    this.limitMs = Math.max(0, ...calls.map(({ limitMs }) => limitMs));
    const longest = calls.find(({ limitMs }) => limitMs === this.limitMs);
    const nodes = new Set(calls.map(({ stage }) => stage.node));
    if (longest === undefined) return;
    const error = callOverdue(longest.stage, longest.task, this.limitMs);
    const message = `one of ${[...nodes].join(", ")} did not return within ${this.limitMs} ms`;
    this.error = nodes.size > 1 ? { ...error, node: undefined, task: undefined, message } : error;
    this.timer = setInterval(() => this.look(), LOOK_EVERY_MS);
  }

  heard(): void {
    this.heardAt = performance.now();
    this.silent = false;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** A page that was asleep looks before it has heard what came meanwhile: it takes two looks. */
  private look(): void {
    const late = performance.now() - this.heardAt > this.limitMs + ALLOWANCE_MS;
    if (late && this.silent && this.error !== undefined) {
      this.stop();
      this.end(this.error);
    }
    this.silent = late;
  }
}
