import type { Epoch } from "../base/ids.ts";
import type { Plan, PlanTask } from "../topology/physical-plan.ts";
import type { CoordinatorSpec } from "./coordinator.ts";

/** `orders · 0`; a chained task names its nodes: `orders → clean · 0`. */
export function taskName(task: PlanTask): string {
  return `${task.stages.map(({ name, node }) => name ?? node).join(" → ")} · ${task.subtask}`;
}

export function coordinatorSpec(plan: Plan, startEpoch: Epoch): CoordinatorSpec {
  const { barrierEveryMs, epochTimeoutMs, stopTimeoutMs } = plan.settings;
  return {
    barrierEveryMs,
    epochTimeoutMs,
    stopTimeoutMs,
    startEpoch,
    tasks: plan.tasks.map((task) => ({
      id: task.id,
      name: taskName(task),
      hasSource: task.stages[0]?.role === "source",
      hasSink: task.stages[task.stages.length - 1]?.role === "sink",
    })),
  };
}
