import type { ErrorData } from "../base/errors.ts";
import type { TaskId } from "../base/ids.ts";
import type { ProbeReader } from "../core/probes.ts";
import { CATALOG } from "../operators/catalog.ts";
import type { Plan, PlanStage } from "../topology/physical-plan.ts";
import { callOverdue } from "./call-overdue.ts";
import { firstStageOf } from "./probe-shape.ts";

/** A call of foreign code that has not returned in its time. */
export interface Overdue {
  readonly task: TaskId;
  readonly error: ErrorData;
}

interface Watched {
  readonly task: TaskId;
  readonly stage: PlanStage;
  /** Number among the run's stages. */
  readonly index: number;
  readonly limitMs: number;
}

/**
 * Watches, from outside, over calls that nothing inside their worker can interrupt: it blocks there for as long as they last. Stages tell by
 * their probes since when such code is at work.
 */
export class OverdueWatch {
  private readonly probes: ProbeReader;
  private readonly watched: readonly Watched[];

  constructor(plan: Plan, probes: ProbeReader) {
    this.probes = probes;
    this.watched = plan.tasks.flatMap((task) =>
      task.stages.flatMap((stage, i): Watched[] => {
        const limitMs = CATALOG.get(stage.kind)?.callLimitMs?.(stage.config);
        return limitMs === undefined ? [] : [{ task: task.id, stage, index: firstStageOf(plan, task) + i, limitMs }];
      }),
    );
  }

  /** @param nowMs the run's clock, pauses included: a call goes on through them */
  overdue(nowMs: number): Overdue[] {
    return this.watched.flatMap(({ task, stage, index, limitMs }): Overdue[] => {
      const since = this.probes.stage(index).foreignSinceMs;
      if (since === undefined || nowMs - since <= limitMs) return [];
      return [{ task, error: callOverdue(stage, task, limitMs) }];
    });
  }
}
